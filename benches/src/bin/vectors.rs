//! The vector index: how long a search takes, how many of the true neighbours it finds, what it takes in memory, and how
//! long it is in the making, on made-up clusters or on vectors from a file.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use lorebase::engine::embed::ModelIdentity;
use lorebase::engine::index::vector::VectorIndex;
use lorebase_benches::{measure, table};

/// How many neighbours are asked for.
const NEIGHBOURS: usize = 10;
/// Of how many nodes the filter keeps one.
const FILTER: u32 = 100;

/// Measures the vector index.
#[derive(Parser)]
struct Args {
    /// How many vectors.
    #[arg(long, default_value_t = 100_000)]
    size: usize,
    /// How many numbers each has.
    #[arg(long, default_value_t = 384)]
    dimensions: usize,
    /// How many queries.
    #[arg(long, default_value_t = 200)]
    queries: usize,
    /// How often each is asked; the median counts.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Counts each query's fastest time instead of its median: for a machine that others use, too.
    #[arg(long)]
    fastest: bool,
    /// Finds by the graph of neighbours, which otherwise stands for far more vectors only.
    #[arg(long)]
    graph: bool,
    /// Vectors and queries of a file, in place of made-up ones: their counts and the dimensions as three numbers of 32
    /// bits, then all numbers as floats of 32 bits, the least significant byte first.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Writes vectors and queries into such a file, for `scripts/compare-vectors.py`.
    #[arg(long)]
    write: Option<PathBuf>,
}

/// Vectors one after another, and queries.
struct Set {
    dimensions: usize,
    vectors: Vec<f32>,
    queries: Vec<f32>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let set = match &args.from {
        Some(path) => Set::read(path).with_context(|| path.display().to_string())?,
        None => Set::clustered(&args),
    };
    if let Some(path) = &args.write {
        set.write(path).with_context(|| path.display().to_string())?;
    }
    let before = measure::resident().now;
    let start = Instant::now();
    let identity = ModelIdentity { name: "measured".to_owned(), dimensions: set.dimensions };
    let graph_above = if args.graph { 0 } else { usize::MAX };
    let mut index = VectorIndex::with_graph_above(identity, graph_above);
    for (node, vector) in (0..).zip(set.vectors()) {
        index.load(node, vector)?;
    }
    index.grow(usize::MAX);
    let built = start.elapsed();
    let memory = measure::resident().now.saturating_sub(before);
    table::head(&["vectors", "filter", "p50", "p95", "work", "recall@10", "memory", "built in"])?;
    let name = format!("{} × {}", set.vectors().len(), set.dimensions);
    let all = set.measure(&args, 1, |query| index.search(query, NEIGHBOURS));
    let few =
        set.measure(&args, FILTER, |query| index.search_where(query, NEIGHBOURS, |node| node % FILTER == 0));
    let rest = [format!("{} MB", memory >> 20), format!("{:.2} s", built.as_secs_f64())];
    table::row(&[&[name.clone(), "none".to_owned()], all.as_slice(), &rest].concat())?;
    table::row(&[&[name, "keeps 1 %".to_owned()], few.as_slice(), &[String::new(), String::new()]].concat())?;
    Ok(())
}

impl Set {
    /// Unit vectors in clusters of fifty, and queries from them.
    fn clustered(args: &Args) -> Self {
        let dimensions = args.dimensions;
        let mut random = fastrand::Rng::with_seed(1);
        // About normally distributed.
        let mut number = move || (0..6).map(|_| random.f32() - 0.5).sum::<f32>();
        let centres: Vec<f32> = (0..args.size.div_ceil(50) * dimensions).map(|_| number()).collect();
        let centres: Vec<&[f32]> = centres.chunks_exact(dimensions).collect();
        let mut near = |count: usize| {
            let mut all = Vec::with_capacity(count * dimensions);
            for i in 0..count {
                let vector: Vec<f32> =
                    centres[i % centres.len()].iter().map(|x| x + 0.7 * number()).collect();
                let length = dot(&vector, &vector).sqrt();
                all.extend(vector.iter().map(|x| x / length));
            }
            all
        };
        Self { dimensions, vectors: near(args.size), queries: near(args.queries) }
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let mut file = File::open(path)?;
        let mut head = [[0; 4]; 3];
        head.iter_mut().try_for_each(|number| file.read_exact(number))?;
        let [vectors, queries, dimensions] = head.map(|number| u32::from_le_bytes(number) as usize);
        ensure!(dimensions > 0, "vectors of no numbers");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        ensure!(bytes.len() == (vectors + queries) * dimensions * 4, "it is not as long as it says");
        let mut vectors_first: Vec<f32> =
            bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
        let queries = vectors_first.split_off(vectors * dimensions);
        Ok(Self { dimensions, vectors: vectors_first, queries })
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        let counts = [self.vectors().len(), self.queries().len(), self.dimensions];
        counts.iter().try_for_each(|count| file.write_all(&(*count as u32).to_le_bytes()))?;
        self.vectors.iter().chain(&self.queries).try_for_each(|x| file.write_all(&x.to_le_bytes()))?;
        Ok(file.flush()?)
    }

    fn vectors(&self) -> std::slice::ChunksExact<'_, f32> {
        self.vectors.chunks_exact(self.dimensions)
    }

    fn queries(&self) -> std::slice::ChunksExact<'_, f32> {
        self.queries.chunks_exact(self.dimensions)
    }

    /// The median and the 95th percentile of what a search takes, what the processor does for it in the mean, and how many of the true neighbours it finds, where one
    /// of `step` nodes counts.
    fn measure(&self, args: &Args, step: u32, search: impl Fn(&[f32]) -> Vec<(u32, f32)>) -> [String; 4] {
        let mut times: Vec<Duration> = Vec::new();
        let (mut found, mut wanted) = (0, 0);
        let before = measure::worked();
        for _ in 0..args.repeats.max(1) {
            self.queries().for_each(|query| drop(search(query)));
        }
        let searches = args.repeats.max(1) * self.queries().len().max(1);
        let work = (measure::worked() - before) / searches as f64;
        for query in self.queries() {
            let mut own: Vec<Duration> = Vec::new();
            let mut answer = Vec::new();
            for _ in 0..args.repeats.max(1) {
                let start = Instant::now();
                answer = search(query);
                own.push(start.elapsed());
            }
            own.sort_unstable();
            times.push(own[if args.fastest { 0 } else { own.len() / 2 }]);
            let truth = self.nearest(query, step);
            found += truth.iter().filter(|node| answer.iter().any(|(other, _)| other == *node)).count();
            wanted += truth.len();
        }
        times.sort_unstable();
        let mut at =
            |share: f64| format!("{:.3} ms", measure::quantile(&mut times, share).as_secs_f64() * 1e3);
        [
            at(0.5),
            at(0.95),
            format!("{:.3} ms", work * 1e3),
            format!("{:.4}", found as f64 / wanted.max(1) as f64),
        ]
    }

    /// The true neighbours, by the numbers as they were given.
    fn nearest(&self, query: &[f32], step: u32) -> Vec<u32> {
        let nodes = (0..).zip(self.vectors()).step_by(step as usize);
        let mut scores: Vec<(f32, u32)> = nodes.map(|(node, vector)| (-dot(query, vector), node)).collect();
        let last = NEIGHBOURS.min(scores.len().saturating_sub(1));
        scores.select_nth_unstable_by(last, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        scores.truncate(NEIGHBOURS);
        scores.into_iter().map(|(_, node)| node).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, rest) = a.as_chunks::<16>();
    let (b, other) = b.as_chunks::<16>();
    let mut sums = [0.0_f32; 16];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..16 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest.iter().zip(other).map(|(x, y)| x * y).sum::<f32>()
}
