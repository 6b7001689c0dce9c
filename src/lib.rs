//! lorebase
