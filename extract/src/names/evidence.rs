//! What the words of a name say about its kind, and how what is said is summed.

use lorebase_engine::model::entity::EntityKind::{self, Organisation, Person, Place, Project};

use crate::names::{Name, Page, acronyms, gazetteer, heads};
use crate::syntax::tokens::{Kind, is_honorific};

/// How much speaks for each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Votes([f32; EntityKind::ALL.len()]);

impl Votes {
    pub(super) fn add(&mut self, kind: EntityKind, weight: f32) {
        self.0[kind as usize] += weight;
    }

    pub(super) fn add_all(&mut self, other: &Self, share: f32) {
        for (sum, weight) in self.0.iter_mut().zip(other.0) {
            *sum += weight * share;
        }
    }

    pub(super) fn of(&self, kind: EntityKind) -> f32 {
        self.0[kind as usize]
    }

    /// The kind that most speaks for, and how much.
    pub(super) fn best(&self) -> (EntityKind, f32) {
        let kinds = EntityKind::ALL.iter().map(|(kind, _)| (*kind, self.of(*kind)));
        kinds.skip(1).fold((EntityKind::Unknown, 0.0), |best, next| if next.1 > best.1 { next } else { best })
    }
}

/// Kinds by the first word of a name, where that is its head: "Mount Etna", "University of Porto", "Rue de Rivoli".
const LEADING: &[&str] = &[
    "mount",
    "lake",
    "university",
    "bank",
    "institute",
    "project",
    "fort",
    "cape",
    "rue",
    "calle",
    "rua",
    "avenida",
    "lago",
    "monte",
    "plaza",
    "piazza",
    "université",
    "universidad",
    "universidade",
    "università",
    "instituto",
    "istituto",
    "banco",
    "escuela",
    "escola",
    "scuola",
    "lycée",
    "école",
    "hotel",
    "operation",
    "republic",
    "kingdom",
    "camp",
    "museum",
    "river",
];

/// How many places end in English.
const TOPONYMS: &[&str] = &[
    "ton", "ville", "burg", "burgh", "bury", "ford", "shire", "land", "lands", "mouth", "moor", "dale",
    "haven", "port", "stead", "wick", "polis", "stan", "grad", "vale", "chester", "field", "borough",
    "minster", "worth", "thorpe", "firth",
];
/// Head words that are surnames as well.
const SURNAMES: &[&str] = &[
    "ball", "bell", "bishop", "bridge", "bush", "castle", "church", "court", "day", "fair", "field",
    "fields", "ford", "forest", "fountain", "garden", "grove", "hall", "heath", "hill", "hills", "lake",
    "lane", "marsh", "meadows", "mill", "mills", "moor", "park", "parish", "peak", "pond", "ridge", "rivers",
    "rock", "shore", "spring", "springs", "street", "temple", "tower", "ward", "wood", "woods", "shepherd",
    "hawk", "falcon", "drake", "finch", "heron", "frog", "song", "tale", "land", "point", "cove", "way",
    "hollow", "gray", "walk",
];
/// Last words that organisations share with much else.
const SOFT: &[&str] = &[
    "systems",
    "solutions",
    "services",
    "software",
    "technologies",
    "technology",
    "team",
    "group",
    "network",
    "market",
    "media",
    "archive",
    "dynamics",
    "robotics",
    "research",
    "review",
    "practice",
    "movement",
    "library",
    "initiative",
    "workshop",
    "times",
    "stores",
    "works",
];

/// What the words of a name say by themselves.
pub(super) fn of_words(page: &Page<'_, '_>, name: &Name) -> Votes {
    let mut votes = Votes::default();
    let all: Vec<&str> = page.tokens[name.first..name.end]
        .iter()
        .filter(|token| token.kind == Kind::Word && token.word != "'s")
        .map(|token| token.word)
        .collect();
    let (Some(first), Some(last)) = (all.first().copied(), all.last().copied()) else { return votes };
    let whole = name.called.to_lowercase();
    let comma = (name.first..name.end).any(|at| page.word(at) == ",");
    if comma && gazetteer::is_place(last) {
        votes.add(Place, 4.0);
    }
    // "St Mary's Hospital" is called after somebody.
    let after_saint = matches!(first, "st" | "saint") && heads::of_head(last).is_some();
    if is_honorific(first) && all.len() > 1 && !after_saint {
        votes.add(Person, 8.0);
    }
    if gazetteer::is_place(&whole) {
        votes.add(Place, if gazetteer::is_first_name(first) { 3.0 } else { 4.0 });
    }
    if all.len() == 1 {
        let weight = match (gazetteer::is_first_name(first), votes.of(Place) > 0.0) {
            (true, false) => 2.5,
            (true, true) => 1.5,
            _ if gazetteer::is_surname(first) => 0.8,
            _ => 0.0,
        };
        votes.add(Person, weight);
        if weight < 1.0 && first.len() > 5 && TOPONYMS.iter().any(|ending| first.ends_with(ending)) {
            votes.add(Place, 1.0);
        }
        if acronyms::is_body(first) && page.tokens[name.first].shouts(page.text) {
            votes.add(Organisation, 4.0);
        }
        return votes;
    }
    let of = all
        .iter()
        .position(|word| matches!(*word, "of" | "de" | "di" | "du" | "del" | "della" | "für" | "for"));
    let head = of.filter(|at| *at > 0).map_or(last, |at| all[at - 1]);
    let led = LEADING.contains(&first).then(|| heads::of_head(first)).flatten();
    let given = gazetteer::is_first_name(first);
    match led.or_else(|| heads::of_head(head)) {
        // "Jonah Hill" is no hill.
        Some(kind) if given && all.len() < 4 && SURNAMES.contains(&head) && !gazetteer::is_place(first) => {
            votes.add(kind, 2.0);
            votes.add(Person, 2.5);
        }
        Some(kind) if SOFT.contains(&head) && all.iter().all(|word| gazetteer::is_word(word)) => {
            votes.add(kind, 1.5);
            votes.add(Project, 1.2);
        }
        Some(kind) => votes.add(kind, 5.0),
        None => shape(&all, given, in_sentence(page, name), &mut votes),
    }
    votes
}

/// Whether a name stands within a sentence. Headings are written with capitals throughout, and name nothing.
fn in_sentence(page: &Page<'_, '_>, name: &Name) -> bool {
    let opens = page.tokens[name.first].opens
        || matches!(page.before(name.first), "*" | "#" | "_" | "`" | "-" | "\"");
    !opens && !matches!(page.word(name.end), ":" | "*" | "_" | "`")
}

/// Names without a head word: what their words look like.
fn shape(all: &[&str], given: bool, in_sentence: bool, votes: &mut Votes) {
    let (first, last) = (all[0], all[all.len() - 1]);
    let spelt = |word: &&str| gazetteer::is_wordlike(word);
    if given && all.len() < 4 {
        votes.add(Person, 3.0);
    }
    if !given && gazetteer::is_place(last) && !all.contains(&"of") {
        // "Central Asia", "Deer Plain, Illinois".
        votes.add(Place, 2.5);
    }
    if gazetteer::is_surname(last) && all.len() < 4 && (given || !gazetteer::is_word(first)) {
        votes.add(Person, 1.5);
    }
    if all.iter().all(spelt) && !in_sentence {
        return;
    }
    let listed = all.iter().all(|word| gazetteer::is_word(word));
    if all.iter().all(spelt) && !given && !listed {
        // "Cashflow Models", "Ridgewater Telemetry": either may be.
        votes.add(Project, 1.2);
        let plural = last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("ics");
        votes.add(Organisation, if plural || gazetteer::is_word(first) { 0.5 } else { 1.0 });
    } else if all.iter().all(spelt) {
        votes.add(Project, if given { 0.0 } else { 1.5 });
    } else if spelt(&last) && last.len() > 4 && !given {
        // "Acme Telemetry": a name of its own, and what they do.
        votes.add(Organisation, if gazetteer::is_place(first) { 2.2 } else { 1.8 });
    } else if all.len() < 4 {
        votes.add(Person, if gazetteer::is_word(first) && !given { 0.7 } else { 1.6 });
    }
}
