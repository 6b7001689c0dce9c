//! What is asked of a world, and what its model answers.

use super::chains::{Noun, Step, chain, noun, steps};
use super::names::PETS;
use super::phrases::Pick;
use super::telling::capital;
use super::wordings::{
    COUNT, COUNT_INSIDE, INSIDE, IS, LIVED, LIVES, LIVES_IN_REGION, WORKED, WORKS, asking,
};
use super::world::{Era, Model, Tie};
use super::{Kind, Question};

/// How many questions of each kind a world has, with their hops.
const PLAN: [(Kind, usize); 11] = [
    (Kind::Chain, 2),
    (Kind::Chain, 3),
    (Kind::Chain, 4),
    (Kind::Chain, 2),
    (Kind::Chain, 3),
    (Kind::Inside, 2),
    (Kind::Inside, 4),
    (Kind::YesNo, 3),
    (Kind::Count, 2),
    (Kind::Before, 3),
    (Kind::Untold, 3),
];

/// How often the asker is told before the question, and asks about herself.
const NAMED_ASKER: f32 = 0.15;

/// The questions of a world.
pub(super) fn questions(model: &Model, pick: &mut Pick) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    for (kind, hops) in PLAN {
        let fresh = (0..10_000).find_map(|_| {
            let question = ask(model, kind, hops, pick)?;
            questions.iter().all(|known| known.text != question.text).then_some(question)
        });
        questions.extend(fresh);
    }
    questions
}

fn ask(model: &Model, kind: Kind, hops: usize, pick: &mut Pick) -> Option<Question> {
    let person = model.people[pick.below(model.people.len())].name;
    let (text, hops, answer) = match kind {
        Kind::Chain => ask_chain(model, person, hops, pick)?,
        Kind::Inside => ask_inside(model, person, hops, pick)?,
        Kind::YesNo => ask_yes_no(model, person, hops, pick)?,
        Kind::Count => ask_count(model, person, hops, pick)?,
        Kind::Before => ask_before(model, person, hops, pick)?,
        Kind::Untold => ask_untold(model, person, hops, pick)?,
    };
    let text = text.replace(" ?", "?").replace("  ", " ");
    Some(Question { text: capital(&text), kind, hops, answer })
}

/// A text, its hops and its answer.
type Asked = (String, usize, Vec<String>);

fn ask_chain(model: &Model, person: &'static str, hops: usize, pick: &mut Pick) -> Option<Asked> {
    let chain = chain(model, person, hops, pick)?;
    let last = *chain.last()?;
    let (start, lead) = start(model, person, &chain, pick);
    if last.tie == Tie::Region && hops > 2 && chain[hops - 2].tie == Tie::Home && pick.chance(0.6) {
        let noun = noun(&start, &chain[..hops - 2], pick)?;
        let text = worded(pick.of(LIVES_IN_REGION), &noun, last.word)?;
        return Some((format!("{lead}{text}"), hops, vec![last.to.to_owned()]));
    }
    let text = worded(pick.of(asking(last.tie)), &noun(&start, &chain[..hops - 1], pick)?, last.word)?;
    Some((format!("{lead}{text}"), hops, vec![last.to.to_owned()]))
}

/// How the question names where it begins: by name, by an animal, or as the one who asks.
fn start(model: &Model, person: &'static str, chain: &[Step], pick: &mut Pick) -> (Noun, String) {
    let pet = model.of(Tie::Pet, person).first().copied();
    let ends = matches!(chain[0].tie, Tie::Sibling | Tie::Spouse | Tie::Parent | Tie::Boss);
    if ends && model.speakers.contains(&person) && pick.chance(NAMED_ASKER) {
        return (Noun::named("I"), format!("{person} asks: "));
    }
    match pet.filter(|_| pick.chance(0.15) && chain.len() == 4) {
        Some(pet) => (Noun::named(&format!("the owner of {pet}")), String::new()),
        None => (Noun::named(person), String::new()),
    }
}

/// Puts a noun into the words of a question; `None` where they do not take it.
fn worded(wording: &str, noun: &Noun, word: &str) -> Option<String> {
    let whole = noun.whole();
    if wording.contains("{N's}") && !noun.tail.is_empty() {
        return None;
    }
    if wording.contains("{T}") && noun.tail.is_empty() && wording.contains("is {H} {T}") {
        return None;
    }
    // Only a clause that is opened by a word may stand apart from its noun.
    let opened = ["that ", "where ", "who "].iter().any(|word| noun.tail.starts_with(word));
    if wording.contains("{T}") && !noun.tail.is_empty() && !opened {
        return None;
    }
    // "Which country is the town where Ana lives in?"
    if whole == "I" || (wording.ends_with("{N} in?") && !noun.tail.is_empty()) {
        return None;
    }
    let mut text = String::new();
    for (number, piece) in wording.split(['[', ']']).enumerate() {
        let other = piece.split_once('|').map_or(piece, |(_, other)| other);
        text.push_str(if number % 2 == 1 { other } else { piece });
    }
    let text = text.replace("{N's}", &format!("{whole}'s")).replace("{N}", &whole);
    Some(text.replace("{H}", &noun.head).replace("{T}", &noun.tail).replace("{W}", word))
}

/// A group of somebody's people: its tie, its words and its members.
fn group(model: &Model, person: &str, pick: &mut Pick) -> Option<(&'static str, Vec<&'static str>)> {
    let groups = [
        ("friends", model.of(Tie::Friend, person)),
        ("siblings", model.of(Tie::Sibling, person)),
        ("children", model.of(Tie::Parent, person)),
        ("parents", model.to(Tie::Parent, person)),
    ];
    let (word, members) = groups[pick.below(groups.len())].clone();
    (members.len() > 1).then_some((word, members))
}

fn ask_inside(model: &Model, person: &'static str, hops: usize, pick: &mut Pick) -> Option<Asked> {
    let (word, members) = group(model, person, pick)?;
    let subject = members[pick.below(members.len())];
    let (condition, used, fits) =
        if hops == 2 { plain(model, subject, pick)? } else { far(model, subject, pick)? };
    let found: Vec<String> = members.into_iter().filter(|one| fits(one)).map(str::to_owned).collect();
    let text = pick.of(INSIDE).replace("{G}", &format!("{person}'s {word}")).replace("{C}", &condition);
    (found.len() == 1).then_some((text, 1 + used, found))
}

/// A condition in words, how many facts it takes, and whom it fits.
type Condition<'m> = (String, usize, Box<dyn Fn(&str) -> bool + 'm>);

/// A condition that one fact decides.
fn plain<'m>(model: &'m Model, subject: &str, pick: &mut Pick) -> Option<Condition<'m>> {
    let ties = [
        (Tie::Home, "lives in {X}"),
        (Tie::Employer, "works for {X}"),
        (Tie::Employer, "works at {X}"),
        (Tie::Instrument, "plays the {X}"),
        (Tie::Boss, "reports to {X}"),
        (Tie::Spouse, "is married to {X}"),
    ];
    let (tie, words) = ties[pick.below(ties.len())];
    let end = model.of(tie, subject).first().copied()?;
    let fits = move |one: &str| model.of(tie, one).contains(&end);
    Some((words.replace("{X}", end), 1, Box::new(fits)))
}

/// A condition that takes two or three.
fn far<'m>(model: &'m Model, subject: &str, pick: &mut Pick) -> Option<Condition<'m>> {
    let over = |one: &str, ties: &[Tie]| -> Vec<&'static str> {
        let mut at: Vec<&'static str> = model.of(ties[0], one);
        for tie in &ties[1..] {
            at = at.iter().flat_map(|from| model.of(*tie, from)).collect();
        }
        at
    };
    let ways: [(&[Tie], &str); 5] = [
        (&[Tie::Employer, Tie::Seat], "works for a company that is based in {X}"),
        (&[Tie::Employer, Tie::Founder], "works for the company that {X} founded"),
        (&[Tie::Boss, Tie::Home], "has a boss who lives in {X}"),
        (&[Tie::Home, Tie::Region], "lives in a town in {X}"),
        (&[], "works with someone who lives in {X}"),
    ];
    let (ties, words) = ways[pick.below(ways.len())];
    if ties.is_empty() {
        let homes = move |one: &str| -> Vec<&'static str> {
            let others = model.of(Tie::Employer, one).into_iter().flat_map(|at| model.to(Tie::Employer, at));
            others.filter(|other| *other != one).flat_map(|other| model.of(Tie::Home, other)).collect()
        };
        let end = homes(subject).first().copied()?;
        return Some((words.replace("{X}", end), 3, Box::new(move |one| homes(one).contains(&end))));
    }
    let end = over(subject, ties).first().copied()?;
    Some((words.replace("{X}", end), ties.len(), Box::new(move |one| over(one, ties).contains(&end))))
}

fn ask_yes_no(model: &Model, person: &'static str, hops: usize, pick: &mut Pick) -> Option<Asked> {
    let chain = chain(model, person, hops - pick.below(2), pick)?;
    let last = *chain.last()?;
    let (wordings, word) = match last.tie {
        Tie::Home => (LIVES, ""),
        Tie::Employer => (WORKS, ""),
        Tie::Sibling | Tie::Spouse | Tie::Parent => (IS, last.word),
        Tie::Boss => (IS, "boss"),
        _ => return None,
    };
    let right = pick.chance(0.5);
    let others: Vec<&str> = model
        .facts
        .iter()
        .filter(|fact| fact.tie == last.tie)
        .map(|fact| fact.to)
        .filter(|to| *to != last.to)
        .collect();
    let named = if right { last.to } else { others[pick.below(others.len())] };
    let noun = noun(&Noun::named(person), &chain[..chain.len() - 1], pick)?;
    let text = worded(pick.of(wordings), &noun, word)?.replace("{X}", named);
    Some((text, chain.len(), vec![if right { "yes" } else { "no" }.to_owned()]))
}

fn ask_count(model: &Model, person: &'static str, hops: usize, pick: &mut Pick) -> Option<Asked> {
    if pick.chance(0.3) {
        let (word, members) = group(model, person, pick)?;
        let subject = members[pick.below(members.len())];
        let (condition, used, fits) = plain(model, subject, pick)?;
        let count = members.iter().filter(|one| fits(one)).count();
        let text = pick
            .of(COUNT_INSIDE)
            .replace("{G}", &format!("{person}'s {word}"))
            .replace("{C}", &of_many(&condition));
        return Some((text, 1 + used, vec![count.to_string()]));
    }
    let chain = chain(model, person, hops - 1, pick)?;
    let (word, members) = group(model, chain.last()?.to, pick)?;
    let noun = noun(&Noun::named(person), &chain, pick)?;
    let text = worded(pick.of(COUNT), &noun, "")?.replace("{G}", word);
    Some((text, hops, vec![members.len().to_string()]))
}

/// A condition as it is said of several.
fn of_many(condition: &str) -> String {
    let (verb, rest) = condition.split_once(' ').unwrap_or((condition, ""));
    format!("{} {rest}", if verb == "is" { "are" } else { verb.trim_end_matches('s') })
}

fn ask_before(model: &Model, person: &'static str, hops: usize, pick: &mut Pick) -> Option<Asked> {
    let changed: Vec<_> = model
        .facts
        .iter()
        .filter(|fact| fact.era == Era::Before && matches!(fact.tie, Tie::Home | Tie::Employer))
        .collect();
    let fact = changed[pick.below(changed.len())];
    let chain = chain(model, person, hops - 1 - pick.below(2), pick)?;
    if chain.last()?.to != fact.from {
        return None;
    }
    let now = model.of(fact.tie, fact.from).first().copied()?;
    let noun = noun(&Noun::named(person), &chain, pick)?;
    let wordings = if fact.tie == Tie::Home { LIVED } else { WORKED };
    let text = worded(pick.of(wordings), &noun, "")?.replace("{X}", now);
    Some((text, chain.len() + 1, vec![fact.to.to_owned()]))
}

/// A chain whose last tie nobody ever told.
fn ask_untold(model: &Model, person: &'static str, hops: usize, pick: &mut Pick) -> Option<Asked> {
    let chain = chain(model, person, hops - 1, pick)?;
    let at = chain.last()?.to;
    let woman = model.is_woman(at)?;
    let (_, pet) = PETS[pick.below(PETS.len())];
    let missing = [
        (Tie::Pet, pet),
        (Tie::Instrument, ""),
        (Tie::Hobby, ""),
        (Tie::Boss, ""),
        (Tie::School, ""),
        (Tie::Job, ""),
        (Tie::Spouse, if woman { "husband" } else { "wife" }),
    ];
    let (tie, word) = missing[pick.below(missing.len())];
    if !model.of(tie, at).is_empty() || steps(model, at).iter().any(|step| step.tie == tie) {
        return None;
    }
    let noun = noun(&Noun::named(person), &chain, pick)?;
    Some((worded(pick.of(asking(tie)), &noun, word)?, hops, Vec::new()))
}
