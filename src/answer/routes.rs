//! Answers that facts tell: a question is read as a chain of ties ("Ana's brother's boss"), and the chain is followed from
//! those whom it names over the facts that hold. Where a question is not understood as a whole, or no fact leads on,
//! nothing is answered here.

mod ask;
mod follow;
mod read;
mod ties;
mod words;

use lorebase_engine::engine::Reader;
use lorebase_engine::graph::EntityIx;
use lorebase_engine::state::State;
use lorebase_engine::text;
use lorebase_query::question::user_of;
use lorebase_query::recall::FactStep;

use self::ask::{Ask, Fits, Term};
use self::follow::{Follower, Reached};

/// An answer, and the facts that it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Routed {
    /// The answer in words; where it is several, with commas between.
    pub text: String,
    /// The facts on the way, in order.
    pub steps: Vec<FactStep>,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
}

/// How sure an answer is that facts tell, and how much less where it is several.
const SURE: f32 = 0.9;
const SEVERAL: f32 = 0.8;

/// What facts come to for a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// The answer.
    Answer(Routed),
    /// The question is understood, and the facts do not lead to its end.
    Unknown,
    /// The question is not understood, or the facts do not lead over the one tie that it takes: a text may tell.
    Nothing,
}

/// What the facts of a memory answer to a question that takes one of them or several.
pub fn routed(reader: &Reader, question: &str) -> Found {
    let words = words::words(reader.state(), question);
    let asks = read::read(&words, user(reader.state()));
    let (several, mut one): (Vec<&Ask>, Vec<&Ask>) =
        asks.iter().filter(|ask| ask.ties() > 0).partition(|ask| ask.ties() > 1);
    // "Where did Ana live?" asks for what may be over, and facts tell of now.
    let of_past = words.iter().any(|word| word.is_one_of(&["did", "was", "were", "had"]));
    one.retain(|ask| !of_past || matches!(ask, Ask::Before(..)));
    let unknown = if several.is_empty() { Found::Nothing } else { Found::Unknown };
    let asks = if several.is_empty() { one } else { several };
    let follower = Follower::new(reader);
    // Of several ways to read it, the first that facts follow.
    asks.into_iter().find_map(|ask| followed(&follower, ask)).map_or(unknown, Found::Answer)
}

/// Who "I" is, where no one else is said to ask.
fn user(state: &State) -> Option<Vec<EntityIx>> {
    let name = state.speakers().get(user_of(state)? as usize)?;
    Some(state.entities_called(&text::fold_name(name))).filter(|known| !known.is_empty())
}

fn followed(follower: &Follower<'_>, ask: &Ask) -> Option<Routed> {
    match ask {
        Ask::Ends(term) => listed(follower, follower.ends(term)),
        Ask::Count(term) => {
            let ends = follower.ends(term);
            let count = ends.len();
            let steps = ends.into_iter().flat_map(|reached| reached.steps).collect();
            (count > 0).then(|| Routed { text: count.to_string(), steps, confidence: SURE * SEVERAL })
        }
        Ask::Whether(term, fits) => whether(follower, term, fits),
        Ask::Before(term, tie) => {
            let from = follower.ends(term);
            listed(follower, from.iter().flat_map(|reached| follower.before(reached, tie)).collect())
        }
    }
}

fn listed(follower: &Follower<'_>, ends: Vec<Reached>) -> Option<Routed> {
    let text = ends.iter().map(|reached| follower.said(&reached.place)).collect::<Vec<_>>().join(", ");
    let confidence = if ends.len() == 1 { SURE } else { SURE * SEVERAL };
    let steps = ends.into_iter().flat_map(|reached| reached.steps).collect();
    (!text.is_empty()).then_some(Routed { text, steps, confidence })
}

/// Yes where a fact says so; no where another stands in its place; nothing where none tells.
fn whether(follower: &Follower<'_>, term: &Term, fits: &Fits) -> Option<Routed> {
    let from = follower.ends(term);
    let fitting =
        from.iter().find_map(|reached| Some([reached.steps.clone(), follower.fits(reached, fits)?].concat()));
    if let Some(steps) = fitting {
        return Some(Routed { text: "yes".to_owned(), steps, confidence: SURE });
    }
    let others = match fits {
        Fits::Tied(role, _) => from.iter().flat_map(|reached| follower.tied(reached, *role)).collect(),
        Fits::Is(of) if follower.ends(of).is_empty() => Vec::new(),
        Fits::Is(_) => from,
    };
    let steps: Vec<FactStep> = others.first()?.steps.clone();
    Some(Routed { text: "no".to_owned(), steps, confidence: SURE * SEVERAL })
}
