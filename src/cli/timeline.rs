//! The line of an entity's changes, drawn as SVG: a row for each thing that was said of it, a bar for each time in which it
//! held, against the years.

use std::fmt::Write;

use lorebase::engine::model::fact::{FactStatus, Polarity};
use lorebase::engine::model::time::Timestamp;
use lorebase::history::Change;

/// Widths and heights in pixels.
const WIDTH: f64 = 900.0;
const LABELS: f64 = 300.0;
const ROW: f64 = 24.0;
const HEAD: f64 = 48.0;
const FOOT: f64 = 32.0;
/// The most characters of a label.
const LABEL: usize = 44;
/// About how many lines of the calendar are drawn.
const TICKS: i64 = 6;

/// Where times stand on the drawing.
struct Scale {
    from: f64,
    per_pixel: f64,
}

impl Scale {
    /// For all ends of the changes, and `now`.
    fn of(changes: &[Change], now: Timestamp) -> Self {
        let ends = changes.iter().flat_map(|change| [change.valid.from, change.valid.to]).flatten();
        let times: Vec<i64> = ends.map(Timestamp::as_millis).chain([now.as_millis()]).collect();
        let (first, last) = (times.iter().min().copied(), times.iter().max().copied());
        let (first, last) = (first.unwrap_or(0) as f64, last.unwrap_or(0) as f64);
        let span = (last - first).max(864e5);
        // A tenth on either side is left for what has no beginning or no end.
        Self { from: first - span / 10.0, per_pixel: span * 1.2 / (WIDTH - LABELS) }
    }

    fn x(&self, at: Timestamp) -> f64 {
        LABELS + (at.as_millis() as f64 - self.from) / self.per_pixel
    }
}

/// The drawing.
pub(super) fn draw(entity: &str, changes: &[Change], now: Timestamp) -> String {
    let scale = Scale::of(changes, now);
    let mut rows: Vec<String> = Vec::new();
    let mut bars = String::new();
    for change in changes {
        let label = label(change);
        let row = rows.iter().position(|known| *known == label).unwrap_or_else(|| {
            rows.push(label);
            rows.len() - 1
        });
        bar(&mut bars, change, row, &scale);
    }
    let height = HEAD + ROW * rows.len() as f64 + FOOT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"24\" font-size=\"16\">{}</text>\n",
        escaped(entity)
    );
    ticks(&mut svg, &scale, height);
    for (row, label) in rows.iter().enumerate() {
        let y = HEAD + ROW * row as f64 + ROW * 0.65;
        let _ = writeln!(svg, "<text x=\"8\" y=\"{y:.1}\">{}</text>", escaped(label));
    }
    svg.push_str(&bars);
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

fn bar(svg: &mut String, change: &Change, row: usize, scale: &Scale) {
    let from = change.valid.from.map_or(LABELS, |at| scale.x(at));
    let to = change.valid.to.map_or(WIDTH - 8.0, |at| scale.x(at));
    let (y, width) = (HEAD + ROW * row as f64 + 5.0, (to - from).max(3.0));
    let (colour, dashed) = match change.status {
        FactStatus::Current if change.contested => ("#c77d11", ""),
        FactStatus::Current => ("#2f6fab", ""),
        FactStatus::Superseded => ("#9bb4c9", ""),
        FactStatus::Retracted => ("#fff", " stroke=\"#b03a2e\" stroke-dasharray=\"4 3\""),
    };
    let day =
        |at: Option<Timestamp>, none: &str| at.map_or(none.to_owned(), |at| at.civil().date().to_string());
    let sources: Vec<String> = change
        .support
        .iter()
        .map(|support| support.source_id.clone().unwrap_or_else(|| support.episode.to_string()))
        .collect();
    let _ = writeln!(
        svg,
        "<rect x=\"{from:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"14\" rx=\"3\" fill=\"{colour}\"{dashed}><title>{} ({}): {} to {}, from {}</title></rect>",
        escaped(&label(change)),
        change.status.as_str(),
        day(change.valid.from, "…"),
        day(change.valid.to, "…"),
        escaped(&sources.join(", ")),
    );
}

/// Lines at the beginnings of years, or of days where all happened within less.
fn ticks(svg: &mut String, scale: &Scale, height: f64) {
    const DAY: f64 = 864e5;
    const YEAR: f64 = 365.25 * DAY;
    let span = scale.per_pixel * (WIDTH - LABELS);
    let unit = if span > 2.0 * YEAR { YEAR } else { DAY };
    let step = ((span / unit / TICKS as f64).ceil() as i64).max(1);
    let at = |millis: f64| Timestamp::from_millis(millis as i64).ok();
    let Some(first) = at(scale.from) else { return };
    for number in 0..=TICKS {
        let time = if unit == YEAR {
            let year = i64::from(first.civil().year()) + 1 + number * step;
            format!("{year:04}-01-01")
                .parse()
                .ok()
                .map(|at: lorebase::engine::model::time::SourceTime| at.instant)
        } else {
            at(((scale.from / DAY).ceil() + (number * step) as f64) * DAY)
        };
        let Some(time) = time.filter(|time| scale.x(*time) < WIDTH) else { break };
        let (x, foot) = (scale.x(time), height - FOOT);
        let name =
            if unit == YEAR { time.civil().year().to_string() } else { time.civil().date().to_string() };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{HEAD}\" x2=\"{x:.1}\" y2=\"{foot:.1}\" stroke=\"#ddd\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#666\">{name}</text>",
            foot + 18.0
        );
    }
}

fn escaped(text: &str) -> String {
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
            polarity: Polarity::Affirmed,
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
        let day = [change("Porto", Some(1), Some(1))];
        assert!(draw("Ilka", &day, Timestamp::from_millis(86_400_000).unwrap()).contains("1970-01-0"));
    }
}
