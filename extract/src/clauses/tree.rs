//! A parsed sentence as a tree: children, and the ranges of words that belong to a word.

use crate::syntax::tokens::Token;
use crate::syntax::{self, Label, Node, Tag};

/// A sentence of an episode. Places are those of its words in the sentence, from 0.
#[derive(Debug)]
pub(crate) struct Tree<'s, 't> {
    text: &'s str,
    tokens: &'s [Token<'t>],
    nodes: Vec<Node>,
    children: Vec<Vec<usize>>,
    /// For each word the range of all words below it, itself included.
    ranges: Vec<(usize, usize)>,
    /// The place of its first word in the episode.
    pub(crate) first: usize,
}

impl<'s, 't> Tree<'s, 't> {
    /// The sentence that is `tokens[start..end]` of an episode.
    pub(crate) fn new(text: &'s str, tokens: &'s [Token<'t>], (start, end): (usize, usize)) -> Self {
        let tokens = &tokens[start..end];
        let nodes = syntax::read(text, tokens);
        let mut children = vec![Vec::new(); nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            if node.head != at {
                children[node.head].push(at);
            }
        }
        let mut ranges: Vec<(usize, usize)> = (0..nodes.len()).map(|at| (at, at + 1)).collect();
        // What is tied at most as deep as there are words reaches its root in that many steps; few are deep.
        for at in 0..nodes.len() {
            let mut above = at;
            for _ in 0..nodes.len() {
                let head = nodes[above].head;
                if head == above {
                    break;
                }
                let range = &mut ranges[head];
                *range = (range.0.min(at), range.1.max(at + 1));
                above = head;
            }
        }
        Self { text, tokens, nodes, children, ranges, first: start }
    }

    /// Its nodes, with heads that are counted from the start of the episode.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.nodes.iter().map(|node| Node { head: self.first + node.head, ..*node })
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.word)
    }

    pub(crate) fn is(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.word(at))
    }

    pub(crate) fn tag(&self, at: usize) -> Tag {
        self.nodes[at].tag
    }

    pub(crate) fn label(&self, at: usize) -> Label {
        self.nodes[at].label
    }

    pub(crate) fn head(&self, at: usize) -> Option<usize> {
        let head = self.nodes[at].head;
        (head != at).then_some(head)
    }

    /// The words that belong to a word, in the order of the text.
    pub(crate) fn children(&self, at: usize) -> &[usize] {
        &self.children[at]
    }

    /// Its first child of one of these kinds.
    pub(crate) fn child(&self, at: usize, labels: &[Label]) -> Option<usize> {
        self.children[at].iter().copied().find(|child| labels.contains(&self.label(*child)))
    }

    /// Its children of one of these kinds.
    pub(crate) fn children_as<'a>(
        &'a self,
        at: usize,
        labels: &'a [Label],
    ) -> impl Iterator<Item = usize> + 'a {
        self.children[at].iter().copied().filter(|child| labels.contains(&self.label(*child)))
    }

    /// All words below a word, itself included.
    pub(crate) fn range(&self, at: usize) -> (usize, usize) {
        self.ranges[at]
    }

    pub(crate) fn slice(&self, (from, end): (usize, usize)) -> &'s str {
        if from >= end {
            return "";
        }
        &self.text[self.tokens[from].bytes.0..self.tokens[end - 1].bytes.1]
    }

    /// Words with single spaces between them, those that stand together as the text has them.
    pub(crate) fn told(&self, places: &[usize]) -> String {
        let mut told = String::new();
        let mut last = None;
        for at in places {
            let token = &self.tokens[*at];
            let together = last.is_some_and(|last| last + 1 == *at) && !token.spaced;
            if last.is_some() && !together {
                told.push(' ');
            }
            told.push_str(token.raw(self.text));
            last = Some(*at);
        }
        told
    }

    pub(crate) fn token(&self, at: usize) -> &Token<'t> {
        &self.tokens[at]
    }

    /// Whether a word is a verb.
    pub(crate) fn is_verb(&self, at: usize) -> bool {
        matches!(self.tag(at), Tag::Vb | Tag::Vbd | Tag::Vbg | Tag::Vbn | Tag::Vbp | Tag::Vbz | Tag::Md)
    }

    /// Whether a word is a noun, a name, a pronoun or a number.
    pub(crate) fn is_noun(&self, at: usize) -> bool {
        matches!(self.tag(at), Tag::Nn | Tag::Nns | Tag::Nnp | Tag::Nnps | Tag::Prp | Tag::Cd)
    }
}
