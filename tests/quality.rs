//! What recall must reach on the evaluation sets, without a model. The sets are not part of the repository: where
//! they are not found, the test says so and passes.

use std::path::{Path, PathBuf};

use lorebase::datasets::benchmark::Benchmark;
use lorebase::datasets::score::{DEPTHS, Granularity, Metrics};
use lorebase::evaluate::{FactSource, Options, Report, evaluate};
use lorebase::query::ways::Ways;

use crate::util::{root, tell};

/// Where the sets lie; by default beside the workspace.
const DATA: &str = "LOREBASE_DATA";

fn run(file: &str, benchmark: Benchmark, granularity: Granularity) -> Option<Report> {
    let beside = root().join("../shared/datasets");
    let path = std::env::var_os(DATA).map_or(beside, PathBuf::from).join(file);
    if !path.exists() {
        tell(&format!("skipped: {} is not there; {DATA} may name the directory of the sets", path.display()));
        return None;
    }
    Some(measure(&path, benchmark, granularity))
}

fn measure(path: &Path, benchmark: Benchmark, granularity: Granularity) -> Report {
    let cases = benchmark.load(path).unwrap();
    let options = Options {
        limit: 50,
        facts: FactSource::Own,
        ways: Ways::ALL,
        granularity,
        store: None,
        embedder: None,
        rerank: None,
    };
    evaluate(benchmark, &cases, &options, |_, _| ()).unwrap()
}

/// The group `group` must reach `floor` in what `metric` takes of its metrics.
#[track_caller]
fn reaches(report: &Report, group: &str, floor: f64, metric: impl Fn(&Metrics) -> f64) {
    let value = metric(&report.scores.groups[group].metrics);
    assert!(value >= floor, "{group}: {value:.4} is below {floor}");
}

fn recall_at(depth: usize) -> impl Fn(&Metrics) -> f64 {
    let place = DEPTHS.iter().position(|known| *known == depth).unwrap();
    move |metrics| metrics.recall[place]
}

fn all_at(depth: usize) -> impl Fn(&Metrics) -> f64 {
    let place = DEPTHS.iter().position(|known| *known == depth).unwrap();
    move |metrics| metrics.all[place]
}

#[test]
fn turns_of_long_talks_are_found() {
    let file = "locomo/locomo-dev.json";
    let Some(report) = run(file, Benchmark::LoCoMo, Granularity::AsGiven) else { return };
    reaches(&report, "answerable", 0.765, recall_at(10));
    reaches(&report, "multi-hop", 0.465, recall_at(10));
}

#[test]
fn sessions_of_long_talks_are_found() {
    let file = "locomo/locomo-dev.json";
    let Some(report) = run(file, Benchmark::LoCoMo, Granularity::Sessions) else { return };
    reaches(&report, "answerable", 0.81, all_at(5));
}

#[test]
fn turns_of_chats_between_friends_are_found() {
    let Some(report) = cases("realtalk") else { return };
    reaches(&report, "answerable", 0.62, recall_at(10));
}

#[test]
fn sessions_of_work_on_projects_are_found() {
    let Some(report) = cases("realmem") else { return };
    reaches(&report, "answerable", 0.71, recall_at(10));
}

#[test]
fn turns_of_talks_with_an_assistant_are_found() {
    let Some(report) = cases("beam") else { return };
    reaches(&report, "answerable", 0.63, recall_at(20));
}

#[test]
fn chains_through_documents_are_found() {
    let Some(report) = cases("musique") else { return };
    reaches(&report, "answerable", 0.62, recall_at(5));
    reaches(&report, "answerable", 0.34, all_at(5));
}

fn cases(name: &str) -> Option<Report> {
    run(&format!("cases/{name}-dev.jsonl"), Benchmark::Cases, Granularity::AsGiven)
}
