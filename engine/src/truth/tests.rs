//! What stands of facts that bear on one another, case by case.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn at(day: i64) -> Timestamp {
    Timestamp::from_millis(day * 86_400_000).unwrap()
}

fn said(day: i64, recorded: i64) -> Statement {
    Statement {
        valid: Interval { from: Some(at(day)), to: None },
        said: Some(at(day)),
        recorded_at: at(recorded),
        place: (SessionIx(0), day as u32, 0),
        firm: true,
        corrects: false,
        dated: false,
        voice: Voice::Nobody,
    }
}

fn closed(from: i64, to: i64, recorded: i64) -> Statement {
    let said = said(from, recorded);
    Statement { valid: Interval { to: Some(at(to)), ..said.valid }, ..said }
}

type Told<'t> = (&'t str, Polarity, &'t [Statement]);

fn judged(cardinality: Cardinality, facts: &[Told<'_>]) -> Vec<(FactStatus, Interval)> {
    verdicts(cardinality, facts).into_iter().map(|verdict| (verdict.status, verdict.valid)).collect()
}

/// When each fact held, in days; an end that is not known is 0.
fn days(cardinality: Cardinality, facts: &[Told<'_>]) -> Vec<Vec<(i64, i64)>> {
    let day = |at: Option<Timestamp>| at.map_or(0, |at| at.as_millis() / 86_400_000);
    let days = |verdict: Verdict| verdict.stays.iter().map(|stay| (day(stay.from), day(stay.to))).collect();
    verdicts(cardinality, facts).into_iter().map(days).collect()
}

fn verdicts(cardinality: Cardinality, facts: &[Told<'_>]) -> Vec<Verdict> {
    let number = |object: &str| facts.iter().position(|(other, ..)| *other == object).unwrap() as u64;
    let stated: Vec<Stated<'_>> = facts
        .iter()
        .map(|(object, polarity, statements)| Stated {
            object: number(object),
            polarity: *polarity,
            kind: FactKind::Fact,
            statements,
        })
        .collect();
    judge(cardinality, &stated)
}

const YES: Polarity = Polarity::Affirmed;
const NO: Polarity = Polarity::Negated;

#[test]
fn a_later_home_supersedes_an_earlier_one_in_either_order() {
    let (berlin, porto) = ([said(1, 9)], [said(5, 2)]);
    let forward = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
    let backward = judged(Cardinality::Single, &[("Porto", YES, &porto), ("Berlin", YES, &berlin)]);
    assert_eq!(forward[0], (FactStatus::Superseded, Interval { from: Some(at(1)), to: Some(at(5)) }));
    assert_eq!(forward[1].0, FactStatus::Current);
    assert_eq!((forward[0], forward[1]), (backward[1], backward[0]));
}

#[test]
fn returning_to_an_old_value_makes_it_current_again() {
    let (berlin, porto) = ([said(1, 1), said(9, 9)], [said(5, 5)]);
    let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
    assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Current, FactStatus::Superseded));
}

#[test]
fn many_valued_facts_stand_side_by_side_until_denied() {
    let (tea, coffee, not_tea) = ([said(1, 1)], [said(2, 2)], [said(3, 3)]);
    let facts = [("tea", YES, &tea[..]), ("coffee", YES, &coffee), ("tea", NO, &not_tea)];
    let statuses: Vec<_> = judged(Cardinality::Many, &facts).into_iter().map(|(status, _)| status).collect();
    assert_eq!(statuses, [FactStatus::Retracted, FactStatus::Current, FactStatus::Current]);
}

#[test]
fn what_cannot_be_ordered_stays_side_by_side() {
    let (one, mut other) = ([said(1, 1)], [said(1, 1)]);
    other[0].place = (SessionIx(1), 7, 0);
    let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &one), ("Porto", YES, &other)]);
    assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Current, FactStatus::Current));
}

#[test]
fn a_closed_stay_in_the_past_is_not_superseded() {
    let past = [closed(1, 2, 9)];
    let now = [said(5, 5)];
    let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &past), ("Porto", YES, &now)]);
    assert_eq!(verdicts[0], (FactStatus::Current, Interval { from: Some(at(1)), to: Some(at(2)) }));
    assert_eq!(verdicts[1].0, FactStatus::Current);
}

#[test]
fn what_is_said_later_in_one_session_counts() {
    let (berlin, mut porto) = ([said(1, 1)], [said(1, 1)]);
    porto[0].place.1 += 4;
    let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
    assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Superseded, FactStatus::Current));
}

#[test]
fn a_denial_after_the_end_changes_nothing_and_one_before_it_ends_it_sooner() {
    let past = [closed(1, 5, 1)];
    let (after, before) = ([said(7, 7)], [said(3, 7)]);
    let late = judged(Cardinality::Many, &[("Berlin", YES, &past), ("Berlin", NO, &after)]);
    assert_eq!(late[0], (FactStatus::Current, Interval { from: Some(at(1)), to: Some(at(5)) }));
    let early = judged(Cardinality::Many, &[("Berlin", YES, &past), ("Berlin", NO, &before)]);
    assert_eq!(early[0], (FactStatus::Retracted, Interval { from: Some(at(1)), to: Some(at(3)) }));
}

#[test]
fn a_second_stay_begins_anew() {
    let (berlin, porto) = ([said(1, 1), said(9, 9)], [said(5, 5)]);
    let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
    assert_eq!(verdicts[0].1, Interval { from: Some(at(9)), to: None });
    assert_eq!(verdicts[1].1, Interval { from: Some(at(5)), to: Some(at(9)) });
}

fn maybe(day: i64) -> Statement {
    Statement { firm: false, ..said(day, day) }
}

#[test]
fn what_is_not_firm_takes_nothings_place_and_gives_way() {
    let (berlin, perhaps) = ([said(1, 1)], [maybe(5)]);
    let facts = [("Berlin", YES, &berlin[..]), ("Porto", YES, &perhaps[..])];
    let verdicts = judged(Cardinality::Single, &facts);
    assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Current, FactStatus::Current));
    let (perhaps, other, berlin) = ([maybe(1)], [maybe(2)], [said(5, 5)]);
    let facts = [("Porto", YES, &perhaps[..]), ("Vigo", YES, &other[..]), ("Berlin", YES, &berlin[..])];
    let statuses: Vec<_> =
        judged(Cardinality::Single, &facts).into_iter().map(|(status, _)| status).collect();
    assert_eq!(statuses, [FactStatus::Superseded, FactStatus::Superseded, FactStatus::Current]);
}

#[test]
fn a_stay_goes_back_over_what_is_not_firm() {
    let (berlin, perhaps) = ([said(1, 1), said(9, 9)], [maybe(5)]);
    let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &perhaps)]);
    assert_eq!(verdicts[0].1, Interval { from: Some(at(1)), to: None });
}

#[test]
fn a_denial_that_is_not_firm_denies_nothing() {
    let (tea, not_tea, sure) = ([said(1, 1)], [maybe(3)], [said(4, 4)]);
    let doubted = judged(Cardinality::Many, &[("tea", YES, &tea), ("tea", NO, &not_tea)]);
    assert_eq!(doubted[0].0, FactStatus::Current);
    let denied = judged(Cardinality::Many, &[("tea", YES, &not_tea), ("tea", NO, &sure)]);
    assert_eq!(denied[0].0, FactStatus::Retracted);
}

#[test]
fn firm_statements_count_alone() {
    let (berlin, porto) = ([said(1, 1), maybe(9)], [said(5, 5)]);
    let verdicts = judged(Cardinality::Single, &[("Berlin", YES, &berlin), ("Porto", YES, &porto)]);
    assert_eq!((verdicts[0].0, verdicts[1].0), (FactStatus::Superseded, FactStatus::Current));
}

#[test]
fn only_states_compete() {
    let (porto, berlin) = ([said(1, 1)], [said(5, 5)]);
    let stated = |object, kind, statements| Stated { object, polarity: YES, kind, statements };
    for (kind, _) in FactKind::ALL {
        let facts = [stated(0, FactKind::Fact, &porto[..]), stated(1, kind, &berlin[..])];
        let moved = judge(Cardinality::Single, &facts)[0].status == FactStatus::Superseded;
        assert_eq!(moved, kind.is_state(), "{kind:?}");
    }
}

#[test]
fn two_stays_are_two_intervals() {
    let (berlin, porto) = ([said(1, 1), said(9, 9)], [said(5, 5)]);
    let facts = [("Berlin", YES, &berlin[..]), ("Porto", YES, &porto)];
    assert_eq!(days(Cardinality::Single, &facts), [vec![(1, 5), (9, 0)], vec![(5, 9)]]);
}

#[test]
fn a_stay_with_an_end_takes_only_its_own_time() {
    let (porto, berlin) = ([said(1, 1)], [closed(3, 5, 9)]);
    let facts = [("Porto", YES, &porto[..]), ("Berlin", YES, &berlin)];
    assert_eq!(days(Cardinality::Single, &facts), [vec![(1, 3), (5, 0)], vec![(3, 5)]]);
    assert_eq!(verdicts(Cardinality::Single, &facts)[0].status, FactStatus::Current);
    assert_eq!(days(Cardinality::Many, &facts[..1]), [vec![(1, 0)]]);
}

#[test]
fn what_is_denied_for_a_time_holds_before_and_after() {
    let (porto, not) = ([said(1, 1)], [closed(3, 5, 9)]);
    let facts = [("Porto", YES, &porto[..]), ("Porto", NO, &not)];
    assert_eq!(days(Cardinality::Many, &facts), [vec![(1, 3), (5, 0)], vec![(3, 5)]]);
}

fn corrects(day: i64) -> Statement {
    Statement { corrects: true, ..said(day, day) }
}

#[test]
fn a_correction_holds_from_when_the_error_was_said_to() {
    let (berlin, not, munich) = ([said(1, 1)], [corrects(4)], [corrects(4)]);
    let facts = [("Berlin", YES, &berlin[..]), ("Berlin", NO, &not), ("Munich", YES, &munich)];
    let found = verdicts(Cardinality::Single, &facts);
    assert_eq!((found[0].status, found[0].recorded.to), (FactStatus::Retracted, Some(at(4))));
    assert_eq!(days(Cardinality::Single, &facts)[0], []);
    assert_eq!(days(Cardinality::Single, &facts)[2], [(1, 0)]);
    let without = [("Berlin", YES, &berlin[..]), ("Munich", YES, &munich)];
    assert_eq!(days(Cardinality::Single, &without), [vec![], vec![(1, 0)]], "nor need it name the error");
}

#[test]
fn a_correction_takes_over_one_stay_and_leaves_those_before() {
    let (vigo, berlin, munich) = ([said(1, 1)], [said(3, 3)], [corrects(4)]);
    let facts = [("Vigo", YES, &vigo[..]), ("Berlin", YES, &berlin), ("Munich", YES, &munich)];
    assert_eq!(days(Cardinality::Single, &facts), [vec![(1, 3)], vec![], vec![(3, 0)]]);
}

#[test]
fn what_is_said_again_after_its_correction_is_news_and_what_is_told_late_is_not() {
    let (berlin, munich) = ([said(1, 1), said(9, 9)], [corrects(4)]);
    let facts = [("Berlin", YES, &berlin[..]), ("Munich", YES, &munich)];
    assert_eq!(days(Cardinality::Single, &facts), [vec![(9, 0)], vec![(1, 9)]]);
    let berlin = [said(1, 1), said(2, 9)];
    let facts = [("Berlin", YES, &berlin[..]), ("Munich", YES, &munich)];
    assert_eq!(days(Cardinality::Single, &facts), [vec![], vec![(1, 0)]]);
}

#[test]
fn what_never_was_so_never_was() {
    let (tea, never) = ([said(1, 1), closed(2, 3, 2)], [corrects(4)]);
    let facts = [("tea", YES, &tea[..]), ("tea", NO, &never)];
    assert_eq!(days(Cardinality::Many, &facts), [vec![], vec![(4, 0)]]);
}

fn by(speaker: u32, first_hand: bool, day: i64) -> Statement {
    let voice = if first_hand { Voice::Own(speaker) } else { Voice::Of(speaker) };
    Statement { voice, ..said(day, day) }
}

#[test]
fn two_who_tell_of_a_third_in_one_session_have_no_order() {
    let (porto, lyon) = ([by(1, false, 1)], [by(2, false, 2)]);
    let facts = [("Porto", YES, &porto[..]), ("Lyon", YES, &lyon)];
    let found = verdicts(Cardinality::Single, &facts);
    assert!(found.iter().all(|verdict| verdict.contested && verdict.status == FactStatus::Current));
    let lyon = [Statement { place: (SessionIx(1), 0, 0), ..lyon[0] }];
    let later = verdicts(Cardinality::Single, &[("Porto", YES, &porto[..]), ("Lyon", YES, &lyon)]);
    assert_eq!((later[0].status, later[0].contested), (FactStatus::Superseded, false));
}

#[test]
fn who_tells_of_himself_knows_better() {
    let (porto, lyon) = ([by(1, true, 1)], [by(2, false, 2)]);
    let facts = [("Porto", YES, &porto[..]), ("Lyon", YES, &lyon)];
    let found = verdicts(Cardinality::Single, &facts);
    assert_eq!((found[0].status, found[1].status), (FactStatus::Current, FactStatus::Superseded));
    assert_eq!((found[1].successor, found[0].contested), (Some(0), false));
}

#[test]
fn nobody_corrects_what_another_says_of_himself() {
    let (porto, lyon) = ([by(1, true, 1)], [Statement { corrects: true, ..by(2, false, 2) }]);
    let facts = [("Porto", YES, &porto[..]), ("Lyon", YES, &lyon)];
    assert_eq!(verdicts(Cardinality::Single, &facts)[0].status, FactStatus::Current);
    let lyon = [Statement { voice: Voice::Nobody, ..lyon[0] }];
    let by_hand = verdicts(Cardinality::Single, &[("Porto", YES, &porto[..]), ("Lyon", YES, &lyon)]);
    assert_eq!(by_hand[0].status, FactStatus::Retracted);
}

/// The last day that the naive model looks at.
const DAYS: i64 = 12;

/// Whether an object is said to have held on a day, asked of every statement: the naive model.
fn held(
    cardinality: Cardinality,
    all: &[(u64, bool, Statement)],
    object: u64,
    affirmed: bool,
    day: i64,
) -> bool {
    let covers = |statement: &Statement| statement.valid.contains(at(day));
    // What is said later to have ended is not said to go on any more.
    let over = |own: &Statement| {
        own.valid.to.is_none()
            && all.iter().filter(|(other, yes, _)| *other == object && *yes == affirmed).any(|(.., said)| {
                let closes = said.valid.to.is_some_and(|to| own.valid.from.unwrap() < to && to <= at(day));
                closes && said.valid.from <= own.valid.from && own.is_said_before(said)
            })
    };
    all.iter()
        .filter(|(other, yes, said)| *other == object && *yes == affirmed && covers(said) && !over(said))
        .any(|(.., own)| {
            !all.iter().any(|(other, yes, said)| {
                let opposite = *other == object && *yes != affirmed;
                let rival = cardinality == Cardinality::Single && *other != object && *yes && affirmed;
                (opposite || rival) && covers(said) && said.after(own)
            })
        })
}

fn told() -> impl Strategy<Value = (u64, bool, Statement)> {
    let time = (0..DAYS, prop::option::weighted(0.3, 1..5i64), 0..3i64);
    let place = (0..2u32, 0..4u32);
    (0..3u64, prop::bool::weighted(0.8), time, place).prop_map(
        |(object, affirmed, (from, length, recorded), place)| {
            let statement = Statement {
                valid: Interval { from: Some(at(from)), to: length.map(|length| at(from + length)) },
                place: (SessionIx(place.0), place.1, object as u32),
                ..said(from, recorded)
            };
            (object, affirmed, statement)
        },
    )
}

/// How many random histories are judged; more where `LOREBASE_TRUTH_CASES` says so.
fn cases() -> u32 {
    std::env::var("LOREBASE_TRUTH_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(512)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    /// What is found does not depend on the order in which it is told, and is what the naive model says of each day.
    #[test]
    fn a_history_comes_to_the_same_in_any_order(
        all in vec(told(), 1..14),
        single: bool,
        shuffle in vec(any::<u32>(), 14),
    ) {
        let cardinality = if single { Cardinality::Single } else { Cardinality::Many };
        let judged = |order: &[usize]| {
            let mut found = Vec::new();
            let objects: &[&[u64]] = if single { &[&[0, 1, 2]] } else { &[&[0], &[1], &[2]] };
            for group in objects {
                let facts: Vec<(u64, bool, Vec<Statement>)> = group
                    .iter()
                    .flat_map(|object| [(*object, true), (*object, false)])
                    .map(|(object, affirmed)| {
                        let told = order.iter().map(|place| &all[*place]);
                        let own = told.filter(|(other, yes, _)| (*other, *yes) == (object, affirmed));
                        (object, affirmed, own.map(|(.., statement)| *statement).collect())
                    })
                    .filter(|(.., statements): &(_, _, Vec<_>)| !statements.is_empty())
                    .collect();
                let stated: Vec<Stated<'_>> = facts
                    .iter()
                    .map(|(object, affirmed, statements)| Stated {
                        object: *object,
                        polarity: if *affirmed { YES } else { NO },
                        kind: FactKind::Fact,
                        statements,
                    })
                    .collect();
                let verdicts = judge(cardinality, &stated);
                let each = facts.iter().zip(verdicts);
                found.extend(each.map(|((object, affirmed, _), verdict)| (*object, *affirmed, verdict)));
            }
            found
        };
        let plain: Vec<usize> = (0..all.len()).collect();
        let mut shuffled = plain.clone();
        shuffled.sort_by_key(|place| shuffle[*place]);
        let found = judged(&plain);
        prop_assert_eq!(&found, &judged(&shuffled));
        for (object, affirmed, verdict) in &found {
            for day in 0..DAYS + 6 {
                let holds = verdict.stays.iter().any(|stay| stay.contains(at(day)));
                let expected = held(cardinality, &all, *object, *affirmed, day);
                prop_assert_eq!(holds, expected, "object {} {} on day {}: {:?}", object, affirmed, day, verdict);
            }
        }
    }
}

#[test]
fn what_is_said_to_be_over_goes_on_no_longer() {
    let until = Statement { valid: Interval { from: None, to: Some(at(4)) }, ..said(9, 9) };
    let acme = [said(1, 1), until];
    assert_eq!(days(Cardinality::Many, &[("Acme", YES, &acme)]), [vec![(1, 4)]]);
    let whole =
        [said(2, 2), Statement { valid: Interval { from: Some(at(1)), to: Some(at(4)) }, ..said(9, 9) }];
    assert_eq!(days(Cardinality::Many, &[("Acme", YES, &whole)]), [vec![(1, 4)]]);
    let back = [said(1, 1), until, said(10, 10)];
    assert_eq!(days(Cardinality::Many, &[("Acme", YES, &back)]), [vec![(1, 4), (10, 0)]]);
}
