//! What the fuzz targets share.

pub mod change;
pub mod memory;
pub mod readings;
pub mod repaired;
pub mod setup;
pub mod times;
