//! `extract`: what would be stored of a transcript, without a store.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context as _;
use lorebase::engine::model::episode::ExtractionStatus;
use lorebase::engine::model::id::SessionId;
use lorebase::extract::formats::format::Format;
use lorebase::extract::formats::{read_from, session_of};
use lorebase::extract::preview::{Preview, preview_all};
use lorebase::extract::rules::RuleExtractor;
use lorebase::extract::transcript::TranscriptSession;

use super::args::Output;
use super::source::{Source, named};
use super::{Outcome, marked, output, render};
use crate::wire;
use crate::wire::extract::Extracted;

/// How much of a file its format is told from, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// How many sessions are read at a time, on all cores.
const AT_A_TIME: usize = 256;
/// What standard input is called in errors.
const STANDARD_INPUT: &str = "standard input";

/// Prints what would be stored of a file, turn by turn.
pub(super) fn run(path: &Path, format: Option<Format>, shown: Output) -> anyhow::Result<Outcome> {
    let sessions = read(path, format)?;
    let turns: usize = sessions.iter().map(|session| session.turns.len()).sum();
    // A bar among the lines that are printed would only be in the way.
    let bar = (!output::is_looked_at()).then(|| output::progress("reading", turns as u64));
    let (mut rest, mut unread) = (sessions.into_iter(), 0);
    loop {
        let batch: Vec<TranscriptSession> = rest.by_ref().take(AT_A_TIME).collect();
        if batch.is_empty() {
            break;
        }
        let told = preview_all(&RuleExtractor, batch);
        unread += told.iter().filter(|turn| turn.status != ExtractionStatus::Done).count();
        output::write(&text(&told, shown))?;
        if let Some(bar) = &bar {
            bar.inc(told.len() as u64);
        }
    }
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    if unread == 0 {
        return Ok(Outcome::Done);
    }
    output::note(&format!("{} could not be read; all others were", render::counted(unread, "turn")));
    Ok(Outcome::Nothing)
}

fn text(told: &[Preview], shown: Output) -> String {
    let coloured = output::is_coloured();
    let line = |turn: &Preview| match shown {
        Output::Json => wire::text::line(&Extracted::of(turn)) + "\n",
        Output::Text => marked::turn(turn, coloured),
    };
    told.iter().map(line).collect()
}

/// The sessions of a file, or of standard input for `-`. What looks like nothing else is plain text.
fn read(path: &Path, format: Option<Format>) -> anyhow::Result<Vec<TranscriptSession>> {
    let source =
        if path == Path::new("-") { Source::standard_input(STANDARD_INPUT)? } else { Source::open(path)? };
    let shown = &source.shown;
    let file = File::open(&source.file).map_err(named("open", shown))?;
    let mut reader = BufReader::with_capacity(HEAD_BYTES, file);
    let head = reader.fill_buf().with_context(|| format!("cannot read {}", shown.display()))?;
    let format = format.or_else(|| Format::detect(shown, head)).unwrap_or(Format::Text);
    let documents = read_from(reader, shown, format)?;
    let sessions = documents.into_iter().flat_map(|document| document.transcript.sessions);
    let alone = SessionId::new(&session_of(shown));
    let apart = |session: TranscriptSession| {
        // Lines that name no session have nothing to do with each other.
        if format == Format::Jsonl && session.id == alone { each_alone(session) } else { vec![session] }
    };
    Ok(sessions.flat_map(apart).collect())
}

/// A session for each turn of one.
fn each_alone(session: TranscriptSession) -> Vec<TranscriptSession> {
    let TranscriptSession { id, turns, .. } = session;
    turns
        .into_iter()
        .map(|turn| TranscriptSession { id: id.clone(), at: turn.at, turns: vec![turn] })
        .collect()
}
