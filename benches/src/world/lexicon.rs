//! The plain words that people of a world talk in.

use std::sync::LazyLock;

use fastrand::Rng;

use super::zipf_from;

/// A list of words, some drawn more often than others.
pub(super) struct Words(LazyLock<Vec<&'static str>>);

impl Words {
    /// One of them: the first about five times as often as the last.
    pub(super) fn at(&self, random: &mut Rng) -> &'static str {
        let list = &*self.0;
        list[zipf_from(random, list.len(), list.len() as f64 / 4.0)]
    }
}

/// Whether a word is part of any of the lists of things.
pub(super) fn is_plain(word: &str) -> bool {
    [&FOODS, &PASTIMES, &ADJECTIVES, &THINGS, &SPOTS, &CLUBS, &DEEDS, &FEELINGS, &TROUBLES]
        .iter()
        .any(|list| list.0.iter().any(|entry| entry.split(' ').any(|part| part == word)))
}

/// What stands between commas.
fn of(text: &'static str) -> Vec<&'static str> {
    text.split(',').map(str::trim).collect()
}

pub(super) static JOBS: Words = Words(LazyLock::new(|| {
    of("nurse, teacher, accountant, engineer, designer, baker, carpenter, chef, cleaner, driver, editor, \
        electrician, farmer, florist, gardener, hairdresser, journalist, lawyer, librarian, mechanic, midwife, \
        musician, painter, paramedic, pharmacist, photographer, pilot, plumber, potter, producer, programmer, \
        psychologist, receptionist, researcher, sailor, scientist, secretary, surgeon, tailor, technician, \
        therapist, translator, veterinarian, waiter, writer, analyst, architect, barista, biologist, brewer, \
        butcher, cashier, chemist, clerk, coach, consultant, dancer, dentist, developer, economist, historian, \
        judge, lecturer, novelist, physicist, pianist, singer, trainer")
}));

pub(super) static SUBJECTS: Words = Words(LazyLock::new(|| {
    of("law, medicine, economics, history, chemistry, physics, biology, maths, philosophy, psychology, \
        architecture, nursing, literature, geography, music, astronomy, geology, linguistics, sociology, \
        archaeology, statistics, engineering, forestry, journalism, agriculture, theology, pharmacy, ecology")
}));

pub(super) static LANGUAGES: Words = Words(LazyLock::new(|| {
    of(
        "Portuguese, Dutch, Spanish, French, German, Italian, Polish, Swedish, Turkish, Greek, Arabic, Japanese, \
        Korean, Finnish, Danish, Czech, Hungarian, Welsh, Basque, Icelandic, Swahili, Hindi, Tamil, Estonian",
    )
}));

pub(super) static FOODS: Words = Words(LazyLock::new(|| {
    of(
        "kale, spinach, peas, lentils, mushrooms, oysters, pancakes, dumplings, olives, rye bread, goat cheese, \
        tomato soup, noodles, curry, ginger tea, black coffee, dark chocolate, apple pie, sushi, tacos, paella, \
        ramen, hummus, pickles, anchovies, figs, plums, cherries, rhubarb, marzipan, liquorice, oat milk, tofu, \
        lamb stew, roast duck, fish cakes, potato salad, couscous, risotto, gnocchi, lasagne, blueberries, \
        walnuts, almonds, pistachios, quinces, artichokes, asparagus, beetroot, celery, chestnuts, coconut, \
        crab, fennel, garlic bread, halloumi, honey, leeks, lemonade, mackerel, mangoes, mustard, omelettes, \
        parsnips, pears, polenta, porridge, pumpkin, radishes, sardines, scones, seaweed, shortbread, sorbet, \
        squid, tahini, turnips, waffles, watercress, yoghurt",
    )
}));

pub(super) static PASTIMES: Words = Words(LazyLock::new(|| {
    of(
        "hiking, baking, sailing, gardening, cycling, painting, climbing, swimming, knitting, fishing, running, \
        dancing, skating, camping, surfing, drawing, sewing, singing, rowing, fencing, bowling, canoeing, \
        birdwatching, woodworking, juggling, kayaking, quilting, weaving, foraging, brewing, stargazing, \
        bookbinding, woodcarving, wrestling, boxing, archery training, ice bathing",
    )
}));

pub(super) static GAMES: Words = Words(LazyLock::new(|| {
    of(
        "chess, tennis, football, the cello, the violin, the drums, handball, volleyball, badminton, the flute, \
        basketball, golf, cricket, rugby, squash, bridge, poker, the harp, the trumpet, the banjo, darts, \
        backgammon, hockey, the clarinet, the accordion",
    )
}));

pub(super) static GENRES: Words = Words(LazyLock::new(|| {
    of("jazz, crime novels, old films, opera, folk music, board games, podcasts, science fiction, blues, \
        street art, ballet, poetry, cartoons, documentaries, techno, puppetry, musicals, comics, ghost stories, \
        brass bands, model railways, stand-up comedy, vintage cars, steam engines, origami, calligraphy")
}));

pub(super) static PETS: Words =
    Words(LazyLock::new(|| of("dog, cat, rabbit, puppy, kitten, parrot, hamster, horse")));

pub(super) static PET_NAMES: Words = Words(LazyLock::new(|| {
    of(
        "rex, miso, pip, biscuit, luna, bramble, toffee, pepper, ziggy, mochi, waffles, hazel, pickle, domino, \
        smokey, tinker, juno, bandit, clover, rusty, nacho, olive, marble, scout, gizmo, poppy, moose, shadow, \
        willow, basil, cocoa, duke, felix, ginger, jasper, maple, nutmeg, otto, peaches, truffle, whisky, yuki",
    )
}));

pub(super) static ADJECTIVES: Words = Words(LazyLock::new(|| {
    of(
        "red, second-hand, wooden, blue, old, heavy, green, used, tiny, huge, grey, yellow, folding, leather, \
        cheap, silver, electric, handmade, broken, striped, woollen, antique, waterproof, portable, purple, \
        ceramic, copper, velvet, plastic, marble, cotton, brass, solar, wireless, foldable, rusty, sturdy, \
        lightweight, vintage, spotted, turquoise, oak, linen, bamboo, cast-iron, enamel, tartan, crimson",
    )
}));

pub(super) static THINGS: Words = Words(LazyLock::new(|| {
    of(
        "bicycle, lamp, table, coat, tent, camera, guitar, sofa, kettle, jacket, backpack, printer, bookshelf, \
        rug, mirror, telescope, canoe, drill, blender, scooter, armchair, keyboard, laptop, telephone, wardrobe, \
        ladder, toaster, umbrella, suitcase, clock, mattress, microphone, violin, helmet, hammock, freezer, \
        lantern, tractor, caravan, heater, carpet, vase, sledge, typewriter, piano, radio, surfboard, rucksack, \
        desk, chair, dishwasher, cupboard, grill, teapot, frying pan, globe, screwdriver, raincoat, saddle, \
        anvil, loom, easel, barometer, compass, wheelbarrow, greenhouse, sewing machine, chessboard, trampoline, \
        projector, headphones, sunglasses, thermos, jigsaw, puzzle, doormat, quilt, birdhouse, bathtub",
    )
}));

pub(super) static SPOTS: Words = Words(LazyLock::new(|| {
    of(
        "market, library, station, harbour, theatre, swimming pool, museum, town hall, bakery, cinema, allotment, \
        stadium, bookshop, lighthouse, fire station, ferry, post office, hospital, ice rink, botanical garden, \
        community centre, farm shop, bus stop, aquarium, planetarium, skate park, recycling centre, food bank, \
        animal shelter, youth centre, garden centre, climbing hall, observatory, courthouse, windmill, vineyard",
    )
}));

pub(super) static CLUBS: Words = Words(LazyLock::new(|| {
    of(
        "chess club, choir, rowing club, book club, drama group, running club, cycling club, neighbourhood watch, \
        orchestra, hiking group, pottery class, tennis club, debating society, mountain rescue, quiz team, \
        photography club, samba band, gardening society, swimming team, knitting circle, sailing club",
    )
}));

pub(super) static DEEDS: Words = Words(LazyLock::new(|| {
    of("open a bakery, learn to sail, repaint the kitchen, run a marathon, plant an orchard, write a novel, \
        build a shed, sell the car, restore an old boat, keep bees, walk the coast path, renovate the bathroom, \
        study for the exam, start a podcast, host a street party, climb a mountain, dig a pond, move abroad, \
        train for a triathlon, insulate the loft, brew cider, apply for a new passport, record an album, \
        cycle across the country, retire early, found a charity, photograph every bridge, bake a wedding cake")
}));

pub(super) static FEELINGS: Words = Words(LazyLock::new(|| {
    of(
        "tired, hungry, nervous, exhausted, thrilled, relieved, grumpy, cheerful, curious, restless, anxious, \
        delighted, puzzled, sleepy, stubborn, embarrassed, furious, homesick, hopeful, jealous, lonely, proud, \
        shocked, thankful, sore, dizzy, bored, overwhelmed, speechless, stressed",
    )
}));

pub(super) static WEATHER: Words = Words(LazyLock::new(|| {
    of("rain, fog, snow, sunshine, drizzle, wind, hail, thunder, heat, frost, sleet, mist, storm, clouds")
}));

pub(super) static TROUBLES: Words = Words(LazyLock::new(|| {
    of(
        "traffic, paperwork, laundry, deadline, dentist, leak, boiler, neighbours, invoice, commute, landlord, \
        wifi, printer, queue, alarm, mould, draught, tax form, parking ticket, scaffolding, drains, dishes, \
        inbox, timetable, strike, roadworks, insurance, delivery, password, gearbox, mosquito, wasp nest, fuse, \
        puncture, hangover, blister, toothache, splinter, migraine, hay fever",
    )
}));

pub(super) static MONTHS: Words = Words(LazyLock::new(|| {
    of("January, February, March, April, May, June, July, August, September, October, November, December")
}));

pub(super) static DAYS: Words =
    Words(LazyLock::new(|| of("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday")));

pub(super) static PAST: Words = Words(LazyLock::new(|| {
    of(
        "last month, last week, yesterday, two weeks ago, last year, last summer, three days ago, last weekend, \
        last spring, a month ago, last night, two years ago, last winter, last autumn",
    )
}));

pub(super) static SOON: Words = Words(LazyLock::new(|| {
    of(
        "next month, next year, this weekend, next week, next summer, this autumn, tomorrow, next spring, in two weeks",
    )
}));
