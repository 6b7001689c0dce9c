//! Every way of finding against a comparison of all, on seeded data and on vectors of a real model, and what the index
//! refuses.

use super::*;

/// A generator good enough for test data (Knuth's multiplier).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// About normally distributed.
    fn vector(&mut self) -> Vec<f32> {
        self.vector_of(DIMENSIONS)
    }

    fn vector_of(&mut self, dimensions: usize) -> Vec<f32> {
        let mut sum = || (0..6).map(|_| self.next() as f32 / 2_f32.powi(31) - 0.5).sum::<f32>();
        (0..dimensions).map(|_| sum()).collect()
    }
}

const DIMENSIONS: usize = 32;

fn identity() -> ModelIdentity {
    ModelIdentity { name: "test-1".to_owned(), dimensions: DIMENSIONS }
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    for x in &mut vector {
        *x /= length;
    }
    vector
}

/// Unit vectors around as many centres as there are fifties of them, as the turns of conversations are.
fn clustered(count: usize, random: &mut Random) -> Vec<Vec<f32>> {
    clustered_in(count, DIMENSIONS, random)
}

fn clustered_in(count: usize, dimensions: usize, random: &mut Random) -> Vec<Vec<f32>> {
    let centres: Vec<Vec<f32>> = (0..count / 50).map(|_| random.vector_of(dimensions)).collect();
    (0..count)
        .map(|i| {
            let centre = &centres[i % centres.len()];
            let near = centre.iter().zip(random.vector_of(dimensions)).map(|(c, x)| c + 0.7 * x);
            unit(near.collect())
        })
        .collect()
}

/// With a graph above so many vectors.
fn filled(graph: usize, vectors: &[Vec<f32>]) -> VectorIndex {
    filled_with(Limits { codes: usize::MAX, graph }, vectors)
}

fn filled_with(limits: Limits, vectors: &[Vec<f32>]) -> VectorIndex {
    let dimensions = vectors[0].len();
    let mut index = VectorIndex::with_limits(ModelIdentity { dimensions, ..identity() }, limits);
    for (node, vector) in (0..).zip(vectors) {
        index.insert(node, vector).unwrap();
    }
    index
}

/// Whether a vector is one that was kept in 8 bits a number.
fn is_near(kept: &[f32], given: &[f32]) -> bool {
    kept.iter().zip(given).all(|(kept, given)| (kept - given).abs() < 0.01)
}

fn found(index: &VectorIndex, query: &[f32], k: usize) -> Vec<u32> {
    index.search(query, k).into_iter().map(|(node, _)| node).collect()
}

#[test]
fn the_graph_finds_what_the_scan_finds() {
    let mut random = Random(7);
    let all = clustered(2_100, &mut random);
    let (queries, vectors) = all.split_at(100);
    let mut graph = filled(500, vectors);
    let exact = filled(usize::MAX, vectors);
    assert_eq!(graph.grow(usize::MAX), 0);
    let recall = |graph: &VectorIndex, exact: &VectorIndex| {
        let hits: usize = queries
            .iter()
            .map(|query| {
                let expected = found(exact, query, 10);
                found(graph, query, 10).iter().filter(|node| expected.contains(node)).count()
            })
            .sum();
        hits as f32 / (10 * queries.len()) as f32
    };
    let whole = recall(&graph, &exact);
    assert!(whole >= 0.98, "recall@10 is {whole}");

    // Fewer than a fifth go, all of them answers to some query.
    let mut exact = exact;
    for query in &queries[..30] {
        for node in found(&exact, query, 10) {
            assert!(graph.remove(node) && exact.remove(node));
        }
    }
    assert!(graph.graph.is_some());
    let rest = recall(&graph, &exact);
    assert!(rest >= 0.98, "recall@10 after removal is {rest}");
    assert!(
        queries.iter().all(|query| found(&graph, query, 10).iter().all(|node| exact.get(*node).is_some()))
    );
}

#[test]
fn what_waits_for_the_graph_is_found_and_what_was_replaced_is_not() {
    let mut random = Random(11);
    let vectors = clustered(600, &mut random);
    let mut index = filled(100, &vectors);
    index.grow(usize::MAX);
    let new = unit(random.vector());
    index.load(7, &new).unwrap();
    assert_eq!(found(&index, &new, 1), [7]);
    assert_ne!(found(&index, &vectors[7], 1), [7]);
    assert_eq!(index.len(), 600);
    assert!(is_near(&index.get(7).unwrap(), &new));
}

#[test]
fn removing_many_begins_the_graph_anew() {
    let mut random = Random(13);
    let vectors = clustered(600, &mut random);
    let mut index = filled(100, &vectors);
    assert_eq!(index.grow(usize::MAX), 0);
    for node in 0..300 {
        assert!(index.remove(node) && !index.remove(node));
    }
    assert!(index.rows.len() < 400 && index.len() == 300);
    for (node, vector) in (0..).zip(&vectors) {
        assert_eq!(index.get(node).is_some_and(|kept| is_near(&kept, vector)), node >= 300);
    }
    index.grow(usize::MAX);
    assert!(index.graph.is_some());
    assert_eq!(found(&index, &vectors[450], 1), [450]);
}

#[test]
fn exact_answers_are_in_order_and_ties_by_node() {
    let axis = |axis: usize| (0..DIMENSIONS).map(|i| f32::from(u8::from(i == axis))).collect::<Vec<_>>();
    let mut index = VectorIndex::new(identity());
    for node in [5, 3, 9] {
        index.insert(node, &axis(1)).unwrap();
    }
    index.insert(1, &axis(0)).unwrap();
    index.insert(2, &[0.0; DIMENSIONS]).unwrap();
    let (nodes, scores): (Vec<_>, Vec<_>) = index.search(&axis(1), 4).into_iter().unzip();
    assert_eq!(nodes, [3, 5, 9, 1]);
    assert!(scores.iter().zip([1.0, 1.0, 1.0, 0.0]).all(|(got, right)| (got - right).abs() < 0.005));
    assert!(index.search(&[0.0; DIMENSIONS], 3).is_empty() && index.search(&[1.0], 3).is_empty());
}

#[test]
fn many_equal_vectors_do_not_cut_the_graph() {
    let mut random = Random(19);
    let mut vectors = clustered(900, &mut random);
    for i in (0..900).step_by(3) {
        vectors[i] = vectors[i % 5 + 1].clone();
    }
    let mut graph = filled(100, &vectors);
    graph.grow(usize::MAX);
    let exact = filled(usize::MAX, &vectors);
    let queries = || vectors.iter().step_by(10);
    let right = queries().filter(|query| graph.search(query, 10) == exact.search(query, 10)).count();
    assert!(right * 100 >= queries().count() * 95, "{right} of {}", queries().count());
    // Whichever of the equal ones stands for the others may go.
    let query = &vectors[0];
    for node in found(&exact, query, 5) {
        assert!(graph.remove(node));
    }
    assert_eq!(found(&graph, query, 5), found(&exact, query, 10)[5..]);
}

#[test]
fn zero_vectors_do_not_disturb_the_graph() {
    let mut vectors = clustered(400, &mut Random(17));
    vectors.iter_mut().step_by(2).for_each(|vector| vector.fill(0.0));
    let mut index = filled(50, &vectors);
    index.grow(usize::MAX);
    for (node, vector) in (0..).zip(&vectors).skip(1).step_by(2) {
        let found = index.search(vector, 3);
        assert!(found[0].0 == node && found.iter().all(|(_, score)| score.is_finite()));
    }
    let nothing = filled(50, &vec![vec![0.0; DIMENSIONS]; 200]);
    assert_eq!(nothing.search(&vectors[1], 2), [(0, 0.0), (1, 0.0)]);
}

#[test]
fn vectors_that_the_model_cannot_have_made_are_refused() {
    let mut index = VectorIndex::new(identity());
    let mut bad = vec![0.0; DIMENSIONS];
    bad[3] = f32::NAN;
    let said = index.insert(0, &bad).unwrap_err().to_string();
    assert_eq!(said, "embedder test-1 gave NaN at position 3");
    bad[3] = 2.0;
    let said = index.insert(0, &bad).unwrap_err().to_string();
    assert_eq!(said, "embedder test-1 gave a vector of length 2 where 1 was expected");
    let said = index.insert(0, &[1.0]).unwrap_err().to_string();
    assert_eq!(said, "embedder test-1 gave 1 numbers where 32 were expected");
    assert!(index.is_empty());
}

#[test]
fn it_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<VectorIndex>();
    shared::<crate::index::lexical::Lexical>();
}

/// Bits for all, and no graph.
const BITS: Limits = Limits { codes: 1, graph: usize::MAX };
const EXACT: Limits = Limits { codes: usize::MAX, graph: usize::MAX };

/// The share of the ten nodes with the greatest dot products among those that `admits` says yes to, by the numbers as they
/// were given, that the index finds; for each query.
fn recall(
    index: &VectorIndex,
    vectors: &[Vec<f32>],
    queries: &[Vec<f32>],
    admits: impl Fn(u32) -> bool + Sync,
) -> f32 {
    let (mut hits, mut wanted) = (0, 0);
    for query in queries {
        let mut best = Best::new(10);
        let living = (0..).zip(vectors).filter(|(node, _)| index.has(*node) && admits(*node));
        living.for_each(|(node, vector)| best.offer(node, dot(query, vector)));
        let found = index.search_where(query, 10, &admits);
        let right = best.into_sorted();
        hits += right.iter().filter(|(node, _)| found.iter().any(|(other, _)| other == node)).count();
        wanted += right.len();
    }
    hits as f32 / wanted as f32
}

/// Vectors and queries that bge-small-en-v1.5 made of texts of this project; `scripts/real-vectors.py` says which.
fn real() -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
    let bytes = include_bytes!("real.vectors");
    let (numbers, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    let [vectors, queries, dimensions] = [0, 1, 2].map(|at| u32::from_le_bytes(numbers[at]) as usize);
    let all: Vec<Vec<f32>> = bytes[12..]
        .chunks_exact(4 + dimensions)
        .map(|row| unit(row[4..].iter().map(|x| f32::from(x.cast_signed())).collect()))
        .collect();
    assert_eq!(all.len(), vectors + queries);
    let (vectors, queries) = all.split_at(vectors);
    (vectors.to_vec(), queries.to_vec())
}

#[test]
fn bits_lose_next_to_nothing_at_any_size() {
    let mut random = Random(23);
    for size in [100, 1_000, 6_000] {
        let all = clustered_in(size + 50, 128, &mut random);
        let (queries, vectors) = all.split_at(50);
        let (bits, exact) = (filled_with(BITS, vectors), filled_with(EXACT, vectors));
        let found = recall(&bits, vectors, queries, |_| true);
        assert!(found >= 0.98, "recall@10 is {found} of {size}");
        let same = queries.iter().filter(|query| bits.search(query, 10) == exact.search(query, 10)).count();
        assert!(same >= 48, "{same} of 50 answers of {size} are those of the comparison of all");
    }
}

#[test]
fn real_vectors_are_found() {
    let (vectors, questions) = real();
    for limits in [BITS, EXACT] {
        let index = filled_with(limits, &vectors);
        let queries = [&questions[..], &vectors[..100]].concat();
        let found = recall(&index, &vectors, &queries, |_| true);
        assert!(found >= 0.98, "recall@10 is {found}");
        let found = recall(&index, &vectors, &queries, |node| node % 3 == 0);
        assert!(found >= 0.98, "recall@10 of a third is {found}");
    }
}

#[test]
fn a_filter_takes_no_place_from_what_it_keeps() {
    let mut random = Random(29);
    let all = clustered_in(6_050, 64, &mut random);
    let (queries, vectors) = all.split_at(50);
    let index = filled_with(BITS, vectors);
    for every in [2, 100, 1_500] {
        let keeps = |node: u32| node.is_multiple_of(every);
        let found = recall(&index, vectors, queries, keeps);
        assert!(found >= 0.98, "recall@10 of one of {every} is {found}");
        let among = index.search_among(&queries[0], 10, (0..6_000).filter(|node| keeps(*node)));
        assert_eq!(index.search_where(&queries[0], 10, keeps), among);
    }
    assert!(index.search_where(&queries[0], 10, |_| false).is_empty());
}

#[test]
fn bits_stay_with_their_vectors() {
    let mut random = Random(31);
    let vectors = clustered_in(3_000, 64, &mut random);
    let mut index = filled_with(Limits { codes: 500, graph: usize::MAX }, &vectors);
    for node in (0..3_000).filter(|node| node % 3 != 0) {
        index.remove(node);
    }
    assert!(index.rows.len() < 1_500, "room was reclaimed");
    let found = recall(&index, &vectors, &vectors[..50], |_| true);
    assert!(found >= 0.98, "recall@10 after removal is {found}");
    index.insert(1, &vectors[1]).unwrap();
    assert_eq!(found_one(&index, &vectors[1]), 1);

    // What is kept comes back and answers alike; what does not hold together is refused.
    let bytes = postcard::to_allocvec(&index.kept()).unwrap();
    let read = || postcard::from_bytes::<Kept>(&bytes).unwrap();
    let mut back = filled_with(BITS, &vectors[..1]);
    back.restore(read()).unwrap();
    for query in &vectors[..50] {
        assert_eq!(back.search(query, 20), index.search(query, 20));
    }
    back.insert(2, &vectors[2]).unwrap();
    assert_eq!(found_one(&back, &vectors[2]), 2);
    let (rows, _) = read();
    let fewer = Codes::of(&filled_with(EXACT, &vectors[..64]).rows);
    assert!(back.restore((rows, Some(fewer))).is_err());
    assert_eq!(found_one(&back, &vectors[2]), 2);
}

fn found_one(index: &VectorIndex, query: &[f32]) -> u32 {
    found(index, query, 1)[0]
}

#[test]
fn bits_cope_with_what_is_all_alike_and_with_nothing() {
    let vectors = clustered_in(600, 48, &mut Random(37));
    let mut same = vec![vectors[0].clone(); 500];
    same.extend_from_slice(&vectors[..100]);
    same.push(vec![0.0; 48]);
    let (bits, exact) = (filled_with(BITS, &same), filled_with(EXACT, &same));
    for query in &vectors[..20] {
        assert_eq!(bits.search(query, 5), exact.search(query, 5));
    }
    assert_eq!(bits.search(&vectors[3], 700).len(), 601);
    let nothing = filled_with(BITS, &vec![vec![0.0; 48]; 70]);
    assert_eq!(nothing.search(&vectors[0], 2), [(0, 0.0), (1, 0.0)]);
}
