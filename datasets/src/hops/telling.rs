//! From a world to what its people say: sessions of talk, each fact told once by somebody who can know it.

use lorebase_engine::model::id::SessionId;
use lorebase_extract::transcript::{Transcript, TranscriptSession, Turn};

use super::names::PETS;
use super::phrases::{ENDINGS, OPENINGS, Pick, TALK, phrases};
use super::world::{Era, Fact, Model, Tie};

/// How many sessions a world has.
const SESSIONS: usize = 9;

/// How often the next fact of the same person comes in the same turn.
const JOINED: f32 = 0.3;

/// How often a relative is called so, and how often by nothing else.
const AS_KIN: f32 = 0.5;
const KIN_ALONE: f32 = 0.12;

/// Tells a world.
pub(super) fn tell(model: &Model, pick: &mut Pick) -> Transcript {
    let mut told: Vec<Vec<Fact>> = vec![Vec::new(); SESSIONS];
    for fact in &model.facts {
        let session = match fact.era {
            Era::Always => session_for(model, *fact, pick),
            Era::Before => pick.below(3),
            Era::Since => 6 + pick.below(3),
        };
        told[session].push(*fact);
    }
    let mut transcript = Transcript::default();
    for (number, mut facts) in told.into_iter().enumerate() {
        pick.rng.shuffle(&mut facts);
        gather(&mut facts, pick);
        transcript.sessions.push(session(model, number, &facts, pick));
    }
    transcript
}

/// A session in which nobody is told what they are to the one who tells it.
fn session_for(model: &Model, fact: Fact, pick: &mut Pick) -> usize {
    let first = pick.below(SESSIONS);
    let mut sessions = (0..SESSIONS).map(|step| (first + step) % SESSIONS);
    let fits = |session: &usize| {
        two_of(&model.speakers, *session).iter().any(|speaker| *speaker != fact.from && *speaker != fact.to)
    };
    sessions.find(fits).unwrap_or(first)
}

/// Puts some facts next to another one of the same person.
fn gather(facts: &mut Vec<Fact>, pick: &mut Pick) {
    for place in 1..facts.len() {
        let before = facts[place - 1].from;
        let same = (place..facts.len()).find(|other| facts[*other].from == before);
        if let Some(other) = same.filter(|_| pick.chance(JOINED)) {
            let fact = facts.remove(other);
            facts.insert(place, fact);
        }
    }
}

fn session(model: &Model, number: usize, facts: &[Fact], pick: &mut Pick) -> TranscriptSession {
    let speakers = two_of(&model.speakers, number);
    let at = format!("2024-{:02}-{:02}T18:{:02}:00", 1 + number, 3 + 2 * number, 5 * number);
    let mut turns: Vec<(&str, String)> = Vec::new();
    let (mut said, mut last): (Vec<&str>, Option<(Fact, &str)>) = (Vec::new(), None);
    for fact in facts {
        let speaker = teller(model, *fact, speakers, pick);
        let again =
            last.filter(|(before, by)| before.from == fact.from && *by == speaker && fact.from != speaker);
        if let Some((_, turn)) = turns.last_mut().filter(|_| again.is_some()) {
            let more = sentence(model, *fact, speaker, true, pick);
            turn.push(' ');
            turn.push_str(&more);
        } else {
            if turns.last().is_some_and(|(by, _)| *by == speaker) || pick.chance(0.3) {
                let other = usize::from(turns.last().is_some_and(|(by, _)| *by == speakers[0]));
                turns.push((speakers[other], small_talk(model, speakers, &mut said, pick)));
            }
            turns.push((speaker, whole(sentence(model, *fact, speaker, false, pick), pick)));
        }
        last = Some((*fact, speaker));
    }
    let id = format!("s{}", number + 1);
    let turn = |(place, (speaker, text)): (usize, (&str, String))| Turn {
        source_id: Some(format!("{id}:{}", place + 1)),
        speaker: Some(speaker.to_owned()),
        text,
        at: None,
    };
    TranscriptSession {
        id: SessionId::new(&id),
        at: Some(at.parse().expect("the days of sessions are days")),
        turns: turns.into_iter().enumerate().map(turn).collect(),
    }
}

/// Two of the speakers, another pair each time.
fn two_of(speakers: &[&'static str], number: usize) -> [&'static str; 2] {
    let first = number % speakers.len();
    let step = 1 + (number / speakers.len()) % (speakers.len() - 1);
    [speakers[first], speakers[(first + step) % speakers.len()]]
}

/// Who of the two tells a fact: whoever it is about, or else a relative, or else either.
fn teller(model: &Model, fact: Fact, speakers: [&'static str; 2], pick: &mut Pick) -> &'static str {
    let own = speakers.into_iter().find(|speaker| [fact.from, fact.to].contains(speaker));
    let kin = speakers.into_iter().find(|speaker| kin(model, speaker, fact.from).is_some());
    own.or(kin).unwrap_or_else(|| speakers[pick.below(2)])
}

/// What somebody is to a speaker: "sister".
fn kin(model: &Model, speaker: &str, of: &str) -> Option<&'static str> {
    let woman = model.is_woman(of)?;
    let ties = [
        (model.of(Tie::Sibling, speaker), brother(woman)),
        (model.of(Tie::Spouse, speaker), wife(woman)),
        (model.to(Tie::Parent, speaker), if woman { "mum" } else { "dad" }),
        (model.of(Tie::Parent, speaker), child(woman)),
    ];
    ties.into_iter().find(|(others, _)| others.contains(&of)).map(|(_, word)| word)
}

fn brother(woman: bool) -> &'static str {
    if woman { "sister" } else { "brother" }
}

fn wife(woman: bool) -> &'static str {
    if woman { "wife" } else { "husband" }
}

fn mother(woman: bool) -> &'static str {
    if woman { "mother" } else { "father" }
}

fn child(woman: bool) -> &'static str {
    if woman { "daughter" } else { "son" }
}

/// How a speaker names an end of a tie.
struct Named {
    is_speaker: bool,
    is_woman: bool,
    /// "I", "my sister Ines", "she".
    subject: String,
    object: String,
    owner: String,
    /// As after "of": "mine".
    own: String,
}

impl Named {
    fn of(model: &Model, name: &str, speaker: &str, says_kin: bool, pick: &mut Pick) -> Self {
        let woman = model.is_woman(name);
        let is_woman = woman.unwrap_or(false);
        if name == speaker {
            let [subject, object, owner, own] = ["I", "me", "my", "mine"].map(str::to_owned);
            return Self { is_speaker: true, is_woman, subject, object, owner, own };
        }
        let kin = kin(model, speaker, name).filter(|_| says_kin && pick.chance(AS_KIN));
        let subject = match kin {
            Some(kin) if is_only(model, speaker, name) && pick.chance(KIN_ALONE) => format!("my {kin}"),
            Some(kin) => format!("my {kin} {name}"),
            None => name.to_owned(),
        };
        let owner = format!("{subject}'s");
        Self { is_speaker: false, is_woman, object: subject.clone(), own: owner.clone(), subject, owner }
    }

    fn again(&mut self) {
        let words = if self.is_woman { ["she", "her", "her", "hers"] } else { ["he", "him", "his", "his"] };
        [self.subject, self.object, self.owner, self.own] = words.map(str::to_owned);
    }
}

/// Whether nobody else is the same to the speaker.
fn is_only(model: &Model, speaker: &str, name: &str) -> bool {
    let word = kin(model, speaker, name);
    model.people.iter().filter(|person| kin(model, speaker, person.name) == word).count() == 1
}

/// Tells a fact in a sentence; of somebody who was just named, by "she" or "he".
fn sentence(model: &Model, fact: Fact, speaker: &str, again: bool, pick: &mut Pick) -> String {
    let known = phrases(fact.tie, fact.era);
    let mut phrase = pick.of(known);
    while (fact.from == speaker && stands_inside(phrase, "{S}"))
        || (fact.to == speaker && stands_inside(phrase, "{O}"))
    {
        phrase = pick.of(known);
    }
    // What ties relatives says itself whose they are.
    let says_kin = !matches!(fact.tie, Tie::Spouse | Tie::Sibling | Tie::Parent);
    // "Ines and I", not "I and Ines".
    let turned = fact.tie.is_mutual() && fact.from == speaker && phrase.starts_with("{S} and {O}");
    let fact = if turned { Fact { from: fact.to, to: fact.from, ..fact } } else { fact };
    let mut from = Named::of(model, fact.from, speaker, says_kin, pick);
    let to = Named::of(model, fact.to, speaker, false, pick);
    if again && phrase.starts_with("{S") && model.is_woman(fact.from).is_some() {
        from.again();
    }
    let old = model.before(fact.tie, fact.from).first().copied().unwrap_or_default();
    let kind = PETS.iter().find(|(pet, _)| *pet == fact.to).map_or("", |(_, kind)| kind);
    let pairs = [
        ("{S}", from.subject.as_str()),
        ("{s}", &from.object),
        ("{S's}", &from.owner),
        ("{S's-own}", &from.own),
        ("{O}", &to.subject),
        ("{o}", &to.object),
        ("{O's}", &to.owner),
        ("{old}", old),
        ("{kind}", kind),
        ("{brother}", brother(from.is_woman)),
        ("{mother}", mother(from.is_woman)),
        ("{O.wife}", wife(to.is_woman)),
        ("{O.brother}", brother(to.is_woman)),
        ("{O.child}", child(to.is_woman)),
    ];
    let mut text = agreed(&agreed(phrase, ['[', ']'], from.is_speaker), ['<', '>'], to.is_speaker);
    for (place, words) in pairs {
        text = text.replace(place, words);
    }
    capital(&text)
}

/// Whether an end stands where a speaker would not say "I": "Priya's friend I".
fn stands_inside(phrase: &str, end: &str) -> bool {
    phrase.match_indices(end).any(|(place, _)| place > 0 && !phrase[..place].ends_with(" and "))
}

/// Chooses between what agrees with the speaker and what with others.
fn agreed(phrase: &str, brackets: [char; 2], speaker: bool) -> String {
    let mut text = String::new();
    for (number, piece) in phrase.split(brackets).enumerate() {
        let (own, other) = piece.split_once('|').filter(|_| number % 2 == 1).unwrap_or((piece, piece));
        text.push_str(if speaker { own } else { other });
    }
    text
}

/// A telling with what people put around it.
fn whole(sentence: String, pick: &mut Pick) -> String {
    let mut text = sentence;
    if pick.chance(0.25) && !text.contains("by the way") {
        let opening = pick.of(OPENINGS);
        let own = text.starts_with("My ") || text.starts_with("The ") || text.starts_with("It ");
        text = if own && !opening.ends_with("? ") {
            format!("{opening}{}{}", text[..1].to_lowercase(), &text[1..])
        } else {
            format!("{opening}{text}")
        };
    }
    if pick.chance(0.25) {
        text.push_str(pick.of(ENDINGS));
    }
    text
}

/// Small talk that was not said in the session before; `said` is what was.
fn small_talk(model: &Model, present: [&str; 2], said: &mut Vec<&'static str>, pick: &mut Pick) -> String {
    let people: Vec<&str> =
        model.people.iter().map(|person| person.name).filter(|name| !present.contains(name)).collect();
    let ends = |tie: Tie, from: bool| -> Vec<&str> {
        let facts = model.facts.iter().filter(|fact| fact.tie == tie);
        facts.map(|fact| if from { fact.from } else { fact.to }).collect()
    };
    let (towns, companies) = (ends(Tie::Region, true), ends(Tie::Seat, true));
    let first = pick.below(people.len());
    let second = (first + 1 + pick.below(people.len() - 1)) % people.len();
    let mut talk = pick.of(TALK);
    while said.contains(&talk) && said.len() < TALK.len() / 2 {
        talk = pick.of(TALK);
    }
    said.push(talk);
    let text = talk.replace("{A}", people[first]).replace("{B}", people[second]);
    let (town, company) = (towns[pick.below(towns.len())], companies[pick.below(companies.len())]);
    text.replace("{T}", town).replace("{C}", company)
}

/// A sentence that begins with a capital.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
