//! What the memory answers with: plain values that outlive the reader they were made from.

use std::cell::RefCell;
use std::collections::HashMap;

use lorebase_engine::dates::Granularity;
use lorebase_engine::derive::Rules;
use lorebase_engine::engine::Reader;
use lorebase_engine::error::Error;
use lorebase_engine::graph::{EntityIx, EpisodeIx, FactIx};
use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::{Episode, Span};
use lorebase_engine::model::fact::{FactKind, FactStatus, IMPORTANCE, Polarity};
use lorebase_engine::model::id::{EntityId, EpisodeId, FactId};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::ruling::{Evidence, Names, Ruling};
use lorebase_engine::model::time::{Interval, Moment, Timestamp};
use lorebase_engine::state::{Cares, Standing, State, SupportNode};
use lorebase_query::recall::{BridgeStep, FactStep, Hit, Horizon, Parts, Path};

/// A fact with names in the place of ids.
#[derive(Debug, Clone, PartialEq)]
pub struct FactView {
    /// Its id.
    pub id: FactId,
    /// The name of its subject.
    pub subject: String,
    /// The relation.
    pub predicate: Predicate,
    /// The name of its object, or the plain value.
    pub object: String,
    /// What kind of memory it is.
    pub kind: FactKind,
    /// Said or denied.
    pub polarity: Polarity,
    /// How sure the surest statement is, from 0 to 1.
    pub confidence: f32,
    /// Where it stands among the facts on the same subject and predicate.
    pub status: FactStatus,
    /// When it held: of several times the last, or the one that is asked for. Where it never did, when it was said to.
    pub valid: Interval,
    /// How exactly that is told; `None` where it is not.
    pub granularity: Option<Granularity>,
    /// All the times when it held, from the earliest on: intervals that do not touch. None where it never did.
    pub intervals: Vec<Interval>,
    /// Whether it is so now, or at the time of the world that is asked for; of what happened, whether it had happened by then.
    pub holds: bool,
    /// Whether another fact says otherwise of the same time, and neither can be put after the other.
    pub contested: bool,
    /// The fact that took its place.
    pub successor: Option<FactId>,
    /// When it was known.
    pub recorded: Interval,
    /// How it is kept: notes beside it, whether it is pinned, when it expires.
    pub cares: Cares,
    /// Whether nobody says it without a doubt.
    pub hedged: bool,
    /// Whose words it is, where nobody says it in words of their own: the first that is cited.
    pub attributed_to: Option<String>,
    /// How much the statement matters that matters most, from 1 to 10.
    pub importance: u8,
    /// The statements that it rests on; at least one.
    pub support: Vec<SupportView>,
    /// From what it follows, where nobody stated it.
    pub derived: Option<DerivedView>,
}

/// From what a fact follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedView {
    /// By which rule, as it is written.
    pub rule: String,
    /// The stated facts that the proof rests on, in its order.
    pub premises: Vec<FactId>,
}

/// Where a fact is stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportView {
    /// Which episode.
    pub episode: EpisodeId,
    /// The id that the source gave it.
    pub source_id: Option<String>,
    /// Which characters of it.
    pub span: Span,
    /// Whether it is said with a doubt.
    pub hedged: bool,
    /// Whose words it is, where the speaker passes them on.
    pub attributed_to: Option<String>,
}

/// A step through the graph: from one episode over an entity to another, or from one entity over a fact to
/// another or to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepView {
    /// Where it begins: an episode's citation, or an entity's name.
    pub from: String,
    /// The name of the entity that both episodes name, or the fact's predicate.
    pub over: String,
    /// Where it leads, told in the same way.
    pub to: String,
    /// Whether it goes against the fact: from its object to its subject.
    pub reverse: bool,
    /// The citation of the episode that the step rests on: the one it leads to, or the first that may be found and
    /// states the fact.
    pub source: String,
    /// The rule by which something follows from the fact, with those of the steps beside it that have the same.
    pub rule: Option<String>,
}

/// An episode that was found, with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundEpisode {
    /// The episode.
    pub episode: Episode,
    /// Its score; comparable within one recall only.
    pub score: f32,
    /// How the score came about.
    pub parts: Parts,
    /// Whether something in it reads as if it were addressed to the model that is shown it.
    pub flagged: bool,
    /// The facts that it states; where the question leaves out what came later, as they stood then.
    pub facts: Vec<FactView>,
    /// The steps that led to it, where a walk through the graph did.
    pub path: Vec<StepView>,
}

/// An entity and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityView {
    /// Its id.
    pub id: EntityId,
    /// The name that it is most often called by.
    pub name: String,
    /// What kind of thing it is.
    pub kind: EntityKind,
    /// Every name that it is called by, most used first.
    pub aliases: Vec<String>,
    /// How many episodes name it.
    pub episodes: u32,
    /// What made it one with others, from the oldest on.
    pub merges: Vec<MergeView>,
    /// Entities whose name is likely another name of it.
    pub same_as: Vec<String>,
    /// The facts of which it is an end, current ones first, and after them those that follow from what is stated.
    pub facts: Vec<FactView>,
    /// Whether more follows than was worked out.
    pub more_follows: bool,
}

/// That two names are names of one entity.
#[derive(Debug, Clone, PartialEq)]
pub struct MergeView {
    /// The name that stayed.
    pub name: String,
    /// The name that came to it.
    pub with: String,
    /// What speaks for it.
    pub evidence: Evidence,
    /// When the memory was told.
    pub at: Timestamp,
}

/// Makes views from what one reader sees.
pub(crate) struct Viewer<'r> {
    pub(crate) reader: &'r Reader,
    /// Where what came later is left out: facts are shown as they stood by the episodes that it shows alone.
    pub(crate) horizon: Option<&'r Horizon>,
    /// From when it is looked at.
    pub(crate) moment: Moment,
    /// Where facts stand by what is shown, as far as that was worked out for many of them together.
    standings: RefCell<HashMap<FactIx, Standing>>,
}

impl<'r> Viewer<'r> {
    /// A viewer of all that the reader sees.
    pub(crate) fn of(reader: &'r Reader) -> Self {
        Self::new(reader, None, Moment::default())
    }

    /// A viewer of what a horizon leaves, from a moment.
    pub(crate) fn new(reader: &'r Reader, horizon: Option<&'r Horizon>, moment: Moment) -> Self {
        Self { reader, horizon, moment, standings: RefCell::default() }
    }

    /// A viewer of what is seen from a moment.
    pub(crate) fn at(reader: &'r Reader, moment: Moment) -> Self {
        Self::new(reader, None, moment)
    }

    /// Whether what an episode states counts for what is so.
    fn counts(&self, ix: EpisodeIx) -> bool {
        self.horizon.is_none_or(|horizon| horizon.counts(self.state(), ix))
            && self.moment.known_at.is_none_or(|at| self.state().episode(ix).told() <= at)
    }

    fn findable(&self, ix: EpisodeIx) -> bool {
        self.horizon.is_none_or(|horizon| horizon.shows(self.state(), ix))
            && self.moment.known_at.is_none_or(|at| self.state().episode(ix).told() <= at)
    }

    /// The statements of a fact that are shown.
    fn support(&self, ix: FactIx) -> impl Iterator<Item = &'r SupportNode> {
        let shown = |support: &&SupportNode| self.findable(support.episode);
        self.reader.state().fact(ix).support().iter().filter(shown)
    }

    /// Where a fact stands by what is shown.
    fn standing(&self, ix: FactIx) -> Standing {
        let fact = self.state().fact(ix);
        let all = || fact.standing(ix);
        let standing = if self.horizon.is_none() && self.moment.known_at.is_none() {
            all()
        } else {
            self.told(ix).unwrap_or_else(all)
        };
        self.as_of(standing)
    }

    /// Where a fact stands by what counts, of which that is not all.
    fn told(&self, ix: FactIx) -> Option<Standing> {
        let known = self.standings.borrow().get(&ix).cloned();
        known.or_else(|| self.state().standing(ix, |episode| self.counts(episode)))
    }

    /// As it stood in the world at the time that is asked for.
    fn as_of(&self, standing: Standing) -> Standing {
        let stay = |at| standing.stays.iter().find(|stay| stay.contains(at)).copied();
        match self.moment.as_of.and_then(stay) {
            Some(valid) => Standing { status: FactStatus::Current, successor: None, valid, ..standing },
            None => standing,
        }
    }

    pub(crate) fn state(&self) -> &State {
        self.reader.state()
    }

    /// The facts that an episode states; none where it is not in the store.
    pub(crate) fn facts_stated_in(&self, id: &EpisodeId) -> Vec<FactView> {
        let state = self.state();
        let Some(ix) = state.find_episode(id) else { return Vec::new() };
        state.episode(ix).facts().iter().map(|fact| self.fact(*fact)).collect()
    }

    /// A fact with at least one support that is shown.
    pub(crate) fn fact(&self, ix: FactIx) -> FactView {
        let (state, fact, standing) = (self.state(), self.state().fact(ix), self.standing(ix));
        let support = |support: &SupportNode| {
            let episode = state.episode(support.episode);
            let source_id = episode.source_id.as_deref().map(str::to_owned);
            let attributed_to = state.attributed_to(support).map(str::to_owned);
            SupportView {
                episode: episode.id,
                source_id,
                span: support.span,
                hedged: support.hedged,
                attributed_to,
            }
        };
        let support: Vec<SupportView> = self.support(ix).map(support).collect();
        let own = support.iter().any(|support| support.attributed_to.is_none());
        let named = || fact.object.map_or_else(String::new, |object| state.entity(object).name().to_owned());
        let object = state.value(ix).map_or_else(named, str::to_owned);
        FactView {
            id: fact.id,
            subject: state.entity(fact.subject).name().to_owned(),
            predicate: state.predicate(fact.predicate).clone(),
            object,
            kind: fact.kind,
            polarity: fact.polarity,
            confidence: self.support(ix).map(|support| support.confidence).fold(0.0, f32::max),
            status: standing.status,
            granularity: self.granularity(ix, standing.valid),
            valid: standing.valid,
            holds: self.holds(ix, &standing.stays),
            intervals: standing.stays,
            contested: standing.contested,
            successor: standing.successor.map(|ix| state.fact(ix).id),
            recorded: standing.recorded,
            cares: self.cares(ix),
            hedged: support.iter().all(|support| support.hedged),
            attributed_to: support.first().filter(|_| !own).and_then(|first| first.attributed_to.clone()),
            importance: self.support(ix).map(|support| support.importance).max().unwrap_or(IMPORTANCE),
            support,
            derived: None,
        }
    }

    /// Whether a fact with these stays is so at the moment. Where it is not told what time it is, what has no end goes on.
    pub(crate) fn holds(&self, ix: FactIx, stays: &[Interval]) -> bool {
        match self.moment.as_of.or(self.moment.now) {
            Some(at) => self.state().was_so(ix, stays, at),
            None => stays.last().is_some_and(|last| last.to.is_none()),
        }
    }

    /// How a fact is kept, by what had been noted at the time of the record that is asked for.
    fn cares(&self, ix: FactIx) -> Cares {
        let mut cares = self.state().cares(ix);
        if let Some(at) = self.moment.known_at {
            cares.notes.retain(|(noted, _)| *noted <= at);
        }
        cares
    }

    /// How exactly a statement tells of an end of an interval.
    fn granularity(&self, ix: FactIx, valid: Interval) -> Option<Granularity> {
        let tells = |support: &&SupportNode| {
            let Interval { from, to } = support.valid;
            (from.is_some() && from == valid.from) || (to.is_some() && to == valid.to)
        };
        self.support(ix).filter(tells).find_map(|support| support.granularity)
    }

    /// A hit with its text, facts and path.
    pub(crate) fn found(&self, hit: &Hit) -> Result<FoundEpisode, Error> {
        let facts = self.state().episode(hit.episode).facts();
        Ok(FoundEpisode {
            episode: self.reader.episode(hit.episode)?,
            score: hit.score,
            parts: hit.parts,
            flagged: self.state().episode(hit.episode).flagged,
            facts: facts.iter().filter(|ix| self.shows(**ix)).map(|ix| self.fact(*ix)).collect(),
            path: self.path(hit),
        })
    }

    fn path(&self, hit: &Hit) -> Vec<StepView> {
        match &hit.path {
            Path::None => Vec::new(),
            Path::Bridge(steps) => steps.iter().map(|step| self.bridge_step(*step)).collect(),
            Path::Facts(steps) => steps.iter().map(|step| self.fact_step(*step, hit.episode)).collect(),
        }
    }

    fn bridge_step(&self, step: BridgeStep) -> StepView {
        let to = self.citation(step.to);
        let over = self.state().entity(step.over).name().to_owned();
        StepView { from: self.citation(step.from), over, reverse: false, source: to.clone(), to, rule: None }
    }

    /// A step over a fact that no hit led to.
    pub(crate) fn step(&self, step: FactStep) -> StepView {
        self.fact_step(step, self.state().fact(step.fact).support()[0].episode)
    }

    /// A step over a fact. It rests on the hit itself where that states the fact, else on the first episode that does.
    fn fact_step(&self, step: FactStep, hit: EpisodeIx) -> StepView {
        let view = self.fact(step.fact);
        let own = self.support(step.fact).find(|support| support.episode == hit);
        let source = own.or_else(|| self.support(step.fact).next());
        StepView {
            from: self.state().entity(step.from).name().to_owned(),
            over: if view.polarity == Polarity::Negated {
                format!("not {}", view.predicate)
            } else {
                view.predicate.to_string()
            },
            to: step.to.map_or(view.object, |to| self.state().entity(to).name().to_owned()),
            reverse: self.state().fact(step.fact).subject != step.from,
            source: source.map(|support| self.citation(support.episode)).unwrap_or_default(),
            rule: step.rule.map(|rule| Rules::of(self.state()).rule(rule).to_string()),
        }
    }

    /// The source's id of an episode, or else the episode's own.
    fn citation(&self, ix: EpisodeIx) -> String {
        let episode = self.state().episode(ix);
        episode.source_id.as_deref().map_or_else(|| episode.id.to_string(), str::to_owned)
    }

    /// An entity with its facts.
    pub(crate) fn entity(&self, ix: EntityIx) -> EntityView {
        let entity = self.state().entity(ix);
        let name = |other: EntityIx| self.state().entity(other).name().to_owned();
        let mut same_as: Vec<String> = self.state().namesakes(ix).into_iter().map(name).collect();
        same_as.sort();
        let mut facts = self.facts(Some(&[ix]), None);
        let derived = self.derived(&[ix], None);
        facts.extend(derived.facts);
        EntityView {
            id: entity.id,
            name: entity.name().to_owned(),
            kind: entity.kind(),
            aliases: entity.aliases().into_iter().map(str::to_owned).collect(),
            episodes: entity.mentioned_in(),
            merges: self.merges(ix),
            same_as,
            facts,
            more_follows: derived.cut.is_some(),
        }
    }

    /// The rulings by which names are names of an entity, where both names are used.
    fn merges(&self, ix: EntityIx) -> Vec<MergeView> {
        let state = self.state();
        let own = |names: &Names| state.named_by(&names.one).is_some_and(|(one, _)| one == ix);
        let merge = |ruling: &Ruling| {
            let names = ruling.names().filter(|names| names.same && own(names))?;
            let (name, with) = (state.own_name(&names.one)?, state.own_name(&names.other)?);
            let (evidence, at) = (ruling.evidence.clone(), ruling.recorded_at);
            Some(MergeView { name: name.to_owned(), with: with.to_owned(), evidence, at })
        };
        let standing = state.rulings().filter(|(_, standing)| *standing);
        standing.filter_map(|(ruling, _)| merge(ruling)).collect()
    }

    /// Whether a fact is seen from the moment: it was known, has not expired, and where a time of the world is asked for, was so
    /// then.
    pub(crate) fn shows(&self, ix: FactIx) -> bool {
        let (state, Moment { as_of, known_at, now }) = (self.state(), self.moment);
        if state.has_expired(ix, now) || (known_at.is_some() && self.support(ix).next().is_none()) {
            return false;
        }
        match (as_of, known_at) {
            (None, _) => true,
            (Some(at), None) => state.was_so(ix, state.fact(ix).stays(), at),
            (Some(at), Some(_)) => {
                self.told(ix).is_some_and(|standing| state.was_so(ix, &standing.stays, at))
            }
        }
    }

    /// The facts about any of `about` (all facts for `None`) with `predicate`: current ones first, then by
    /// subject, predicate, object and id.
    pub(crate) fn facts(&self, about: Option<&[EntityIx]>, predicate: Option<&Predicate>) -> Vec<FactView> {
        let state = self.state();
        let mut found: Vec<FactIx> = match about {
            None => (0..state.facts().len() as u32).map(FactIx).collect(),
            Some(entities) => entities.iter().flat_map(|ix| state.facts_of(*ix)).collect(),
        };
        found.sort_unstable();
        found.dedup();
        let wanted = predicate.map(|predicate| state.find_predicate(predicate));
        found.retain(|ix| {
            let fact = state.fact(*ix);
            !fact.support().is_empty() && wanted.is_none_or(|wanted| wanted == Some(fact.predicate))
        });
        if self.moment.known_at.is_some() {
            // Facts that bear on one another are judged once, and not each with all others.
            let standings = state.standings(&found, |episode| self.counts(episode));
            self.standings.borrow_mut().extend(standings);
        }
        found.retain(|ix| self.shows(*ix));
        let mut views: Vec<FactView> = found.into_iter().map(|ix| self.fact(ix)).collect();
        views.sort_by(|a, b| {
            let over = |fact: &FactView| (fact.status != FactStatus::Current, !fact.holds);
            let key = |fact: &FactView| (over(fact), fact.subject.to_lowercase());
            let rest = |fact: &FactView| (fact.predicate.clone(), fact.object.clone(), fact.id);
            key(a).cmp(&key(b)).then_with(|| rest(a).cmp(&rest(b)))
        });
        views
    }
}
