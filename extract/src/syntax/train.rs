//! Learns the weights of tagger and parser from sentences that somebody else has parsed. Only under the feature `train`: what
//! is learnt is a file that is part of the repository, see `scripts/syntax`.

use std::io::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::Node;
use crate::syntax::kinds::{Label, Tag};
use crate::syntax::model::{HEAD, Model, key};
use crate::syntax::parser::{self, Move, State};
use crate::syntax::tagger::{self, TagScores};
use crate::syntax::tokens;
use crate::syntax::word::{Features, Word};

/// A sentence with what belongs where in it.
#[derive(Debug)]
struct Gold {
    words: Vec<Word>,
    tags: Vec<Tag>,
    heads: Vec<usize>,
    labels: Vec<Label>,
}

/// The sentences of `text`, one an entry, as words: what a parser is given to read.
pub fn sentences(text: &str) -> Vec<Vec<String>> {
    let lower = text.to_ascii_lowercase();
    let tokens = tokens::tokens(text, &lower);
    let words = |(start, end): (usize, usize)| {
        tokens[start..end].iter().map(|token| token.raw(text).to_owned()).collect()
    };
    tokens::sentences(&tokens).into_iter().map(words).collect()
}

/// What is kept of what was learnt.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kept {
    /// How often a feature must have been changed.
    pub changes: u32,
    /// How great a weight must be, in steps of the file.
    pub weight: u8,
}

impl Kept {
    const ALL: Self = Self { changes: 1, weight: 1 };
}

/// How good weights are on sentences that they were not learnt from, in shares.
#[derive(Debug, Clone, Copy)]
pub struct Quality {
    /// Words with the right part of speech.
    pub tags: f64,
    /// Words that belong to the right word; signs are not counted.
    pub heads: f64,
    /// The same with the right label.
    pub labels: f64,
}

/// Learns from `parses`: a line a word (word, tag, place of its head from 0, label, with tabs), an empty line after each
/// sentence. Every twentieth sentence is held back to measure. All is learnt twice: what of the first time is `kept` are the
/// features that the second time may use. Answers the file of weights and how good they are.
///
/// # Errors
/// Where a line is none of these.
pub fn learn(parses: &str, rounds: usize, kept: [Kept; 3]) -> Result<(Vec<u8>, Quality), String> {
    let all = parses
        .split("\n\n")
        .filter(|part| !part.trim().is_empty())
        .map(gold)
        .collect::<Result<Vec<_>, _>>()?;
    let (tests, taught): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(at, _)| at % 20 == 7);
    let tests: Vec<Gold> = tests.into_iter().map(|(_, gold)| gold).collect();
    let mut taught: Vec<Gold> = taught.into_iter().map(|(_, gold)| gold).collect();
    let mut random = Random(1);
    let mut tags = Learner::new(Tag::ALL.len());
    teach_tags(&mut tags, &mut taught, rounds / 2, &mut random);
    let mut tags = tags.anew(kept[0]);
    teach_tags(&mut tags, &mut taught, rounds, &mut random);
    let tags = tags.averaged(Kept::ALL);
    // The parser learns on the tags that it will be given.
    let read: Vec<Vec<Tag>> = taught.iter().map(|gold| tagger::tag(&Averages(&tags), &gold.words)).collect();
    let (mut moves, mut labels) = (Learner::new(3), Learner::new(Label::ALL.len()));
    teach_ties((&mut moves, &mut labels), (&taught, &read), rounds / 2, &mut random);
    let (mut moves, mut labels) = (moves.anew(kept[1]), labels.anew(kept[2]));
    teach_ties((&mut moves, &mut labels), (&taught, &read), rounds, &mut random);
    let file = file(&[tags, moves.averaged(Kept::ALL), labels.averaged(Kept::ALL)]);
    let quality = measure(&Model::read(&file), &tests);
    Ok((file, quality))
}

fn gold(part: &str) -> Result<Gold, String> {
    let mut gold = Gold { words: Vec::new(), tags: Vec::new(), heads: Vec::new(), labels: Vec::new() };
    for line in part.trim_matches('\n').split('\n') {
        let wrong = || format!("not a word, tag, head and label: {line}");
        let mut fields = line.split('\t');
        let mut field = || fields.next().ok_or_else(wrong);
        let word = field()?;
        let straight = word.replace('’', "'").to_ascii_lowercase();
        gold.words.push(Word::of(word, &straight));
        gold.tags.push(Tag::named(field()?).unwrap_or(Tag::Other));
        gold.heads.push(field()?.parse().map_err(|_| wrong())?);
        gold.labels.push(Label::named(field()?).unwrap_or(Label::Dep));
    }
    // Who belongs to none belongs to the root, behind the last word.
    let count = gold.words.len();
    for (at, head) in gold.heads.iter_mut().enumerate() {
        if *head == at {
            *head = count;
        }
    }
    Ok(gold)
}

fn projective(heads: &[usize]) -> bool {
    let ties: Vec<(usize, usize)> =
        heads.iter().enumerate().map(|(at, head)| (at.min(*head), at.max(*head))).collect();
    !ties.iter().any(|(a, b)| ties.iter().any(|(c, d)| a < c && c < b && b < d))
}

/// Weights while they are learnt, averaged over all steps.
#[derive(Debug)]
struct Learner {
    classes: usize,
    step: u32,
    weights: FxHashMap<u32, Vec<Weight>>,
    /// The features that may be learnt, where they have been chosen.
    only: Option<FxHashSet<u32>>,
}

#[derive(Debug, Clone, Copy)]
struct Weight {
    class: u8,
    now: f32,
    sum: f64,
    since: u32,
    touched: u32,
}

impl Learner {
    fn new(classes: usize) -> Self {
        Self { classes, step: 0, weights: FxHashMap::default(), only: None }
    }

    /// A learner of what is kept of this one, from nothing.
    fn anew(&self, kept: Kept) -> Self {
        let only = self.averaged(kept).into_iter().map(|(key, _)| key).collect();
        Self { only: Some(only), ..Self::new(self.classes) }
    }

    fn sums(&self, features: &[u64]) -> Vec<f32> {
        let mut sums = vec![0.0; self.classes];
        for feature in features {
            for weight in self.weights.get(&key(*feature)).into_iter().flatten() {
                sums[usize::from(weight.class)] += weight.now;
            }
        }
        sums
    }

    fn best(&self, features: &[u64]) -> usize {
        let sums = self.sums(features);
        (0..sums.len()).rev().max_by(|a, b| sums[*a].total_cmp(&sums[*b])).unwrap_or(0)
    }

    fn learn(&mut self, features: &[u64], right: usize, guessed: usize) {
        self.step += 1;
        if right == guessed {
            return;
        }
        for feature in features {
            let key = key(*feature);
            if self.only.as_ref().is_some_and(|only| !only.contains(&key)) {
                continue;
            }
            let weights = self.weights.entry(key).or_default();
            for (class, change) in [(right, 1.0), (guessed, -1.0)] {
                let place = weights.iter().position(|weight| usize::from(weight.class) == class);
                let place = place.unwrap_or_else(|| {
                    weights.push(Weight {
                        class: class as u8,
                        now: 0.0,
                        sum: 0.0,
                        since: self.step,
                        touched: 0,
                    });
                    weights.len() - 1
                });
                let weight = &mut weights[place];
                weight.sum += f64::from(weight.now) * f64::from(self.step - weight.since);
                weight.now += change;
                weight.since = self.step;
                weight.touched += 1;
            }
        }
    }

    /// The averages in eight bits of what is kept.
    fn averaged(&self, kept: Kept) -> Rows {
        let average = |weight: &Weight| {
            let sum = weight.sum + f64::from(weight.now) * f64::from(self.step - weight.since);
            (sum / f64::from(self.step.max(1)) * SCALE).round().clamp(-127.0, 127.0) as i8
        };
        let mut rows: Rows = Vec::new();
        for (key, weights) in &self.weights {
            if weights.iter().map(|weight| weight.touched).max().unwrap_or(0) < kept.changes {
                continue;
            }
            let mut row: Vec<(u8, i8)> =
                weights.iter().map(|weight| (weight.class, average(weight))).collect();
            row.retain(|(_, weight)| weight.unsigned_abs() >= kept.weight.max(1));
            row.sort_unstable();
            if !row.is_empty() {
                rows.push((*key, row));
            }
        }
        rows.sort_unstable();
        rows
    }
}

/// Steps of a weight in the file that make one.
const SCALE: f64 = 10.0;

/// Averaged weights, by key.
type Rows = Vec<(u32, Vec<(u8, i8)>)>;

struct Averages<'r>(&'r Rows);

impl TagScores for Averages<'_> {
    fn best_tag(&self, features: &[u64]) -> Tag {
        let mut sums = vec![0_i32; Tag::ALL.len()];
        for feature in features {
            if let Ok(place) = self.0.binary_search_by_key(&key(*feature), |row| row.0) {
                for (class, weight) in &self.0[place].1 {
                    sums[usize::from(*class)] += i32::from(*weight);
                }
            }
        }
        let best = (0..sums.len()).rev().max_by_key(|at| sums[*at]).unwrap_or(0);
        Tag::ALL[best]
    }
}

fn teach_tags(tags: &mut Learner, taught: &mut [Gold], rounds: usize, random: &mut Random) {
    let mut features = Features::new();
    for _ in 0..rounds {
        random.shuffle(taught);
        teach_tags_once(tags, taught, &mut features);
    }
}

fn teach_tags_once(tags: &mut Learner, taught: &[Gold], features: &mut Features) {
    for gold in taught {
        let mut guessed = Vec::with_capacity(gold.tags.len());
        for (at, right) in gold.tags.iter().enumerate() {
            tagger::look(&gold.words, &guessed, at, features);
            let best = tags.best(features);
            tags.learn(features, *right as usize, best);
            guessed.push(Tag::ALL[best]);
        }
    }
}

fn teach_ties(
    (moves, labels): (&mut Learner, &mut Learner),
    (taught, tags): (&[Gold], &[Vec<Tag>]),
    rounds: usize,
    random: &mut Random,
) {
    let mut order: Vec<usize> = (0..taught.len()).filter(|at| projective(&taught[*at].heads)).collect();
    for round in 0..rounds {
        random.shuffle(&mut order);
        for at in &order {
            teach_sentence((moves, labels), &taught[*at], &tags[*at], round > 0, random);
        }
    }
}

fn teach_sentence(
    (moves, labels): (&mut Learner, &mut Learner),
    gold: &Gold,
    tags: &[Tag],
    explores: bool,
    random: &mut Random,
) {
    let mut state = State::new(&gold.words, tags);
    let mut features = Features::new();
    while !state.is_done() {
        state.look(&mut features);
        let sums = moves.sums(&features);
        let best_of = |steps: &[Move]| {
            steps.iter().copied().rev().max_by(|a, b| sums[*a as usize].total_cmp(&sums[*b as usize]))
        };
        let allowed: Vec<Move> = Move::ALL.into_iter().filter(|step| state.allows(*step)).collect();
        let right: Vec<Move> = allowed.iter().copied().filter(|step| !costs(&state, gold, *step)).collect();
        let Some(guessed) = best_of(&allowed) else { break };
        let wanted = best_of(&right).unwrap_or(guessed);
        moves.learn(&features, wanted as usize, guessed as usize);
        let next = if explores && !random.next().is_multiple_of(10) { guessed } else { wanted };
        if let Some((head, child)) = state.apply(next) {
            state.look_at_tie(head, child, &mut features);
            // Where the tie is wrong there is no right label for it.
            let best = labels.best(&features);
            if gold.heads[child] == head {
                labels.learn(&features, gold.labels[child] as usize, best);
                state.label(child, gold.labels[child]);
            } else {
                state.label(child, Label::ALL[best]);
            }
        }
    }
}

/// Whether a tie that is right cannot be made any more after a move.
fn costs(state: &State<'_>, gold: &Gold, step: Move) -> bool {
    let next = state.next;
    let head = |child: usize| gold.heads.get(child).copied().unwrap_or(usize::MAX);
    let stack = &state.stack;
    let Some((&top, below)) = stack.split_last() else { return false };
    let later_child =
        || (next + 1..gold.heads.len()).chain([next]).any(|at| at < gold.heads.len() && head(at) == top);
    match step {
        // The next word cannot be tied to those below the top any more, nor they to it.
        Move::Shift => below.iter().any(|at| head(next) == *at || head(*at) == next) || head(top) == next,
        // The top gets no more children, and no other head.
        Move::Left => {
            head(top) != next && (head(top) > next || below.last() == Some(&head(top))) || later_child()
        }
        Move::Right => head(top) >= next || later_child(),
    }
}

fn measure(model: &Model, kept: &[Gold]) -> Quality {
    let (mut words, mut tied, mut tags, mut heads, mut labels) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for gold in kept {
        let read = tagger::tag(&model.tags, &gold.words);
        let nodes: Vec<Node> = parser::parse(model, &gold.words, &read);
        for (at, node) in nodes.iter().enumerate() {
            words += 1.0;
            tags += f64::from(node.tag == gold.tags[at]);
            if gold.labels[at] == Label::Punct {
                continue;
            }
            tied += 1.0;
            let head = if node.label == Label::Root { gold.words.len() } else { node.head };
            heads += f64::from(head == gold.heads[at]);
            let label = gold.labels[at] == node.label;
            labels += f64::from(head == gold.heads[at] && label);
        }
    }
    Quality { tags: tags / words, heads: heads / tied, labels: labels / tied }
}

fn file(tables: &[Rows]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for rows in tables {
        number(&mut bytes, rows.len() as u32);
        let mut last = 0;
        for (key, _) in rows {
            number(&mut bytes, key - last);
            last = *key;
        }
        bytes.extend(rows.iter().map(|(_, row)| row.len() as u8));
        for (class, weight) in rows.iter().flat_map(|(_, row)| row) {
            bytes.extend([*class, *weight as u8]);
        }
    }
    let names = |all: Vec<&str>| all.join(" ");
    let tags = names(Tag::ALL.iter().map(|tag| tag.as_str()).collect());
    let labels = names(Label::ALL.iter().map(|label| label.as_str()).collect());
    let mut file = format!("{HEAD}\n{tags}\n{labels}\n").into_bytes();
    let mut deflated = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    deflated.write_all(&bytes).expect("a vector takes all bytes");
    file.extend(deflated.finish().expect("a vector takes all bytes"));
    file
}

fn number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The same order every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, (self.next() % (at as u64 + 1)) as usize);
        }
    }
}
