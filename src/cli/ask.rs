//! `lore ask`: a short answer, or that there is none.

use lorebase::answer::Answer;

use super::args::AskArgs;
use super::{Outcome, Store, drawing, notices_of, out_of_time, render, walk};
use crate::wire;

impl Store {
    pub(super) fn ask(&self, args: &AskArgs) -> anyhow::Result<Outcome> {
        let model = self.reranker(args.rerank.rerank.as_deref())?;
        let rerank = model.as_deref().map(|model| args.rerank.of(model));
        let question = args.horizon.question(&args.question, rerank);
        let (memory, mut notices) = self.open_to_ask()?;
        let answer: Answer = memory.ask(&self.namespace()?, &question)?;
        notices.extend(notices_of(&answer.meaning));
        notices.extend(out_of_time(answer.reranked.as_ref()));
        self.show(
            || wire::answers::answer(&answer, &notices),
            || render::answers::answer(&answer, args.explain),
        )?;
        walk::draw(&args.drawing, &args.question, answer.path.iter().map(drawing::Line::from))?;
        Ok(if answer.declined() { Outcome::Nothing } else { Outcome::Done })
    }
}
