//! Words that tell the kind of a name: the head words inside names, and the common nouns that stand beside names.

use std::sync::LazyLock;

use lorebase_engine::model::entity::EntityKind::{
    self, Animal, Event, Organisation, Person, Place, Product, Project, Work,
};
use rustc_hash::FxHashMap;

use crate::rules::{ties, words};

/// Whether nobody but a person has what a lower-case noun names, such as a sister, a dog or a job.
pub(super) fn is_had_by_persons(noun: &str) -> bool {
    // A firm may have a partner, a manager and colleagues.
    let of_firms =
        |predicate: &str| matches!(predicate, "manages" | "partner_of" | "colleague_of" | "neighbour_of");
    matches!(noun, "job" | "hobby" | "crush" | "flat" | "headache" | "cold" | "degree" | "birthday")
        || ties::tie(noun).is_some_and(|tie| !of_firms(tie.predicate))
}

type Kinds = LazyLock<FxHashMap<&'static str, EntityKind>>;

fn table(lists: &[(EntityKind, &'static str)]) -> FxHashMap<&'static str, EntityKind> {
    lists
        .iter()
        .flat_map(|(kind, list)| list.split_ascii_whitespace().map(move |word| (word, *kind)))
        .collect()
}

/// Last words of names.
static HEADS: Kinds = LazyLock::new(|| {
    table(&[
        (
            Organisation,
            "academy administration agency airlines airways alliance archive archives army arts assembly \
             associates association authority bakery bank bar bistro board botanics brewery broadcasting \
             brothers bros bureau cafe café capital center centre choir church clinic club co coalition \
             collective college commission committee community company confederation congregation congress \
             consortium consulting cooperative coop corp corporation council court dairy daily department \
             diner division dynamics electronics embassy enterprises faculty federation financial firm \
             foods foods force forces forum foundation fund garden gardens gazette gmbh government group guild gym \
             holdings hospital hospitality hotel inc industries initiative institute institution insurance \
             investments jail journal kindergarten lab laboratories laboratory labs league legion library \
             llc llp logistics ltd magazine market media mills ministry motors movement museum navy network \
             news newspaper nursery observatory office orchestra organisation organization outfitters parish \
             parliament partners party pharmacy philharmonic plc police post practice press productions \
             publications publishers publishing radio railways records republicans research restaurant review \
             robotics school schools seminary senate services shelter shop society software solutions \
             squad staff stores studio studios symphony syndicate synagogue systems taskforce team \
             technologies technology telecom television temple theater theatre times tribune tribunal trust \
             union united university ventures winery works workshop zoo ag kg ev verein universität \
             hochschule gymnasium stiftung verlag amt université école institut lycée universidad universidade \
             università escuela escola scuola instituto istituto fundación fundação fondazione empresa banco \
             университет институт банк",
        ),
        (
            Place,
            "airport alley alps archipelago arena avenue basin bay bayou beach blvd borough boulevard bridge building \
             campus canal canyon cape castle cathedral cave cemetery channel city cliff cliffs coast common \
             commons county cove creek crescent crossing delta desert district downs drive dunes estate falls farm \
             fields fjord flats forest fort fountain glacier glen gorge grove gulf hall harbor harbour heath \
             heights highlands highway hill hills hollow island islands isle isles junction kingdom lagoon \
             lake lakes lane ledge lighthouse lowlands manor marsh meadow meadows mesa mill moor moors mount \
             mountain mountains neighborhood neighbourhood oasis ocean palace park pass passage peak \
             peninsula piazza pier plains plateau plaza point pond port prairie province quarter range rapids \
             reef region republic reservation reservoir ridge river road rock ruins sea shore site sound spring \
             springs square stadium state states station strait straits street stream suburb summit swamp \
             terminal terrace territories territory tower town township trail tunnel valley valleys village \
             volcano walk ward waterfall way wharf wilderness woods st rd ave straße strasse platz allee gasse \
             bahnhof berg insel rue calle rua avenida lago río rio monte isla ilha isola praça praia \
             улица площадь",
        ),
        (
            Event,
            "ball battle biennale carnival ceremony championship championships competition concert conf \
             conference contest con convention crisis cup days derby eve expo exhibition fair feast festival \
             finals games gala hackathon jubilee marathon massacre meeting meetup memorial olympics open \
             parade prix race rally rebellion regatta retreat revolution riots siege symposium tournament \
             triathlon trial uprising war wars webinar wedding day",
        ),
        (
            Project,
            "project program programme pipeline framework protocol toolkit tracker dashboard roadmap \
             migration rollout refactor campaign corridor plan prototype pilot engine repo scheme",
        ),
        (
            Product,
            "app phone console keyboard laptop camera edition cereal sauce shampoo tablet ultra mini browser",
        ),
        (
            Work,
            "album anthem ballad bible chronicles diaries encyclopedia epic memoirs novel opera saga song sonata \
             stories tale tales trilogy waltz concerto",
        ),
        (
            Animal,
            "bee bees beetle butterfly moth warbler sparrow owl hawk eagle falcon finch heron frog toad salmon trout \
             terrier retriever shepherd spaniel hound poodle",
        ),
    ])
});

/// Common nouns that stand beside a name and tell what it names.
static NOUNS: Kinds = LazyLock::new(|| {
    table(&[
        (
            Person,
            "adviser advisor ambassador applicant assistant astronaut attorney auditor author baby babysitter \
             barrister bishop boy boyfriend bride broker builder candidate captain caretaker ceo cfo chair \
             chairman chairperson chairwoman champion character chief child clerk client climber co-author \
             co-founder coauthor cofounder colonel columnist comedian commander commissioner companion \
             congressman contributor coo coordinator correspondent counsel counsellor councillor count cto curator \
             customer dean delegate deputy detective diplomat donor duke editor emperor employee engineer \
             entomologist executive expert fellow fiancé fiancée filmmaker founder freelancer gardener general \
             geologist girl girlfriend governor graduate groom guest guide guy heir hero heroine host hostess \
             inspector instructor intern inventor investigator investor king lady landlord lead leader \
             lieutenant lord maid maintainer major man mathematician mayor member mentor minister monk \
             narrator neighbour neighbor nephew nun officer official operator organiser organizer owner parent \
             participant partner patient person philosopher player playwright pm poet pope prefect president \
             priest prince princess principal prisoner protagonist queen reader recruiter rep reporter \
             representative resident reviewer roommate ruler scholar secretary senator sergeant sheriff \
             shopkeeper specialist spokesman spokesperson spokeswoman sponsor sre staffer stranger \
             stylist supervisor teammate tenant treasurer tutor user veteran victim villain visitor volunteer \
             warden warrior witness woman worker youngster",
        ),
        (
            Organisation,
            "agency airline band bank brand brewery business chain charity club collective college company \
             competitor consultancy contractor cooperative corporation department employer firm foundation \
             group hospital institute institution journal label lab laboratory maker manufacturer ministry \
             museum network ngo nonprofit organisation organization outlet paper preprint preprints \
             provider publisher regiment restaurant retailer school shop startup store studio subsidiary \
             supplier team teams trust union university vendor employees staff hq headquarters branch stack wiki compiler \
             shareholders stock",
        ),
        (
            Place,
            "airport area bay beach borough capital city coast community commune continent country county \
             countryside desert district forest hamlet harbour harbor hill island lake metropolis mountain \
             municipality neighbourhood neighborhood outskirts park peninsula port province region resort \
             river road settlement square state street suburb town township valley village villages towns cities \
             islands mountains weather residents skyline downtown",
        ),
        (
            Project,
            "app assignment backend border campaign codebase corridor dashboard deployment effort engine \
             feature framework frontend initiative integration launch library migration module outage pilot \
             pipeline plan platform plugin portal program programme project projects prototype redesign refactor \
             release repo repository roadmap rollout scheme service site sprint subsystem system \
             toolchain toolkit tool tracker website workflow workstream milestone backlog consultation",
        ),
        (
            Event,
            "ceremony championship competition conference festival fair marathon race tournament war concert \
             battle exhibition",
        ),
        (
            Work,
            "album book episode film movie musical novel opera painting play poem sequel series show single \
             song soundtrack symphony documentary videogame game manga comic cycle saga trilogy",
        ),
        (
            Animal,
            "bird bunny cat chicken cow dog duck ferret goat goldfish hamster horse kitten lizard mouse parrot pet pig pony pup puppy rabbit rat snake \
             tortoise turtle",
        ),
        (Product, "model phone laptop car camera drink beer wine bike console perfume"),
    ])
});

/// What a name that ends in this lower-case word is, or that begins with it in the languages that do so.
pub(super) fn of_head(word: &str) -> Option<EntityKind> {
    HEADS.get(word).copied()
}

/// What a name is that this lower-case common noun is said of: "the entomologist", "a supplier".
pub(super) fn of_noun(noun: &str) -> Option<EntityKind> {
    if let Some(tie) = ties::tie(noun) {
        return Some(tie.kind);
    }
    let traded = words::is_profession(noun)
        || noun.len() > 6 && (noun.ends_with("ologist") || noun.ends_with("ician"));
    if traded { Some(Person) } else { NOUNS.get(noun).copied() }
}

/// Whether a word joins on to an owner's name inside a name: "St Olav's Hospital".
pub(super) fn heads_owned_name(word: &str) -> bool {
    matches!(of_head(word), Some(Organisation | Place | Event))
        && !matches!(
            word,
            "way"
                | "team"
                | "plan"
                | "farm"
                | "point"
                | "review"
                | "office"
                | "staff"
                | "garden"
                | "range"
                | "walk"
                | "shop"
                | "drive"
        )
}
