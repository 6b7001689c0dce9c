//! Names and words by number: each number has its own, and there are as many as are asked for.

/// Spreads a seed and a number over all numbers (the finaliser of splitmix64).
pub(super) fn mix(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

const STARTS: [&str; 24] = [
    "Bal", "Cor", "Dam", "Eli", "Fen", "Gar", "Hel", "Ira", "Jul", "Kas", "Lor", "Mir", "Nor", "Osk", "Pel",
    "Quin", "Ros", "Sal", "Tam", "Ulm", "Ver", "Wil", "Yor", "Zen",
];
const MIDDLES: [&str; 3] = ["", "e", "o"];
const ENDS: [&str; 20] = [
    "an", "bert", "cia", "dor", "ena", "fred", "gard", "hild", "ick", "jan", "ka", "lin", "mar", "nald",
    "on", "pha", "rik", "sa", "ta", "wyn",
];
const GIVEN: usize = STARTS.len() * MIDDLES.len() * ENDS.len();

const HOUSES: [&str; 30] = [
    "Ash", "Black", "Brook", "Clay", "Dray", "East", "Farn", "Gold", "Hart", "Holm", "Kirk", "Lang", "Mar",
    "North", "Oak", "Pem", "Quar", "Rad", "Sand", "Stan", "Thorn", "Under", "Vel", "Wake", "West", "Whit",
    "Win", "Wood", "Yar", "Alder",
];
const HOUSE_MIDDLES: [&str; 6] = ["", "en", "er", "ing", "le", "i"];
const HOUSE_ENDS: [&str; 24] = [
    "bourne", "bridge", "by", "combe", "croft", "den", "field", "ford", "gate", "ham", "hurst", "ley", "low",
    "mere", "more", "over", "ridge", "shaw", "stone", "ton", "wall", "well", "wick", "worth",
];
const FAMILIES: usize = HOUSES.len() * HOUSE_MIDDLES.len() * HOUSE_ENDS.len();

/// The given name of the person with this number; many share it.
pub(super) fn given(number: usize) -> String {
    let number = number % GIVEN;
    let (start, rest) = (number % STARTS.len(), number / STARTS.len());
    format!("{}{}{}", STARTS[start], MIDDLES[rest / ENDS.len()], ENDS[rest % ENDS.len()])
}

/// The whole name of the person with this number; each number has its own, up to six million.
pub fn person(number: usize) -> String {
    let family = (mix(3, (number % GIVEN) as u64) as usize + number / GIVEN) % FAMILIES;
    let (start, rest) = (family % HOUSES.len(), family / HOUSES.len());
    let (middle, end) = (HOUSE_MIDDLES[rest / HOUSE_ENDS.len()], HOUSE_ENDS[rest % HOUSE_ENDS.len()]);
    format!("{} {}{middle}{end}", given(number), HOUSES[start])
}

const TOWN_ENDS: [&str; 16] = [
    "haven", "burg", "minster", "stead", "port", "dale", "mouth", "holt", "beck", "cliff", "grove", "march",
    "pool", "sands", "water", "wold",
];
/// How many towns there are.
pub(super) const TOWNS: usize = STARTS.len() * MIDDLES.len() * TOWN_ENDS.len();

/// The town of this number.
pub(super) fn town(number: usize) -> String {
    let number = number % TOWNS;
    let (start, rest) = (number % STARTS.len(), number / STARTS.len());
    format!("{}{}{}", STARTS[start], MIDDLES[rest / TOWN_ENDS.len()], TOWN_ENDS[rest % TOWN_ENDS.len()])
}

const TRADES: [&str; 18] = [
    "Works",
    "Foods",
    "Labs",
    "Press",
    "Marine",
    "Studios",
    "Dairy",
    "Mills",
    "Bank",
    "Partners",
    "Motors",
    "Logistics",
    "Software",
    "Clinic",
    "Textiles",
    "Energy",
    "Brewery",
    "Systems",
];

/// The firm of this number.
pub(super) fn firm(number: usize) -> String {
    format!("{} {}", capitalised(&coined(number + 700)), TRADES[number % TRADES.len()])
}

const SCHOOLS: [&str; 4] = ["College", "University", "Academy", "Institute"];

/// The school of this number; there are a few in a town.
pub(super) fn school(number: usize) -> String {
    format!("{} {}", town(number / SCHOOLS.len()), SCHOOLS[number % SCHOOLS.len()])
}

const ONSETS: [&str; 20] = [
    "b", "br", "d", "dr", "f", "g", "gl", "h", "k", "l", "m", "n", "p", "pr", "r", "st", "t", "tr", "v", "z",
];
const VOWELS: [&str; 6] = ["a", "e", "i", "o", "u", "ei"];
const CODAS: [&str; 8] = ["n", "r", "l", "s", "m", "t", "x", "nd"];
const SYLLABLES: usize = ONSETS.len() * VOWELS.len();
/// How many words of two syllables there are; those of higher numbers have three.
const SHORT: usize = SYLLABLES * SYLLABLES * CODAS.len();

/// The coined word of this number: what a language has no end of, such as makes, dishes and slang.
pub(super) fn coined(number: usize) -> String {
    // Both factors have no divisor with their range in common, so that each number keeps a word of its own.
    let (mut code, mut left) = if number < SHORT {
        (number * 48_619 % SHORT, 2)
    } else {
        ((number - SHORT) * 7_368_787 % (SHORT * SYLLABLES), 3)
    };
    let coda = CODAS[code % CODAS.len()];
    code /= CODAS.len();
    let mut word = String::new();
    while left > 0 {
        let syllable = code % SYLLABLES;
        word.push_str(ONSETS[syllable / VOWELS.len()]);
        word.push_str(VOWELS[syllable % VOWELS.len()]);
        code /= SYLLABLES;
        left -= 1;
    }
    word.push_str(coda);
    word
}

/// A word with a capital.
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_number_has_its_own_name() {
        for name in [person, firm, coined] {
            let names: HashSet<String> = (0..150_000).map(name).collect();
            assert_eq!(names.len(), 150_000);
        }
        assert_eq!((0..TOWNS).map(town).collect::<HashSet<_>>().len(), TOWNS);
    }
}
