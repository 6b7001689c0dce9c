//! Patterns as they are read and written, and where they go wrong.

use proptest::prelude::*;

use super::ast::{Hop, Node, Path, Pattern, Property, Term};
use super::random::{pattern, whatever};
use super::{InvalidPattern, PATTERN_MAX_BYTES};

use lorebase_engine::model::entity::EntityKind;

fn problem(text: &str) -> (usize, String) {
    let InvalidPattern { at, problem, .. } = text.parse::<Pattern>().unwrap_err();
    (at, problem)
}

#[test]
fn a_pattern_is_read_and_written_alike() {
    for (text, shown) in [
        ("MATCH (a)-[:knows]->(b) RETURN a.name, b.name", ""),
        (
            "match (a:person)-->()<--(b) where a.NAME='Ana' return b",
            "MATCH (a:Person)-->()<--(b) WHERE a.name = \"Ana\" RETURN b",
        ),
        ("MATCH (a)-[r:works_at|studies_at*1..3 {status: \"current\"}]-(b {name: \"Porto\"}) RETURN r", ""),
        ("MATCH (a)-[:Works  at*..2]->(b) RETURN a", "!"),
        ("MATCH (a)-[:`Works  at`*..2]->(b) RETURN a", "MATCH (a)-[:works_at*1..2]->(b) RETURN a"),
        ("MATCH (a)-[:is|:has*]->(b) RETURN a", "MATCH (a)-[:is|has*]->(b) RETURN a"),
        (
            "MATCH (a), (b:Organization) AS OF '2024-05-08' OPTIONAL MATCH (a)-[*0..1]-(b) ALL FACTS RETURN DISTINCT a.name AS who, count(*) ORDER BY who DESC, count(*) SKIP 2 LIMIT 10",
            "MATCH (a), (b:Organisation) AS OF \"2024-05-08T00:00:00Z\" OPTIONAL MATCH (a)-[*0..1]-(b) ALL FACTS RETURN DISTINCT a.name AS who, count(*) ORDER BY who DESC, count(*) SKIP 2 LIMIT 10",
        ),
        (
            "MATCH (a)-[r]->(b) WHERE NOT (a = b OR r.from >= '2024-01-01') AND (r.to IS NULL OR r.confidence<0.5) AND a.name IN [\"x\\\"y\", 'it\\'s', 3, -1.5, true] RETURN count(DISTINCT b)",
            "MATCH (a)-[r]->(b) WHERE NOT (a = b OR r.from >= \"2024-01-01\") AND (r.to IS NULL OR r.confidence < 0.5) AND a.name IN [\"x\\\"y\", \"it's\", 3, -1.5, true] RETURN count(DISTINCT b)",
        ),
        ("MATCH (`a b`)-->(`where`) WHERE `a b`.name STARTS WITH \"A\" RETURN `where` AS `re``turn`", ""),
        ("MATCH (他)-[:住在]->(x) RETURN 他.name AS 谁, count(x) ORDER BY 谁", ""),
    ] {
        let read = text.parse::<Pattern>();
        if shown == "!" {
            assert!(read.is_err(), "{text}");
            continue;
        }
        let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.to_string(), if shown.is_empty() { text } else { shown });
        assert_eq!(read.to_string().parse::<Pattern>().unwrap(), read);
    }
}

#[test]
fn an_error_tells_the_place_and_what_should_be_there() {
    for (text, at, told) in [
        ("", 1, "the end stands where there should be MATCH"),
        ("FIND (a)", 1, "FIND stands where there should be MATCH"),
        ("MATCH a", 7, "a stands where there should be a node"),
        ("MATCH (a", 9, "a kind, such as :Person"),
        ("MATCH (where) RETURN a", 8, "where stands where there should be a name for the node"),
        ("MATCH (a:Persn) RETURN a", 10, "Persn is no kind of node; there are Unknown, Person"),
        ("MATCH (a {nam: 'x'}) RETURN a", 11, "nam is no property; nodes have name"),
        ("MATCH (a {status: 'x'}) RETURN a", 11, "a node has no property status; it has name"),
        ("MATCH (a {name 'x'}) RETURN a", 16, "\":\""),
        ("MATCH (a {name: Porto}) RETURN a", 17, "a text in quotes, a number"),
        ("MATCH (a {name: 'Porto}) RETURN a", 17, "does not end"),
        ("MATCH (a {name: 'Po\\rto\\x'}) RETURN a", 25, "after \\"),
        (
            "MATCH (a)-[works at]->(b) RETURN a",
            18,
            "at stands where there should be a relation, such as :works_at",
        ),
        ("MATCH (a)-[:works_at>(b) RETURN a", 21, "\"]\""),
        ("MATCH (a)-[:works_at](b) RETURN a", 22, "\"-\" after \"]\""),
        ("MATCH (a)-[:``]->(b) RETURN a", 13, "a relation, such as works_at"),
        ("MATCH (a)-[:knows*3..1]->(b) RETURN a", 19, "within 0..16"),
        ("MATCH (a)-[r*2..40]->(b) RETURN a", 14, "within 0..16"),
        ("MATCH (a)-[*99999999999]->(b) RETURN a", 13, "too large"),
        ("MATCH (a)->(b) RETURN a", 11, "\"[\", or \"-\""),
        ("MATCH (a)-[:knows]->(b)", 24, "WHERE, another MATCH, or RETURN"),
        ("MATCH (a)-->(b) AS OF 'May' RETURN a", 23, "\"May\" is no time"),
        ("MATCH (a)-->(b) ALL a RETURN a", 21, "FACTS after ALL"),
        ("MATCH (a) WHERE a RETURN a", 19, "a comparison: ="),
        ("MATCH (a) WHERE a = 'x' RETURN a", 17, "compare a.name"),
        ("MATCH (a)-[r]->(b) WHERE a = r RETURN a", 26, "nodes are = or <> nodes"),
        ("MATCH (a) WHERE a.name == 'x' RETURN a", 25, "a text in quotes"),
        ("MATCH (a) WHERE (a.name = 'x' RETURN a", 31, "AND, OR, or \")\""),
        ("MATCH (a) WHERE a.name = 'x', RETURN a", 29, "AND, OR, another MATCH, or RETURN"),
        ("MATCH (a) WHERE a.name IN 'x' RETURN a", 27, "\"[\""),
        ("MATCH (a) WHERE a.name IS 'x' RETURN a", 27, "NULL, or NOT NULL"),
        ("MATCH (a)-[r]->(b) WHERE r.from > 'soon' RETURN a", 35, "\"soon\" is none"),
        ("MATCH (a)-[r]->(b) WHERE r.from CONTAINS '2024' RETURN a", 42, "from is a time"),
        ("MATCH (a)-[r {status: 'past'}]->(b) RETURN a", 23, "current or superseded or retracted"),
        ("MATCH (a)-[r*]->(b) WHERE r.status = 'current' RETURN a", 27, "a list of facts"),
        ("MATCH (a)-[a]->(b) RETURN a", 12, "a stands for something else already"),
        ("MATCH (a)-[r]->(b), (r) RETURN a", 22, "r is a fact, and stands here for a node"),
        ("MATCH (a)-[r]->(b) MATCH (r) RETURN a", 27, "r is a fact"),
        ("MATCH (a) RETURN b.name", 18, "b stands in no MATCH before; there are: a"),
        ("MATCH (a) RETURN", 17, "what is shown"),
        ("MATCH (a) RETURN a.name, a.name", 26, "two columns are called a.name"),
        ("MATCH (a) RETURN count(", 24, "what is counted"),
        ("MATCH (a) RETURN count(a), a.name ORDER BY a.kind", 44, "is no column"),
        ("MATCH (a) RETURN a ORDER a", 20, "the end"),
        ("MATCH (a) RETURN a LIMIT x", 26, "a number of rows"),
        ("MATCH (a) RETURN a LIMIT 3 4", 28, "4' stands where there should be the end"),
        ("MATCH (a) RETURN a AS", 22, "a name for the column"),
    ] {
        let (place, problem) = problem(text);
        assert!(place == at && problem.contains(told), "{text}: {place}: {problem}");
    }
    let deep = format!("MATCH (a) WHERE {}a.name = 'x'", "(".repeat(50));
    assert!(problem(&deep).1.contains("at most 32"));
    let long = format!("MATCH (a) RETURN {}", "é".repeat(PATTERN_MAX_BYTES));
    assert!(problem(&long).1.contains("bytes"));
    let wide = format!("MATCH (a){} RETURN a", "-->()".repeat(40));
    assert!(problem(&wide).1.contains("at most 32 nodes"));
}

#[test]
fn a_pattern_is_put_together_in_rust() {
    let named = Node::new("a").of_kind(EntityKind::Person).named("Ana");
    let path = Path::from(named)
        .to(Hop::new("works at"), Node::default())
        .to(Hop::new("works_at").back(), Node::new("b"))
        .to(Hop::new("lives_in").repeated(1, 3), Node::new("c"));
    let made = Pattern::new(vec![path], [Term::property("b", Property::Name)]);
    let written = "MATCH (a:Person {name: \"Ana\"})-[:works_at]->()<-[:works_at]-(b)-[:lives_in*1..3]->(c) RETURN b.name";
    assert_eq!(made.to_string(), written);
    assert_eq!(written.parse::<Pattern>().unwrap(), made);
    assert_eq!(made.check(), Ok(()));
    let wrong = Pattern { columns: vec![Term::Variable("x".into()).into()], ..made };
    let error = wrong.check().unwrap_err();
    assert_eq!((error.at, error.text.as_str()), (94, wrong.to_string().as_str()));
    assert!(error.to_string().starts_with("at character 94: x stands in no MATCH before"));
    assert!(Pattern::default().check().is_err());
}

proptest! {
    #[test]
    fn what_is_put_together_is_read_back_from_what_is_written(pattern in pattern()) {
        prop_assert_eq!(pattern.check(), Ok(()));
        let read = pattern.to_string().parse::<Pattern>();
        prop_assert!(read.as_ref() == Ok(&pattern), "{}: {:?}", pattern, read);
    }

    #[test]
    fn any_text_is_a_pattern_that_is_written_as_it_is_read_or_has_a_place_that_is_wrong(text in whatever()) {
        match text.parse::<Pattern>() {
            Ok(pattern) => prop_assert_eq!(pattern.to_string().parse::<Pattern>().unwrap(), pattern),
            Err(InvalidPattern { at, problem, .. }) => {
                prop_assert!((1..=text.chars().count() + 1).contains(&at));
                prop_assert!(!problem.is_empty(), "{}", text);
            }
        }
    }
}
