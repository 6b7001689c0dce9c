//! What the verbs of the patterns claim: work, residence, likes, journeys, purchases, plans and the like. What
//! "is" claims is told in `copula`.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Named, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;

use crate::rules::clause::{Claimed, Clause, tie_triple};
use crate::rules::group::{Head, Mood};
use crate::rules::reading::{Phrase, Reading};
use crate::rules::ties;
use crate::rules::verbs::Verb;
use crate::rules::words;

/// Adds what the main verb of a clause claims.
pub(super) fn read(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    match (clause.group.head, clause.group.mood) {
        (Head::Active(verb), Mood::Would) => wish(clause, verb, found),
        (Head::Active(verb), Mood::Future) => future(clause, verb, found),
        (_, Mood::Would | Mood::Future) | (Head::Copula, _) => {}
        (Head::Active(verb), _) => active(clause, verb, found),
        (Head::Progressive(verb), _) => progressive(clause, verb, found),
        (Head::Passive(verb), _) => passive(clause, verb, found),
    }
}

fn active(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    let happened = matches!(clause.group.mood, Mood::Past | Mood::Perfect | Mood::UsedTo);
    match verb {
        Verb::Work => work(clause, found),
        Verb::Live => place(
            clause,
            &["in", "near"],
            if clause.group.mood == Mood::Past { "lived_in" } else { "lives_in" },
            found,
        ),
        Verb::Move if happened => moved(clause, found),
        Verb::Come => place(clause, &["from"], "from", found),
        Verb::Grow if clause.reading.is(clause.group.end, &["up"]) => grew_up(clause, found),
        Verb::Like => preference(clause, "likes", found),
        Verb::Dislike => preference(clause, "dislikes", found),
        Verb::Prefer => preference(clause, "prefers", found),
        Verb::Go if happened => journey(clause, found),
        Verb::Travel if happened => behind(clause, &["to"], "went_to", FactKind::Event, found),
        Verb::Visit | Verb::Attend if happened => objects(clause, "went_to", FactKind::Event, found),
        Verb::Buy if happened => objects(clause, "bought", FactKind::Event, found),
        Verb::Meet if happened => acquaintance(clause, FactKind::Event, found),
        Verb::Know if !happened => acquaintance(clause, FactKind::Fact, found),
        Verb::Plan | Verb::Want | Verb::Decide => plan(clause, found),
        Verb::Found if happened => objects(clause, "founded", FactKind::Event, found),
        Verb::Start if happened => venture(clause, found),
        Verb::Create if happened => objects(clause, "created", FactKind::Event, found),
        Verb::Join if happened => objects(clause, "member_of", FactKind::Fact, found),
        Verb::Study => study(clause, found),
        Verb::Graduate if happened => behind(clause, &["from"], "graduated_from", FactKind::Event, found),
        Verb::Own => objects(clause, "has", FactKind::Fact, found),
        Verb::Adopt if happened => objects(clause, "has", FactKind::Fact, found),
        Verb::Marry if happened => spouse(clause, clause.group.end, found),
        Verb::Have => possession(clause, found),
        Verb::Get if happened => got(clause, found),
        _ => {}
    }
}

fn progressive(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    match verb {
        Verb::Work => work(clause, found),
        Verb::Live => place(clause, &["in", "near"], "lives_in", found),
        Verb::Study => study(clause, found),
        Verb::Date => {
            objects_where(clause, "partner_of", FactKind::Fact, |phrase| phrase.named().is_some(), found)
        }
        Verb::Go | Verb::Plan | Verb::Decide if clause.group.mood == Mood::Present => plan(clause, found),
        Verb::Move | Verb::Visit | Verb::Travel | Verb::Join | Verb::Marry
            if clause.group.mood == Mood::Present =>
        {
            verb_plan(clause, clause.group.end - 1, found);
        }
        _ => {}
    }
}

fn passive(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    match verb {
        Verb::Bear => born(clause, found),
        Verb::Marry if reading.is(at, &["to"]) => spouse(clause, at + 1, found),
        Verb::Locate => {
            let lives = matches!(clause.subject.named.kind, EntityKind::Person);
            place(clause, &["in", "near"], if lives { "lives_in" } else { "located_in" }, found);
        }
        Verb::Found | Verb::Start => made_by(clause, "founded", found),
        Verb::Create => made_by(clause, "created", found),
        _ => {}
    }
}

fn claim(clause: &Clause<'_, '_, '_>, predicate: &str, kind: FactKind, phrase: Phrase) -> Triple {
    clause.triple(Claimed {
        predicate: Predicate::new(predicate),
        object: phrase.object,
        kind,
        end: phrase.end,
    })
}

/// The objects that stand right behind the verb, each a claim.
fn objects(clause: &Clause<'_, '_, '_>, predicate: &str, kind: FactKind, found: &mut Vec<Triple>) {
    objects_where(clause, predicate, kind, |_| true, found);
}

fn objects_where(
    clause: &Clause<'_, '_, '_>,
    predicate: &str,
    kind: FactKind,
    fits: impl Fn(&Phrase) -> bool,
    found: &mut Vec<Triple>,
) {
    let list = clause.reading.list(clause.group.end, clause.limit());
    let not_itself =
        |phrase: &Phrase| phrase.named().is_none_or(|named| named.name != clause.subject.named.name);
    let fitting = list.into_iter().filter(|phrase| fits(phrase) && not_itself(phrase));
    found.extend(fitting.map(|phrase| claim(clause, predicate, kind, phrase)));
}

/// The phrase behind one of `links`, as a claim.
fn behind(
    clause: &Clause<'_, '_, '_>,
    links: &[&str],
    predicate: &str,
    kind: FactKind,
    found: &mut Vec<Triple>,
) {
    let mut at = clause.group.end;
    while words::is_adverb(clause.reading.word(at)) {
        at += 1;
    }
    if clause.reading.is(at, links)
        && let Some(phrase) = clause.reading.phrase(at + 1, clause.limit())
    {
        found.push(claim(clause, predicate, kind, phrase));
    }
}

/// As [`behind`], for places: a name there is a place's.
fn place(clause: &Clause<'_, '_, '_>, links: &[&str], predicate: &str, found: &mut Vec<Triple>) {
    let before = found.len();
    behind(clause, links, predicate, FactKind::Fact, found);
    for triple in &mut found[before..] {
        if let TripleObject::Entity(named) = &mut triple.object
            && named.kind == EntityKind::Unknown
        {
            named.kind = EntityKind::Place;
        }
    }
}

/// "works at Acme as a nurse".
fn work(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, limit) = (clause.reading, clause.limit());
    let past = matches!(clause.group.mood, Mood::Past);
    let mut at = clause.group.end;
    for _ in 0..2 {
        let link = reading.word(at);
        let Some(phrase) =
            matches!(link, "at" | "for" | "as").then(|| reading.phrase(at + 1, limit)).flatten()
        else {
            return;
        };
        at = phrase.end;
        let told = phrase.named().is_some()
            || reading.is(phrase_start(reading, link, &phrase), &["a", "an", "the", "my"]);
        match link {
            "as" => {
                found.push(claim(clause, if past { "worked_as" } else { "works_as" }, FactKind::Fact, phrase))
            }
            // "works for hours" tells no employer.
            _ if told => {
                found.push(claim(clause, if past { "worked_at" } else { "works_at" }, FactKind::Fact, phrase))
            }
            _ => return,
        }
    }
}

/// The token behind the link before a phrase.
fn phrase_start(reading: &Reading<'_, '_>, link: &str, phrase: &Phrase) -> usize {
    (0..phrase.end).rev().find(|at| reading.word(*at) == link).map_or(phrase.end, |at| at + 1)
}

fn moved(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let before = found.len();
    place(clause, &["to"], "lives_in", found);
    since_then(clause, &mut found[before..]);
}

/// A state that began when the clause's time tells, and goes on.
fn since_then(clause: &Clause<'_, '_, '_>, triples: &mut [Triple]) {
    for triple in triples {
        triple.valid = Interval { from: clause.time().and_then(|time| time.from), to: None };
    }
}

fn grew_up(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let at = clause.group.end + 1;
    if clause.reading.is(at, &["in", "near", "on"])
        && let Some(phrase) = clause.reading.phrase(at + 1, clause.limit())
    {
        found.push(claim(clause, "from", FactKind::Fact, phrase));
    }
}

/// "was born in Porto", "was born on 3 May 1990".
fn born(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if reading.is(at, &["in", "at", "near"])
        && let Some(phrase) = reading.phrase(at + 1, clause.limit())
        && phrase.named().is_some()
    {
        found.push(claim(clause, "from", FactKind::Fact, phrase));
        return;
    }
    let end = (at + 1..clause.limit()).take_while(|at| reading.in_time(*at)).last();
    if let Some(end) = end.filter(|_| reading.is(at, &["in", "on"])) {
        let phrase = Phrase {
            end: end + 1,
            head: end,
            object: TripleObject::Value(reading.slice(at + 1, end + 1).to_owned()),
        };
        found.push(claim(clause, "born_on", FactKind::Fact, phrase));
    }
}

fn preference(clause: &Clause<'_, '_, '_>, predicate: &str, found: &mut Vec<Triple>) {
    let (reading, at, limit) = (clause.reading, clause.group.end, clause.limit());
    let infinitive = reading.is(at, &["to"]);
    let gerund = reading.word(at).ends_with("ing") && reading.word(at).len() > 5;
    if infinitive || gerund && reading.list(at, limit).len() < 2 {
        let first = at + usize::from(infinitive);
        found.extend(
            verb_phrase(reading, first, limit, 8)
                .map(|phrase| claim(clause, predicate, FactKind::Preference, phrase)),
        );
        return;
    }
    objects(clause, predicate, FactKind::Preference, found);
}

fn verb_phrase(reading: &Reading<'_, '_>, first: usize, limit: usize, most: usize) -> Option<Phrase> {
    let end = reading.rest(first, limit, most);
    let vague = reading.is(
        first,
        &[
            "be", "do", "see", "know", "hear", "say", "ask", "thank", "seeing", "hearing", "being", "it",
            "that", "tell", "share",
        ],
    );
    (end > first && !(vague && end < first + 4)).then(|| Phrase {
        end,
        head: end - 1,
        object: TripleObject::Value(reading.slice(first, end).to_owned()),
    })
}

/// "went to Porto", "went hiking".
fn journey(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if reading.word(at).ends_with("ing") && !reading.in_time(at) && reading.word(at).len() > 5 {
        let phrase = Phrase {
            end: at + 1,
            head: at,
            object: TripleObject::Value(reading.slice(at, at + 1).to_owned()),
        };
        found.push(claim(clause, "did", FactKind::Event, phrase));
        return;
    }
    if !reading.is(at + 1, &["bed", "sleep", "see", "get"]) {
        behind(clause, &["to", "on"], "went_to", FactKind::Event, found);
    }
}

fn acquaintance(clause: &Clause<'_, '_, '_>, kind: FactKind, found: &mut Vec<Triple>) {
    objects_where(
        clause,
        "knows",
        kind,
        |phrase| {
            phrase.named().is_some_and(|named| matches!(named.kind, EntityKind::Person | EntityKind::Unknown))
        },
        found,
    );
}

fn spouse(clause: &Clause<'_, '_, '_>, at: usize, found: &mut Vec<Triple>) {
    if let Some(phrase) = clause.reading.phrase(at, clause.limit()).filter(|phrase| phrase.named().is_some())
    {
        found.push(claim(clause, "married_to", FactKind::Fact, phrase));
    }
}

/// "planning to …", "going to …", "want to …", "decided to …".
fn plan(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if !reading.is(at, &["to"]) || clause.group.mood == Mood::UsedTo {
        return;
    }
    let named = reading.name_at(at + 1).is_some() || words::is_determiner(reading.word(at + 1));
    // "going to Porto" tells where, "going to sleep" what.
    let first = if named { at - 1 } else { at + 1 };
    verb_plan(clause, first, found);
}

fn verb_plan(clause: &Clause<'_, '_, '_>, first: usize, found: &mut Vec<Triple>) {
    if let Some(phrase) = verb_phrase(clause.reading, first, clause.limit(), 14) {
        found.push(claim(clause, "plans", FactKind::Plan, phrase));
    }
}

/// "would love to …".
fn wish(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    if verb == Verb::Like && clause.reading.is(clause.group.end, &["to"]) {
        let before = found.len();
        verb_plan(clause, clause.group.end + 1, found);
        for triple in &mut found[before..] {
            triple.confidence *= 0.7;
        }
    }
}

/// "will visit …".
fn future(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    if !matches!(
        verb,
        Verb::Like | Verb::Dislike | Verb::Know | Verb::Have | Verb::Want | Verb::Prefer | Verb::Come
    ) {
        verb_plan(clause, clause.group.end - 1, found);
    }
}

/// "opened a bakery": starting is founding only where a thing is started.
fn venture(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    const VENTURES: &[&str] = &[
        "company",
        "business",
        "shop",
        "store",
        "studio",
        "bakery",
        "restaurant",
        "cafe",
        "café",
        "club",
        "blog",
        "channel",
        "band",
        "school",
        "gallery",
        "firm",
        "agency",
        "podcast",
        "startup",
        "charity",
        "group",
        "project",
        "website",
        "practice",
    ];
    let reading = clause.reading;
    objects_where(
        clause,
        "founded",
        FactKind::Event,
        |phrase| VENTURES.contains(&reading.word(phrase.head)),
        found,
    );
}

fn study(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let at = clause.group.end;
    if clause.reading.is(at, &["at", "in"]) {
        let named_only =
            clause.reading.phrase(at + 1, clause.limit()).is_some_and(|phrase| phrase.named().is_some());
        if named_only {
            behind(clause, &["at", "in"], "studies_at", FactKind::Fact, found);
        }
        return;
    }
    if !clause.reading.is(at, &["for", "hard"]) {
        objects(clause, "studies", FactKind::Fact, found);
    }
}

/// "has a dog called Rex", "has two children".
fn possession(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    let counted =
        reading.is(at, &["a", "an", "two", "three", "four", "five", "six", "several", "many", "no"]);
    let happened = matches!(clause.group.mood, Mood::Past | Mood::Perfect);
    if !counted || happened {
        return;
    }
    let Some(phrase) = reading.phrase(at, clause.limit()) else { return };
    if ABSTRACT.contains(&reading.word(phrase.head)) || reading.word(phrase.head).ends_with("ing") {
        return;
    }
    if let Some(tie) = ties::tie(reading.word(phrase.head))
        && let Some((named, end)) = ties::apposed(reading, phrase.end, clause.limit())
    {
        let relation = ties::Relation { owner: clause.subject.named.clone(), tie, noun: phrase.head, end };
        found.extend(tie_triple(reading, named, &relation, (clause.first, end)));
        return;
    }
    found.push(claim(clause, "has", FactKind::Fact, phrase));
}

/// What one has without owning it.
const ABSTRACT: &[&str] = &[
    "day",
    "time",
    "chat",
    "look",
    "lot",
    "feeling",
    "idea",
    "question",
    "blast",
    "ball",
    "break",
    "talk",
    "fun",
    "problem",
    "moment",
    "experience",
    "night",
    "week",
    "weekend",
    "year",
    "morning",
    "evening",
    "conversation",
    "point",
    "sense",
    "story",
    "trip",
    "meeting",
    "call",
    "laugh",
    "effect",
    "impact",
    "difference",
    "go",
    "try",
    "hand",
    "vision",
    "clue",
    "doubt",
    "word",
    "hunch",
    "soft",
    "reason",
    "way",
    "role",
    "long",
    "good",
    "great",
    "connection",
    "bond",
    "list",
    "things",
    "thing",
    "days",
    "weeks",
    "tips",
    "ideas",
    "questions",
    "memories",
    "options",
    "choice",
    "plan",
    "plans",
    "goal",
    "dream",
    "session",
    "game",
    "tournament",
    "interview",
    "dinner",
    "lunch",
    "breakfast",
    "coffee",
    "party",
    "picnic",
    "view",
    "place",
    "spot",
    "passion",
    "love",
    "interest",
    "habit",
    "routine",
    "response",
    "reaction",
    "vibe",
    "atmosphere",
    "time.",
    "setback",
    "journey",
];

/// "got a new dog": has it now; "got married to Rui".
fn got(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    if reading.is(at, &["married"]) && reading.is(at + 1, &["to"]) {
        spouse(clause, at + 2, found);
        return;
    }
    let fits = |phrase: &Phrase| !ABSTRACT.contains(&reading.word(phrase.head)) && phrase.named().is_none();
    if reading.is(at, &["a", "an"])
        && reading.is(at + 1, &["new", "puppy", "dog", "kitten", "cat", "car", "bike", "job"])
    {
        objects_where(clause, "has", FactKind::Fact, fits, found);
    }
}

/// "was founded by Ana": what was made becomes the object.
fn made_by(clause: &Clause<'_, '_, '_>, predicate: &str, found: &mut Vec<Triple>) {
    let at = clause.group.end;
    if !clause.reading.is(at, &["by"]) {
        return;
    }
    for phrase in clause.reading.list(at + 1, clause.limit()) {
        let Some(maker) = phrase.named().cloned() else { continue };
        let made = TripleObject::Entity(clause.subject.named.clone());
        let triple = claim(clause, predicate, FactKind::Event, Phrase { object: made, ..phrase });
        found.push(Triple { subject: maker, ..triple });
    }
}

/// "My favourite colour is green", "Ana's favourite food is soup".
pub(super) fn favourite(
    reading: &Reading<'_, '_>,
    at: usize,
    (_, limit): (usize, usize),
    found: &mut Vec<Triple>,
) {
    let Some((owner, next)) = ties::owner(reading, at) else { return };
    if !reading.is(next, &["favourite", "favorite"]) {
        return;
    }
    let Some(of) = reading.phrase(next + 1, limit) else { return };
    let is_at = of.end;
    if !reading.is(is_at, &["is", "was", "are", "'s"]) {
        return;
    }
    let Some(what) = reading.phrase(is_at + 1, limit).filter(|what| what.end <= is_at + 7) else { return };
    found.push(favourite_triple(reading, owner, (next + 1, of.end), (at, what)));
}

fn favourite_triple(
    reading: &Reading<'_, '_>,
    owner: Named,
    of: (usize, usize),
    (first, what): (usize, Phrase),
) -> Triple {
    Triple {
        subject: owner,
        predicate: Predicate::new(&format!("favourite {}", reading.slice(of.0, of.1))),
        object: what.object,
        polarity: lorebase_engine::model::fact::Polarity::Affirmed,
        kind: FactKind::Preference,
        confidence: 0.9,
        valid: Interval::ALWAYS,
        span: reading.span(first, what.end),
    }
}
