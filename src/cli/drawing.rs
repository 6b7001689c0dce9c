//! Facts between names, or what two turns have in common, drawn: as SVG, from left to right in the order in which a walk came to them, and in the language of
//! Graphviz. Each line has the relation, when it holds and where that is stated.

use std::collections::HashMap;
use std::fmt::Write;

use lorebase::engine::model::time::Interval;
use lorebase::view::StepView;
use lorebase::walks::WalkStep;

use super::render::held;
use super::timeline::escaped;
use crate::wire::text::steers;

/// Sizes in pixels: of a box, of a column with the room for lines, and from one box to the next below.
const BOX: (f64, f64) = (150.0, 28.0);
const COLUMN: f64 = 360.0;
const ROW: f64 = 46.0;
/// What stands around all, and above it for the title.
const MARGIN: f64 = 16.0;
const HEAD: f64 = 44.0;
/// How far lines between the same two boxes bend away from each other.
const BEND: f64 = 34.0;
/// How the words of a line stand: in its middle, with some white around them where lines go below.
const AROUND: &str = "text-anchor=\"middle\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"";
/// The most characters of a name in a box, and of a line's words.
const NAME: usize = 22;
const WORDS: usize = 34;

/// A fact between two names, as a walk went over it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Where the walk came from.
    pub(crate) from: String,
    /// The relation.
    pub(crate) predicate: String,
    /// Where it went.
    pub(crate) to: String,
    /// Whether it went against the fact.
    pub(crate) reverse: bool,
    /// When the fact holds.
    pub(crate) valid: Interval,
    /// Where it is stated.
    pub(crate) source: String,
}

impl From<&WalkStep> for Line {
    fn from(step: &WalkStep) -> Self {
        Self {
            from: step.from.clone(),
            predicate: step.predicate.to_string(),
            to: step.to.clone(),
            reverse: step.reverse,
            valid: step.valid,
            source: step.source.clone(),
        }
    }
}

impl From<&StepView> for Line {
    fn from(step: &StepView) -> Self {
        Self {
            from: step.from.clone(),
            predicate: step.over.clone(),
            to: step.to.clone(),
            reverse: step.reverse,
            valid: step.valid.unwrap_or(Interval::ALWAYS),
            source: step.source.clone(),
        }
    }
}

/// The lines, each once, in their order.
fn each_once(lines: &[Line]) -> Vec<&Line> {
    let mut each: Vec<&Line> = Vec::new();
    for line in lines {
        let same = |known: &&Line| {
            // One that is walked from its other end is the same fact.
            let turned = Line {
                from: known.to.clone(),
                to: known.from.clone(),
                reverse: !known.reverse,
                ..(*known).clone()
            };
            **known == *line || turned == *line
        };
        if !each.iter().any(same) {
            each.push(line);
        }
    }
    each
}

/// Where the boxes stand: by column and row.
struct Places<'l> {
    at: HashMap<&'l str, (usize, usize)>,
    /// In the order in which they come.
    names: Vec<&'l str>,
    /// How many boxes each column has.
    rows: Vec<usize>,
}

impl<'l> Places<'l> {
    /// Each name one column after where it was reached from first; where nothing goes on from it, after all that lead to it.
    fn of(lines: &[&'l Line]) -> Self {
        let mut columns: HashMap<&str, usize> = HashMap::new();
        let mut names: Vec<&str> = Vec::new();
        for line in lines {
            let from = *columns.entry(&line.from).or_insert(0);
            columns.entry(&line.to).or_insert(from + 1);
            for name in [&line.from, &line.to] {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        let goes_on = |name: &str| lines.iter().any(|line| line.from == name);
        for name in names.iter().filter(|name| !goes_on(name)) {
            let before = lines.iter().filter(|line| line.to == *name).map(|line| columns[&*line.from]);
            let column = before.max().map_or(0, |before| before + 1);
            columns.insert(name, column);
        }
        let mut places = Self { at: HashMap::new(), names, rows: Vec::new() };
        for name in &places.names {
            let column = columns[name];
            places.rows.resize(places.rows.len().max(column + 1), 0);
            places.at.insert(name, (column, places.rows[column]));
            places.rows[column] += 1;
        }
        places
    }

    fn height(&self) -> f64 {
        HEAD + self.rows.iter().copied().max().unwrap_or(0) as f64 * ROW + MARGIN
    }

    fn width(&self) -> f64 {
        2.0 * MARGIN + self.rows.len().saturating_sub(1) as f64 * COLUMN + BOX.0
    }

    /// The upper left corner of a box.
    fn corner(&self, name: &str) -> (f64, f64) {
        let (column, row) = self.at[name];
        let most = self.rows.iter().copied().max().unwrap_or(0);
        let above = (most - self.rows[column]) as f64 / 2.0;
        (MARGIN + column as f64 * COLUMN, HEAD + (above + row as f64) * ROW)
    }
}

/// The drawing as SVG.
pub(crate) fn svg(title: &str, lines: &[Line]) -> String {
    let lines = each_once(lines);
    let places = Places::of(&lines);
    let (width, height) = (places.width(), places.height());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
         <path d=\"M0 0L8 4L0 8z\" fill=\"#777\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{MARGIN}\" y=\"26\" font-size=\"16\">{}</text>\n",
        escaped(title)
    );
    let mut between: HashMap<(&str, &str), usize> = HashMap::new();
    for line in &lines {
        let pair = if line.from < line.to { (&*line.from, &*line.to) } else { (&*line.to, &*line.from) };
        let before = between.entry(pair).or_default();
        draw_line(&mut svg, line, &places, *before as f64 * BEND);
        *before += 1;
    }
    for name in &places.names {
        draw_box(&mut svg, name, &places);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_box(svg: &mut String, name: &str, places: &Places<'_>) {
    let (x, y) = places.corner(name);
    let _ = writeln!(
        svg,
        "<g class=\"entity\"><title>{}</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#e8f0f8\" stroke=\"#2f6fab\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
        escaped(name),
        BOX.0,
        BOX.1,
        x + BOX.0 / 2.0,
        y + 18.0,
        escaped(&short(name, NAME)),
    );
}

/// A line from box to box, with its words near the end that the walk went to.
fn draw_line(svg: &mut String, line: &Line, places: &Places<'_>, bend: f64) {
    let (from, to) = (places.corner(&line.from), places.corner(&line.to));
    let forward = to.0 > from.0;
    let begins = (from.0 + BOX.0, from.1 + BOX.1 / 2.0);
    let ends = (if forward { to.0 } else { to.0 + BOX.0 }, to.1 + BOX.1 / 2.0);
    let reach = if forward { (ends.0 - begins.0) * 0.4 } else { 70.0 };
    let turns = [
        (begins.0 + reach, begins.1 + bend),
        (if forward { ends.0 - reach } else { ends.0 + reach }, ends.1 + bend),
    ];
    let (x, y) = along(0.56, [begins, turns[0], turns[1], ends]);
    let arrow = if line.reverse { "marker-start" } else { "marker-end" };
    let words = when_and_where(line);
    let _ = writeln!(
        svg,
        "<g class=\"fact\"><title>{}</title><path d=\"M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}\" fill=\"none\" stroke=\"#777\" {arrow}=\"url(#to)\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"10\" {AROUND}>{}</text>\
         <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9\" fill=\"#555\" {AROUND}>{}</text></g>",
        escaped(&format!("{} {words}", said(line))),
        begins.0,
        begins.1,
        turns[0].0,
        turns[0].1,
        turns[1].0,
        turns[1].1,
        ends.0,
        ends.1,
        y - 3.0,
        escaped(&short(&line.predicate, WORDS)),
        y + 9.0,
        escaped(&short(&words, WORDS)),
    );
}

/// The point of a curve at a share of its way.
fn along(share: f64, [begins, first, second, ends]: [(f64, f64); 4]) -> (f64, f64) {
    let rest = 1.0 - share;
    let parts =
        [rest * rest * rest, 3.0 * rest * rest * share, 3.0 * rest * share * share, share * share * share];
    let sum = |coordinate: fn((f64, f64)) -> f64| {
        [begins, first, second, ends].map(coordinate).iter().zip(parts).map(|(at, part)| at * part).sum()
    };
    (sum(|at| at.0), sum(|at| at.1))
}

/// What a line says, from its subject on.
fn said(line: &Line) -> String {
    let (subject, object) = if line.reverse { (&line.to, &line.from) } else { (&line.from, &line.to) };
    format!("{subject} {} {object}", line.predicate)
}

fn when_and_where(line: &Line) -> String {
    let source = format!("[{}]", line.source);
    let when = held(&line.valid);
    if when.is_empty() { source } else { format!("{when} {source}") }
}

fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        text.chars().take(most - 1).chain(['…']).collect()
    }
}

/// The drawing in the language of Graphviz.
pub(crate) fn dot(title: &str, lines: &[Line]) -> String {
    let mut dot =
        format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded];\n", quoted(&[title]));
    for line in each_once(lines) {
        let (tail, head) = if line.reverse { (&line.to, &line.from) } else { (&line.from, &line.to) };
        let label = quoted(&[&line.predicate, &when_and_where(line)]);
        // The walk goes from left to right also where the fact goes the other way.
        let turned = if line.reverse { ", constraint=false" } else { "" };
        let _ = writeln!(dot, "  {} -> {} [label={label}{turned}];", quoted(&[tail]), quoted(&[head]));
    }
    dot.push_str("}\n");
    dot
}

/// Lines of text as one string of that language.
fn quoted(lines: &[&str]) -> String {
    let line = |line: &&str| {
        let mut out = String::with_capacity(line.len());
        for c in line.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' | '\t' => out.push(' '),
                c if steers(c) => out.push('\u{fffd}'),
                c => out.push(c),
            }
        }
        out
    };
    format!("\"{}\"", lines.iter().map(line).collect::<Vec<_>>().join("\\n"))
}

#[cfg(test)]
mod tests {
    use lorebase::engine::model::time::Timestamp;

    use super::*;

    fn line(from: &str, predicate: &str, to: &str, reverse: bool) -> Line {
        let valid = Interval { from: Timestamp::from_millis(0).ok(), to: None };
        let [from, predicate, to, source] = [from, predicate, to, "D1:3"].map(str::to_owned);
        Line { from, predicate, to, reverse, valid, source }
    }

    #[test]
    fn names_are_drawn_once_and_facts_with_dates_and_sources() {
        let lines = [
            line("Ilka", "works_at", "Mosswell <b>", false),
            line("Mosswell <b>", "works_at", "Bram", true),
            line("Ilka", "friend_of", "Bram", false),
            line("Ilka", "friend_of", "Bram", false),
            line("Bram", "friend_of", "Ilka", true),
        ];
        let svg = svg("Ilka \u{202e}", &lines);
        assert_eq!((svg.matches("class=\"entity\"").count(), svg.matches("class=\"fact\"").count()), (3, 3));
        assert_eq!(svg.matches("since 1970-01-01 [D1:3]</text>").count(), 3);
        assert_eq!((svg.matches("marker-start").count(), svg.matches("marker-end").count()), (1, 2));
        assert!(!svg.contains("<b>") && !svg.contains('\u{202e}'), "{svg}");
        let drawn = each_once(&lines);
        let places = Places::of(&drawn);
        assert_eq!(places.at["Bram"].0, 2, "the end of a path stands last");
    }

    #[test]
    fn graphviz_gets_strings_that_nothing_breaks_out_of() {
        let dot = dot("a \"b", &[line("Il\"ka\n", "friend_of", "Bram\\", true)]);
        let told = "  \"Bram\\\\\" -> \"Il\\\"ka \" [label=\"friend_of\\nsince 1970-01-01 [D1:3]\", constraint=false];";
        assert!(dot.starts_with("digraph \"a \\\"b\" {") && dot.contains(told), "{dot}");
    }
}
