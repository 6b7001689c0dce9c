//! The only JSON face: what `--json` prints, and beside it the lines of an export. Field names are a contract
//! with scripts outside.

pub(crate) mod answers;
pub(crate) mod extract;
pub(crate) mod files;
pub(crate) mod hops;
mod lines;
pub(crate) mod models;
pub(crate) mod patterns;
mod reading;
pub(crate) mod rules;
mod rulings;
pub(crate) mod suite;
pub(crate) mod text;
pub(crate) mod truth;
pub(crate) mod walk;

use lorebase::datasets::extraction;
use lorebase::datasets::sample::SampleQuestion;
use lorebase::engine::dates::Granularity;
use lorebase::engine::model::episode::Episode;
use lorebase::engine::model::ruling::Evidence;
use lorebase::engine::model::time::Interval;
use lorebase::engine::{BackedUp, Compaction, Notice, Repaired};
use lorebase::evaluate::Report;
use lorebase::extract::gate::mask::Tally;
use lorebase::forget::{Forgotten, Going};
use lorebase::identity::{Ruled, Suggestion};
use lorebase::intake::Ingested;
use lorebase::leaving::Leaving;
use lorebase::memory::{Assembled, Recalled, Remembered, Stats};
use lorebase::query::context::Citation;
use lorebase::view::{EntityView, FactView, FoundEpisode, MergeView, SupportView};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::cli::args::Detail;
use crate::cli::render;
use crate::cli::transfer::{Exported, ImportedFile};

/// `{"hits": [...], "model", "reranked", "notices"}`; explained, each hit has its parts.
pub(crate) fn recall(found: &Recalled, notices: &[String], detail: Detail) -> Value {
    let hits: Vec<Value> = found.hits.iter().map(|hit| self::hit(hit, detail)).collect();
    let reranked = found.reranked.as_ref().map(
        |reranked| json!({ "model": reranked.model, "candidates": reranked.candidates, "read": reranked.read }),
    );
    let mut reply =
        json!({ "hits": hits, "model": found.meaning.model, "reranked": reranked, "notices": notices });
    if detail == Detail::Explained {
        reply["trace"] = json!({
            "terms": found.trace.terms,
            "candidates": found.trace.candidates,
            "walked": found.trace.walked,
        });
    }
    reply
}

fn hit(hit: &FoundEpisode, detail: Detail) -> Value {
    let episode = &hit.episode;
    let path: Vec<Value> = hit
        .path
        .iter()
        .map(|step| json!({ "from": step.from, "over": step.over, "reverse": step.reverse, "to": step.to, "source_id": step.source, "rule": step.rule }))
        .collect();
    let mut reply = json!({
        "episode": episode.id.to_string(),
        "source_id": episode.source_id,
        "session": episode.session.as_str(),
        "speaker": episode.speaker,
        "at": episode.occurred_at.map(|at| at.to_string()),
        "text": episode.text,
        "score": hit.score,
        "flagged": hit.flagged,
        "facts": hit.facts.iter().map(fact).collect::<Vec<_>>(),
        "path": path,
    });
    if detail == Detail::Explained {
        let parts = &hit.parts;
        reply["parts"] = json!({
            "lexical": parts.lexical,
            "neighbours": parts.neighbours,
            "session": parts.session,
            "coverage": parts.coverage,
            "speaker": parts.speaker,
            "timeline": parts.timeline,
            "recency": parts.recency,
            "vector": parts.vector,
            "bridge": parts.bridge,
            "facts": parts.facts,
            "copy": parts.copy,
            "order": parts.order,
            "rerank": parts.rerank,
            "fade": parts.fade,
            "update": parts.update,
        });
    }
    reply
}

/// `{"from", "to"}`, as RFC 3339 or null.
fn interval(interval: &Interval) -> Value {
    json!({
        "from": interval.from.map(|at| at.to_string()),
        "to": interval.to.map(|at| at.to_string()),
    })
}

/// Where a fact is stated.
fn support(support: &SupportView) -> Value {
    json!({
        "episode": support.episode.to_string(),
        "source_id": support.source_id,
        "span": [support.span.start, support.span.end],
        "hedged": support.hedged,
        "attributed_to": support.attributed_to,
    })
}

/// A fact, with times as RFC 3339 or null and spans in characters.
pub(crate) fn fact(fact: &FactView) -> Value {
    let notes: Vec<Value> =
        fact.cares.notes.iter().map(|(at, note)| json!({ "at": at.to_string(), "note": note })).collect();
    json!({
        "id": fact.id.to_string(),
        "subject": fact.subject,
        "predicate": fact.predicate.as_str(),
        "object": fact.object,
        "kind": fact.kind.as_str(),
        "polarity": fact.polarity.as_str(),
        // To the thousandth: the digits after it are those of a conversion.
        "confidence": (f64::from(fact.confidence) * 1e3).round() / 1e3,
        "hedged": fact.hedged,
        "attributed_to": fact.attributed_to,
        "importance": fact.importance,
        "status": fact.status.as_str(),
        "holds": fact.holds,
        "contested": fact.contested,
        "successor": fact.successor.map(|id| id.to_string()),
        "valid": interval(&fact.valid),
        "granularity": fact.granularity.map(Granularity::as_str),
        "intervals": fact.intervals.iter().map(interval).collect::<Vec<_>>(),
        "recorded": interval(&fact.recorded),
        "notes": notes,
        "pinned": fact.cares.pinned,
        "expires_at": fact.cares.expires_at.map(|at| at.to_string()),
        "support": fact.support.iter().map(support).collect::<Vec<_>>(),
        "derived": fact.derived.as_ref().map(|derived| {
            json!({
                "rule": derived.rule,
                "premises": derived.premises.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        }),
    })
}

/// `{"lifted"}`.
pub(crate) fn lifted(count: usize) -> Value {
    json!({ "lifted": count })
}

/// `{"facts": [...], "more_follows"}`.
pub(crate) fn facts(facts: &[FactView], more_follows: bool) -> Value {
    json!({ "facts": facts.iter().map(fact).collect::<Vec<_>>(), "more_follows": more_follows })
}

/// `{"entities": [...]}`.
pub(crate) fn entities(entities: &[EntityView]) -> Value {
    json!({ "entities": entities.iter().map(entity).collect::<Vec<_>>() })
}

/// `{"new", "entities": [...]}`.
pub(crate) fn ruled(ruled: &Ruled) -> Value {
    json!({ "new": ruled.new, "entities": ruled.entities.iter().map(entity).collect::<Vec<_>>() })
}

/// `{"suggestions": [...]}`.
pub(crate) fn suggestions(suggestions: &[Suggestion]) -> Value {
    let suggestion = |Suggestion { name, other, signs, score }: &Suggestion| {
        json!({
            "name": name,
            "with": other,
            "signs": signs.iter().map(|sign| sign.as_str()).collect::<Vec<_>>(),
            "score": score,
        })
    };
    json!({ "suggestions": suggestions.iter().map(suggestion).collect::<Vec<_>>() })
}

fn entity(entity: &EntityView) -> Value {
    json!({
        "id": entity.id.to_string(),
        "name": entity.name,
        "kind": entity.kind.as_str(),
        "aliases": entity.aliases,
        "episodes": entity.episodes,
        "merges": entity.merges.iter().map(merge).collect::<Vec<_>>(),
        "same_as": entity.same_as,
        "facts": entity.facts.iter().map(fact).collect::<Vec<_>>(),
        "more_follows": entity.more_follows,
    })
}

fn merge(merge: &MergeView) -> Value {
    let Evidence { by, note, signs, score } = &merge.evidence;
    json!({
        "name": merge.name,
        "with": merge.with,
        "evidence": {
            "by": by.as_str(),
            "note": note,
            "signs": signs.iter().map(|sign| sign.as_str()).collect::<Vec<_>>(),
            "score": score,
        },
        "at": merge.at.to_string(),
    })
}

/// The context with its citations in the order of the text.
pub(crate) fn context(context: &Assembled, notices: &[String]) -> Value {
    let citation =
        |cited: &Citation| json!({ "episode": cited.episode.to_string(), "source_id": cited.source_id });
    json!({
        "text": context.text,
        "tokens": context.tokens,
        "episodes": context.citations.len(),
        "citations": context.citations.iter().map(citation).collect::<Vec<_>>(),
        "dropped": context.dropped,
        "model": context.meaning.model,
        "notices": notices,
    })
}

/// What one text came to.
pub(crate) fn remembered(told: &Remembered, notices: &[String]) -> Value {
    json!({
        "episode": told.episode.to_string(),
        "new": told.new,
        "facts": told.facts.iter().map(fact).collect::<Vec<_>>(),
        "masked": masked(&told.masked),
        "notices": notices,
    })
}

/// What one file came to; `time` in seconds.
pub(crate) fn ingested(path: &str, told: &Ingested, seconds: f64) -> Value {
    let refusals: Vec<Value> = told
        .refused
        .iter()
        .map(|refusal| json!({ "session": refusal.session, "position": refusal.position, "reason": refusal.reason }))
        .collect();
    json!({
        "file": path,
        "sessions": told.sessions,
        "episodes": told.episodes,
        "new_episodes": told.new_episodes,
        "facts": told.facts,
        "stay_forgotten": told.stay_forgotten,
        "refused": told.refused.len() + told.more_refused,
        "refusals": refusals,
        "masked": masked(&told.masked),
        "time": seconds,
    })
}

/// How often something of each kind was masked.
fn masked(tally: &Tally) -> Value {
    tally
        .iter()
        .map(|(reason, count)| (reason.as_str().to_owned(), json!(count)))
        .collect::<Map<_, _>>()
        .into()
}

/// `{"files": [...], "notices"}`.
pub(crate) fn files(files: &[Value], notices: &[String]) -> Value {
    json!({ "files": files, "notices": notices })
}

/// What was written.
pub(crate) fn exported(path: &str, told: &Exported) -> Value {
    let tally = &told.tally;
    json!({
        "file": path,
        "namespaces": told.namespaces,
        "episodes": tally.episodes,
        "tombstones": tally.tombstones,
        "rulings": tally.rulings,
        "entities": tally.entities,
        "facts": tally.facts,
    })
}

/// What importing came to, file by file.
pub(crate) fn imported(told: &[ImportedFile], notices: &[String]) -> Value {
    let file = |file: &ImportedFile| {
        let (told, differences) = (&file.told, &file.differences);
        json!({
            "file": file.file,
            "episodes": told.episodes,
            "new_episodes": told.new_episodes,
            "new_readings": told.new_readings,
            "new_tombstones": told.new_tombstones,
            "new_rulings": told.new_rulings,
            "stay_forgotten": told.stay_forgotten,
            "kept": told.kept,
            "compared": differences.compared,
            "differences": differences.count,
            "example": differences.example,
        })
    };
    json!({ "files": told.iter().map(file).collect::<Vec<_>>(), "notices": notices })
}

/// The demonstration: what was ingested, and each question with its evidence and hits.
pub(crate) fn demo(told: &Ingested, answers: &[(SampleQuestion, Recalled)]) -> Value {
    let answer = |(asked, found): &(SampleQuestion, Recalled)| {
        json!({
            "question": asked.question.text,
            "hops": asked.hops,
            "evidence": asked.question.evidence,
            "answer": asked.question.answer,
            "hits": found.hits.iter().map(|found| hit(found, Detail::Explained)).collect::<Vec<_>>(),
        })
    };
    json!({
        "ingested": ingested("sample dialogues", told, 0.0),
        "questions": answers.iter().map(answer).collect::<Vec<_>>(),
    })
}

/// How much there is.
pub(crate) fn stats(stats: &Stats) -> Value {
    let counts = &stats.counts;
    json!({
        "namespaces": stats.namespaces,
        "sessions": counts.sessions,
        "episodes": counts.episodes,
        "entities": counts.entities,
        "facts": counts.facts,
        "mentions": counts.mentions,
        "unread": stats.unread,
        "without_vector": stats.without_vector,
        "graph": { "nodes": counts.nodes, "edges": counts.edges },
        "commits": stats.commits,
        "embedder": stats.embedder,
        "disk": {
            "journal": stats.disk.journal,
            "sled": stats.disk.sled,
            "snapshots": stats.disk.snapshots,
            "aside": stats.disk.aside,
        },
        "memory": { "bytes": stats.memory.0, "namespaces": stats.memory.1 },
    })
}

/// Whether the store is sound, what is not, and what was found and dealt with on the way.
pub(crate) fn check(problems: &[String], notices: &[Notice]) -> Value {
    let notices: Vec<String> = notices.iter().map(render::notice).collect();
    json!({ "ok": problems.is_empty(), "problems": problems, "notices": notices })
}

/// What was forgotten.
pub(crate) fn forgotten(told: &Forgotten) -> Value {
    going(&told.going, &told.compaction, false)
}

/// What would be forgotten, with the first `"turns"` of it, and of the facts.
pub(crate) fn would_forget(would: &Going, leaving: &Leaving) -> Value {
    let turn = |turn: &Episode| {
        json!({
            "episode": turn.id.to_string(),
            "source_id": turn.source_id,
            "session": turn.session.as_str(),
            "speaker": turn.speaker,
            "at": turn.occurred_at.map(|at| at.to_string()),
            "text": turn.text,
        })
    };
    let mut reply = going(would, &Compaction::default(), true);
    reply["turns"] = leaving.turns.iter().map(turn).collect();
    reply["only_there"] = leaving.facts.iter().map(fact).collect();
    reply
}

fn going(going: &Going, compaction: &Compaction, dry_run: bool) -> Value {
    json!({
        "dry_run": dry_run,
        "episodes": going.episodes.len(),
        "shortened": going.shortened,
        "facts": going.facts,
        "rulings": going.rulings,
        "gone": going.gone,
        "unknown": going.unknown,
        "compaction": {
            "segments": compaction.segments,
            "episodes": compaction.episodes,
            "bytes": compaction.bytes,
        },
    })
}

/// What was copied, and whether the copy is sound; null where that was not looked at.
pub(crate) fn backed_up(directory: &str, told: &BackedUp, problems: Option<&[String]>) -> Value {
    json!({
        "directory": directory,
        "commits": told.commits,
        "segments": told.segments,
        "bytes": told.bytes,
        "ok": problems.map(<[String]>::is_empty),
        "problems": problems.unwrap_or_default(),
    })
}

/// What could be saved, and whether the store is sound now; null where that was not looked at.
pub(crate) fn repaired(told: &Repaired, problems: Option<&[String]>) -> Value {
    json!({
        "commits": told.commits,
        "lost": told.lost,
        "quarantined": told.quarantined,
        "files": told.files,
        "quarantine": told.quarantine.as_ref().map(|path| path.display().to_string()),
        "segments": told.segments,
        "format": told.format,
        "ok": problems.map(<[String]>::is_empty),
        "problems": problems.unwrap_or_default(),
    })
}

/// What a benchmark was run on and with.
#[derive(Debug, Serialize)]
pub(crate) struct BenchHead {
    pub(crate) benchmark: &'static str,
    pub(crate) data: String,
    pub(crate) data_sha256: String,
    pub(crate) version: &'static str,
    pub(crate) parameters: BenchParameters,
    pub(crate) machine: Machine,
}

/// What a benchmark was run with.
#[derive(Debug, Serialize)]
pub(crate) struct BenchParameters {
    pub(crate) limit: usize,
    pub(crate) facts: &'static str,
    pub(crate) without: Vec<String>,
    pub(crate) model: String,
    pub(crate) reranker: Option<String>,
    pub(crate) unit: &'static str,
}

/// What a benchmark was run on.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) processor: Option<String>,
    pub(crate) system: &'static str,
    pub(crate) architecture: &'static str,
}

/// What extraction was measured on and with.
#[derive(Debug, Serialize)]
pub(crate) struct ExtractionHead {
    pub(crate) benchmark: &'static str,
    pub(crate) data: String,
    pub(crate) extractor: String,
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
}

/// How well texts are read.
pub(crate) fn extraction(head: &ExtractionHead, report: &extraction::Report) -> Value {
    let mut reply = json!(head);
    reply["metrics"] = json!(report);
    reply
}

/// A benchmark's figures.
pub(crate) fn bench(head: &BenchHead, report: &Report) -> Value {
    let mut metrics = Map::new();
    for (group, score) in &report.scores.groups {
        let mut values = Map::new();
        values.insert("n".to_owned(), json!(score.questions));
        values.extend(score.metrics.named().into_iter().map(|(name, value)| (name, json!(value))));
        if let Some(share) = score.updates.share() {
            values.insert("current_first".to_owned(), json!(share));
            values.insert("current_first_n".to_owned(), json!(score.updates.questions));
        }
        metrics.insert(group.clone(), Value::Object(values));
    }
    let millis = |quantile| report.recall_quantile(quantile).as_secs_f64() * 1e3;
    let mut reply = json!(head);
    reply["metrics"] = Value::Object(metrics);
    reply["ingest"] = json!({ "turns": report.turns, "turns_per_s": report.turns_per_second() });
    reply["recall_ms"] =
        json!({ "questions": report.recalls.len(), "p50": millis(0.5), "p95": millis(0.95) });
    reply
}
