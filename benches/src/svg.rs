//! Curves as SVG: one small chart of lines over a logarithmic axis, without any library. Colours are such that it can be
//! read on light and on dark ground, and every line has its name beside it, not in its colour alone.

use std::fmt::Write;

/// A line of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What it shows.
    pub name: String,
    /// Its points, by x.
    pub points: Vec<(f64, f64)>,
}

/// What must be reached: a value for each of some x.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// What it is the goal of.
    pub name: String,
    /// From where to where on the x axis.
    pub from: (f64, f64),
    /// The value at both ends.
    pub values: (f64, f64),
}

/// A chart of values over sizes, both on logarithmic axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What x counts.
    pub x: String,
    /// What y counts, with its unit.
    pub y: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// What must be reached.
    pub goals: Vec<Goal>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
/// Room around the lines: left, right (for their names), above, below.
const MARGIN: [f64; 4] = [64.0, 190.0, 52.0, 52.0];
/// Lines of text closer than this run into each other.
const TEXT_STEP: f64 = 15.0;
/// Readable on white and on near-black.
const COLOURS: [&str; 6] = ["#2f81f7", "#d1701f", "#2da44e", "#bf5fd0", "#d14a4a", "#8a8f00"];

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#768390}.t{font-size:14px;font-weight:600}\
.g{stroke:#8b949e;stroke-opacity:.35}.a{stroke:#8b949e}.o{stroke:#8b949e;stroke-dasharray:6 4;stroke-width:1.5}\
@media(prefers-color-scheme:light){text{fill:#57606a}}@media(prefers-color-scheme:dark){text{fill:#adb5bd}}";

/// An axis: from where to where, both powers of ten or twice or five times one.
#[derive(Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>) -> Self {
        let positive = values.filter(|value| *value > 0.0);
        let (low, high) =
            positive.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Self { low: 1.0, high: 10.0 };
        }
        let ticks = steps(low / 10.0, high * 10.0);
        let below = ticks.iter().copied().rfind(|tick| *tick <= low * 1.001).unwrap_or(low);
        let above = ticks.iter().copied().find(|tick| *tick >= high * 0.999).unwrap_or(high);
        Self { low: below, high: if above > below { above } else { below * 2.0 } }
    }

    /// Where a value lies, from 0 to 1.
    fn share(self, value: f64) -> f64 {
        (value / self.low).log10() / (self.high / self.low).log10()
    }

    /// Where it has its marks: at 1, 2 and 5 times the powers of ten, or where those are many, at the powers.
    fn marks(self) -> Vec<f64> {
        let inside: Vec<f64> = steps(self.low, self.high)
            .into_iter()
            .filter(|tick| (self.low * 0.999..=self.high * 1.001).contains(tick))
            .collect();
        if inside.len() <= 8 {
            return inside;
        }
        inside.into_iter().filter(|tick| (tick.log10() - tick.log10().round()).abs() < 1e-6).collect()
    }
}

/// 1, 2 and 5 times the powers of ten around a range.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    powers.flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10f64.powi(power))).collect()
}

/// A number as people write it: 10k, 1.5M, 0.2.
pub fn short(value: f64) -> String {
    let scaled = |value: f64, unit: &str| {
        let text = format!("{value:.2}");
        format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match value {
        value if value >= 1e6 => scaled(value / 1e6, "M"),
        value if value >= 1e3 => scaled(value / 1e3, "k"),
        value => scaled(value, ""),
    }
}

impl Chart {
    /// The chart as a file's text.
    pub fn render(&self) -> String {
        let goals = || self.goals.iter();
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = Axis::over(
            points().map(|point| point.0).chain(goals().flat_map(|goal| [goal.from.0, goal.from.1])),
        );
        let values = goals().flat_map(|goal| [goal.values.0, goal.values.1]);
        let y = Axis::over(points().map(|point| point.1).chain(values));
        let mut svg = String::new();
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\
             \n<style>{STYLE}</style>\n",
            escaped(&self.title)
        );
        text(&mut svg, (MARGIN[0], 20.0), "class=\"t\"", &self.title);
        self.axes(&mut svg, x, y);
        let mut labels = Vec::new();
        for goal in &self.goals {
            let ends =
                [(goal.from.0, goal.values.0), (goal.from.1, goal.values.1)].map(|point| place(point, x, y));
            let _ = writeln!(
                svg,
                "<line class=\"o\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
                ends[0].0, ends[0].1, ends[1].0, ends[1].1
            );
            labels.push((ends[1].1, format!("goal: {}", goal.name), None));
        }
        for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            draw(&mut svg, line, colour, x, y);
            if let Some(last) = line.points.iter().rev().find(|point| point.1 > 0.0) {
                labels.push((place(*last, x, y).1, line.name.clone(), Some(*colour)));
            }
        }
        name_lines(&mut svg, labels);
        svg.push_str("</svg>\n");
        svg
    }

    fn axes(&self, svg: &mut String, x: Axis, y: Axis) {
        let (left, right) = (MARGIN[0], WIDTH - MARGIN[1]);
        let (top, bottom) = (MARGIN[2], HEIGHT - MARGIN[3]);
        for mark in y.marks() {
            let at = place((x.low, mark), x, y).1;
            let _ = writeln!(
                svg,
                "<line class=\"g\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>"
            );
            text(svg, (left - 8.0, at + 4.0), "text-anchor=\"end\"", &short(mark));
        }
        let known: Vec<f64> = self.lines.iter().flat_map(|line| &line.points).map(|point| point.0).collect();
        let marks = x.marks();
        let measured = |mark: &&f64| known.iter().any(|at| (*at - **mark).abs() < **mark * 0.01);
        let mut shown: Vec<f64> = marks.iter().filter(measured).copied().collect();
        shown.extend(known.iter().filter(|at| !marks.iter().any(|mark| (**at - mark).abs() < mark * 0.01)));
        shown.sort_by(f64::total_cmp);
        shown.dedup();
        for mark in shown {
            let at = place((mark, y.low), x, y).0;
            let _ = writeln!(
                svg,
                "<line class=\"g\" x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\"/>"
            );
            text(svg, (at, bottom + 18.0), "text-anchor=\"middle\"", &short(mark));
        }
        let _ = writeln!(svg, "<path class=\"a\" fill=\"none\" d=\"M{left} {top}V{bottom}H{right}\"/>");
        text(svg, (f64::midpoint(left, right), HEIGHT - 12.0), "text-anchor=\"middle\"", &self.x);
        text(svg, (left, top - 6.0), "", &self.y);
    }
}

/// Where a point lies in the picture.
fn place((at, value): (f64, f64), x: Axis, y: Axis) -> (f64, f64) {
    let (width, height) = (WIDTH - MARGIN[0] - MARGIN[1], HEIGHT - MARGIN[2] - MARGIN[3]);
    (MARGIN[0] + width * x.share(at), HEIGHT - MARGIN[3] - height * y.share(value))
}

fn draw(svg: &mut String, line: &Line, colour: &str, x: Axis, y: Axis) {
    let places: Vec<(f64, f64)> =
        line.points.iter().filter(|point| point.1 > 0.0).map(|point| place(*point, x, y)).collect();
    let path: Vec<String> = places.iter().map(|(at, value)| format!("{at:.1},{value:.1}")).collect();
    let _ = writeln!(
        svg,
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
        path.join(" ")
    );
    for ((at, value), (_, told)) in places.iter().zip(line.points.iter().filter(|point| point.1 > 0.0)) {
        let _ = writeln!(
            svg,
            "<circle cx=\"{at:.1}\" cy=\"{value:.1}\" r=\"3\" fill=\"{colour}\"><title>{}</title></circle>",
            short(*told)
        );
    }
}

/// Writes each line's name beside its end, moved so that none covers another.
fn name_lines(svg: &mut String, mut labels: Vec<(f64, String, Option<&str>)>) {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = 0.0;
    for (at, name, colour) in labels {
        let at = f64::max(at + 4.0, free);
        free = at + TEXT_STEP;
        let left = WIDTH - MARGIN[1] + 10.0;
        if let Some(colour) = colour {
            let _ = writeln!(
                svg,
                "<rect x=\"{left}\" y=\"{:.1}\" width=\"9\" height=\"9\" rx=\"2\" fill=\"{colour}\"/>",
                at - 9.0
            );
        }
        text(svg, (left + 14.0, at), "", &name);
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), attributes: &str, told: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{}</text>", escaped(told));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_lines_names_and_goals() {
        let line = Line { name: "p50 & more".to_owned(), points: vec![(1e4, 0.9), (1e5, 14.0), (1e6, 0.0)] };
        let goal = Goal { name: "4 ms".to_owned(), from: (1e5, 1e5), values: (4.0, 4.0) };
        let chart = Chart {
            title: "Recall".to_owned(),
            x: "episodes".to_owned(),
            y: "ms".to_owned(),
            lines: vec![line],
            goals: vec![goal],
        };
        let svg = chart.render();
        assert!(svg.contains("p50 &amp; more") && svg.contains("goal: 4 ms") && svg.contains(">100k<"));
        assert_eq!(svg.matches("<circle").count(), 2, "a value of nothing has no place on the axis");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn marks_and_numbers_are_round() {
        assert_eq!(Axis::over([0.9, 14.0].into_iter()).marks(), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(Axis::over(std::iter::empty()).marks(), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!([short(1e6), short(1500.0), short(0.25), short(30.0)], ["1M", "1.5k", "0.25", "30"]);
    }
}
