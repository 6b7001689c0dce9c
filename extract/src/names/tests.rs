//! Which names are found in sentences, and of what kind they are told to be.

use crate::clauses::tree::Tree;
use crate::names::session::Session;
use crate::names::writing::{self, Writing};
use crate::names::{Page, names};
use crate::syntax::Node;
use crate::syntax::tokens::{Token, sentences, tokens};

/// The names of a text that nobody speaks, each with its kind.
fn read(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let tokens = vec![tokens(text, &lower)];
    let session = Session::new(std::iter::empty(), &tokens);
    let writing = writing::of_text(text);
    let nodes = if writing == Writing::English { nodes(text, &tokens[0]) } else { Vec::new() };
    let page = Page { text, tokens: &tokens[0], writing, nodes: &nodes, document: true };
    let found = names(&[page], &session).remove(0);
    found.iter().map(|name| format!("{} {}", name.kind.as_str(), name.called)).collect()
}

fn nodes(text: &str, tokens: &[Token<'_>]) -> Vec<Node> {
    sentences(tokens)
        .into_iter()
        .flat_map(|sentence| Tree::new(text, tokens, sentence).nodes().collect::<Vec<_>>())
        .collect()
}

const ENGLISH: &[(&str, &[&str])] = &[
    ("We met Odile Marchetti, the botanist, in Gdynia.", &["person Odile Marchetti", "place Gdynia"]),
    ("She works at Lanternworks.", &["organisation Lanternworks"]),
    ("Lanternworks, a supplier of lamps, paid early.", &["organisation Lanternworks"]),
    ("The Harbour Lights project is late.", &["project Harbour Lights"]),
    ("My sister Ines moved to Trieste.", &["person Ines", "place Trieste"]),
    ("Henrike mentioned the Mosswell Institute.", &["person Henrike", "organisation Mosswell Institute"]),
    (
        "The talk is at Tarnow University, near Oakmere Street.",
        &["organisation Tarnow University", "place Oakmere Street"],
    ),
    ("Our CFO Zelda Quist and Bram disagree.", &["person Zelda Quist", "person Bram"]),
    ("Zelda Quist said yes. Quist wants more.", &["person Zelda Quist", "person Zelda Quist"]),
    ("Their village, Brannoch, lies south of the Korvines.", &["place Brannoch", "place Korvines"]),
    ("I read \"The Glass Tower\" on my iPhone.", &["work The Glass Tower", "unknown iPhone"]),
    ("Send the PDF to O\'Brien and Zoe.", &["person O\'Brien", "person Zoe"]),
    ("Bramwell adopted a cat named Miso.", &["person Bramwell", "animal Miso"]),
    ("Drafted the report. Filed the taxes.", &[]),
    ("Kofi has a new job. Kofi is glad.", &["person Kofi", "person Kofi"]),
    ("My boss is Sofia.", &["person Sofia"]),
    ("Sofia is in Bulgaria.", &["place Sofia", "place Bulgaria"]),
    ("They took her to St Mary's Hospital.", &["organisation St Mary's Hospital"]),
];

const OTHERS: &[(&str, &[&str])] = &[
    ("Odile hat das Buch von Bram gelesen und nach Köln geschickt.", &["Odile", "Bram", "Köln"]),
    ("Das Harbour Lights-Projekt ist eine gute Idee für die Stadt.", &["Harbour Lights"]),
    ("Brams Schwester und Bram sind in der Küche.", &["Bram", "Bram"]),
    ("L\'équipe de Marchetti a rencontré Odile à Lyon.", &["Marchetti", "Odile", "Lyon"]),
    (
        "Ines dijo que la Universidad de Salamanca está en España.",
        &["Ines", "Universidad de Salamanca", "España"],
    ),
    ("Odile는 Mosswell Institute에서 일한다.", &["Odile", "Mosswell Institute"]),
    ("Odile在Mosswell Institute工作，用PDF格式。", &["Odile", "Mosswell Institute"]),
    (
        "Вчера Одиль написала Bram Visser из Mosswell Institute.",
        &["Одиль", "Bram Visser", "Mosswell Institute"],
    ),
];

/// Those that are read otherwise, as read.
fn wrong<'c>(cases: &[(&'c str, &[&str])], shown: impl Fn(&str) -> String) -> Vec<(&'c str, Vec<String>)> {
    let read = cases.iter().map(|(text, expected)| {
        let found: Vec<String> = read(text).iter().map(|name| shown(name)).collect();
        (found != *expected).then_some((*text, found))
    });
    read.flatten().collect()
}

#[test]
fn english_names_have_kinds() {
    assert_eq!(wrong(ENGLISH, str::to_owned), []);
}

#[test]
fn names_are_found_in_other_languages() {
    let called = |name: &str| name.split_once(' ').map(|(_, called)| called.to_owned()).unwrap();
    assert_eq!(wrong(OTHERS, called), []);
}
