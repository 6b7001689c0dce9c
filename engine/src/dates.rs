//! Expressions of time in text, resolved against the time at which it was said.
