//! What a target does before its first input.

/// Lets everything that is done by many threads be done by the one that fuzzes, so that the same input walks the same
/// ways.
pub fn one_thread() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("no pool was made before");
}
