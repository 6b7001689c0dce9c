//! The line of an entity's changes, drawn as SVG: a row for each thing that was said of it, a bar for each
//! time in which it held, with its dates below, against the calendar; and what the colours mean.

mod calendar;

use std::collections::BTreeMap;
use std::fmt::Write;

use lorebase::engine::model::fact::{FactKind, FactStatus, Polarity};
use lorebase::engine::model::time::Timestamp;
use lorebase::history::Change;

use self::calendar::{LABELS, RIGHT, Scale, WIDTH, ticks};

/// Heights in pixels: of a line of bars with their dates, of a bar, and of what stands above and below all of
/// them.
const LINE: f64 = 32.0;
const BAR: f64 = 13.0;
const HEAD: f64 = 44.0;
const FOOT: f64 = 60.0;
/// The most characters of a label, and about how wide one of a bar's dates is.
const LABEL: usize = 44;
const DATE_WIDTH: f64 = 5.6;
/// How much is left to be seen of the colour of what is over.
const OVER: &str = " opacity=\"0.45\"";

/// How a bar is drawn: by what is said first of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    So,
    Contested,
    Denied,
    Doubtful,
    Meant,
    Never,
}

impl Look {
    const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::So, "so", "fill=\"#2f6fab\""),
        (Self::Contested, "contested", "fill=\"#d08a1d\""),
        (Self::Denied, "not so", "fill=\"url(#not)\" stroke=\"#555\""),
        (
            Self::Doubtful,
            "with a doubt, or passed on",
            "fill=\"#e8f0f8\" stroke=\"#2f6fab\" stroke-dasharray=\"2 2\"",
        ),
        (Self::Meant, "meant, thought or asked for", "fill=\"#7a5ba8\""),
        (Self::Never, "never so", "fill=\"#fff\" stroke=\"#b03a2e\" stroke-dasharray=\"5 3\""),
    ];

    fn of(change: &Change) -> Self {
        match change {
            Change { held: false, .. } => Self::Never,
            Change { contested: true, .. } => Self::Contested,
            Change { polarity: Polarity::Negated, .. } => Self::Denied,
            Change { doubtful: true, .. } => Self::Doubtful,
            change if is_meant(change) => Self::Meant,
            _ => Self::So,
        }
    }

    fn paint(self) -> &'static str {
        Self::ALL.iter().find(|(look, ..)| *look == self).map_or("", |(.., paint)| paint)
    }
}

/// Whether it says what somebody means or thinks, and not how things are or were.
fn is_meant(change: &Change) -> bool {
    !change.kind.is_state() && change.kind != FactKind::Event
}

/// A bar with its dates, and how far the two reach.
struct Bar<'c> {
    change: &'c Change,
    from: f64,
    to: f64,
    dates: String,
    dates_at: f64,
}

impl<'c> Bar<'c> {
    fn of(change: &'c Change, scale: &Scale) -> Self {
        let from = change.valid.from.map_or(LABELS, |at| scale.x(at));
        // What has no end is known to last until today.
        let open = if from < scale.today { scale.today } else { RIGHT };
        let to = change.valid.to.map_or(open, |at| scale.x(at)).max(from + 3.0);
        let dates = dates(change);
        // Below the bar's middle, as far as that is on the drawing.
        let wide = dates.chars().count() as f64 * DATE_WIDTH;
        let dates_at = (f64::midpoint(from, to) - wide / 2.0).max(LABELS).min(WIDTH - 4.0 - wide);
        Self { change, from, to, dates, dates_at }
    }

    /// Where it begins and ends with its dates.
    fn reach(&self) -> (f64, f64) {
        let wide = self.dates.chars().count() as f64 * DATE_WIDTH;
        (self.from.min(self.dates_at), self.to.max(self.dates_at + wide))
    }
}

/// What stands below a bar.
fn dates(change: &Change) -> String {
    let day = |at: Timestamp| at.civil().date().to_string();
    match (change.valid.from.map(day), change.valid.to.map(day)) {
        (None, None) => "at some time".to_owned(),
        (Some(from), None) => format!("{from} –"),
        (None, Some(to)) => format!("– {to}"),
        (Some(from), Some(to)) if from == to => from,
        (Some(from), Some(to)) => format!("{from} – {to}"),
    }
}

/// The bars of one label in as many lines as it takes so that none covers another's dates.
fn lines<'c>(mut changes: Vec<&'c Change>, scale: &Scale) -> Vec<Vec<Bar<'c>>> {
    changes.sort_by_key(|change| (change.valid.from, change.valid.to));
    let mut lines: Vec<Vec<Bar<'c>>> = Vec::new();
    for change in changes {
        let bar = Bar::of(change, scale);
        let (begins, _) = bar.reach();
        let free = |line: &&mut Vec<Bar<'c>>| line.last().is_none_or(|last| last.reach().1 + 3.0 <= begins);
        match lines.iter_mut().find(free) {
            Some(line) => line.push(bar),
            None => lines.push(vec![bar]),
        }
    }
    lines
}

/// The changes of each label: by relation, then by when it first held; what is only meant or thought at the
/// end.
fn rows(changes: &[Change]) -> Vec<(String, Vec<&Change>)> {
    let mut rows: BTreeMap<String, Vec<&Change>> = BTreeMap::new();
    for change in changes {
        rows.entry(label(change)).or_default().push(change);
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_cached_key(|(label, changes)| {
        let first = changes.iter().map(|change| change.valid.from).min();
        let meant = changes.iter().all(|change| is_meant(change));
        (meant, changes[0].predicate.as_str().to_owned(), first, label.clone())
    });
    rows
}

/// The drawing.
pub(super) fn draw(entity: &str, changes: &[Change], now: Timestamp) -> String {
    let scale = Scale::of(changes, now);
    let (mut bars, mut labels, mut y) = (String::new(), String::new(), HEAD);
    for (label, changes) in rows(changes) {
        let text = escaped(&label);
        let _ = writeln!(labels, "<text x=\"8\" y=\"{:.1}\">{text}</text>", y + BAR + 3.0);
        for line in lines(changes, &scale) {
            for bar in &line {
                draw_bar(&mut bars, bar, y + 4.0, now);
            }
            y += LINE;
        }
    }
    let height = y + FOOT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><pattern id=\"not\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <path d=\"M0 0V6\" stroke=\"#555\" stroke-width=\"2.5\"/></pattern></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"24\" font-size=\"16\">{}</text>\n",
        escaped(entity)
    );
    ticks(&mut svg, &scale, (HEAD, y));
    svg.push_str(&labels);
    svg.push_str(&bars);
    legend(&mut svg, changes, now, height - 14.0);
    svg.push_str("</svg>\n");
    svg
}

fn label(change: &Change) -> String {
    let not = if change.polarity == Polarity::Negated { "not " } else { "" };
    let label = format!("{} {not}{} {}", change.subject, change.predicate, change.object);
    if label.chars().count() <= LABEL {
        label
    } else {
        label.chars().take(LABEL - 1).chain(['…']).collect()
    }
}

/// Whether it was so, and is not any more. What happened stays so.
fn is_over(change: &Change, now: Timestamp) -> bool {
    let ended = change.status != FactStatus::Current || change.valid.to.is_some_and(|to| to <= now);
    change.held && change.kind != FactKind::Event && ended
}

fn draw_bar(svg: &mut String, bar: &Bar<'_>, y: f64, now: Timestamp) {
    let Bar { change, from, to, dates, dates_at } = bar;
    let sources: Vec<String> = change
        .support
        .iter()
        .map(|support| support.source_id.clone().unwrap_or_else(|| support.episode.to_string()))
        .collect();
    let look = Look::of(change);
    let name = Look::ALL.iter().find(|(other, ..)| *other == look).map_or("", |(_, name, _)| name);
    let (over, is_over) = if is_over(change, now) { (OVER, ", over") } else { ("", "") };
    let _ = writeln!(
        svg,
        "<rect x=\"{from:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"3\" {}{over}><title>{}: {name}{is_over}, {dates}, from {}</title></rect>\n\
         <text x=\"{dates_at:.1}\" y=\"{:.1}\" font-size=\"10\" fill=\"#555\">{dates}</text>",
        to - from,
        look.paint(),
        escaped(&label(change)),
        escaped(&sources.join(", ")),
        y + BAR + 10.0,
    );
}

/// What the looks that are used mean.
fn legend(svg: &mut String, changes: &[Change], now: Timestamp, y: f64) {
    let used =
        Look::ALL.into_iter().filter(|(look, ..)| changes.iter().any(|change| Look::of(change) == *look));
    let mut keys: Vec<(&str, String)> = used.map(|(_, name, paint)| (name, paint.to_owned())).collect();
    if changes.iter().any(|change| is_over(change, now)) {
        keys.push(("over", format!("{}{OVER}", Look::So.paint())));
    }
    let mut x = 8.0;
    for (name, paint) in keys {
        let _ = writeln!(
            svg,
            "<g class=\"key\"><path d=\"M{x:.0} {:.0}h22v11h-22z\" {paint}/><text x=\"{:.0}\" y=\"{y:.0}\" fill=\"#333\">{name}</text></g>",
            y - 10.0,
            x + 28.0
        );
        x += 48.0 + name.chars().count() as f64 * 6.6;
    }
}

/// Text as it may stand in SVG.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if crate::wire::text::steers(c) => out.push('�'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use lorebase::engine::model::id::FactId;
    use lorebase::engine::model::predicate::Predicate;
    use lorebase::engine::model::time::Interval;

    use super::*;

    fn change(object: &str, from: Option<i64>, to: Option<i64>) -> Change {
        let at = |day: i64| Timestamp::from_millis(day * 86_400_000).unwrap();
        Change {
            fact: FactId::from_bytes([1; 16]),
            subject: "Ilka <b>".to_owned(),
            predicate: Predicate::new("lives_in"),
            object: object.to_owned(),
            kind: FactKind::Fact,
            polarity: Polarity::Affirmed,
            doubtful: false,
            held: true,
            status: FactStatus::Current,
            contested: false,
            valid: Interval { from: from.map(at), to: to.map(at) },
            recorded: Interval::ALWAYS,
            successor: None,
            support: Vec::new(),
        }
    }

    #[test]
    fn every_time_is_a_bar_and_nothing_breaks_out() {
        let changes = [
            change("Porto", Some(0), Some(900)),
            change("Vigo", Some(900), Some(2000)),
            change("Porto", Some(2000), None),
            change("nowhere", None, None),
        ];
        let svg = draw("Ilka \u{202e}", &changes, Timestamp::from_millis(3_000 * 86_400_000).unwrap());
        assert_eq!(svg.matches("<rect x=").count(), 4);
        assert_eq!(svg.matches("<text x=\"8\" y=").count(), 4, "a title and three rows");
        assert!(!svg.contains("<b>") && !svg.contains('\u{202e}') && svg.contains(">1972<"));
        assert!(svg.contains(">1970-01-01 – 1972-06-19<"), "dates stand beside the bars");
        let day = [change("Porto", Some(1), Some(1))];
        assert!(draw("Ilka", &day, Timestamp::from_millis(86_400_000).unwrap()).contains("1970-01-0"));
    }

    #[test]
    fn what_is_no_plain_fact_looks_otherwise_and_stands_last() {
        let now = Timestamp::from_millis(3_000 * 86_400_000).unwrap();
        let so = change("Porto", Some(0), Some(900));
        let never = Change { held: false, status: FactStatus::Retracted, ..change("Vigo", Some(0), None) };
        let not = Change { polarity: Polarity::Negated, ..change("Lugo", Some(900), None) };
        let plan = Change { kind: FactKind::Plan, ..change("Bergen", Some(2), None) };
        let doubtful = Change { doubtful: true, ..change("Gdynia", Some(3), None) };
        let svg = draw("Ilka", &[plan, doubtful, not, never, so], now);
        for name in
            ["so", "never so", "not so", "with a doubt, or passed on", "meant, thought or asked for", "over"]
        {
            assert!(svg.contains(&format!(">{name}</text></g>")), "{name} is told: {svg}");
        }
        assert!(!svg.contains(">contested</text>"), "but nothing that is not there");
        let place = |object: &str| svg.find(&format!("lives_in {object}</text>")).unwrap();
        assert!(place("Porto") < place("Gdynia") && place("Gdynia") < place("Bergen"), "{svg}");
    }

    #[test]
    fn bars_that_would_cover_dates_stand_in_further_lines() {
        let now = Timestamp::from_millis(30_000 * 86_400_000).unwrap();
        let stays = [0, 100, 200].map(|day| change("Porto", Some(day), Some(day + 50)));
        let lines = lines(stays.iter().collect(), &Scale::of(&stays, now));
        assert_eq!(lines.len(), 3);
    }
}
