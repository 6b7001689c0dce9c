//! Any question, asked of a small memory that never changes: what is found keeps to what was asked for, and the context
//! keeps to its budget and its fence.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use lorebase::engine::fence;
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::memory::{Memory, Recalled};
use lorebase::query::question::{LIMIT_MAX, Question};
use lorebase::query::ways::{Way, Ways};
use lorebase_fuzz::memory::{MEMORY, reader};
use lorebase_fuzz::{setup, times};

#[derive(Arbitrary, Debug)]
struct Asked<'a> {
    /// Bits of the parts of the formula that are left out.
    left_out: u16,
    limit: u16,
    tokens: u16,
    /// Hours from 2024; 0 for no time.
    as_of: i32,
    /// One more than the session's number; 0 for none.
    before: u8,
    text: &'a str,
}

impl Asked<'_> {
    fn question(&self) -> Question<'_> {
        let ways = Way::ALL.into_iter().filter(|(way, _)| self.left_out & (1 << *way as u16) != 0);
        Question {
            limit: usize::from(self.limit),
            as_of: (self.as_of != 0).then(|| times::hours_from_2024(self.as_of)),
            before_session: self.before_session(),
            ways: ways.fold(Ways::ALL, |ways, (way, _)| ways.without(way)),
            ..Question::new(self.text)
        }
    }

    fn before_session(&self) -> Option<SessionId> {
        let number = usize::from(self.before).checked_sub(1)?;
        let reader = reader(&MEMORY);
        let sessions = reader.state().sessions();
        Some(sessions.get(number).map_or_else(|| SessionId::new(self.text), |session| session.id.clone()))
    }
}

fuzz_target!(init: setup::one_thread(), |asked: Asked<'_>| {
    let (memory, namespace): (&Memory, _) = (&MEMORY, Namespace::default());
    let question = asked.question();
    let Ok(found) = memory.recall(&namespace, &question) else {
        let known = |id: &SessionId| reader(memory).state().find_session(id).is_some();
        let refused = asked.text.trim().is_empty()
            || !(1..=LIMIT_MAX).contains(&question.limit)
            || question.before_session.as_ref().is_some_and(|id| !known(id));
        assert!(refused, "{question:?}");
        return;
    };
    keeps_to(&question, &found);
    let fewer = Question { limit: question.limit.div_ceil(2), ..question.clone() };
    let best = memory.recall(&namespace, &fewer).expect("it was just asked").hits;
    assert!(best.iter().zip(&found.hits).all(|(a, b)| (a.episode.id, a.score) == (b.episode.id, b.score)));
    context(&question, usize::from(asked.tokens));
    memory.entity(&namespace, asked.text).expect("memory is not read from disk");
    memory.facts(&namespace, Some(asked.text), Some(asked.text)).expect("memory is not read from disk");
});

fn keeps_to(question: &Question<'_>, found: &Recalled) {
    let hits = &found.hits;
    assert!(hits.len() <= question.limit);
    assert!(hits.iter().all(|hit| hit.score.is_finite()) && hits.is_sorted_by(|a, b| a.score >= b.score));
    let distinct: HashSet<_> = hits.iter().map(|hit| hit.episode.id).collect();
    assert_eq!(distinct.len(), hits.len());
    for hit in hits {
        let said = hit.episode.occurred_at.map(|at| at.instant);
        assert!(question.as_of.is_none_or(|as_of| said.is_none_or(|said| said <= as_of)), "{hit:?}");
        assert!(question.before_session.as_ref().is_none_or(|id| *id != hit.episode.session), "{hit:?}");
        for fact in &hit.facts {
            assert!(!fact.support.is_empty());
        }
    }
}

fn context(question: &Question<'_>, tokens: usize) {
    let context = MEMORY.context(&Namespace::default(), question, tokens).expect("it was just asked");
    assert!(context.tokens <= tokens, "{} of {tokens} tokens", context.tokens);
    let whole = usize::from(!context.citations.is_empty());
    for sign in [fence::OPEN, fence::CLOSE] {
        assert_eq!(context.text.matches(sign).count(), whole, "{}", context.text);
    }
    assert_eq!(fence::fenced(&context.text).len(), whole);
}
