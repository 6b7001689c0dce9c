//! Short answers as text.

use lorebase::answer::Answer;

use super::{cite, line, step, visible};

/// The answer with what it rests on; or where there is none, what comes nearest.
pub(crate) fn answer(answer: &Answer, explained: bool) -> String {
    let mut text = String::new();
    let Some(told) = &answer.text else {
        line(&mut text, "Nothing that is known answers this.");
        if !answer.nearby.is_empty() {
            line(&mut text, "What comes nearest:");
        }
        for found in &answer.nearby {
            let id = cite(found.episode.source_id.as_deref(), &found.episode.id);
            let speaker = found.episode.speaker.as_deref().map(|name| format!("{}: ", visible(name)));
            line(
                &mut text,
                &format!("  [{id}] {}{}", speaker.unwrap_or_default(), visible(&found.episode.text)),
            );
        }
        return text;
    };
    let cited: Vec<_> = answer.citations.iter().map(|cited| visible(cited)).collect();
    line(&mut text, &format!("{} [{}]", visible(told), cited.join(", ")));
    if let Some(first) = answer.path.first() {
        let steps: String = answer.path.iter().map(step).collect();
        line(&mut text, &format!("  path: {}{steps}", visible(&first.from)));
    }
    if explained {
        line(&mut text, &format!("  kind {}, confidence {:.2}", answer.kind.as_str(), answer.confidence));
    }
    text
}
