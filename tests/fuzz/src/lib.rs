//! What the fuzz targets share.

pub mod change;
pub mod memory;
pub mod readings;
pub mod setup;
pub mod times;
