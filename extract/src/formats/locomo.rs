//! The official LoCoMo JSON: an array of samples with a conversation each. Its questions are not read here.

use std::fmt;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::error::Error;
use crate::formats::json::read_items;
use crate::formats::told::Told;
use crate::formats::values::{Label, LoCoMoTime};
use crate::transcript::Turn;

/// Tells one document a sample, named by its `sample_id`.
pub(crate) fn stream<E: From<Error>>(
    reader: impl Read,
    path: &Path,
    tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>,
) -> Result<(), E> {
    read_items(reader, path, &mut |sample: Sample| sample.tell(tell))
}

#[derive(Deserialize)]
struct Sample {
    sample_id: Option<Label>,
    conversation: Conversation,
}

/// `session_N` and `session_N_date_time`, with their numbers, in the order of the file.
#[derive(Default)]
struct Conversation {
    sessions: Vec<(u64, Vec<RawTurn>)>,
    times: Vec<(u64, LoCoMoTime)>,
}

#[derive(Deserialize)]
struct RawTurn {
    speaker: Option<String>,
    dia_id: Option<String>,
    text: Option<String>,
    blip_caption: Option<String>,
}

impl Sample {
    fn tell<E>(self, tell: &mut dyn FnMut(Told<'_>) -> Result<(), E>) -> Result<(), E> {
        let Conversation { mut sessions, times } = self.conversation;
        sessions.sort_by_key(|(number, _)| *number);
        tell(Told::Document { name: self.sample_id.as_ref().map(|Label(name)| name.as_str()) })?;
        for (number, turns) in sessions {
            let at = times.iter().find(|(of, _)| *of == number).map(|(_, LoCoMoTime(at))| *at);
            tell(Told::Session { id: &session_id(number, &turns), at })?;
            turns.into_iter().try_for_each(|turn| tell(Told::Turn(turn.into_turn())))?;
        }
        Ok(())
    }
}

/// `D3` where the turns are called `D3:1`, `D3:2` and so on, so that a session can be told from a turn's id.
fn session_id(number: u64, turns: &[RawTurn]) -> String {
    let prefix = format!("D{number}:");
    let named = |turn: &RawTurn| turn.dia_id.as_ref().is_some_and(|id| id.starts_with(&prefix));
    if !turns.is_empty() && turns.iter().all(named) {
        format!("D{number}")
    } else {
        format!("session_{number}")
    }
}

impl RawTurn {
    /// A picture's caption stands after the text, as the benchmark's own baselines read it.
    fn into_turn(self) -> Turn {
        let mut text = self.text.unwrap_or_default();
        if let Some(caption) = self.blip_caption {
            let gap = if text.is_empty() { "" } else { " " };
            text = format!("{text}{gap}[image: {caption}]");
        }
        Turn { source_id: self.dia_id, speaker: self.speaker, at: None, text }
    }
}

impl<'de> Deserialize<'de> for Conversation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ConversationVisitor)
    }
}

struct ConversationVisitor;

impl<'de> Visitor<'de> for ConversationVisitor {
    type Value = Conversation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a conversation with session_1, session_1_date_time and so on")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Conversation, A::Error> {
        let mut conversation = Conversation::default();
        while let Some(key) = map.next_key::<String>()? {
            match numbered(&key) {
                Some((number, "")) => {
                    if conversation.sessions.iter().any(|(other, _)| *other == number) {
                        return Err(A::Error::custom(format_args!("{key} stands twice")));
                    }
                    let turns: Option<Vec<RawTurn>> = map.next_value()?;
                    conversation.sessions.push((number, turns.unwrap_or_default()));
                }
                Some((number, "_date_time")) => {
                    let at: Option<LoCoMoTime> = map.next_value()?;
                    conversation.times.extend(at.map(|at| (number, at)));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(conversation)
    }
}

/// Splits `session_12_date_time` into 12 and what follows.
fn numbered(key: &str) -> Option<(u64, &str)> {
    let rest = key.strip_prefix("session_")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = rest.split_at(digits);
    Some((number.parse().ok()?, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::format::Format;
    use crate::formats::read_from;

    const SAMPLE: &str = r#"[{"sample_id": "conv-1", "qa": [], "conversation": {
        "speaker_a": "Ana", "session_10_date_time": "1:14 pm on 25 May, 2023",
        "session_10": [{"speaker": "Ana", "dia_id": "D10:1", "blip_caption": "a red kite"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a cat", "img_url": ["x"]},
                      {"speaker": "Bo", "dia_id": "D2:2", "text": "Sweet."}],
        "session_3_date_time": "2:00 pm on 9 May, 2023", "session_4": [{"text": "no id"}]}}]"#;

    #[test]
    fn sessions_come_in_the_order_of_their_numbers() {
        let documents = read_from(SAMPLE.as_bytes(), Path::new("a.json"), Format::LoCoMo).unwrap();
        assert_eq!(documents[0].name.as_deref(), Some("conv-1"));
        let sessions = &documents[0].transcript.sessions;
        let ids: Vec<_> = sessions.iter().map(|session| session.id.as_str()).collect();
        assert_eq!(ids, ["D2", "session_4", "D10"]);
        assert_eq!(sessions[0].at.unwrap().civil().to_string(), "2023-05-08T13:56:00");
        assert_eq!(sessions[0].turns[0].text, "Look! [image: a cat]");
        assert_eq!(sessions[2].turns[0].text, "[image: a red kite]");
        assert_eq!(sessions[1].at, None);
    }

    #[test]
    fn a_malformed_time_is_named_with_its_place() {
        let bad = SAMPLE.replace("1:56 pm on 8 May, 2023", "8 May");
        let error = read_from(bad.as_bytes(), Path::new("a.json"), Format::LoCoMo).unwrap_err().to_string();
        assert!(error.contains("a.json:4:") && error.contains("\"8 May\""), "{error}");
    }
}
