//! Short answers to questions, without a model: what is asked for is read from the question, what could be the answer from
//! the turns that recall finds, and the best of it is chosen, or the question declined. What is known of how well a candidate
//! answers was learnt: see `scripts/answers/`.

mod between;
pub mod candidates;
mod choose;
pub mod doubt;
mod evidence;
pub mod features;
mod forest;
pub mod routes;
mod when;

use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::time::Interval;
use lorebase_extract::phrases::{self, Asking, Want};
use lorebase_query::question::Question;
use lorebase_query::rerank::Reranked;
use lorebase_query::ways::Way;

use self::candidates::{Candidate, Gathering};
use self::choose::{Chosen, choose};
use self::evidence::{Evidence, Turn};
use self::forest::LEARNT;
use self::routes::{Found, routed};
use crate::error::Error;
use crate::memory::{Meaning, Memory, Recalled, can_be_asked};
use crate::view::{FoundEpisode, StepView, Viewer};

/// How many turns an answer is looked for in.
const TURNS: usize = 20;

/// How sure an answer must be where a user talks with an assistant: what is said at such length is read worse than the talk on
/// which answers were learnt. Set on the tuning half of BEAM, where of its 80 questions none was answered right with less.
const SURE_OF_ASSISTANTS: f32 = 0.25;

/// How many turns are told that a declined question comes near to.
const NEARBY: usize = 3;

/// A short answer to a question, or that there is none.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The answer in words; `None` where the question is declined.
    pub text: Option<String>,
    /// What kind of answer the question asks for.
    pub kind: Want,
    /// How likely the answer is right, from 0 to 1; of a declined question, how likely one would have been.
    pub confidence: f32,
    /// The time that it tells, where it is one: when it began and, as far as it is told, when it ended.
    pub time: Option<Interval>,
    /// The turns that it rests on, by the source's ids or else the memory's own; what counts most first.
    pub citations: Vec<String>,
    /// The steps through the graph that led there, where a walk did.
    pub path: Vec<StepView>,
    /// What comes nearest, where the question is declined.
    pub nearby: Vec<FoundEpisode>,
    /// What the model had to say.
    pub meaning: Meaning,
    /// What looking at the hits again came to, where the question asked for it.
    pub reranked: Option<Reranked>,
}

impl Answer {
    /// Whether the memory does not hold the answer, as far as it can tell.
    pub fn declined(&self) -> bool {
        self.text.is_none()
    }
}

/// What an answer is chosen from.
pub struct Considered {
    /// How the question asks.
    pub asking: Asking,
    /// What could be the answer.
    pub candidates: Vec<Candidate>,
    /// What speaks against that there is one.
    pub signs: [f32; doubt::SIGNS],
    /// The turns that were found.
    pub found: Recalled,
    evidence: Evidence,
}

impl Memory {
    /// Answers a question in a few words, with the turns that the answer rests on, or declines it.
    ///
    /// ```
    /// use lorebase::memory::{Memory, Remember};
    /// use lorebase::engine::model::id::Namespace;
    /// use lorebase::query::question::Question;
    ///
    /// let directory = tempfile::tempdir()?;
    /// let (memory, _) = Memory::create(directory.path())?;
    /// let ana = Namespace::new("ana")?;
    /// memory.remember(&ana, &Remember { speaker: Some("Ana"), ..Remember::new("I work at Acme now.") })?;
    /// let answer = memory.ask(&ana, &Question::new("Where does Ana work?"))?;
    /// assert_eq!(answer.text.as_deref(), Some("Acme"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Memory::recall`].
    pub fn ask(&self, namespace: &Namespace, question: &Question<'_>) -> Result<Answer, Error> {
        let answer = self.any(namespace, question)?;
        let nearby = if answer.declined() { answer.nearby } else { Vec::new() };
        Ok(Answer { nearby, ..answer })
    }

    /// The answer by whichever way has one, with what comes near where texts were looked through.
    fn any(&self, namespace: &Namespace, question: &Question<'_>) -> Result<Answer, Error> {
        can_be_asked(question)?;
        let asking = phrases::asking(question.text);
        match self.routed(namespace, question)? {
            Some(known) if known.text.is_some() => return Ok(known.into_answer(Answer::none(asking.want))),
            // What comes near stands beside it.
            Some(known) => return Ok(known.into_answer(self.chosen(namespace, question)?)),
            None => {}
        }
        let answer = self.chosen(namespace, question)?;
        match between::ends(question.text, &asking) {
            Some(ends) => Ok(self.ask_between(namespace, question, &ends)?.unwrap_or(answer)),
            None => Ok(answer),
        }
    }

    /// What the facts that hold now answer to a question over the ties of some to others. Where a question is asked as of another
    /// time, or of a part of the memory, they do not.
    fn routed(&self, namespace: &Namespace, question: &Question<'_>) -> Result<Option<Known>, Error> {
        let whole =
            question.as_of.is_none() && question.known_at.is_none() && question.before_session.is_none();
        if !whole || !question.ways.use_of(Way::Facts) {
            return Ok(None);
        }
        let reader = self.engine().reader(namespace)?;
        Ok(match routed(&reader, question.text) {
            Found::Answer(routed) => {
                let viewer = Viewer::of(&reader);
                let path = routed.steps.iter().map(|step| viewer.step(*step)).collect();
                Some(Known { text: Some(routed.text), confidence: routed.confidence, path })
            }
            Found::Unknown => Some(Known { text: None, confidence: 0.0, path: Vec::new() }),
            Found::Nothing => None,
        })
    }

    /// How long it was between two things; `None` where the time of one is not known.
    fn ask_between(
        &self,
        namespace: &Namespace,
        question: &Question<'_>,
        ends: &[String; 2],
    ) -> Result<Option<Answer>, Error> {
        let ask = |text: &String| self.chosen(namespace, &Question { text, ..question.clone() });
        let (one, other) = (ask(&ends[0])?, ask(&ends[1])?);
        let Some((from, to)) = one.time.zip(other.time) else { return Ok(None) };
        let text = between::told(question.text, from, to);
        let mut citations = one.citations;
        citations.extend(
            other.citations.into_iter().filter(|cited| !citations.contains(cited)).collect::<Vec<_>>(),
        );
        Ok(text.map(|text| Answer {
            text: Some(text),
            kind: Want::Duration,
            confidence: one.confidence.min(other.confidence),
            citations,
            time: None,
            ..other
        }))
    }

    /// What is chosen from the turns that recall finds.
    fn chosen(&self, namespace: &Namespace, question: &Question<'_>) -> Result<Answer, Error> {
        let considered = self.consider(namespace, question)?;
        let Considered { asking, candidates, signs, found, evidence } = considered;
        let mut rated: Vec<(f32, &Candidate)> =
            candidates.iter().map(|candidate| (LEARNT.rate(&candidate.features), candidate)).collect();
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        let chosen = choose(question.text, &asking, &evidence, &rated);
        let doubt = LEARNT.doubt(&signs);
        let confidence =
            chosen.as_ref().map_or(0.0, |chosen| LEARNT.confidence(chosen.rating, chosen.lead, doubt));
        let doubted = evidence.named.is_some() && doubt > LEARNT.doubt_bound;
        let unsure = evidence.with_assistant && confidence < SURE_OF_ASSISTANTS;
        let holds = evidence.is_about() && !asking.at_length && !doubted && !unsure;
        let answer = Answer {
            confidence,
            nearby: found.hits[..NEARBY.min(found.hits.len())].to_vec(),
            meaning: found.meaning,
            reranked: found.reranked,
            ..Answer::none(asking.want)
        };
        Ok(match chosen.filter(|_| holds) {
            Some(chosen) => answer.with(chosen, &evidence.turns),
            None => answer,
        })
    }

    /// What could answer a question, and what speaks for it: what [`Memory::ask`] chooses from.
    ///
    /// # Errors
    /// As [`Memory::recall`].
    pub fn consider(&self, namespace: &Namespace, question: &Question<'_>) -> Result<Considered, Error> {
        // What answers are chosen by was learnt of hits in the order of the formula: the learnt order has seen the same questions.
        let question = Question { limit: TURNS, ways: question.ways.without(Way::Order), ..question.clone() };
        let found = self.recall(namespace, &question)?;
        let plain = Question { ways: question.ways.without(Way::Speaker), rerank: None, ..question.clone() };
        let plain = self.recall(namespace, &plain)?;
        let reader = self.engine().reader(namespace)?;
        let asking = phrases::asking(question.text);
        let evidence = Evidence::of(&reader, question.text, &found.hits)?;
        let plain = Evidence::of(&reader, question.text, &plain.hits)?;
        let candidates = Gathering::new(reader.state(), question.text, &asking, &evidence).all();
        let signs = doubt::signs(question.text, &plain);
        Ok(Considered { asking, candidates, signs, found, evidence })
    }
}

/// What facts tell, as it is shown.
struct Known {
    text: Option<String>,
    confidence: f32,
    path: Vec<StepView>,
}

impl Known {
    /// The answer in the place of the one that was chosen from texts.
    fn into_answer(self, chosen: Answer) -> Answer {
        let Self { text, confidence, path } = self;
        let mut citations: Vec<String> = Vec::new();
        for step in &path {
            if !citations.contains(&step.source) {
                citations.push(step.source.clone());
            }
        }
        Answer { text, confidence, time: None, citations, path, ..chosen }
    }
}

impl Answer {
    /// None to what is asked for, with nothing that comes near.
    fn none(kind: Want) -> Self {
        Self {
            text: None,
            kind,
            confidence: 0.0,
            time: None,
            citations: Vec::new(),
            path: Vec::new(),
            nearby: Vec::new(),
            meaning: Meaning::default(),
            reranked: None,
        }
    }

    fn with(self, chosen: Chosen, turns: &[Turn]) -> Self {
        let cited = chosen.turns.iter().filter_map(|place| turns.get(*place));
        let citation =
            |Turn { episode, .. }: &Turn| episode.source_id.clone().unwrap_or_else(|| episode.id.to_string());
        let path = chosen.turns.first().and_then(|place| turns.get(*place)).map(|turn| turn.path.clone());
        Self {
            citations: cited.map(citation).collect(),
            path: path.unwrap_or_default(),
            text: Some(chosen.text),
            time: chosen.time,
            ..self
        }
    }
}
