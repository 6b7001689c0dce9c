//! What follows by rules is there as long as what it rests on holds, and no longer: on the command line, in
//! recall, and as seen from either clock.

use std::fs;

use lorebase::engine::change::Changes;
use lorebase::engine::graph::EpisodeIx;
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase::engine::model::extraction::{Extraction, Reading};
use lorebase::engine::model::fact::{Named, Polarity, Triple, TripleObject};
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::{Interval, Moment, SourceTime, Timestamp};
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use lorebase::view::FactView;

use crate::util::{Lab, assert_sound, root};

const COUNTRY: &str = "lives_in(X,C), city_in(C,N) -> country(X,N)";

fn at(time: &str) -> Timestamp {
    time.parse::<SourceTime>().unwrap().instant
}

/// Tells a fact on a day, which the memory was told on that day. What begins with "not" is denied.
fn state(memory: &Memory, day: &str, says: [&str; 3]) {
    let (namespace, session) = (Namespace::default(), SessionId::new(day));
    let [subject, predicate, object] = says;
    let text = says.join(" ");
    let (when, position) = (day.parse::<SourceTime>().unwrap(), 0);
    let id = Episode::id_of(&namespace, &session, position, (None, Some(when)), &text);
    let (predicate, polarity) = match predicate.strip_prefix("not ") {
        Some(denied) => (denied, Polarity::Negated),
        None => (predicate, Polarity::Affirmed),
    };
    let named = |name: &str| Named { name: name.to_owned(), kind: EntityKind::Unknown };
    let triple = Triple {
        polarity,
        span: Span { start: 0, end: text.chars().count() as u32 },
        ..Triple::new(named(subject), Predicate::new(predicate), TripleObject::Entity(named(object)))
    };
    let episode = Episode {
        id,
        session,
        position,
        speaker: None,
        text,
        occurred_at: Some(when),
        recorded_at: when.instant,
        source_id: None,
        expires_at: None,
        told_at: None,
    };
    let found = Extraction { triples: vec![triple], ..Extraction::default() };
    let reading =
        Reading { episode: id, extractor: "given-1".to_owned(), status: ExtractionStatus::Done, found };
    let changes = Changes { episodes: vec![episode], readings: vec![reading], ..Changes::default() };
    memory.commit(&namespace, changes).unwrap();
}

fn following(memory: &Memory, about: &str, predicate: &str, moment: Moment) -> Vec<FactView> {
    let found = memory.following(&Namespace::default(), Some(about), Some(predicate), moment).unwrap();
    assert!(!found.more);
    found.facts
}

fn objects(memory: &Memory, about: &str, predicate: &str, moment: Moment) -> Vec<String> {
    following(memory, about, predicate, moment).into_iter().map(|fact| fact.object).collect()
}

fn now() -> Moment {
    Moment::default()
}

fn as_of(time: &str) -> Moment {
    Moment { as_of: Some(at(time)), ..now() }
}

fn known_at(time: &str) -> Moment {
    Moment { known_at: Some(at(time)), ..now() }
}

#[test]
fn what_follows_goes_with_the_one_fact_that_it_rests_on() {
    let lab = Lab::new();
    let memory = lab.memory();
    memory.add_rule(&Namespace::default(), COUNTRY).unwrap();
    for (day, says) in [
        ("2024-01-01", ["Porto", "city_in", "Portugal"]),
        ("2024-01-02", ["Berlin", "city_in", "Germany"]),
        ("2024-02-01", ["Ana", "lives_in", "Porto"]),
    ] {
        state(&memory, day, says);
    }
    assert_eq!(objects(&memory, "Ana", "country", now()), ["Portugal"]);
    state(&memory, "2024-06-01", ["Ana", "lives_in", "Berlin"]);
    assert_eq!(objects(&memory, "Ana", "country", now()), ["Germany"]);
    assert_eq!(objects(&memory, "Portugal", "country", now()), [""; 0]);
    assert_eq!(objects(&memory, "Ana", "country", as_of("2024-03-01")), ["Portugal"]);
    assert_eq!(objects(&memory, "Ana", "country", known_at("2024-03-01")), ["Portugal"]);
    assert_eq!(objects(&memory, "Ana", "country", as_of("2024-01-15")), [""; 0]);
    assert_eq!(objects(&memory, "Ana", "country", known_at("2024-01-15")), [""; 0]);
    let [fact] = &following(&memory, "Ana", "country", now())[..] else { panic!("there is one") };
    assert_eq!(fact.valid, Interval { from: Some(at("2024-06-01")), to: None });
    state(&memory, "2024-07-01", ["Ana", "not lives_in", "Berlin"]);
    assert_eq!(objects(&memory, "Ana", "country", now()), [""; 0]);
    assert_eq!(objects(&memory, "Ana", "country", as_of("2024-06-15")), ["Germany"]);
    assert_sound(&memory);
}

#[test]
fn what_follows_from_what_follows_goes_too() {
    let lab = Lab::new();
    let memory = lab.memory();
    let namespace = Namespace::default();
    for rule in [COUNTRY, "country(X,N), speaks(N,L) -> hears(X,L)"] {
        memory.add_rule(&namespace, rule).unwrap();
    }
    for (day, says) in [
        ("2024-01-01", ["Porto", "city_in", "Portugal"]),
        ("2024-01-02", ["Portugal", "speaks", "Portuguese"]),
        ("2024-01-03", ["Berlin", "city_in", "Germany"]),
        ("2024-01-04", ["Germany", "speaks", "German"]),
        ("2024-02-01", ["Ana", "lives_in", "Porto"]),
    ] {
        state(&memory, day, says);
    }
    let [fact] = &following(&memory, "Ana", "hears", now())[..] else { panic!("there is one") };
    assert_eq!((fact.object.as_str(), fact.support.len()), ("Portuguese", 3));
    let derived = fact.derived.as_ref().unwrap();
    assert_eq!(
        (derived.rule.as_str(), derived.premises.len()),
        ("country(X,N), speaks(N,L) -> hears(X,L)", 3)
    );
    state(&memory, "2024-06-01", ["Ana", "lives_in", "Berlin"]);
    assert_eq!(objects(&memory, "Ana", "hears", now()), ["German"]);
    assert_eq!(objects(&memory, "Ana", "hears", as_of("2024-05-01")), ["Portuguese"]);
    assert_eq!(objects(&memory, "Ana", "hears", known_at("2024-05-01")), ["Portuguese"]);
    state(&memory, "2024-07-01", ["Berlin", "not city_in", "Germany"]);
    assert_eq!(objects(&memory, "Ana", "hears", now()), [""; 0]);
    assert_eq!(objects(&memory, "Ana", "hears", as_of("2024-06-15")), ["German"]);
}

#[test]
fn a_rule_that_is_removed_or_forgotten_of_leaves_nothing() {
    let lab = Lab::new();
    let memory = lab.memory();
    let namespace = Namespace::default();
    let added = memory.add_rule(&namespace, " lives_in( X , C ),city_in(C,N)->country(X,N)").unwrap();
    assert_eq!((added.new, added.rule.rule.as_str()), (true, COUNTRY));
    assert!(!memory.add_rule(&namespace, COUNTRY).unwrap().new);
    state(&memory, "2024-01-01", ["Porto", "city_in", "Portugal"]);
    state(&memory, "2024-02-01", ["Ana", "lives_in", "Porto"]);
    assert_eq!(objects(&memory, "Ana", "country", now()), ["Portugal"]);
    assert!(memory.remove_rule(&namespace, "p(X,Y) -> q(X,Y)").unwrap().is_none());
    assert_eq!(memory.remove_rule(&namespace, COUNTRY).unwrap(), Some(added.rule));
    assert_eq!(objects(&memory, "Ana", "country", now()), [""; 0]);
    drop(memory);
    let memory = lab.memory();
    assert_eq!(objects(&memory, "Ana", "country", now()), [""; 0]);
    let again = memory.add_rule(&namespace, COUNTRY).unwrap();
    assert!(again.new);
    assert_eq!(objects(&memory, "Ana", "country", now()), ["Portugal"]);
    memory.remove_rule(&namespace, &again.rule.id.unwrap().to_string()).unwrap().unwrap();
    assert_eq!(objects(&memory, "Ana", "country", now()), [""; 0]);
    assert_sound(&memory);
}

#[test]
fn another_namespace_knows_nothing_of_a_rule() {
    let lab = Lab::new();
    let memory = lab.memory();
    memory.add_rule(&Namespace::new("other").unwrap(), COUNTRY).unwrap();
    state(&memory, "2024-01-01", ["Porto", "city_in", "Portugal"]);
    state(&memory, "2024-02-01", ["Ana", "lives_in", "Porto"]);
    assert_eq!(objects(&memory, "Ana", "country", now()), [""; 0]);
}

#[test]
fn what_lasts_was_so_before_it_was_told() {
    let lab = Lab::new();
    let memory = lab.memory();
    state(&memory, "2024-01-01", ["Ana", "lives_in", "Porto"]);
    state(&memory, "2024-02-01", ["Porto", "located_in", "Portugal"]);
    assert_eq!(objects(&memory, "Ana", "lives_in", as_of("2024-01-15")), ["Portugal"]);
    let [fact] = &following(&memory, "Ana", "lives_in", now())[..] else { panic!("there is one") };
    assert_eq!(fact.valid, Interval { from: Some(at("2024-01-01")), to: None });
    assert_eq!(fact.recorded.from, Some(at("2024-02-01")));
}

#[test]
fn a_question_for_what_follows_finds_the_episodes_of_its_premises() {
    let lab = Lab::new();
    let memory = lab.memory();
    let namespace = Namespace::default();
    memory.add_rule(&namespace, COUNTRY).unwrap();
    state(&memory, "2024-01-01", ["Porto", "city_in", "Portugal"]);
    state(&memory, "2024-01-02", ["Berlin", "city_in", "Germany"]);
    state(&memory, "2024-02-01", ["Ana", "lives_in", "Porto"]);
    for number in 1..9 {
        state(&memory, &format!("2024-03-0{number}"), ["The ferry", "leaves_from", "Pier"]);
    }
    let premises = |question: &Question<'_>| {
        let hits = memory.recall(&namespace, question).unwrap().hits;
        let proven = hits.into_iter().filter(|hit| hit.path.iter().any(|step| step.rule.is_some()));
        let mut texts: Vec<String> = proven
            .map(|hit| {
                assert!(hit.path.iter().all(|step| step.rule.as_deref() == Some(COUNTRY)));
                hit.episode.text
            })
            .collect();
        texts.sort_unstable();
        texts
    };
    let question = Question::new("Which country does Ana live in?");
    assert_eq!(premises(&question), ["Ana lives_in Porto", "Porto city_in Portugal"]);
    state(&memory, "2024-06-01", ["Ana", "lives_in", "Berlin"]);
    assert_eq!(premises(&question), ["Ana lives_in Berlin", "Berlin city_in Germany"]);
    let before = Question { as_of: Some(at("2024-05-01")), ..question.clone() };
    assert_eq!(premises(&before), ["Ana lives_in Porto", "Porto city_in Portugal"]);
    let reader = memory.engine().reader(&namespace).unwrap();
    assert!(reader.state().episode(EpisodeIx(0)).facts().len() == 1, "nothing derived is kept");
}

#[test]
fn rules_are_told_on_the_command_line() {
    let lab = Lab::new();
    let added = lab.json(&["rule", "add", COUNTRY]);
    assert_eq!(
        (&added["new"], &added["rule"]["rule"], &added["rule"]["own"]),
        (&true.into(), &COUNTRY.into(), &false.into())
    );
    assert_eq!(lab.json(&["rule", "add", COUNTRY])["new"], false);
    let rules = lab.json(&["rule", "list"]);
    let own = rules["rules"].as_array().unwrap();
    assert!(own.iter().any(|rule| rule["own"] == true && rule["id"].is_null()));
    assert_eq!(own.last().unwrap()["id"], added["rule"]["id"]);
    assert!(lab.lore(&["rule", "list"]).done().out.contains(COUNTRY));
    for (rule, told) in [
        ("lives_in(X,C) -> country(X,N)", "at character 18"),
        ("lives_in(X,C)", "at character 14"),
        ("lives_in(x,C) -> country(x,C)", "upper case"),
    ] {
        let error = lab.lore(&["rule", "add", rule]).failed(2);
        assert!(error.contains("the rule is none") && error.contains(told), "{error}");
    }
    let own = own[0]["rule"].as_str().unwrap();
    assert!(lab.lore(&["rule", "remove", own]).failed(2).contains("hold everywhere"));
    assert_eq!(lab.lore(&["rule", "remove", "p(X,Y) -> q(X,Y)"]).code, 1);
    assert_eq!(lab.json(&["rule", "remove", COUNTRY])["removed"]["rule"], COUNTRY);
}

/// Pieces of a line of the shell, without quotes.
pub(crate) fn pieces(line: &str) -> Vec<String> {
    let (mut pieces, mut quote) = (vec![String::new()], None);
    for c in line.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (None, ' ') => pieces.push(String::new()),
            (_, c) => pieces.last_mut().unwrap().push(c),
        }
    }
    pieces
}

/// What is printed, with an ellipsis in place of ids.
pub(crate) fn without_ids(text: &str) -> String {
    let is_id = |word: &str| word.len() == 32 && word.chars().all(|c| c.is_ascii_hexdigit());
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    words.fold(String::new(), |shown, word| {
        let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if is_id(name) { shown + "…" + &word[name.len()..] } else { shown + word }
    })
}

#[test]
fn the_examples_of_the_documentation_are_so() {
    let text = fs::read_to_string(root().join("docs/rules.md")).unwrap();
    let mut tried = 0;
    for block in text.split("```console\n").skip(1) {
        let lab = Lab::new();
        let (block, _) = block.split_once("```").unwrap();
        for command in block.split("$ lore --store mem ").skip(1) {
            let (line, shown) = command.split_once('\n').unwrap();
            let reply = lab.lore(&pieces(line));
            assert_eq!(without_ids(&reply.out), shown, "{line}: {}", reply.err);
            tried += 1;
        }
    }
    assert!(tried > 5);
    for rule in text.lines().filter_map(|line| line.strip_prefix("rule: ")) {
        rule.parse::<lorebase::engine::derive::rule::Rule>().unwrap();
    }
}
