//! Which nodes have vectors like this one? Dot products over the vectors of one model. While there are few, every row is
//! compared; above that those that a bit for each number does not rule out; and where there are more than that is quick
//! for, a graph of neighbours finds them. It keeps no text, and nobody else knows `hnsw_rs`.

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use crate::embed::ModelIdentity;
use crate::error::Error;
use crate::index::codes::{Asked, Codes, Promising};
use crate::index::distance::{Best, dot};
use crate::index::rounding::Query;
use crate::index::rows::Rows;

use graph::Graph;

mod graph;

/// How many vectors it takes for each way of finding but the first.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// From so many on they have bits.
    codes: usize,
    /// Above so many they have a graph.
    graph: usize,
}

/// Measured with 384 numbers: the comparison of all takes 0.05 ms of 4,000 and 0.10 ms of 8,000, the pass over bits 0.04 ms
/// of 8,000 and 2.6 ms of a million. What a graph costs, and why it begins so late, `docs/performance.md` tells.
const LIMITS: Limits = Limits { codes: 4_096, graph: 4_000_000 };

/// Points placed into the graph at each insert until it has caught up: about 5 ms, instead of hours at once.
const PLACED_PER_INSERT: usize = 2;

/// Blocks of rows that are asked for what is promising at a time. Later ones are measured by what the ones before gave.
const BLOCKS: usize = 256;
/// Blocks that one core goes through by itself: a quarter of a million rows. It does not depend on the number of cores, so that
/// answers do not.
const PART: usize = 8_192;
/// Of those that are promising, so many are compared at once: as many as are asked for, within these.
const FIRST_LEAST: usize = 16;
const FIRST_MOST: usize = 64;

/// Below this many removed vectors their room is not reclaimed.
const COMPACT_FLOOR: usize = 64;

/// How far the squared length of a vector may be from 1: what rounding to 8 bits can do.
const LENGTH_TOLERANCE: f32 = 0.02;

/// What is kept of an index.
pub(crate) type Kept = (Rows, Option<Codes>);

/// The vectors of one model by node. Nodes are numbered densely by the caller; vectors have length 1, or 0 where the
/// model saw nothing, as [`Embedder`](crate::embed::Embedder) promises.
pub struct VectorIndex {
    identity: ModelIdentity,
    limits: Limits,
    rows: Rows,
    codes: Option<Codes>,
    graph: Option<Graph>,
}

impl VectorIndex {
    /// An empty index of the vectors that the model makes.
    pub fn new(identity: ModelIdentity) -> Self {
        Self::with_limits(identity, LIMITS)
    }

    /// An empty index that finds by a graph above so many vectors.
    pub fn with_graph_above(identity: ModelIdentity, vectors: usize) -> Self {
        Self::with_limits(identity, Limits { graph: vectors, ..LIMITS })
    }

    fn with_limits(identity: ModelIdentity, limits: Limits) -> Self {
        Self { rows: Rows::new(identity.dimensions), identity, limits, codes: None, graph: None }
    }

    /// What they take in memory, in bytes, without the graph of neighbours.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.codes.as_ref().map_or(0, Codes::bytes)
    }

    /// What is to be kept; [`restore`](Self::restore) takes it.
    pub(crate) fn kept(&self) -> impl Serialize {
        (&self.rows, &self.codes)
    }

    /// Takes what was kept of an index of the same model in place of its own.
    ///
    /// # Errors
    /// Where it does not hold together; nothing has changed then.
    pub(crate) fn restore(&mut self, (mut rows, codes): Kept) -> Result<(), String> {
        let dimensions = self.identity.dimensions;
        let fits = |codes: &Codes| codes.is_sound(dimensions, rows.len());
        if !codes.as_ref().is_none_or(fits) || !rows.restore(dimensions) {
            return Err("the vectors do not hold together".to_owned());
        }
        (self.rows, self.codes, self.graph) = (rows, codes, None);
        Ok(())
    }

    /// One past the highest node that ever had a vector.
    pub(crate) fn end(&self) -> usize {
        self.rows.end()
    }

    /// The model whose vectors these are.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Nodes that have a vector.
    pub fn len(&self) -> usize {
        self.rows.living
    }

    /// Whether no node has a vector.
    pub fn is_empty(&self) -> bool {
        self.rows.living == 0
    }

    /// Whether a vector can be one of this model's: as many numbers as its identity says, all of them finite, and of
    /// length 1 or 0.
    pub fn check(&self, vector: &[f32]) -> Result<(), Error> {
        let expected = self.identity.dimensions;
        if vector.len() != expected {
            return Err(self.refusal(format!("{} numbers where {expected} were expected", vector.len())));
        }
        if let Some(position) = vector.iter().position(|x| !x.is_finite()) {
            return Err(self.refusal(format!("{} at position {position}", vector[position])));
        }
        let length = dot(vector, vector);
        if length > 0.0 && (length - 1.0).abs() > LENGTH_TOLERANCE {
            let length = length.sqrt();
            return Err(self.refusal(format!("a vector of length {length} where 1 was expected")));
        }
        Ok(())
    }

    fn refusal(&self, problem: String) -> Error {
        Error::Embedder { model: self.identity.name.clone(), problem }
    }

    /// Gives a node its vector, in place of one that it had. Above the exact limit it also places vectors that still
    /// wait into the graph, a few at a time, so that no single insert takes long.
    ///
    /// # Errors
    /// [`Error::Embedder`] where [`check`](Self::check) fails; nothing has changed then.
    pub fn insert(&mut self, node: u32, vector: &[f32]) -> Result<(), Error> {
        self.load(node, vector)?;
        self.grow(PLACED_PER_INSERT);
        Ok(())
    }

    /// As [`insert`](Self::insert) but without work on the graph, which takes 1 to 3 ms a vector: for
    /// the many at the opening of a store. Searches do without what does not stand in the graph yet.
    pub fn load(&mut self, node: u32, vector: &[f32]) -> Result<(), Error> {
        self.check(vector)?;
        self.remove(node);
        self.rows.push(node, vector);
        match &mut self.codes {
            Some(codes) => {
                let (numbers, unit) = self.rows.row(self.rows.len() - 1);
                codes.push(numbers, unit);
            }
            None if self.rows.len() >= self.limits.codes => self.codes = Some(Codes::of(&self.rows)),
            None => (),
        }
        Ok(())
    }

    /// Places up to `most` waiting vectors into the graph if there are enough to have one. How many still wait.
    pub fn grow(&mut self, most: usize) -> usize {
        if self.graph.is_none() && self.rows.living > self.limits.graph {
            self.graph = Some(Graph::new(self.rows.living));
        }
        self.graph.as_mut().map_or(0, |graph| {
            graph.place(&self.rows, most);
            self.rows.len() - graph.placed()
        })
    }

    /// Takes a node's vector away. Whether it had one.
    pub fn remove(&mut self, node: u32) -> bool {
        if !self.rows.remove(node) {
            return false;
        }
        let removed = self.rows.len() - self.rows.living;
        if removed > COMPACT_FLOOR && removed * 5 > self.rows.len() {
            if let Some(codes) = &mut self.codes {
                codes.keep((0..self.rows.len()).filter(|place| self.rows.node(*place).is_some()));
            }
            self.rows.compact();
            // Rows have new places now, so the graph begins anew; until it has grown, searches do without.
            self.graph = None;
        }
        true
    }

    /// Whether a node has a vector.
    pub fn has(&self, node: u32) -> bool {
        self.rows.place(node).is_some()
    }

    /// The vector of a node, as it is kept: rounded to 8 bits a number.
    pub fn get(&self, node: u32) -> Option<Vec<f32>> {
        self.rows.place(node).map(|place| self.rows.vector(place))
    }

    /// The `k` nodes whose vectors have the greatest dot products with the query, best first and of equals the smaller
    /// node first. Where there are many, one in a thousand may be missed, and with a graph a few more. A query that
    /// [`check`](Self::check) refuses or that is zero finds nothing.
    pub fn search(&self, query: &[f32], k: usize) -> Vec<(u32, f32)> {
        if let Some(graph) = self.graph.as_ref().filter(|graph| graph.placed() * 2 > self.rows.len())
            && self.can_ask(query)
        {
            let found = graph.search(&self.rows, query, k);
            if found.len() == k {
                return found;
            }
        }
        self.search_where(query, k, |_| true)
    }

    /// As [`search`](Self::search) among the nodes that `admits` says yes to, of which no more are missed, however few
    /// they are. It is asked only of nodes that may be among the best.
    pub fn search_where(
        &self,
        query: &[f32],
        k: usize,
        admits: impl Fn(u32) -> bool + Sync,
    ) -> Vec<(u32, f32)> {
        if !self.can_ask(query) {
            return Vec::new();
        }
        let (rounded, mut best) = (self.rows.query(query), Best::new(k));
        let Some(codes) = &self.codes else {
            let admitted = |place: &usize| self.rows.node(*place).is_some_and(&admits);
            let places = (0..self.rows.len()).filter(admitted);
            self.rows.compare(&rounded, places, |node, score| best.offer(node, score));
            return best.into_sorted();
        };
        let asked = codes.ask(&rounded);
        let starts: Vec<usize> = (0..codes.blocks()).step_by(PART).collect();
        let part = |start: &usize| {
            let blocks = *start..codes.blocks().min(start + PART);
            self.search_part(blocks, (codes, &asked), &rounded, k, &admits)
        };
        let parts: Vec<Vec<(u32, f32)>> = if starts.len() > 1 {
            starts.par_iter().map(part).collect()
        } else {
            starts.iter().map(part).collect()
        };
        parts.into_iter().flatten().for_each(|(node, score)| best.offer(node, score));
        best.into_sorted()
    }

    /// The best of some blocks of rows that have bits.
    fn search_part(
        &self,
        blocks: Range<usize>,
        (codes, asked): (&Codes, &Asked),
        rounded: &Query,
        k: usize,
        admits: impl Fn(u32) -> bool,
    ) -> Vec<(u32, f32)> {
        let mut best = Best::new(k);
        let (mut found, mut others) = (Vec::new(), Vec::new());
        let end = blocks.end;
        for first in blocks.step_by(BLOCKS) {
            let blocks = first..end.min(first + BLOCKS);
            found.clear();
            codes.promising(asked, blocks, best.floor(), &mut found);
            found.retain(|one| self.rows.node(one.place as usize).is_some_and(&admits));
            // What the most promising come to rules most of the others out, but for those the end will tell.
            let rest = best_first(&mut found, k.clamp(FIRST_LEAST, FIRST_MOST));
            others.extend_from_slice(&found[rest..]);
            self.rows.compare(rounded, places(&found[..rest]), |node, score| best.offer(node, score));
        }
        others.retain(|one| one.most >= best.floor());
        let rest = best_first(&mut others, k.saturating_mul(2));
        let (first, last) = others.split_at(rest);
        self.rows.compare(rounded, places(first), |node, score| best.offer(node, score));
        let floor = best.floor();
        let last = last.iter().filter(|one| one.most >= floor).map(|one| one.place as usize);
        self.rows.compare(rounded, last, |node, score| best.offer(node, score));
        best.into_sorted()
    }

    /// As [`search`](Self::search) among some nodes, each of which is compared.
    pub fn search_among(
        &self,
        query: &[f32],
        k: usize,
        nodes: impl IntoIterator<Item = u32>,
    ) -> Vec<(u32, f32)> {
        if !self.can_ask(query) {
            return Vec::new();
        }
        let mut best = Best::new(k);
        let places = nodes.into_iter().filter_map(|node| self.rows.place(node));
        self.rows.compare(&self.rows.query(query), places, |node, score| best.offer(node, score));
        best.into_sorted()
    }

    fn can_ask(&self, query: &[f32]) -> bool {
        self.check(query).is_ok() && !is_zero(query)
    }
}

/// Brings the most promising so many to the front. How many they are.
fn best_first(found: &mut [Promising], most: usize) -> usize {
    if found.len() > most {
        let order = |a: &Promising, b: &Promising| b.most.total_cmp(&a.most).then(a.place.cmp(&b.place));
        found.select_nth_unstable_by(most, order);
    }
    found.len().min(most)
}

fn places(found: &[Promising]) -> impl Iterator<Item = usize> {
    found.iter().map(|one| one.place as usize)
}

fn is_zero(vector: &[f32]) -> bool {
    vector.iter().all(|x| *x == 0.0)
}

#[cfg(test)]
mod tests;
