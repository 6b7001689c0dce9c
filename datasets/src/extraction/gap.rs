//! Which of two names a pronoun stands for: GAP, scored as its own scorer does.
//!
//! Each of the two names is a decision of its own. A pronoun that the extractor resolves to neither, or not at all, is
//! an abstention: missed where a name was right, and no error where none was.

use std::path::Path;

use lorebase_engine::model::extraction::NamedSpan;
use lorebase_engine::text::fold_name;
use lorebase_extract::extractor::Extractor;
use serde::Serialize;

use super::scores::{Counts, Score, Share};
use super::texts::{read_tabbed, read_text};
use super::{Item, Tell};
use crate::error::Error;

const SET: &str = "gap";

/// The scores of all pronouns and of each gender.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GapReport {
    /// Of all.
    pub overall: Score,
    /// Of he, him, his.
    pub masculine: Score,
    /// Of she, her, hers.
    pub feminine: Score,
    /// F1 of the feminine ones over that of the masculine ones; 0 where that is 0.
    pub bias: f64,
    /// Pronouns that the extractor resolves to A or B.
    pub resolved: Share,
    /// Pronouns that it resolves to whatever name.
    pub named: Share,
}

struct Row {
    id: String,
    text: String,
    pronoun: String,
    offset: u32,
    names: [String; 2],
    right: [bool; 2],
}

/// Scores an extractor on the file of the set.
pub fn score(extractor: &dyn Extractor, path: &Path, tell: &mut Tell<'_>) -> Result<GapReport, Error> {
    let (mut masculine, mut feminine, mut all) = (Counts::default(), Counts::default(), Counts::default());
    let rows = read(path)?;
    let (mut resolved, mut named) = (0, 0);
    for row in &rows {
        let found = read_text(extractor, &row.text);
        let found = found.map_err(|problem| Error::Extractor { set: SET, item: row.id.clone(), problem })?;
        let names = names_at(&found.mentions, row);
        let said = resolve(&names, &row.names);
        let counts = judge(said, row.right);
        all += counts;
        match row.pronoun.to_lowercase().as_str() {
            "he" | "him" | "his" => masculine += counts,
            "she" | "her" | "hers" => feminine += counts,
            _ => {}
        }
        resolved += usize::from(said.contains(&true));
        named += usize::from(!names.is_empty());
        tell_of(row, said, names, tell);
    }
    let (masculine, feminine) = (Score::from(masculine), Score::from(feminine));
    Ok(GapReport {
        overall: all.into(),
        bias: if masculine.f1 > 0.0 { feminine.f1 / masculine.f1 } else { 0.0 },
        masculine,
        feminine,
        resolved: Share::of(resolved, rows.len()),
        named: Share::of(named, rows.len()),
    })
}

fn read(path: &Path) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    read_tabbed(path, |line, fields| {
        if line > 1 {
            rows.push(row(fields)?);
        }
        Ok(())
    })?;
    Ok(rows)
}

fn row(fields: &[&str]) -> Result<Row, String> {
    let [id, text, pronoun, offset, first, _, first_right, second, _, second_right, ..] = fields else {
        return Err(format!("ten fields are needed, {} are there", fields.len()));
    };
    let is_true = |field: &str| match field.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("\"{field}\" is neither TRUE nor FALSE")),
    };
    Ok(Row {
        id: (*id).to_owned(),
        text: (*text).to_owned(),
        pronoun: (*pronoun).to_owned(),
        offset: offset.parse().map_err(|_| format!("\"{offset}\" is no offset"))?,
        names: [(*first).to_owned(), (*second).to_owned()],
        right: [is_true(first_right)?, is_true(second_right)?],
    })
}

/// The names of the mentions that stand on the pronoun and on nothing else.
fn names_at<'m>(mentions: &'m [NamedSpan], row: &Row) -> Vec<&'m str> {
    let end = row.offset + row.pronoun.chars().count() as u32;
    let at = |mention: &&NamedSpan| mention.span.start == row.offset && mention.span.end == end;
    mentions.iter().filter(at).map(|mention| mention.name.as_str()).collect()
}

/// Which of the two the names mean: one that is equal to a name goes before one whose words are all in the other's,
/// and one that means both alike means neither.
fn resolve(names: &[&str], both: &[String; 2]) -> [bool; 2] {
    for fits in [equal, contained] {
        let said = [0, 1].map(|place: usize| names.iter().any(|name| fits(name, &both[place])));
        match said {
            [false, false] => {}
            [true, true] => return [false, false],
            one => return one,
        }
    }
    [false, false]
}

fn equal(one: &str, other: &str) -> bool {
    fold_name(one) == fold_name(other)
}

fn contained(one: &str, other: &str) -> bool {
    let (one, other) = (fold_name(one), fold_name(other));
    let within = |inner: &str, outer: &str| {
        let outer: Vec<&str> = outer.split(' ').collect();
        !inner.is_empty() && inner.split(' ').all(|word| outer.contains(&word))
    };
    within(&one, &other) || within(&other, &one)
}

fn judge(said: [bool; 2], right: [bool; 2]) -> Counts {
    let mut counts = Counts::default();
    for (said, right) in said.into_iter().zip(right) {
        match (said, right) {
            (true, true) => counts.right += 1,
            (true, false) => counts.extra += 1,
            (false, true) => counts.missed += 1,
            (false, false) => {}
        }
    }
    counts
}

fn tell_of(row: &Row, said: [bool; 2], found: Vec<&str>, tell: &mut Tell<'_>) {
    let those = |wanted: bool| {
        let pairs = row.names.iter().zip(said.into_iter().zip(row.right));
        let pairs = pairs.filter(move |(_, (said, right))| *said != *right && *right == wanted);
        let told = |(name, _)| format!("{} at {}: {name}", row.pronoun, row.offset);
        pairs.map(told).collect()
    };
    tell(&Item {
        set: SET,
        language: None,
        id: &row.id,
        text: &row.text,
        missed: those(true),
        extra: those(false),
        found: found.into_iter().map(str::to_owned).collect(),
    });
}

#[cfg(test)]
mod tests {
    use lorebase_engine::model::entity::EntityKind;

    use super::*;
    use crate::extraction::testing::{Fixed, mention};

    fn resolved(names: &[&str], first: &str, second: &str) -> [bool; 2] {
        resolve(names, &[first.to_owned(), second.to_owned()])
    }

    #[test]
    fn names_fit_by_their_words() {
        assert_eq!(resolved(&["Warren MacKenzie"], "MacKenzie", "Bernard Leach"), [true, false]);
        assert_eq!(resolved(&["Leach"], "MacKenzie", "Bernard Leach"), [false, true]);
        assert_eq!(resolved(&["Ann"], "Anna", "Bernard Leach"), [false, false]);
        assert_eq!(resolved(&["Smith"], "Ann Smith", "Ben Smith"), [false, false]);
        assert_eq!(resolved(&["Smith"], "Smith", "Ben Smith"), [true, false]);
        assert_eq!(resolved(&[], "Ann", "Ben"), [false, false]);
    }

    #[test]
    fn a_pronoun_is_found_by_its_place_in_characters() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let head = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL";
        let text = "Zoë met Mia; she left.";
        let rows = [("TRUE", "FALSE"), ("FALSE", "TRUE"), ("FALSE", "FALSE")];
        let row = |(a, b)| format!("x\t{text}\tshe\t13\tZoë\t0\t{a}\tMia\t8\t{b}\thttp://example.org");
        let lines: Vec<String> = std::iter::once(head.to_owned()).chain(rows.map(row)).collect();
        std::fs::write(file.path(), lines.join("\n")).unwrap();
        let found = Fixed::mentions(vec![
            mention(13, 16, "Zoë", EntityKind::Person),
            mention(8, 11, "Mia", EntityKind::Person),
        ]);
        let report = score(&found, file.path(), &mut |_: &Item<'_>| {}).unwrap();
        assert_eq!((report.overall.right, report.overall.extra, report.overall.missed), (1, 2, 1));
        assert_eq!((report.feminine, report.masculine.right), (report.overall, 0));
        assert_eq!(report.resolved.covered, 3);
        std::fs::write(file.path(), format!("{head}\nx\ty\n")).unwrap();
        assert!(score(&found, file.path(), &mut |_: &Item<'_>| {}).is_err());
    }
}
