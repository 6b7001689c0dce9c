//! What is known of a model behind an endpoint: where it is, how it is asked, and what tells its vectors from all others.
//! Never the key: only which variable of the environment has it.

use lorebase_engine::embed::ModelIdentity;
use serde::{Deserialize, Serialize};

use super::super::hashes;
use crate::error::Error;

/// Which variable has the key for OpenAI's own endpoint, and which for any other where nobody says: so that no key goes to
/// somebody whom it was not made for.
const KEYS: [&str; 2] = ["OPENAI_API_KEY", "LOREBASE_API_KEY"];
const OPENAI: &str = "api.openai.com";
/// Digits of a hash that stand in an identity.
const DIGITS: usize = 8;
/// The longest URL and the longest name of a model there, in bytes.
const TEXT_MAX: usize = 1024;

/// How a model behind an endpoint is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The endpoint without `/embeddings`, such as `https://api.openai.com/v1` or `http://localhost:11434/v1`.
    pub url: String,
    /// What the model is called there.
    pub model: String,
    /// How many numbers a vector is to have, where the endpoint is to be told; some models can shorten theirs.
    pub dimensions: Option<usize>,
    /// Which variable of the environment has the key; see [`Settings::key_variable`].
    pub key_variable: Option<String>,
    /// What stands before a question.
    pub query_prefix: String,
    /// What stands before a text that is to be found.
    pub passage_prefix: String,
    /// The most texts in a request.
    pub batch: usize,
    /// About how many bytes of text a request has at most; one text may have more.
    pub batch_bytes: usize,
    /// The most bytes of a text; of a longer one, the vector is that of its beginning.
    pub text_bytes: usize,
    /// How long one try may take, in milliseconds, and a question with all its tries.
    pub timeout_ms: u64,
    /// How often a request is tried again.
    pub retries: u32,
    /// The first pause before that, in milliseconds; each is twice as long as the one before, give or take a quarter.
    pub backoff_ms: u64,
    /// The most requests in a minute.
    pub requests_per_minute: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            url: String::new(),
            model: String::new(),
            dimensions: None,
            key_variable: None,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            batch: 64,
            batch_bytes: 256 << 10,
            text_bytes: 32 << 10,
            timeout_ms: 30_000,
            retries: 4,
            backoff_ms: 500,
            requests_per_minute: None,
        }
    }
}

impl Settings {
    /// Those of a model at an endpoint; all else as is usual.
    ///
    /// # Errors
    /// As [`Settings::check`].
    pub fn new(url: &str, model: &str) -> Result<Self, Error> {
        let url = url.trim_end_matches('/').to_owned();
        let settings = Self { url, model: model.to_owned(), ..Self::default() };
        settings.check()?;
        Ok(settings)
    }

    /// Refuses what cannot be asked, and an address that holds more than one: a key in it would be stored and shown.
    ///
    /// # Errors
    /// [`Error::Argument`].
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |argument, problem: &str| Err(Error::Argument { argument, problem: problem.to_owned() });
        let authority = self.authority();
        let readable =
            |text: &str| !text.is_empty() && text.len() <= TEXT_MAX && !text.contains(char::is_control);
        if authority.is_none() || !readable(&self.url) || !self.url.chars().all(|c| c.is_ascii_graphic()) {
            return refuse(
                "the endpoint's URL",
                "must begin with https:// or http:// and a host, such as https://api.openai.com/v1",
            );
        }
        if authority.is_some_and(|authority| authority.contains('@')) || self.url.contains(['?', '#']) {
            return refuse(
                "the endpoint's URL",
                "must have no user, password, ? and #: keys come from the environment only, and are neither stored nor shown",
            );
        }
        if self.url.trim_end_matches('/').ends_with("/embeddings") {
            return refuse("the endpoint's URL", "must stop before /embeddings, which is put behind it");
        }
        if !readable(&self.model) {
            return refuse(
                "the model at the endpoint",
                "must have a name of at most 1024 bytes, as it is called there",
            );
        }
        let names_one = |name: &String| {
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
            !name.is_empty() && name.chars().all(fits) && !name.starts_with(|c: char| c.is_ascii_digit())
        };
        if !self.key_variable.as_ref().is_none_or(names_one) {
            return refuse(
                "the key's variable",
                "must be the name of a variable of the environment, such as OPENAI_API_KEY; never the key itself",
            );
        }
        let numbers = [self.batch, self.batch_bytes, self.text_bytes, self.dimensions.unwrap_or(1)];
        if numbers.contains(&0) || self.timeout_ms == 0 || self.requests_per_minute == Some(0) {
            return refuse("a number of the endpoint's settings", "is 0; give 1 or more");
        }
        Ok(())
    }

    /// The variable of the environment that has the key: the one that is named, or else `OPENAI_API_KEY` for
    /// api.openai.com and `LOREBASE_API_KEY` for all others. It need not be set.
    pub fn key_variable(&self) -> &str {
        let usual = if self.authority() == Some(OPENAI) { KEYS[0] } else { KEYS[1] };
        self.key_variable.as_deref().unwrap_or(usual)
    }

    /// What tells vectors of this model from all others: what it is called there, the host, how many numbers a vector has,
    /// and the beginning of a hash of these, the rest of the URL and what stands before texts.
    pub fn identity(&self, dimensions: usize) -> ModelIdentity {
        // Fixed for ever: stored vectors are known by it.
        let all = format!(
            "{:?}\n{:?}\n{dimensions}\n{:?}\n{:?}\n{}",
            self.address(),
            self.model,
            self.query_prefix,
            self.passage_prefix,
            self.text_bytes
        );
        let rest = &hashes::sha256_of(all.as_bytes())[..DIGITS];
        let host = self.authority().unwrap_or_default().to_ascii_lowercase();
        ModelIdentity { name: format!("{}@{host}-{dimensions}-{rest}", self.model), dimensions }
    }

    /// Host, port and path.
    fn address(&self) -> String {
        let (host, path) = self.after_scheme().unwrap_or_default();
        format!("{}{}", host.to_ascii_lowercase(), path.trim_end_matches('/'))
    }

    /// Host and port.
    fn authority(&self) -> Option<&str> {
        self.after_scheme().map(|(authority, _)| authority).filter(|authority| !authority.is_empty())
    }

    fn after_scheme(&self) -> Option<(&str, &str)> {
        let rest = self.url.strip_prefix("https://").or_else(|| self.url.strip_prefix("http://"))?;
        Some(rest.split_at(rest.find('/').unwrap_or(rest.len())))
    }

    /// Whether texts, and a key if there is one, are sent so that others on the way can read them.
    pub fn is_open_to_others(&self) -> bool {
        let host = self.authority().unwrap_or_default();
        let here = ["localhost", "127.", "[::1]"].iter().any(|here| host.starts_with(here));
        self.url.starts_with("http://") && !here
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings::new("http://localhost:11434/v1/", "nomic-embed-text").unwrap()
    }

    #[test]
    fn an_identity_tells_where_what_and_how() {
        let one = settings();
        let name = one.identity(768).name;
        assert!(name.starts_with("nomic-embed-text@localhost:11434-768-"), "{name}");
        let mut seen = std::collections::HashSet::from([name, one.identity(512).name]);
        assert_eq!(seen.len(), 2);
        let mut differs = |change: &dyn Fn(&mut Settings)| {
            let mut other = one.clone();
            change(&mut other);
            assert!(seen.insert(other.identity(768).name), "{}", other.identity(768).name);
        };
        differs(&|other| other.url = "http://localhost:11435/v1".to_owned());
        differs(&|other| other.url = "http://localhost:11434/v2".to_owned());
        differs(&|other| other.model = "other".to_owned());
        differs(&|other| other.query_prefix = "query: ".to_owned());
        differs(&|other| other.passage_prefix = "query: ".to_owned());
        differs(&|other| other.text_bytes = 99);
        // What changes no vector changes no identity.
        let other =
            Settings { url: "https://LOCALHOST:11434/v1".to_owned(), batch: 1, retries: 0, ..one.clone() };
        assert_eq!(other.identity(768), one.identity(768));
    }

    #[test]
    fn no_key_goes_into_what_is_stored_nor_to_whom_it_is_not_for() {
        assert_eq!(settings().key_variable(), "LOREBASE_API_KEY");
        let openai = Settings::new("https://api.openai.com/v1", "text-embedding-3-small").unwrap();
        assert_eq!(openai.key_variable(), "OPENAI_API_KEY");
        let near = Settings::new("https://api.openai.com.example.org/v1", "m").unwrap();
        assert_eq!(near.key_variable(), "LOREBASE_API_KEY");
        let named = Settings { key_variable: Some("MY_KEY".to_owned()), ..openai.clone() };
        assert_eq!(named.key_variable(), "MY_KEY");
        let key = Settings { key_variable: Some("sk-123".to_owned()), ..openai };
        assert!(key.check().unwrap_err().to_string().contains("never the key itself"));
        for url in [
            "",
            "localhost",
            "ftp://x/v1",
            "http://",
            "https://u:p@x/v1",
            "https://x/v1?key=1",
            "https://x/v1#a",
            "https://x/ v1",
            "https://x/v1/embeddings",
        ] {
            assert!(Settings::new(url, "m").is_err(), "{url}");
        }
        assert!(Settings::new("http://x", "").is_err());
        assert!(Settings { batch: 0, ..settings() }.check().is_err());
        assert!(Settings::new("http://10.0.0.7/v1", "m").unwrap().is_open_to_others());
        assert!(!settings().is_open_to_others());
    }
}
