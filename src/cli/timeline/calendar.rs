//! Where times stand on a drawing, and the calendar below it: years, months or days, as the time asks for. It
//! ends today, or with what is told of a later time.

use std::fmt::Write;

use lorebase::engine::model::time::{SourceTime, Timestamp};
use lorebase::history::Change;

/// Widths in pixels: of all, of the labels at the left, and up to where the calendar goes.
pub(super) const WIDTH: f64 = 960.0;
pub(super) const LABELS: f64 = 300.0;
pub(super) const RIGHT: f64 = WIDTH - 24.0;
/// The most lines of the calendar.
const TICKS: f64 = 8.0;
const DAY: f64 = 864e5;
/// How far lines of the calendar may lie apart, in days and in months, the least first.
const DAYS: [i64; 4] = [1, 2, 7, 14];
const MONTHS: [i64; 13] = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6_000, 12_000];

/// Where times stand on the drawing.
pub(super) struct Scale {
    from: f64,
    to: f64,
    /// Where today is, in pixels.
    pub(super) today: f64,
}

impl Scale {
    /// For all ends of the changes, and `now`.
    pub(super) fn of(changes: &[Change], now: Timestamp) -> Self {
        let ends = || changes.iter().flat_map(|change| [change.valid.from, change.valid.to]).flatten();
        let first = ends().chain([now]).min().unwrap_or(now).as_millis() as f64;
        let last = ends().chain([now]).max().unwrap_or(now).as_millis() as f64;
        let span = (last - first).max(DAY);
        // Something is left at the left for what has no beginning.
        let mut scale = Self { from: first - span / 20.0, to: first + span, today: RIGHT };
        scale.today = scale.x(now);
        scale
    }

    pub(super) fn x(&self, at: Timestamp) -> f64 {
        LABELS + (at.as_millis() as f64 - self.from) / (self.to - self.from) * (RIGHT - LABELS)
    }

    /// Times of the calendar that are drawn, each with its name.
    fn calendar(&self) -> Vec<(Timestamp, String)> {
        let days = (self.to - self.from) / DAY;
        match DAYS.into_iter().find(|step| days / *step as f64 <= TICKS) {
            Some(step) => self.days(step),
            None => self.months(
                MONTHS.into_iter().find(|step| days / 30.4 / *step as f64 <= TICKS).unwrap_or(24_000),
            ),
        }
    }

    fn days(&self, step: i64) -> Vec<(Timestamp, String)> {
        let first = (self.from / DAY).ceil() as i64;
        let times = (0..=TICKS as i64).filter_map(|number| {
            Timestamp::from_millis((first + number * step).saturating_mul(DAY as i64)).ok()
        });
        times.map(|at| (at, at.civil().date().to_string())).collect()
    }

    /// Beginnings of months, counted from the year 0 so that a step of twelve falls on years.
    fn months(&self, step: i64) -> Vec<(Timestamp, String)> {
        let Ok(from) = Timestamp::from_millis(self.from as i64) else { return Vec::new() };
        let from = i64::from(from.civil().year()) * 12 + i64::from(from.civil().month()) - 1;
        let first = from.div_euclid(step) * step + step;
        let named = |number: i64| {
            let month = first + number * step;
            let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
            let name = if step % 12 == 0 { format!("{year}") } else { format!("{year}-{month:02}") };
            let sign = if year < 0 { format!("-{:06}", -year) } else { format!("{year:04}") };
            let at: SourceTime = format!("{sign}-{month:02}-01").parse().ok()?;
            Some((at.instant, name))
        };
        (0..=TICKS as i64).filter_map(named).collect()
    }
}

/// The lines of the calendar and today's, between two heights, with their names below.
pub(super) fn ticks(svg: &mut String, scale: &Scale, (head, foot): (f64, f64)) {
    let today = scale.today;
    let mut line = |x: f64, name: &str, colour: &str| {
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{head}\" x2=\"{x:.1}\" y2=\"{foot:.1}\" stroke=\"{colour}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#666\">{name}</text>",
            foot + 16.0
        );
    };
    for (at, name) in scale.calendar() {
        let x = scale.x(at);
        if (LABELS..=RIGHT).contains(&x) && (x - today).abs() > 50.0 {
            line(x, &name, "#ddd");
        }
    }
    line(today, "today", "#999");
}
