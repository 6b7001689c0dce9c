//! What is like this? Derived, disposable, rebuilt from the store.
