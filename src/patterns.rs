//! Patterns over entities and facts: what meets them in a namespace.

use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::time::Moment;
use lorebase_query::pattern::ast::Pattern;
use lorebase_query::pattern::{self, Limits, Table};

use crate::error::Error;
use crate::memory::{Memory, at_present};

impl Memory {
    /// Everything that meets a pattern, which is read from a text (`"MATCH (a)-[:knows]->(b) RETURN b.name".parse()`) or put
    /// together in Rust; `docs/patterns.md` has what can be asked. Seen from a moment: with a time of the world, clauses
    /// that name none look at what held then; with a time of the record, all go by what the memory had been told then. What
    /// has expired is left out, as of the moment's `now` or else of the clock.
    ///
    /// ```
    /// use lorebase::engine::model::id::Namespace;
    /// use lorebase::engine::model::time::Moment;
    /// use lorebase::memory::{Memory, Remember};
    /// use lorebase::query::pattern::ast::{Hop, Node, Path, Pattern, Property, Term};
    /// use lorebase::query::pattern::{Cell, Limits};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let (memory, _) = Memory::create(directory.path())?;
    /// let ana = Namespace::new("ana")?;
    /// memory.remember(&ana, &Remember { speaker: Some("Ana"), ..Remember::new("I work at Acme.") })?;
    /// memory.remember(&ana, &Remember { speaker: Some("Rui"), ..Remember::new("I work at Acme.") })?;
    ///
    /// let path = Path::from(Node::new("a").named("Ana"))
    ///     .to(Hop::new("works_at"), Node::default())
    ///     .to(Hop::new("works_at").back(), Node::new("b"));
    /// let made = Pattern::new(vec![path], [Term::property("b", Property::Name)]);
    /// let read: Pattern = "MATCH (a {name: 'Ana'})-[:works_at]->()<-[:works_at]-(b) RETURN b.name".parse()?;
    /// assert_eq!(made, read);
    /// let found = memory.matches(&ana, &made, Moment::default(), Limits::default())?;
    /// assert_eq!(found.rows, [[Cell::Text("Rui".to_owned())]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a pattern put together in Rust that means nothing, telling where it would be wrong as a
    /// text, and the store's.
    pub fn matches(
        &self,
        namespace: &Namespace,
        pattern: &Pattern,
        moment: Moment,
        limits: Limits,
    ) -> Result<Table, Error> {
        let reader = self.engine().reader(namespace)?;
        pattern::matches(reader.state(), pattern, at_present(moment), limits).map_err(|error| {
            Error::Argument { argument: "the pattern", problem: format!("is wrong {error}") }
        })
    }
}
