//! The graph against the scan, on seeded data, and what the index refuses.

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
        let mut sum = || (0..6).map(|_| self.next() as f32 / 2_f32.powi(31) - 0.5).sum::<f32>();
        (0..DIMENSIONS).map(|_| sum()).collect()
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
    let centres: Vec<Vec<f32>> = (0..count / 50).map(|_| random.vector()).collect();
    (0..count)
        .map(|i| {
            let centre = &centres[i % centres.len()];
            let near = centre.iter().zip(random.vector()).map(|(c, x)| c + 0.7 * x);
            unit(near.collect())
        })
        .collect()
}

fn filled(limit: usize, vectors: &[Vec<f32>]) -> VectorIndex {
    let mut index = VectorIndex::with_exact_limit(identity(), limit);
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
    assert!(matches!(graph.search, Search::Graph(_)));
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
    assert!(matches!(index.search, Search::Graph(_)));
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
    assert_eq!(index.search(&axis(1), 4), [(3, 1.0), (5, 1.0), (9, 1.0), (1, 0.0)]);
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
