//! What is to be forgotten, and what goes with it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lorebase_engine::Compaction;
use lorebase_engine::change::Changes;
use lorebase_engine::engine::Reader;
use lorebase_engine::graph::{EpisodeIx, FactIx};
use lorebase_engine::model::episode::{Episode, Span};
use lorebase_engine::model::fact::{Claim, Object};
use lorebase_engine::model::id::{EpisodeId, FactId, Namespace, SessionId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::ruling::{Evidence, Matter, Ruling};
use lorebase_engine::model::time::Timestamp;
use lorebase_engine::state::{State, SupportNode};
use lorebase_engine::text;
use lorebase_extract::ingest;

use crate::by_hand::given;
use crate::error::Error;
use crate::identity::after_all;
use crate::memory::Memory;
use crate::process::give_memory_back;
use crate::remember::READING_WINDOW;

/// Episodes that are forgotten in one commit.
const UNIT_EPISODES: usize = 1 << 16;
/// What stands in the place of a piece of a text that was forgotten.
const GAP: &str = "[forgotten]";

/// What is to be forgotten: everything that one of these names.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'s> {
    /// These episodes.
    pub episodes: &'s [EpisodeId],
    /// Every episode of these sessions.
    pub sessions: &'s [SessionId],
    /// Every episode that names these entities, says something about them, or is said by them.
    pub entities: &'s [&'s str],
    /// These facts, with the sentences that state them: the rest of the episodes stays.
    pub facts: &'s [FactId],
    /// Every episode that has all content words of one of these texts.
    pub about: &'s [&'s str],
    /// Every episode that was said before this time, or where that is not known, told.
    pub before: Option<Timestamp>,
    /// Everything in the namespace.
    pub everything: bool,
}

/// What a selection comes to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Going {
    /// The episodes that go, in the order in which they were committed.
    pub episodes: Vec<EpisodeId>,
    /// Those of them of which the rest stays: it is stored again without the sentences that go.
    pub shortened: usize,
    /// Facts that nothing else states.
    pub facts: usize,
    /// Rulings that go with it: notes, rules and the like.
    pub rulings: usize,
    /// Episodes, sessions and facts among those named that were forgotten before.
    pub gone: usize,
    /// What names nothing that the memory holds.
    pub unknown: Vec<String>,
}

impl Going {
    /// Whether anything goes.
    pub fn any(&self) -> bool {
        !self.episodes.is_empty() || self.rulings > 0
    }
}

/// What forgetting came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// What has gone.
    pub going: Going,
    /// What that has taken off the disk.
    pub compaction: Compaction,
}

/// What is to be done for a selection.
#[derive(Default)]
struct Plan {
    going: Going,
    /// What is stored again of episodes that go.
    rests: Vec<Episode>,
    /// What is not to be stated again.
    claims: Vec<FactId>,
    /// Rulings that go with it.
    rulings: Vec<EpisodeId>,
}

impl Memory {
    /// What [`Memory::forget`] would take out.
    ///
    /// # Errors
    /// The store's.
    pub fn would_forget(&self, namespace: &Namespace, what: &Selection<'_>) -> Result<Going, Error> {
        Ok(plan(&self.engine().reader(namespace)?, what)?.going)
    }

    /// Takes out what is named, with everything that nothing else supports, from the memory and all its indexes; it is not taken
    /// in again until that is lifted. It lasts when this returns, and a thread takes the texts off the disk, which
    /// [`Memory::compact`] waits for; where that is broken off, they go when the store is opened next. Ends that were cut off the journal
    /// (`journal/torn-N`) go too then; what a repair put aside before (`quarantine-N`: bytes that could not be
    /// read) is not looked into and may hold the same texts.
    ///
    /// # Errors
    /// The store's; what was taken out until then stays so.
    pub fn forget(&self, namespace: &Namespace, what: &Selection<'_>) -> Result<Going, Error> {
        let going = self.take_out(namespace, what)?;
        if going.any() {
            self.erase_soon();
        }
        Ok(going)
    }

    fn take_out(&self, namespace: &Namespace, what: &Selection<'_>) -> Result<Going, Error> {
        let Plan { going, rests, claims, rulings } = plan(&self.engine().reader(namespace)?, what)?;
        // What stays is stored before the rest goes, and what is not to be stated again is noted with what goes: a crash in between loses
        // nothing, and the same call goes on.
        rests.into_iter().try_for_each(|rest| self.store_rest(namespace, rest))?;
        let claims = claims.iter().map(FactId::as_tombstone);
        let ids: Vec<EpisodeId> = claims.chain(rulings).chain(going.episodes.iter().copied()).collect();
        ids.chunks(UNIT_EPISODES).try_for_each(|ids| {
            self.commit(namespace, Changes { forgets: ids.to_vec(), ..Changes::default() })
        })?;
        Ok(going)
    }

    /// [`Memory::forget`] and [`Memory::compact`], where there is something to take off the disk.
    ///
    /// # Errors
    /// As of both.
    pub fn forget_and_erase(&self, namespace: &Namespace, what: &Selection<'_>) -> Result<Forgotten, Error> {
        let going = self.take_out(namespace, what)?;
        let due = going.any() || going.gone > 0;
        let compaction = if due { self.compact()? } else { Compaction::default() };
        Ok(Forgotten { going, compaction })
    }

    /// Stores what stays of an episode, with what is read in it.
    fn store_rest(&self, namespace: &Namespace, rest: Episode) -> Result<(), Error> {
        let _next = self.turn_in(namespace, &rest.session);
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let session = state.find_session(&rest.session).map(|ix| state.session(ix).episodes.as_slice());
        let before = session.unwrap_or_default().iter().copied();
        let before: Vec<EpisodeIx> =
            before.filter(|ix| state.episode(*ix).position < rest.position).collect();
        let window = &before[before.len().saturating_sub(READING_WINDOW)..];
        let mut window: Vec<Episode> =
            window.iter().map(|ix| reader.episode(*ix)).collect::<Result<_, _>>()?;
        drop(reader);
        window.push(rest);
        // A gap is no word of anybody.
        let text = window.last().map(|rest| rest.text.clone()).unwrap_or_default();
        let blank = " ".repeat(GAP.chars().count());
        for told in &mut window {
            told.text = told.text.replace(GAP, &blank);
        }
        let readings = ingest::read_session(self.extractor(), &window).pop().into_iter().collect();
        if let Some(rest) = window.last_mut() {
            rest.text.clone_from(&text);
        }
        let episodes = window.pop().into_iter().collect();
        self.commit(namespace, Changes { episodes, readings, ..Changes::default() })
    }

    /// Lets what was forgotten come again: episodes, or facts. They are not back by that, but taken in where they are told
    /// again. Returns how many of them were forgotten.
    ///
    /// # Errors
    /// The store's.
    pub fn lift(&self, namespace: &Namespace, ids: &[EpisodeId]) -> Result<usize, Error> {
        let _turn = self.ruling_turn();
        // What it was must be off the disk first, or it would be back.
        self.compact()?;
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let first = after_all(state)?.as_millis();
        let forgotten: BTreeSet<EpisodeId> =
            ids.iter().copied().filter(|id| state.is_forgotten(id)).collect();
        let ruling = |(id, at): (EpisodeId, i64)| -> Result<Ruling, Error> {
            let recorded_at = Timestamp::from_millis(at)?;
            Ok(Ruling { matter: Matter::Lift { id }, evidence: Evidence::by_hand(None), recorded_at })
        };
        let rulings = forgotten.into_iter().zip(first..).map(ruling).collect::<Result<Vec<_>, _>>()?;
        drop(reader);
        let lifted = rulings.len();
        self.commit(namespace, Changes { rulings, ..Changes::default() })?;
        Ok(lifted)
    }

    /// Takes what was forgotten off the disk, and gives the memory that it took back to the system.
    ///
    /// # Errors
    /// Where the journal cannot be read or written. Nothing is lost then.
    pub fn compact(&self) -> Result<Compaction, Error> {
        let compaction = self.engine().compact()?;
        give_memory_back();
        Ok(compaction)
    }
}

fn plan(reader: &Reader, what: &Selection<'_>) -> Result<Plan, Error> {
    let state = reader.state();
    let mut plan = Plan::default();
    let mut chosen: BTreeSet<EpisodeIx> = BTreeSet::new();
    choose_named(state, what, &mut chosen, &mut plan.going);
    choose_entities(reader, what.entities, &mut chosen, &mut plan)?;
    for about in what.about {
        choose_about(reader, about, &mut chosen, &mut plan)?;
    }
    if let Some(before) = what.before {
        let said = |ix: &EpisodeIx| {
            let episode = state.episode(*ix);
            episode.occurred_at.map_or(episode.recorded_at, |at| at.instant)
        };
        chosen.extend(state.living().filter(|ix| said(ix) < before));
    }
    if what.everything {
        chosen.extend(state.living());
        plan.rulings.extend(state.rulings().map(|(ruling, _)| ruling.id(state.namespace())));
    }
    let pieces = choose_facts(state, what.facts, &chosen, &mut plan);
    for (ix, spans) in pieces {
        if let Some(rest) = without(state, reader.episode(ix)?, &spans) {
            plan.going.shortened += 1;
            plan.rests.push(rest);
        }
        chosen.insert(ix);
    }
    plan.rulings.sort_unstable();
    plan.rulings.dedup();
    plan.going.rulings = plan.rulings.len();
    plan.going.facts = facts_only_of(state, &chosen);
    plan.going.episodes = chosen.into_iter().map(|ix| state.episode(ix).id).collect();
    Ok(plan)
}

fn choose_named(state: &State, what: &Selection<'_>, chosen: &mut BTreeSet<EpisodeIx>, going: &mut Going) {
    for id in what.episodes {
        match state.find_episode(id) {
            Some(ix) => _ = chosen.insert(ix),
            None if state.is_forgotten(id) => going.gone += 1,
            None => going.unknown.push(format!("episode {id}")),
        }
    }
    for id in what.sessions {
        match state.find_session(id).map(|ix| &state.session(ix).episodes) {
            Some(episodes) if episodes.is_empty() => going.gone += 1,
            Some(episodes) => chosen.extend(episodes),
            None => going.unknown.push(format!("session {id}")),
        }
    }
}

/// Every episode that names an entity, also where that was not read, says something about it, or is said by it; and what was settled
/// in words that name it.
fn choose_entities(
    reader: &Reader,
    names: &[&str],
    chosen: &mut BTreeSet<EpisodeIx>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let state = reader.state();
    for name in names {
        let ix = match state.find_entities(name)[..] {
            [] => {
                plan.going.unknown.push(format!("entity \"{name}\""));
                continue;
            }
            [ix] => ix,
            ref several => {
                let names: Vec<&str> = several.iter().take(5).map(|ix| state.entity(*ix).name()).collect();
                let problem =
                    format!("\"{name}\" may be several: {}; give the name in full", names.join(", "));
                return Err(Error::Argument { argument: "the entity", problem });
            }
        };
        chosen.extend(state.mentioning(ix));
        let stated = state.facts_of(ix).flat_map(|fact| state.fact(fact).support());
        chosen.extend(stated.map(|support| support.episode));
        let speaks = |speaker: u32| state.speaks(speaker) == Some(ix);
        chosen.extend(state.living().filter(|said| state.episode(*said).speaker.is_some_and(speaks)));
        let given = text::fold_name(state.entity(ix).name());
        let own = state.folded_names(ix).into_iter().map(str::to_owned);
        for name in own.chain([given]).map(|name| text::join_words(&name)) {
            let names_it = |told: &str| {
                format!(" {} ", text::join_words(&text::fold_name(told))).contains(&format!(" {name} "))
            };
            chosen.extend(with_words(reader, &name, names_it)?);
            plan.rulings.extend(rulings_where(state, names_it));
        }
    }
    Ok(())
}

/// The rulings whose own words fit.
fn rulings_where(state: &State, fits: impl Fn(&str) -> bool) -> Vec<EpisodeId> {
    let words = |ruling: &Ruling| {
        let own = match &ruling.matter {
            Matter::Rule { text } => Some(text.clone()),
            Matter::Rename { name, .. } => Some(name.clone()),
            _ => None,
        };
        own.into_iter().chain(ruling.evidence.note.clone()).any(|words| fits(&words))
    };
    let found = state.rulings().map(|(ruling, _)| ruling).filter(|ruling| words(ruling));
    found.map(|ruling| ruling.id(state.namespace())).collect()
}

/// The episodes with the rarest word of some words whose texts fit.
fn with_words(
    reader: &Reader,
    words: &str,
    fits: impl Fn(&str) -> bool,
) -> Result<BTreeSet<EpisodeIx>, Error> {
    let state = reader.state();
    let rarest = state.lexical().question(words).into_iter().max_by(|a, b| a.idf.total_cmp(&b.idf));
    let passages = rarest.iter().flat_map(|term| state.lexical().weighed(term));
    let with: BTreeSet<EpisodeIx> =
        passages.map(|(passage, ..)| state.passages()[passage as usize].episode).collect();
    let mut found = BTreeSet::new();
    for ix in with {
        if fits(&reader.episode(ix)?.text) {
            found.insert(ix);
        }
    }
    Ok(found)
}

/// Every episode that has all content words of a text, and what was settled in words that have them. The index also knows when and by
/// whom something was said, so the texts themselves are looked into.
fn choose_about(
    reader: &Reader,
    about: &str,
    chosen: &mut BTreeSet<EpisodeIx>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let words: BTreeSet<String> = text::content_stems(about).into_iter().collect();
    let has_all = |told: &str| {
        let own: BTreeSet<String> = text::content_stems(told).into_iter().collect();
        !words.is_empty() && words.is_subset(&own)
    };
    let found = with_words(reader, about, has_all)?;
    let rulings = rulings_where(reader.state(), has_all);
    if found.is_empty() && rulings.is_empty() {
        plan.going.unknown.push(format!("what is about \"{about}\""));
    }
    chosen.extend(found);
    plan.rulings.extend(rulings);
    Ok(())
}

/// Which pieces of which episodes state facts that go, of those that do not go whole. What is given by hand goes whole.
fn choose_facts(
    state: &State,
    facts: &[FactId],
    chosen: &BTreeSet<EpisodeIx>,
    plan: &mut Plan,
) -> BTreeMap<EpisodeIx, Vec<Span>> {
    let by_hand: BTreeSet<EpisodeIx> = given(state).collect();
    let mut pieces: BTreeMap<EpisodeIx, Vec<Span>> = BTreeMap::new();
    for id in facts {
        let Some(ix) = state.find_fact(id) else {
            if state.is_forgotten(&id.as_tombstone()) {
                plan.going.gone += 1;
            } else {
                plan.going.unknown.push(format!("fact {id}"));
            }
            continue;
        };
        plan.claims.extend(state.claims_of(ix).map(|(_, claim)| claim));
        plan.claims.push(*id);
        plan.claims.extend(told_back(state, ix));
        let corrections = denied_by_hand(state, ix, &by_hand);
        let own = state.fact(ix).support().iter();
        for support in own.chain(corrections).filter(|support| !chosen.contains(&support.episode)) {
            let spans = pieces.entry(support.episode).or_default();
            if by_hand.contains(&support.episode) {
                spans.push(Span { start: 0, end: u32::MAX });
            } else {
                spans.push(support.span);
            }
        }
    }
    plan.claims.sort_unstable();
    plan.claims.dedup();
    pieces
}

/// What the same claim is from the other end, where that has a name.
fn told_back(state: &State, ix: FactIx) -> Option<FactId> {
    let fact = state.fact(ix);
    let predicate = state.predicate(fact.predicate);
    let inverse = predicate.spec()?.inverse?;
    let claim = Claim {
        subject: state.entity(fact.object?).id,
        predicate: Predicate::new(inverse),
        object: Object::Entity(state.entity(fact.subject).id),
        polarity: fact.polarity,
        kind: fact.kind,
    };
    Some(claim.id(state.namespace(), fact.valid))
}

/// Where it is said that a fact never held, by hand or in talk: that names what it denies.
fn denied_by_hand<'s>(state: &'s State, ix: FactIx, by_hand: &BTreeSet<EpisodeIx>) -> Vec<&'s SupportNode> {
    let fact = state.fact(ix);
    let denies = |other: &FactIx| {
        let other = state.fact(*other);
        let same_ends = (other.subject, other.object) == (fact.subject, fact.object);
        same_ends && other.polarity != fact.polarity && other.predicate == fact.predicate
    };
    let others = state.facts_with(fact.subject, fact.predicate).filter(denies);
    let same_value = |other: &FactIx| state.value(*other) == state.value(ix);
    let said = others.filter(same_value).flat_map(|other| state.fact(other).support());
    said.filter(|support| support.corrects || by_hand.contains(&support.episode)).collect()
}

/// An episode without the sentences that spans of it fall into; `None` where nothing of it is left.
fn without(state: &State, episode: Episode, spans: &[Span]) -> Option<Episode> {
    let characters: Vec<char> = episode.text.chars().collect();
    let ends = |at: usize| matches!(characters.get(at), Some('.' | '!' | '?' | '\n' | '。' | '！' | '？'));
    let mut gone = vec![false; characters.len()];
    for span in spans {
        let (mut start, mut end) = ((span.start as usize).min(characters.len()), span.end as usize);
        end = end.min(characters.len());
        while start > 0 && !ends(start - 1) {
            start -= 1;
        }
        while end < characters.len() && !(end > 0 && ends(end - 1)) {
            end += 1;
        }
        gone[start..end].fill(true);
    }
    let mut text = String::with_capacity(episode.text.len());
    for (at, c) in characters.iter().enumerate() {
        if !gone[at] {
            text.push(*c);
        } else if at == 0 || !gone[at - 1] {
            text.push(' ');
            text.push_str(GAP);
        }
    }
    let text = text.trim().to_owned();
    if !text.replace(GAP, "").contains(char::is_alphanumeric) {
        return None;
    }
    let said = (episode.speaker.as_deref(), episode.occurred_at);
    let id = Episode::id_of(state.namespace(), &episode.session, episode.position, said, &text);
    Some(Episode { id, text, ..episode })
}

/// How many facts these episodes state and no others.
fn facts_only_of(state: &State, episodes: &BTreeSet<EpisodeIx>) -> usize {
    let stated: HashSet<FactIx> =
        episodes.iter().flat_map(|ix| state.episode(*ix).facts()).copied().collect();
    let only =
        |ix: &FactIx| state.fact(*ix).support().iter().all(|support| episodes.contains(&support.episode));
    stated.iter().filter(|ix| only(ix)).count()
}
