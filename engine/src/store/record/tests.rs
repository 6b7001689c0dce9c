//! Commits come back as they were written, whatever they hold, and bytes that were not written do no harm.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::dates::Granularity;
use crate::model::extraction::{Extraction, Flag, FlagReason, NamedSpan, Refusal, RefusalReason};
use crate::model::fact::{FactKind, IMPORTANCES, Named, Polarity, Triple, TripleObject};
use crate::model::id::{EntityId, FactId, SessionId};
use crate::model::predicate::Predicate;
use crate::model::ruling::{Care, Evidence, Matter, Names, RuledBy, Sign};
use crate::model::time::{Interval, SourceTime};

const COMMIT: (u8, u8) = (KIND_COMMIT, COMMIT_VERSION);
const NAMES: [&str; 6] = ["Ilka", "Bram", "Fernwood Dairy", "陽子", "", "s 1"];

fn namespace() -> Namespace {
    Namespace::new("acme/user-42").unwrap()
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => proptest::sample::select(&NAMES[..]).prop_map(str::to_owned), 1 => ".{0,9}"]
}

fn text() -> impl Strategy<Value = String> {
    let words = vec(name(), 0..6).prop_map(|words| words.join(" "));
    prop_oneof![3 => words, 1 => ".{0,40}", 1 => Just("👩\u{200d}🚀 Ilka ".repeat(100))]
}

fn time() -> impl Strategy<Value = Timestamp> {
    let minutes = (-1_000_000i64..1_000_000).prop_map(|minutes| minutes * 60_000);
    prop_oneof![3 => minutes, 1 => -300_000_000_000_000i64..250_000_000_000_000]
        .prop_map(|millis| Timestamp::from_millis(millis).unwrap())
}

fn episode() -> impl Strategy<Value = Episode> {
    let at = option::of((time(), option::of(any::<i16>())));
    let places = prop_oneof![0u32..9, any::<u32>()];
    let said = (option::of(name()), at, text());
    let recorded = (time(), option::weighted(0.2, time()), option::weighted(0.2, time()));
    (name(), places, said, recorded, option::of(name())).prop_map(
        |(session, position, (speaker, at, text), (recorded_at, expires_at, told_at), source_id)| {
            let session = SessionId::new(&session);
            let occurred_at = at.map(|(instant, offset_minutes)| SourceTime { instant, offset_minutes });
            let said = (speaker.as_deref(), occurred_at);
            let new = Episode::new(&namespace(), session, position, said, &text, recorded_at);
            Episode { source_id, expires_at, told_at, ..new }
        },
    )
}

fn span() -> impl Strategy<Value = Span> {
    (prop_oneof![0u32..40, any::<u32>()], prop_oneof![0u32..20, any::<u32>()])
        .prop_map(|(start, length)| Span { start, end: start.saturating_add(length) })
}

fn kind() -> impl Strategy<Value = EntityKind> {
    proptest::sample::select(&EntityKind::ALL[..]).prop_map(|(kind, _)| kind)
}

fn triple() -> impl Strategy<Value = Triple> {
    let named = || (name(), kind()).prop_map(|(name, kind)| Named { name, kind });
    let object = prop_oneof![named().prop_map(TripleObject::Entity), name().prop_map(TripleObject::Value)];
    let polarity = prop_oneof![Just(Polarity::Affirmed), Just(Polarity::Negated)];
    let fact_kind = proptest::sample::select(&FactKind::ALL[..]).prop_map(|(kind, _)| kind);
    let valid = (option::of(time()), option::of(time())).prop_map(|(from, to)| Interval { from, to });
    let confidence = prop_oneof![Just(0.9f32), 0.0f32..=1.0];
    let granularity = option::of(proptest::sample::select(&Granularity::ALL[..]));
    let manner = (
        any::<bool>(),
        option::weighted(0.2, name()),
        IMPORTANCES,
        (granularity, proptest::bool::weighted(0.2)),
    );
    ((named(), name(), object), (polarity, fact_kind, confidence), valid, span(), manner).prop_map(
        |((subject, predicate, object), (polarity, kind, confidence), valid, span, manner)| Triple {
            polarity,
            kind,
            confidence,
            valid,
            span,
            hedged: manner.0,
            attributed_to: manner.1,
            importance: manner.2,
            granularity: manner.3.0.map(|(granularity, _)| granularity),
            corrects: manner.3.1,
            ..Triple::new(subject, Predicate::new(&predicate), object)
        },
    )
}

/// Readings, each with a number that says of which episode it is: one of the commit, or an earlier one.
fn readings() -> impl Strategy<Value = Vec<(usize, Reading)>> {
    let mention = (span(), name(), kind()).prop_map(|(span, name, kind)| NamedSpan { span, name, kind });
    let refusal = (span(), proptest::sample::select(&RefusalReason::ALL[..]))
        .prop_map(|(span, (reason, _))| Refusal { span, reason });
    let flag = (span(), proptest::sample::select(&FlagReason::ALL[..]))
        .prop_map(|(span, (reason, _))| Flag { span, reason });
    let found = (vec(mention, 0..5), vec(triple(), 0..5), vec(refusal, 0..3), vec(flag, 0..3))
        .prop_map(|(mentions, triples, refused, flags)| Extraction { mentions, triples, refused, flags });
    let reading = (name(), 0u64..3, found).prop_map(|(extractor, status, found)| Reading {
        episode: EpisodeId::of(&[b"earlier"]),
        extractor,
        status: extraction_status(status).unwrap(),
        found,
    });
    vec((0usize..8, reading), 0..6)
}

fn commit() -> impl Strategy<Value = (Vec<Episode>, Vec<Reading>)> {
    (vec(episode(), 0..6), readings()).prop_map(|(mut episodes, readings)| {
        let mut seen = std::collections::HashSet::new();
        episodes.retain(|episode| seen.insert(episode.id));
        let of = |(number, reading): (usize, Reading)| match episodes.get(number) {
            Some(episode) => Reading { episode: episode.id, ..reading },
            None => reading,
        };
        let readings = readings.into_iter().map(of).collect();
        (episodes, readings)
    })
}

fn encoded(episodes: &[Episode], readings: &[Reading]) -> (Vec<u8>, Vec<u8>) {
    let (episodes, readings): (Vec<_>, Vec<_>) = (episodes.iter().collect(), readings.iter().collect());
    encode_commit(&namespace(), &episodes, &readings)
}

fn told(record: Record) -> Commit {
    match record {
        Record::Commit(commit) => commit,
        Record::Lost(lost) => panic!("{lost:?}"),
    }
}

proptest! {
    #[test]
    fn commits_come_back((episodes, readings) in commit()) {
        let (meta, blob) = encoded(&episodes, &readings);
        let counts = (episodes.len() as u32, readings.len() as u32);
        let summary = summary(COMMIT, &meta, &blob).unwrap().unwrap();
        prop_assert_eq!((summary.episodes, summary.readings, summary.forgets), (counts.0, counts.1, 0));
        let commit = told(decode(COMMIT, &meta, &blob).unwrap());
        for (episode, (start, bytes)) in episodes.iter().zip(&commit.texts) {
            prop_assert_eq!(episode.text.as_bytes(), &blob[*start as usize..(start + bytes) as usize]);
        }
        prop_assert_eq!((commit.namespace, commit.episodes, commit.readings), (namespace(), episodes, readings));
    }

    /// What passes the checksums and is wrong all the same is told, or is another commit.
    #[test]
    fn changed_records_do_no_harm((episodes, readings) in commit(), at: u32, bit in 0u8..8, cut: bool) {
        let (meta, blob) = encoded(&episodes, &readings);
        let mut record = deflate::inflate(&meta).unwrap();
        let at = at as usize % record.len();
        record[at] ^= 1 << bit;
        if cut {
            record.truncate(at);
        }
        let meta = deflate::deflate(&record);
        let _ = decode(COMMIT, &meta, &blob);
        let _ = summary(COMMIT, &meta, &blob);
    }

    #[test]
    fn arbitrary_bytes_do_no_harm(kind in 0u8..5, version in 0u8..5, meta: Vec<u8>, blob: Vec<u8>) {
        let _ = decode((kind, version), &meta, &blob);
        let _ = summary((kind, version), &meta, &blob);
        let _ = decode((kind, version), &deflate::deflate(&meta), &blob);
    }
}

fn sample() -> (Vec<Episode>, Vec<Reading>) {
    let session = SessionId::new("s1");
    let occurred_at: Option<SourceTime> = "2023-05-08T10:00:00+02:00".parse().ok();
    let recorded_at = Timestamp::from_millis(1_700_000_000_000).unwrap();
    let said = (Some("Ana"), occurred_at);
    let new = Episode::new(&namespace(), session, 0, said, "I live in Porto now.", recorded_at);
    let episode = Episode { source_id: Some("D1:3".to_owned()), ..new };
    let id = episode.id;
    let named = |name: &str, kind| Named { name: name.to_owned(), kind };
    let mention = |start, end, name: &str, kind| {
        let span = Span { start, end };
        NamedSpan { span, name: name.to_owned(), kind }
    };
    let mentions =
        vec![mention(0, 0, "Ana", EntityKind::Person), mention(10, 15, "Porto", EntityKind::Place)];
    let home = TripleObject::Entity(named("Porto", EntityKind::Place));
    let triple = Triple {
        confidence: 0.9,
        valid: Interval { from: occurred_at.map(|at| at.instant), to: None },
        span: Span { start: 0, end: 20 },
        ..Triple::new(named("Ana", EntityKind::Person), Predicate::new("lives_in"), home)
    };
    let found = Extraction { mentions, triples: vec![triple], ..Extraction::default() };
    let reading = Reading { episode: id, extractor: "rules-1".into(), status: ExtractionStatus::Done, found };
    (vec![episode], vec![reading])
}

/// The layouts on disk may never change. What deflating makes of them may: it is the same when inflated.
#[test]
fn golden_hashes_of_records() {
    let (mut episodes, mut readings) = sample();
    let found = &mut readings[0].found;
    let passed_on = Triple { hedged: true, importance: 8, ..found.triples[0].clone() };
    found.triples.push(Triple { attributed_to: Some("Rui".to_owned()), ..passed_on });
    let span = Span { start: 3, end: 8 };
    found.refused.push(Refusal { span, reason: RefusalReason::CardNumber });
    found.flags.push(Flag { span, reason: FlagReason::Role });
    let (meta, _) = encoded(&episodes, &readings);
    assert_eq!(hash(&as_of_earlier::<{ commit::COLUMNS_V3 }>(&meta)), "c69c034aa9a88c22");
    episodes[0].expires_at = Timestamp::from_millis(1_800_000_000_000).ok();
    episodes[0].told_at = Timestamp::from_millis(1_600_000_000_000).ok();
    let triple = &mut readings[0].found.triples[0];
    (triple.granularity, triple.corrects) = (Some(Granularity::Month), true);
    let (meta, blob) = encoded(&episodes, &readings);
    let forget = encode_forget(&namespace(), &[EpisodeId::from_bytes([7; 16])]);
    let rulings = encode_rulings(&namespace(), &[ruling()]);
    let lost = encode(&LostV1 { from: 3, to: 9 });
    let hashes = [hash(&deflate::inflate(&meta).unwrap()), hash(&forget), hash(&rulings)];
    assert_eq!(hashes, ["990450aad0e8817d", "5b4aa5d35e27b7a1", "b20dc1791907dc0d"]);
    assert_eq!(blob, b"I live in Porto now.");
    assert_eq!(lost[..], [3u64.to_le_bytes(), 9u64.to_le_bytes()].concat());
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// The record that an earlier format, with its number of columns, made of a commit that says nothing that it could not hold.
fn as_of_earlier<const N: usize>(meta: &[u8]) -> Vec<u8> {
    let mut record: commit::CommitV2 = decode_as(&deflate::inflate(meta).unwrap()).unwrap();
    let mut columns =
        column::ColumnReader::<{ commit::COLUMNS }>::unpack_first(&record.columns, commit::COLUMNS).unwrap();
    let mut first = column::Columns::<N>::new();
    for number in 0..N {
        let left = columns.left(number) as u64;
        first.put_bytes(number, columns.take_bytes(number, left).unwrap());
    }
    record.columns = first.pack();
    encode(&record).into_vec()
}

#[test]
fn commits_of_earlier_formats_are_read() {
    let (episodes, readings) = sample();
    let (meta, blob) = encoded(&episodes, &readings);
    let of_2 = (2, as_of_earlier::<{ commit::COLUMNS_V2 }>(&meta), "b41af5acdd44a196");
    let of_3 = (3, as_of_earlier::<{ commit::COLUMNS_V3 }>(&meta), "fd566f644cea2377");
    for (version, old, golden) in [of_2, of_3] {
        assert_eq!(hash(&old), golden, "format {version}");
        let (form, old) = ((KIND_COMMIT, version), deflate::deflate(&old));
        let commit = told(decode(form, &old, &blob).unwrap());
        assert_eq!((&commit.episodes, &commit.readings), (&episodes, &readings));
        assert_eq!(summary(form, &old, &blob).unwrap().unwrap().episodes, 1);
        assert!(decode(COMMIT, &old, &blob).is_err() && decode(form, &meta, &blob).is_err());
    }
}

#[test]
fn a_small_commit_is_small() {
    let (episodes, readings) = sample();
    let (meta, _) = encoded(&episodes, &readings);
    assert!(meta.len() < 160, "{} bytes", meta.len());
}

const NAMED: Names =
    Names { one: EntityId::from_bytes([1; 16]), other: EntityId::from_bytes([2; 16]), same: true };

fn ruling() -> Ruling {
    let signs = vec![Sign::Initial, Sign::OnlyOne];
    Ruling {
        matter: Matter::Names(NAMED),
        evidence: Evidence { by: RuledBy::Likeness, note: Some("Rui says so".to_owned()), signs, score: 0.5 },
        recorded_at: Timestamp::from_millis(1_700_000_000_000).unwrap(),
    }
}

#[test]
fn rulings_come_back_and_wrong_ones_do_not() {
    let form = (KIND_RULE, RULE_VERSION);
    let matter = Matter::Names(Names { same: false, ..NAMED });
    let split = Ruling { matter, evidence: Evidence::by_hand(None), ..ruling() };
    let claims = vec![FactId::from_bytes([3; 16]), FactId::from_bytes([4; 16])];
    let care = Care::Expire(Timestamp::from_millis(9).ok());
    let on_fact = Matter::Fact { subject: NAMED.one, claims, care };
    let rule = Matter::Rule { text: "p(X, Y) -> q(X, Y)".to_owned() };
    let [on_fact, rule] = [on_fact, rule].map(|matter| Ruling { matter, ..ruling() });
    let rulings = [ruling(), split, on_fact, rule];
    let meta = encode_rulings(&namespace(), &rulings);
    assert_eq!(told(decode(form, &meta, b"").unwrap()).rulings, rulings);
    let counted = summary(form, &meta, b"").unwrap().unwrap();
    assert_eq!((counted.episodes, counted.readings, counted.forgets), (0, 0, 0));
    assert!(decode(form, &meta, b"text").is_err());
    let unlikely = Ruling { evidence: Evidence { score: 2.0, ..ruling().evidence }, ..ruling() };
    assert!(decode(form, &encode_rulings(&namespace(), &[unlikely]), b"").is_err());
    for at in 0..meta.len() {
        let mut changed = meta.clone();
        changed[at] ^= 0x41;
        let _ = (decode(form, &changed, b""), summary(form, &changed, b""));
    }
}

/// The record that formats 2 and 3 made of a ruling.
#[test]
fn rulings_of_earlier_formats_are_read() {
    let Ruling { evidence: Evidence { by, note, signs, score }, recorded_at, .. } = ruling();
    let old = ruling::RulingV1 {
        one: *NAMED.one.as_bytes(),
        other: *NAMED.other.as_bytes(),
        same: true,
        by: by as u8,
        note,
        signs: signs.into_iter().map(|sign| sign as u8).collect(),
        score,
        recorded_at: recorded_at.as_millis(),
    };
    let namespace = namespace().as_str().to_owned();
    let meta = encode(&ruling::RulingsV1 { namespace, rulings: vec![old] });
    assert_eq!(hash(&meta), "375b205288b3c4c4");
    assert_eq!(told(decode((KIND_RULE, 1), &meta, b"").unwrap()).rulings, [ruling()]);
    assert!(summary((KIND_RULE, 1), &meta, b"").unwrap().is_some());
}

#[test]
fn what_is_forgotten_and_what_is_lost_comes_back() {
    let ids = [EpisodeId::of(&[b"a"]), EpisodeId::of(&[b"b"])];
    let meta = encode_forget(&namespace(), &ids);
    let form = (KIND_FORGET, OTHER_VERSION);
    assert_eq!(told(decode(form, &meta, b"").unwrap()).forgets, ids);
    assert_eq!(summary(form, &meta, b"").unwrap().unwrap().forgets, 2);
    let form = (KIND_LOST, OTHER_VERSION);
    let lost = LostV1 { from: 3, to: 9 };
    assert_eq!(decode(form, &encode(&lost), b""), Ok(Record::Lost(lost)));
    assert_eq!(summary(form, &encode(&lost), b""), Ok(None));
    assert!(decode(form, &encode(&LostV1 { from: 3, to: 2 }), b"").is_err());
    assert!(decode(form, &encode(&LostV1 { from: 0, to: 2 }), b"").is_err());
}

/// A few bytes that are used a million times would be gigabytes.
#[test]
fn a_record_that_grows_past_its_limits_is_refused() {
    let (mut episodes, mut readings) = sample();
    let long = "x".repeat(1 << 20);
    readings[0].found.mentions = (0..300)
        .map(|_| NamedSpan { span: Span { start: 0, end: 1 }, name: long.clone(), kind: EntityKind::Person })
        .collect();
    let (meta, blob) = encoded(&episodes, &readings);
    assert!(meta.len() < 4 << 20);
    assert!(decode(COMMIT, &meta, &blob).unwrap_err().contains("longer than they may be"));
    episodes[0].text.clear();
    readings.clear();
    let (meta, _) = encoded(&episodes, &readings);
    assert!(decode(COMMIT, &meta, b"more").is_err(), "texts that are nobody's");
}
