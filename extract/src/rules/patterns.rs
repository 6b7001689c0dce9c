//! Which pattern reads which verb. What "is" claims is told in `copula`.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::fact::{FactKind, Polarity, Triple};
use lorebase_engine::model::predicate::Predicate;

use crate::rules::claims::{begun, behind, objects, objects_where, place};
use crate::rules::clause::Clause;
use crate::rules::copula::turned;
use crate::rules::couples::{couple, parted, spouse};
use crate::rules::deeds::{journey, made_by, venture};
use crate::rules::everyday::{learning, living, next_post, practising, taken_up};
use crate::rules::group::{Head, Mood};
use crate::rules::posts::{
    became, dropped_out, ended, fired, gave_notice, graduated, hired, is_coming, promoted, pupil, started,
    starts, took, transferred,
};
use crate::rules::states::{
    acquaintance, born, given_away, got, grew_up, manages, moved, possession, reports, shed, speak, study,
    teach, thither, with_name, work,
};
use crate::rules::verbs::Verb;
use crate::rules::wants::{decision, future, plan, preference, verb_plan, wish};

/// What stands between work and where or as what it is done.
const WORK_LINKS: &[&str] = &["at", "for", "as"];

/// Adds what the main verb of a clause claims.
pub(super) fn read(clause: &Clause<'_, '_, '_>, found: &mut Vec<Triple>) {
    match (clause.group.head, clause.group.mood) {
        (Head::Active(verb), Mood::Would) => wish(clause, verb, found),
        (Head::Active(verb), Mood::Future) => future(clause, verb, found),
        (_, Mood::Would | Mood::Future) | (Head::Copula, _) => {}
        (Head::Active(verb), _) => active(clause, verb, found),
        (Head::Progressive(verb), _) => progressive(clause, verb, found),
        (Head::Passive(verb), _) => passive(clause, verb, found),
    }
}

fn active(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    let happened = matches!(clause.group.mood, Mood::Past | Mood::Perfect | Mood::UsedTo);
    match verb {
        Verb::Work => {
            let before = found.len();
            work(clause, WORK_LINKS, found);
            used_to(clause, before, found);
        }
        Verb::Live => {
            let past = clause.group.mood == Mood::Past && !clause.never() && !clause.tells_end();
            match clause.reading.word(clause.group.end) {
                "there" if !past => thither(clause, "lives_in", found),
                _ => {
                    let before = found.len();
                    place(clause, &["in", "near"], if past { "lived_in" } else { "lives_in" }, found);
                    used_to(clause, before, found);
                }
            }
        }
        Verb::Move if happened => moved(clause, found),
        Verb::Come => place(clause, &["from"], "from", found),
        Verb::Grow if clause.reading.is(clause.group.end, &["up"]) => grew_up(clause, found),
        Verb::Like => preference(clause, "likes", found),
        Verb::Dislike => preference(clause, "dislikes", found),
        Verb::Prefer => preference(clause, "prefers", found),
        Verb::Go if happened => journey(clause, found),
        Verb::Go if clause.reading.is(clause.group.end, &["to"]) => {
            pupil(clause, clause.group.end + 1, found);
        }
        Verb::Attend if !happened => pupil(clause, clause.group.end, found),
        Verb::Travel if happened => behind(clause, &["to"], "went_to", FactKind::Event, found),
        Verb::Visit | Verb::Attend if happened => objects(clause, "went_to", FactKind::Event, found),
        Verb::Buy if happened => objects(clause, "bought", FactKind::Event, found),
        Verb::Meet if happened => acquaintance(clause, FactKind::Event, found),
        Verb::Know if !happened => acquaintance(clause, FactKind::Fact, found),
        Verb::Decide => decision(clause, found),
        // What somebody wanted is told as a reason, and may be done by now.
        Verb::Want if happened => {}
        Verb::Plan | Verb::Want => plan(clause, found),
        _ if happened => done(clause, verb, found),
        _ => standing(clause, verb, found),
    }
}

/// "I used to live in Porto": it was so, beside that it is not any more.
fn used_to(clause: &Clause<'_, '_, '_>, before: usize, found: &mut Vec<Triple>) {
    if clause.group.mood != Mood::UsedTo || clause.group.negated {
        return;
    }
    let was = |triple: &Triple| {
        let predicate = match triple.predicate.as_str() {
            "lives_in" => "lived_in",
            "works_at" => "worked_at",
            "works_as" => "worked_as",
            _ => return None,
        };
        let over = triple.polarity == Polarity::Negated;
        over.then(|| Triple {
            predicate: Predicate::new(predicate),
            polarity: Polarity::Affirmed,
            ..triple.clone()
        })
    };
    let past: Vec<Triple> = found[before..].iter().filter_map(was).collect();
    found.extend(past);
}

/// What was done, or has begun.
fn done(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    match verb {
        Verb::Found if !clause.of_hearer() => objects(clause, "founded", FactKind::Event, found),
        Verb::Start => {
            // "Began the practice of …" starts no undertaking.
            let began = clause.reading.is(clause.group.end - 1, &["began"]);
            if !started(clause, found) && !began {
                venture(clause, clause.group.end, found);
            }
        }
        Verb::Set if clause.reading.is(clause.group.end, &["up"]) => {
            venture(clause, clause.group.end + 1, found);
        }
        Verb::Leave | Verb::Quit => {
            ended(clause, verb, found);
            next_post(clause, found);
        }
        Verb::Hand => gave_notice(clause, found),
        Verb::Transfer => transferred(clause, found),
        Verb::Shed => shed(clause, found),
        Verb::Give => given_away(clause, found),
        Verb::Take => {
            if !took(clause, clause.group.end, found) {
                taken_up(clause, found);
            }
        }
        Verb::Drop => dropped_out(clause, found),
        Verb::Become => became(clause, found),
        Verb::Create if !clause.of_hearer() => objects(clause, "created", FactKind::Event, found),
        Verb::Join => begun(clause, "member_of", found),
        Verb::Graduate => graduated(clause, found),
        Verb::Adopt => {
            if !with_name(clause, found) {
                begun(clause, "has", found);
            }
        }
        Verb::Turn => turned(clause, found),
        Verb::Win => objects(clause, "won", FactKind::Event, found),
        Verb::Marry => spouse(clause, clause.group.end, found),
        Verb::Part => parted(clause, found),
        Verb::Get => got(clause, found),
        _ => standing(clause, verb, found),
    }
}

/// What stands as it is told.
fn standing(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    // "Played chess" may have been once.
    let present = matches!(clause.group.mood, Mood::Present | Mood::UsedTo);
    match verb {
        Verb::Study => study(clause, found),
        Verb::Report if clause.reading.is(clause.group.end, &["to"]) => {
            reports(clause, clause.group.end + 1, found);
        }
        Verb::Manage if present => manages(clause, found),
        Verb::Locate => place(clause, &["in"], "located_in", found),
        Verb::Start if present => starts(clause, found),
        Verb::Join | Verb::Leave | Verb::Quit | Verb::Move | Verb::Marry if is_coming(clause) => {
            verb_plan(clause, clause.group.end - 1, found);
        }
        Verb::Own => objects(clause, "has", FactKind::Fact, found),
        Verb::Volunteer => place(clause, &["at", "for", "with"], "volunteers_at", found),
        Verb::Play if present => objects(clause, "plays", FactKind::Fact, found),
        Verb::Practise if present => practising(clause, found),
        Verb::Teach if present => teach(clause, found),
        Verb::Speak if present => speak(clause, found),
        Verb::Have => possession(clause, found),
        Verb::Earn if present => living(clause, found),
        _ => {}
    }
}

pub(super) fn progressive(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    match verb {
        Verb::Work => work(clause, WORK_LINKS, found),
        Verb::Live => place(clause, &["in", "near"], "lives_in", found),
        Verb::Study => study(clause, found),
        Verb::Play => objects(clause, "plays", FactKind::Fact, found),
        Verb::Learn => learning(clause, found),
        Verb::Volunteer => place(clause, &["at", "for", "with"], "volunteers_at", found),
        Verb::Date => {
            objects_where(clause, "partner_of", FactKind::Fact, |phrase| phrase.named().is_some(), found);
        }
        Verb::Go | Verb::Plan | Verb::Decide if clause.group.mood == Mood::Present => plan(clause, found),
        Verb::Start if clause.group.mood == Mood::Present => starts(clause, found),
        Verb::Move | Verb::Visit | Verb::Travel | Verb::Join | Verb::Marry | Verb::Leave | Verb::Quit
            if clause.group.mood == Mood::Present =>
        {
            verb_plan(clause, clause.group.end - 1, found);
        }
        _ => {}
    }
}

fn passive(clause: &Clause<'_, '_, '_>, verb: Verb, found: &mut Vec<Triple>) {
    let (reading, at) = (clause.reading, clause.group.end);
    match verb {
        Verb::Bear => born(clause, found),
        Verb::Marry if reading.is(at, &["to"]) => spouse(clause, at + 1, found),
        Verb::Marry => couple(clause, "married_to", at, found),
        Verb::Fire => fired(clause, at, found),
        Verb::Promote => promoted(clause, at, found),
        Verb::Hire | Verb::Employ => {
            hired(clause, at, &["by", "at", "as"], found);
        }
        Verb::Locate => {
            let lives = matches!(clause.subject.named.kind, EntityKind::Person);
            place(clause, &["in", "near"], if lives { "lives_in" } else { "located_in" }, found);
        }
        Verb::Found | Verb::Start => made_by(clause, "founded", found),
        Verb::Create => made_by(clause, "created", found),
        _ => {}
    }
}
