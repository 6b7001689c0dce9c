//! lore
fn main() {}
