//! The tables of `docs/performance.md`.

use crate::figures::{Figures, Many, Size};
use crate::measure::Latency;
use crate::report::goals;
use crate::steps::{Grouped, Opening, Part, Parts};
use crate::table::{line, title};

/// All tables for which there are figures, each with its name.
pub(super) fn all(figures: &Figures) -> Vec<(&'static str, String)> {
    let mut tables = vec![("goals", goals::table(figures))];
    if !figures.sizes.is_empty() {
        let sizes = &figures.sizes;
        tables.push(("ingest", ingest(sizes)));
        tables.push(("recall", recall(sizes)));
        tables.push(("opening", opening(sizes)));
        tables.push(("memory", memory(sizes)));
        tables.push(("disk", disk(sizes)));
    }
    tables.extend(figures.many.iter().map(|measured| ("namespaces", many(measured))));
    if !figures.parts.is_empty() {
        tables.push(("parts", parts(&figures.parts)));
    }
    if !figures.group.is_empty() {
        tables.push(("group commit", group(&figures.group)));
    }
    tables
}

/// A whole number with its thousands apart.
fn whole(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut told = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

pub(super) fn count(number: usize) -> String {
    whole(number as f64)
}

/// Three digits are as many as are worth printing.
pub(super) fn rounded(number: f64) -> String {
    match number {
        number if number >= 100.0 => whole(number),
        number if number >= 10.0 => format!("{number:.1}"),
        number => format!("{number:.2}"),
    }
}

fn seconds(number: f64) -> String {
    if number < 0.1 { format!("{} ms", rounded(number * 1e3)) } else { format!("{} s", rounded(number)) }
}

fn megabytes(bytes: u64) -> String {
    if bytes == 0 { "–".to_owned() } else { format!("{} MB", rounded(bytes as f64 / 1e6)) }
}

fn both(latency: &Latency) -> String {
    format!("{} / {} ms", rounded(latency.p50), rounded(latency.p95))
}

fn ingest(sizes: &[Size]) -> String {
    let mut table = title(&[
        "turns",
        "people",
        "text",
        "statements",
        "facts",
        "turns/s",
        "last tenth, turns/s",
        "CPU µs a turn",
        "first recall after",
        "a plain file, turns/s",
    ]);
    for Size { ingest, plain_file_rate, .. } in sizes {
        table += &line(&[
            count(ingest.turns),
            count(ingest.people),
            megabytes(ingest.text_bytes),
            count(ingest.statements),
            count(ingest.facts),
            whole(ingest.rate()),
            whole(ingest.last_tenth_rate),
            rounded(1e6 * ingest.worked / ingest.turns as f64),
            seconds(ingest.first_recall),
            whole(*plain_file_rate),
        ]);
    }
    table
}

fn recall(sizes: &[Size]) -> String {
    let names: Vec<String> = sizes.iter().map(|size| format!("{} turns", count(size.ingest.turns))).collect();
    let mut cells = vec!["p50 / p95"];
    cells.extend(names.iter().map(String::as_str));
    let mut table = title(&cells);
    let mut row = |name: &str, latency: &dyn Fn(&Size) -> String| {
        let mut cells = vec![name.to_owned()];
        cells.extend(sizes.iter().map(latency));
        table += &line(&cells);
    };
    row("**all but unknown words**", &|size| format!("**{}**", both(&size.answers.all)));
    let kinds = sizes.first().map(|size| size.answers.kinds.as_slice()).unwrap_or_default();
    for (place, kind) in kinds.iter().enumerate() {
        row(&kind.kind, &|size| {
            size.answers.kinds.get(place).map_or_else(String::new, |kind| both(&kind.latency))
        });
    }
    row("two hops, plain BM25 alone", &|size| both(&size.answers.words_only));
    table
}

fn opening(sizes: &[Size]) -> String {
    let mut table =
        title(&["turns", "cold", "of it loading", "of it the first recall", "CPU, cold", "from a snapshot"]);
    for Size { ingest, cold, snapshot, .. } in sizes {
        table += &line(&[
            count(ingest.turns),
            seconds(cold.seconds()),
            seconds(cold.load),
            seconds(cold.recall),
            seconds(cold.worked),
            snapshot.map_or_else(|| "–".to_owned(), |opening| seconds(opening.seconds())),
        ]);
    }
    table
}

fn memory(sizes: &[Size]) -> String {
    let mut table = title(&[
        "turns",
        "opened cold",
        "of it vectors",
        "without vectors",
        "bytes a turn",
        "peak while opening",
        "after taking in",
    ]);
    for Size { ingest, cold, without_vectors, .. } in sizes {
        let now = |opening: &Opening| opening.resident.now;
        table += &line(&[
            count(ingest.turns),
            megabytes(now(cold)),
            megabytes(now(cold).saturating_sub(now(without_vectors))),
            megabytes(now(without_vectors)),
            whole(now(without_vectors) as f64 / ingest.turns as f64),
            megabytes(cold.resident.peak),
            megabytes(ingest.resident.now),
        ]);
    }
    table
}

fn disk(sizes: &[Size]) -> String {
    let mut table =
        title(&["turns", "text", "journal", "sled", "journal + sled a byte of text", "snapshots"]);
    for size in sizes {
        let disk = size.disk;
        table += &line(&[
            count(size.ingest.turns),
            megabytes(size.ingest.text_bytes),
            megabytes(disk.journal),
            megabytes(disk.sled),
            rounded((disk.journal + disk.sled) as f64 / size.ingest.text_bytes as f64),
            megabytes(disk.snapshots),
        ]);
    }
    table
}

fn many(many: &Many) -> String {
    let (ingest, one, disk) = (many.ingest, many.one, many.disk);
    let mut table = title(&[
        "namespaces",
        "turns in each",
        "turns/s",
        "memory after",
        "open",
        "open and ask in one",
        "memory then",
        "ask in a second",
        "journal + sled a byte of text",
    ]);
    table += &line(&[
        count(ingest.spaces),
        count(ingest.turns),
        whole((ingest.spaces * ingest.turns) as f64 / ingest.seconds),
        megabytes(ingest.resident.now),
        seconds(one.store),
        seconds(one.store + one.answer),
        megabytes(one.resident.now),
        seconds(one.second_answer),
        rounded((disk.journal + disk.sled) as f64 / ingest.text_bytes as f64),
    ]);
    table
}

fn parts(measured: &[Parts]) -> String {
    let names: Vec<String> =
        measured.iter().map(|parts| format!("{} turns, µs a turn", count(parts.turns))).collect();
    let mut cells = vec!["part"];
    cells.extend(names.iter().map(String::as_str));
    let mut table = title(&cells);
    let rows = measured.first().map(|parts| parts.parts.as_slice()).unwrap_or_default();
    let micros = |seconds: f64, turns: usize| seconds * 1e6 / turns as f64;
    for (place, part) in rows.iter().enumerate() {
        let mut cells = vec![if part.inside { format!("… {}", part.name) } else { part.name.clone() }];
        cells.extend(measured.iter().map(|parts| {
            let one = parts.parts.get(place).map_or(0.0, |part| part.seconds);
            let share = 100.0 * one / whole_of(&parts.parts);
            format!("{} ({share:.0} %)", rounded(micros(one, parts.turns)))
        }));
        table += &line(&cells);
    }
    let mut cells = vec!["**all**".to_owned()];
    let whole = |parts: &Parts| format!("**{}**", rounded(micros(whole_of(&parts.parts), parts.turns)));
    cells.extend(measured.iter().map(whole));
    table + &line(&cells)
}

fn whole_of(parts: &[Part]) -> f64 {
    parts.iter().filter(|part| !part.inside).map(|part| part.seconds).sum()
}

fn group(measured: &[Grouped]) -> String {
    let mut table = title(&["threads", "commits/s", "syncs a commit", "wait p50 / p95"]);
    for grouped in measured {
        table += &line(&[
            count(grouped.threads),
            whole(grouped.rate),
            grouped.syncs_a_commit.map_or_else(|| "–".to_owned(), rounded),
            both(&grouped.latency),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_reading() {
        assert_eq!([whole(1_234_567.4), whole(123.0), whole(0.4)], ["1,234,567", "123", "0"]);
        assert_eq!([rounded(1.234), rounded(12.34), rounded(1234.0)], ["1.23", "12.3", "1,234"]);
        assert_eq!([seconds(0.0123), seconds(1.5)], ["12.3 ms", "1.50 s"]);
    }
}
