//! Chains of ties through a world, and how a question names their ends: "Ana's brother's boss".

use super::names::{PETS, TOWNS};
use super::phrases::Pick;
use super::world::{Model, Tie};

/// One step of a chain: over a tie, by a word that leaves no choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) tie: Tie,
    /// What it leads to: "sister", "dog"; of other ties nothing.
    pub(super) word: &'static str,
    pub(super) to: &'static str,
}

/// Somebody or something as a question names them.
#[derive(Debug, Clone)]
pub(super) struct Noun {
    /// "Ana's sister", "the company".
    pub(super) head: String,
    /// "that Ana's sister works for"; it may stand at the end of the question.
    pub(super) tail: String,
}

impl Noun {
    pub(super) fn named(name: &str) -> Self {
        Self { head: name.to_owned(), tail: String::new() }
    }

    /// All of it in a row.
    pub(super) fn whole(&self) -> String {
        if self.tail.is_empty() { self.head.clone() } else { format!("{} {}", self.head, self.tail) }
    }

    /// "Ana's brother's"; `None` where that would stand behind a clause.
    fn owner(&self) -> Option<String> {
        let own = if self.head == "I" { "my".to_owned() } else { format!("{}'s", self.head) };
        (self.tail.is_empty() && !self.head.starts_with("the ")).then_some(own)
    }
}

/// The steps from somebody or something that leave no choice.
pub(super) fn steps(model: &Model, from: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut add = |tie: Tie, word: &'static str, ends: Vec<&'static str>| {
        if let [to] = ends[..] {
            steps.push(Step { tie, word, to });
        }
    };
    for woman in [true, false] {
        let of = |ends: Vec<&'static str>| -> Vec<&'static str> {
            ends.into_iter().filter(|end| model.is_woman(end) == Some(woman)).collect()
        };
        let word = |words: [&'static str; 2]| words[usize::from(!woman)];
        add(Tie::Sibling, word(["sister", "brother"]), of(model.of(Tie::Sibling, from)));
        add(Tie::Spouse, word(["wife", "husband"]), of(model.of(Tie::Spouse, from)));
        add(Tie::Parent, word(["mother", "father"]), of(model.to(Tie::Parent, from)));
        add(Tie::Parent, word(["daughter", "son"]), of(model.of(Tie::Parent, from)));
    }
    for kind in ["dog", "cat", "rabbit"] {
        let pets = model.of(Tie::Pet, from).into_iter();
        add(Tie::Pet, kind, pets.filter(|pet| PETS.contains(&(*pet, kind))).collect());
    }
    for tie in [Tie::Boss, Tie::Employer, Tie::Home, Tie::School, Tie::Founder, Tie::Seat, Tie::SchoolTown] {
        add(tie, "", model.of(tie, from));
    }
    for tie in [Tie::Job, Tie::Instrument, Tie::Hobby] {
        add(tie, "", model.of(tie, from));
    }
    let region = TOWNS.iter().find(|town| town.0 == from).map_or("", |town| town.2);
    add(Tie::Region, region, model.of(Tie::Region, from));
    steps
}

/// A chain of `hops` steps from `from` that comes to nothing twice; `None` where none was found.
pub(super) fn chain(model: &Model, from: &'static str, hops: usize, pick: &mut Pick) -> Option<Vec<Step>> {
    let mut been = vec![from];
    let mut chain: Vec<Step> = Vec::new();
    for _ in 0..hops {
        let at = been.last().copied()?;
        let mut next = steps(model, at);
        next.retain(|step| !been.contains(&step.to));
        // Who works where and for whom is what most chains go over.
        let heavy = |step: &&Step| matches!(step.tie, Tie::Boss | Tie::Employer | Tie::Founder);
        let wanted: Vec<Step> = next.iter().filter(heavy).copied().collect();
        let among = if !wanted.is_empty() && pick.chance(0.4) { &wanted } else { &next };
        if among.is_empty() {
            return None;
        }
        let step = among[pick.below(among.len())];
        been.push(step.to);
        chain.push(step);
    }
    Some(chain)
}

/// Names what a chain leads to; `None` where no noun says it.
pub(super) fn noun(from: &Noun, chain: &[Step], pick: &mut Pick) -> Option<Noun> {
    let mut noun = from.clone();
    for step in chain {
        noun = further(&noun, *step, pick)?;
    }
    Some(noun)
}

fn further(noun: &Noun, step: Step, pick: &mut Pick) -> Option<Noun> {
    let whole = noun.whole();
    let (report, work, live, study, own) = if whole == "I" {
        ("report to", "work", "live", "go to", "own")
    } else {
        ("reports to", "works", "lives", "goes to", "owns")
    };
    let clauses: Vec<(&str, String)> = match step.tie {
        Tie::Boss => vec![("the person", format!("{whole} {report}"))],
        Tie::Employer => vec![
            ("the company", format!("that {whole} {work} for")),
            ("the company", format!("where {whole} {work}")),
            ("the company", format!("{whole} {work} at")),
        ],
        Tie::Home => vec![
            ("the town", format!("where {whole} {live}")),
            ("the town", format!("that {whole} {live} in")),
        ],
        Tie::Founder => vec![("the person", format!("who founded {whole}"))],
        Tie::School => vec![("the school", format!("that {whole} {study}"))],
        Tie::Seat => vec![("the town", format!("where {whole} is based"))],
        Tie::SchoolTown => vec![("the town", format!("where {whole} is"))],
        Tie::Pet => vec![(step.word, format!("that {whole} {own}"))],
        _ => Vec::new(),
    };
    let words: &[&str] = match step.tie {
        Tie::Boss => &["boss", "manager"],
        Tie::Employer => &["employer"],
        Tie::Founder => &["founder"],
        Tie::Sibling | Tie::Spouse | Tie::Parent => &[step.word],
        _ => &[],
    };
    if step.tie == Tie::Pet {
        return None;
    }
    if words.is_empty()
        || (!clauses.is_empty() && pick.chance(if step.tie == Tie::Employer { 0.75 } else { 0.2 }))
    {
        let place = if clauses.is_empty() { return None } else { pick.below(clauses.len()) };
        let (head, tail) = clauses[place].clone();
        return Some(Noun { head: head.to_owned(), tail });
    }
    let word = words[pick.below(words.len())];
    match noun.owner() {
        Some(owner) if step.tie != Tie::Founder || pick.chance(0.3) => {
            Some(Noun::named(&format!("{owner} {word}")))
                .filter(|_| pick.chance(0.85))
                .or_else(|| Some(of(word, noun)))
        }
        _ => Some(of(word, noun)),
    }
}

/// "the boss of …".
fn of(word: &str, noun: &Noun) -> Noun {
    let head = if noun.head == "I" { "me" } else { &noun.head };
    Noun { head: format!("the {word} of {head}"), tail: noun.tail.clone() }
}
