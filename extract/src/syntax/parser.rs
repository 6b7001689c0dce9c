//! Which word belongs to which: a greedy parser. It goes over the words once, keeps those whose place is still open on a
//! stack, and at each step shifts the next word there or ties the last one to the next word or to the one below.

use crate::syntax::Node;
use crate::syntax::kinds::{Label, Tag};
use crate::syntax::word::{Features, Word, feature};

/// What the parser can do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Move {
    /// Puts the next word on the stack.
    Shift,
    /// Ties the top of the stack to the next word.
    Left,
    /// Ties the top of the stack to the word below it.
    Right,
}

impl Move {
    pub(super) const ALL: [Self; 3] = [Self::Shift, Self::Left, Self::Right];
}

/// What scores moves and labels by their features.
pub(super) trait TieScores {
    /// A number for each move.
    fn moves(&self, features: &[u64]) -> [i32; 3];
    /// The best label.
    fn best_label(&self, features: &[u64]) -> Label;
}

/// A node for each word.
pub(super) fn parse(scores: &impl TieScores, words: &[Word], tags: &[Tag]) -> Vec<Node> {
    let mut state = State::new(words, tags);
    let mut features = Features::new();
    while !state.is_done() {
        state.look(&mut features);
        let numbers = scores.moves(&features);
        let best = Move::ALL
            .into_iter()
            .filter(|step| state.allows(*step))
            .max_by_key(|step| (numbers[*step as usize], usize::MAX - *step as usize));
        let Some(step) = best else { break };
        if let Some((head, child)) = state.apply(step) {
            state.look_at_tie(head, child, &mut features);
            state.label(child, scores.best_label(&features));
        }
    }
    state.nodes()
}

/// No word.
const NONE: usize = usize::MAX;
/// What stands for the tag of no word, and of the root.
const NO_TAG: u32 = 99;
const ROOT_TAG: u32 = 98;

/// The children of a word on one side that are farthest from it, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Side {
    outer: usize,
    second: usize,
    count: u32,
}

impl Side {
    const EMPTY: Self = Self { outer: NONE, second: NONE, count: 0 };

    fn add(&mut self, child: usize) {
        self.second = self.outer;
        self.outer = child;
        self.count += 1;
    }
}

/// How far a sentence is read. The root stands behind the last word.
pub(super) struct State<'w> {
    words: &'w [Word],
    tags: &'w [Tag],
    pub(super) stack: Vec<usize>,
    pub(super) next: usize,
    heads: Vec<usize>,
    labels: Vec<Label>,
    left: Vec<Side>,
    right: Vec<Side>,
}

impl<'w> State<'w> {
    pub(super) fn new(words: &'w [Word], tags: &'w [Tag]) -> Self {
        let count = words.len();
        Self {
            words,
            tags,
            stack: Vec::with_capacity(count),
            next: 0,
            heads: vec![count; count],
            labels: vec![Label::Dep; count],
            left: vec![Side::EMPTY; count + 1],
            right: vec![Side::EMPTY; count + 1],
        }
    }

    /// Where the root stands.
    pub(super) fn root(&self) -> usize {
        self.words.len()
    }

    pub(super) fn is_done(&self) -> bool {
        self.stack.is_empty() && self.next >= self.root()
    }

    pub(super) fn allows(&self, step: Move) -> bool {
        match step {
            Move::Shift => self.next < self.root(),
            Move::Left => !self.stack.is_empty(),
            Move::Right => self.stack.len() > 1,
        }
    }

    /// Makes a move; answers what it tied: head and child.
    pub(super) fn apply(&mut self, step: Move) -> Option<(usize, usize)> {
        if step == Move::Shift {
            self.stack.push(self.next);
            self.next += 1;
            return None;
        }
        let child = self.stack.pop()?;
        let head = if step == Move::Left { self.next } else { *self.stack.last()? };
        self.heads[child] = head;
        let sides = if child < head { &mut self.left } else { &mut self.right };
        sides[head].add(child);
        Some((head, child))
    }

    pub(super) fn label(&mut self, child: usize, label: Label) {
        self.labels[child] = label;
    }

    fn nodes(self) -> Vec<Node> {
        let root = self.root();
        let ties = self.heads.into_iter().zip(self.labels).zip(self.tags).enumerate();
        let node = |(at, ((head, label), tag)): (usize, ((usize, Label), &Tag))| {
            let (head, label) = if head == root { (at, Label::Root) } else { (head, label) };
            Node { tag: *tag, head, label }
        };
        ties.map(node).collect()
    }

    fn word(&self, at: usize) -> Word {
        self.words.get(at).copied().unwrap_or_default()
    }

    fn tag(&self, at: usize) -> u32 {
        match self.tags.get(at) {
            Some(tag) => *tag as u32,
            None if at == self.root() => ROOT_TAG,
            None => NO_TAG,
        }
    }

    fn label_of(&self, at: usize) -> u32 {
        self.labels.get(at).map_or(NO_TAG, |label| *label as u32)
    }

    /// The `back`th word of the stack from its top.
    fn stacked(&self, back: usize) -> usize {
        self.stack.len().checked_sub(back + 1).map_or(NONE, |place| self.stack[place])
    }

    fn side(sides: &[Side], at: usize) -> Side {
        sides.get(at).copied().unwrap_or(Side::EMPTY)
    }

    /// The features of the next move.
    pub(super) fn look(&self, features: &mut Features) {
        let (s0, s1, s2) = (self.stacked(0), self.stacked(1), self.stacked(2));
        let (b0, b1, b2) = (self.next, self.next + 1, self.next + 2);
        let word = |at| self.word(at).lower;
        let tag = |at| self.tag(at);
        let (s0w, s1w, b0w, b1w) = (word(s0), word(s1), word(b0), word(b1));
        let (s0t, s1t, s2t, b0t, b1t, b2t) = (tag(s0), tag(s1), tag(s2), tag(b0), tag(b1), tag(b2));
        let (s0l, s0r) = (Self::side(&self.left, s0), Self::side(&self.right, s0));
        let (s1l, s1r) = (Self::side(&self.left, s1), Self::side(&self.right, s1));
        let b0l = Self::side(&self.left, b0);
        let gap = |a: usize, b: usize| if a == NONE || b == NONE { 9 } else { (b - a).min(8) as u32 };
        let (near, far) = (gap(s0, b0), gap(s1, s0));
        let sides = |a: u32, b: u32| a.min(3) | b.min(3) << 2;
        let label = |at| self.label_of(at);
        features.clear();
        features.extend([
            feature(30, s0w, 0, 0),
            feature(31, s0w, s0t, 0),
            feature(32, s0t, 0, 0),
            feature(33, s1w, s1t, 0),
            feature(34, s1t, s0t, 0),
            feature(35, b0w, 0, 0),
            feature(36, b0w, b0t, 0),
            feature(37, b0t, b1t, 0),
            feature(38, b1w, b1t, 0),
            feature(39, b0t, b1t, b2t),
            feature(40, s0w, b0w, 0),
            feature(41, s0w, b0t, s0t),
            feature(42, s0t, b0w, b0t),
            feature(43, s0t, b0t, 0),
            feature(44, s0t, b0t, near),
            feature(45, s0w, b0t, near),
            feature(46, s1w, s0w, 0),
            feature(47, s1w, s0t, far),
            feature(48, s1t, s0w, far),
            feature(49, s1t, s0t, b0t),
            feature(50, s2t, s1t, s0t),
            feature(51, s0t, b0t, b1t),
            feature(52, s1t | s0t << 8, b0t, far),
            feature(53, s1t | s0t << 8, b0w, 0),
            feature(54, s0t, tag(s0l.outer), b0t),
            feature(55, s0t, tag(s0r.outer), b0t),
            feature(56, s0t, tag(b0l.outer), b0t),
            feature(57, s1t | s0t << 8, tag(s1r.outer), b0t),
            feature(58, s1t | s0t << 8, tag(s1l.outer), b0t),
            feature(59, s0w, label(s0l.outer) | label(s0r.outer) << 8, b0t),
            feature(60, s0t, label(s0r.outer) | label(s0r.second) << 8, b0t),
            feature(61, s1w, label(s1r.outer) | label(s1r.second) << 8, s0t),
            feature(62, s1t, label(s1r.outer) | label(s1l.outer) << 8, s0t | b0t << 8),
            feature(63, s0t, sides(s0l.count, s0r.count), b0t),
            feature(64, s1t, sides(s1l.count, s1r.count), s0t | b0t << 8),
            feature(65, b0t, b0l.count.min(3) | label(b0l.outer) << 8, s0t),
            feature(66, s0w, sides(s0l.count, s0r.count), 0),
            feature(67, s1w, b0w, s0t),
            feature(68, s1w, s0w, b0t),
            feature(69, s1t, word(s0l.outer), s0t | b0t << 8),
            feature(70, s0t, b1w, b0t),
            feature(71, s1t | s0t << 8, b0t | b1t << 8, 0),
            feature(72, self.word(s0).suffix, b0t, s1t),
            feature(73, word(s2), s1t | s0t << 8, b0t),
        ]);
    }

    /// The features of the label of a tie that was just made.
    pub(super) fn look_at_tie(&self, head: usize, child: usize, features: &mut Features) {
        let word = |at| self.word(at).lower;
        let tag = |at| self.tag(at);
        let (hw, ht, cw, ct) = (word(head), tag(head), word(child), tag(child));
        let before = u32::from(child < head);
        let gap = head.abs_diff(child).min(6) as u32 | before << 4;
        let (left, right) = (Self::side(&self.left, child), Self::side(&self.right, child));
        let (head_left, head_right) = (Self::side(&self.left, head), Self::side(&self.right, head));
        // The child itself is the outermost one of its side.
        let sibling = if before == 1 { head_left.second } else { head_right.second };
        let label = |at| self.label_of(at);
        let previous = child.checked_sub(1).unwrap_or(NONE);
        let past = if head == self.root() { NONE } else { head + 1 };
        features.clear();
        features.extend([
            feature(100, hw, ct, before),
            feature(101, ht, cw, before),
            feature(102, ht, ct, gap),
            feature(103, hw, cw, before),
            feature(104, ht, ct, tag(previous) | tag(child + 1) << 8),
            feature(105, hw, label(sibling), ct | before << 8),
            feature(106, ht, label(sibling), cw),
            feature(107, ht | before << 8, label(left.outer) | label(right.outer) << 8, ct),
            feature(108, ht | before << 8, word(left.outer), ct),
            feature(109, hw, word(left.outer), ct | before << 8),
            feature(110, ht | before << 8, tag(left.outer) | tag(right.outer) << 8, ct),
            feature(111, ht | before << 8, label(head_left.outer) | label(head_right.second) << 8, ct),
            feature(112, hw, label(head_left.outer), ct | before << 8),
            feature(113, ht | before << 8, word(past), ct),
            feature(114, self.word(child).suffix, ht, ct | before << 8),
            feature(115, self.word(head).suffix, ht | before << 8, ct),
            feature(116, cw, 0, before),
            feature(117, word(previous), ct, ht | before << 8),
        ]);
    }
}
