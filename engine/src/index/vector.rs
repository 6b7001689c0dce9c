//! Which nodes have vectors like this one? Dot products over the vectors of one model: an exact scan while there are
//! few, a graph of neighbours when there are many. It keeps no text, and no other file knows `hnsw_rs`.

use std::hash::BuildHasher;

use hnsw_rs::anndists::dist::Distance;
use hnsw_rs::hnsw::Hnsw;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::embed::ModelIdentity;
use crate::error::Error;
use crate::index::distance::{Best, dot};
use crate::index::rows::{Query, Rows};

/// Vectors up to which every row is compared. Measured on one core with 50,000 hash vectors of 256 numbers of 32 bits, a
/// quarter of them of real turns and the others of two halves of such: scan 1.8 ms; graph 3.6 ms in the median, 1.5 ms at
/// best, recall@10 0.985, after 2.4 ms for each vector to build it, which for a million is forty minutes.
const EXACT_LIMIT: usize = 1_000_000;

/// Connections that a point of the graph has in each layer; twice as many in the lowest.
const CONNECTIONS: usize = 16;
/// Candidates looked at to connect a new point.
const CONSTRUCTION: usize = 200;
/// Layers of the graph; the crate's own most.
const LAYERS: usize = 16;
/// Candidates kept while the graph is searched, at least. On those vectors recall@10 was 0.94 at 64, 0.975 at 128, 0.990
/// at 258; made-up clusters, where 64 gives 1.0, flatter the graph.
const SEARCH: usize = 192;

/// Points placed into the graph at each insert until it has caught up: about 5 ms, instead of four minutes at once.
const PLACED_PER_INSERT: usize = 2;

/// Below this many removed vectors their room is not reclaimed.
const COMPACT_FLOOR: usize = 64;

/// How far the squared length of a vector may be from 1: what rounding to 8 bits can do.
const LENGTH_TOLERANCE: f32 = 0.02;

/// The vectors of one model by node. Nodes are numbered densely by the caller; vectors have length 1, or 0 where the
/// model saw nothing, as [`Embedder`](crate::embed::Embedder) promises.
pub struct VectorIndex {
    identity: ModelIdentity,
    exact_limit: usize,
    rows: Rows,
    search: Search,
}

/// How the best are found.
enum Search {
    /// Every row is compared.
    Exact,
    /// The rows that stand in the graph are found by it, the others are compared.
    Graph(Graph),
}

impl VectorIndex {
    /// An empty index of the vectors that the model makes.
    pub fn new(identity: ModelIdentity) -> Self {
        Self::with_exact_limit(identity, EXACT_LIMIT)
    }

    /// An empty index that compares every vector up to `exact_limit` of them, and builds the graph above.
    pub fn with_exact_limit(identity: ModelIdentity, exact_limit: usize) -> Self {
        Self { rows: Rows::new(identity.dimensions), identity, exact_limit, search: Search::Exact }
    }

    /// What they take in memory, in bytes, without the graph of neighbours.
    pub fn bytes(&self) -> usize {
        self.rows.bytes()
    }

    /// The vectors, to be kept.
    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Takes vectors that were kept of an index of the same model in place of its own.
    ///
    /// # Errors
    /// Where they do not hold together; nothing has changed then.
    pub(crate) fn restore(&mut self, rows: Rows) -> Result<(), String> {
        if !rows.is_sound(self.identity.dimensions) {
            return Err("the vectors do not hold together".to_owned());
        }
        (self.rows, self.search) = (rows, Search::Exact);
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
    /// the many at the opening of a store. Searches compare what does not stand in the graph yet.
    pub fn load(&mut self, node: u32, vector: &[f32]) -> Result<(), Error> {
        self.check(vector)?;
        self.remove(node);
        self.rows.push(node, vector);
        Ok(())
    }

    /// Places up to `most` waiting vectors into the graph if there are enough to have one. How many still wait.
    pub fn grow(&mut self, most: usize) -> usize {
        if matches!(self.search, Search::Exact) && self.rows.living > self.exact_limit {
            self.search = Search::Graph(Graph::new(self.rows.living));
        }
        match &mut self.search {
            Search::Exact => 0,
            Search::Graph(graph) => {
                graph.place(&self.rows, most);
                self.rows.len() - graph.placed
            }
        }
    }

    /// Takes a node's vector away. Whether it had one.
    pub fn remove(&mut self, node: u32) -> bool {
        if !self.rows.remove(node) {
            return false;
        }
        let removed = self.rows.len() - self.rows.living;
        if removed > COMPACT_FLOOR && removed * 5 > self.rows.len() {
            self.rows.compact();
            // Rows have new places now, so the graph begins anew; until it has grown, searches are exact.
            self.search = Search::Exact;
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

    /// How like the query each of some nodes is that have a vector.
    pub fn likeness<'i>(
        &'i self,
        query: &[f32],
        nodes: impl Iterator<Item = u32> + 'i,
    ) -> impl Iterator<Item = (u32, f32)> + 'i {
        let query = self.can_ask(query).then(|| Query::of(query));
        nodes.filter_map(move |node| Some((node, self.rows.dot(query.as_ref()?, self.rows.place(node)?))))
    }

    /// The `k` nodes whose vectors have the greatest dot products with the query, best first and of equals the smaller
    /// node first. Above the exact limit a few may be missed. A query that [`check`](Self::check) refuses or that is
    /// zero finds nothing.
    pub fn search(&self, query: &[f32], k: usize) -> Vec<(u32, f32)> {
        if !self.can_ask(query) {
            return Vec::new();
        }
        if let Search::Graph(graph) = &self.search
            && graph.placed * 2 > self.rows.len()
        {
            let found = graph.search(&self.rows, query, k);
            if found.len() == k {
                return found;
            }
        }
        let mut best = Best::new(k);
        self.rows.compare(&Query::of(query), 0, |node, score| best.offer(node, score));
        best.into_sorted()
    }

    fn can_ask(&self, query: &[f32]) -> bool {
        self.check(query).is_ok() && !is_zero(query)
    }
}

fn is_zero(vector: &[f32]) -> bool {
    vector.iter().all(|x| *x == 0.0)
}

/// One minus the dot product, for vectors of length 1. It is never negative and never NaN, on either of which the
/// crate panics.
struct UnitDistance;

impl Distance<f32> for UnitDistance {
    fn eval(&self, a: &[f32], b: &[f32]) -> f32 {
        (1.0 - dot(a, b)).max(0.0)
    }
}

/// A hierarchical navigable small world (Malkov and Yashunin, 2018) of the first rows, its points named by row.
struct Graph {
    points: Hnsw<'static, f32, UnitDistance>,
    /// Rows before this one stand in the graph, but for zero vectors, twins and rows removed before they were placed.
    placed: usize,
    /// Points by the hash of their numbers.
    originals: FxHashMap<u64, usize>,
    /// Rows with the very numbers of a point, by that point. Points that are all equal connect to each other only, which
    /// cuts the graph: with a third of the rows in five such groups recall was 0.91. So one of each stands for all.
    twins: FxHashMap<usize, Vec<usize>>,
}

impl Graph {
    fn new(expected: usize) -> Self {
        Self {
            points: Hnsw::new(CONNECTIONS, expected, LAYERS, CONSTRUCTION, UnitDistance),
            placed: 0,
            originals: FxHashMap::default(),
            twins: FxHashMap::default(),
        }
    }

    fn place(&mut self, rows: &Rows, most: usize) {
        let end = rows.len().min(self.placed.saturating_add(most));
        for place in self.placed..end {
            // A zero vector is equally far from all, so it would only mislead the walk.
            if rows.node(place).is_some() && rows.row(place).0.iter().any(|x| *x != 0) {
                self.place_one(rows, place);
            }
        }
        self.placed = end;
    }

    fn place_one(&mut self, rows: &Rows, place: usize) {
        let row = rows.row(place);
        let original = *self.originals.entry(FxBuildHasher.hash_one(row.0)).or_insert(place);
        if original != place && rows.row(original) == row {
            self.twins.entry(original).or_default().push(place);
        } else {
            self.points.insert_slice((&rows.vector(place), place));
        }
    }

    /// The best `k` or, if the graph did not give enough that live, fewer.
    fn search(&self, rows: &Rows, query: &[f32], k: usize) -> Vec<(u32, f32)> {
        // At most a fifth of the rows is removed, but they may lie together.
        let wanted = k.saturating_mul(2).saturating_add(k.min(8));
        if wanted > self.placed / 4 {
            return Vec::new();
        }
        let mut best = Best::new(k);
        let rounded = Query::of(query);
        for found in self.points.search(query, wanted, SEARCH.max(wanted)) {
            let score = rows.dot(&rounded, found.d_id);
            let twins = self.twins.get(&found.d_id).into_iter().flatten();
            for place in twins.chain([&found.d_id]) {
                if let Some(node) = rows.node(*place) {
                    best.offer(node, score);
                }
            }
        }
        rows.compare(&rounded, self.placed, |node, score| best.offer(node, score));
        best.into_sorted()
    }
}

#[cfg(test)]
mod tests;
