//! Keys and tokens that tell by how they are written what they are, and how random a string looks.

use std::ops::Range;

/// What a key begins with, and how many signs it has behind that at least.
const PREFIXES: &[(&str, usize)] = &[
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("pk_live_", 16),
    ("whsec_", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 30),
    ("glpat-", 18),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 20),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("hf_", 30),
    ("npm_", 30),
    ("pypi-", 40),
    ("SG.", 40),
    ("dop_v1_", 40),
    ("shpat_", 30),
    ("AGE-SECRET-KEY-", 30),
    ("gsk_", 30),
    ("glsa_", 30),
    ("lin_api_", 30),
    ("dckr_pat_", 20),
    ("r8_", 30),
    ("key-", 32),
];

const PEM_BEGIN: &str = "-----BEGIN ";
const PEM_END: &str = "-----END ";
const PEM_KEY: &str = "PRIVATE KEY";

/// Keys that are known by their form: by a prefix, JSON web tokens, private keys, and passwords in the address of a
/// server.
pub(super) fn formed(text: &str) -> Vec<Range<usize>> {
    let mut found = pem_blocks(text);
    let mut end = 0;
    for (start, run) in runs(text) {
        if start >= end
            && let Some(length) = prefixed(run).or_else(|| web_token(run))
        {
            end = start + length;
            found.push(start..end);
        }
    }
    found
}

/// Runs of the signs that keys are written with, as they begin behind a sign of another kind, with where they begin.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(sign)?;
        let length = text[start..].find(|c| !sign(c)).unwrap_or(text.len() - start);
        at = start + length;
        Some((start, &text[start..at]))
    })
    .filter(|(_, run)| run.len() >= 16)
}

fn prefixed(run: &str) -> Option<usize> {
    let (prefix, least) = PREFIXES.iter().find(|(prefix, _)| run.starts_with(prefix))?;
    let run = run.trim_end_matches(['.', '-']);
    let rest = run.get(prefix.len()..)?;
    let mixed = rest.bytes().any(|byte| byte.is_ascii_uppercase())
        && rest.bytes().any(|byte| byte.is_ascii_lowercase());
    let varied = mixed || rest.bytes().any(|byte| byte.is_ascii_digit());
    (rest.len() >= *least && varied && !is_filler(rest)).then_some(run.len())
}

/// A JSON web token: three parts of which the first two are objects.
fn web_token(run: &str) -> Option<usize> {
    let run = run.trim_end_matches(['.', '-']);
    let mut parts = run.split('.');
    let (head, body) = (parts.next()?, parts.next()?);
    (head.starts_with("eyJ") && body.starts_with("eyJ") && run.len() > 40).then_some(run.len())
}

/// Private keys between their marks; where the end is missing, all that follows.
fn pem_blocks(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = text[at..].find(PEM_BEGIN).map(|start| at + start) {
        let head = &text[start..];
        let line = head.find('\n').unwrap_or(head.len().min(100));
        at = start + PEM_BEGIN.len();
        if !head.get(..line).is_some_and(|line| line.contains(PEM_KEY)) {
            continue;
        }
        let end = head.find(PEM_END).map_or(text.len(), |end| {
            let close = start + end + PEM_END.len();
            text[close..].find("-----").map_or(text.len(), |marks| close + marks + 5)
        });
        found.push(start..end);
        at = end;
    }
    found
}

/// Passwords in addresses, as in `postgres://ana:secret@db.example`.
pub(super) fn in_addresses(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(scheme) = text[at..].find("://").map(|scheme| at + scheme + 3) {
        let rest = &text[scheme..];
        let authority = &rest[..rest
            .find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '<'))
            .unwrap_or(rest.len())];
        at = scheme;
        let Some((user, _)) = authority.rsplit_once('@') else { continue };
        let Some(colon) = user.find(':') else { continue };
        let password = &user[colon + 1..];
        let named = password.to_ascii_lowercase().contains("pass")
            && !password.bytes().any(|byte| byte.is_ascii_digit());
        if !password.is_empty() && !named && !is_filler(password) {
            found.push(scheme + colon + 1..scheme + user.len());
        }
    }
    found
}

/// How many bits each sign of a string tells, by how often each stands in it.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = text.len() as f64;
    let share = |count: u32| f64::from(count) / length;
    counts.iter().filter(|count| **count > 0).map(|count| -share(*count) * share(*count).log2()).sum()
}

/// Whether a string stands in the place of a secret and is none: stars, a name in brackets, a variable.
pub(super) fn is_filler(text: &str) -> bool {
    const FILLERS: &[&str] =
        &["your", "example", "placeholder", "changeme", "redacted", "xxxx", "****", "...", "refused"];
    let first = text.chars().next();
    let lower = text.to_ascii_lowercase();
    text.chars().all(|c| Some(c) == first)
        || matches!(first, Some('<' | '$' | '{' | '[' | '%'))
        || FILLERS.iter().any(|filler| lower.contains(filler))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<&str> {
        formed(text).into_iter().chain(in_addresses(text)).map(|range| &text[range]).collect()
    }

    #[test]
    fn keys_are_known_by_their_form() {
        // Put together here, so that nobody's scanner takes them for keys that leaked.
        let tail = "a8Fk2Lq9Zx7Vb3Nm1Rt6Yp4Wc5Hd0Js";
        for prefix in ["sk-", "ghp_", "hf_", "xoxb-", "glpat-"] {
            let key = format!("{prefix}{tail}");
            assert_eq!(told(&format!("use {key}, and mind it.")), [key.as_str()]);
        }
        let token = format!("eyJ{tail}.eyJ{tail}.{tail}");
        assert_eq!(told(&format!("Bearer {token}")), [token.as_str()]);
        let key = format!("{PEM_BEGIN}RSA {PEM_KEY}-----\n{tail}\n{PEM_END}RSA {PEM_KEY}-----");
        assert_eq!(told(&format!("it is\n{key}\nok")), [key.as_str()]);
        assert_eq!(told("postgres://ana:hunter2@db.example/x"), ["hunter2"]);
    }

    #[test]
    fn what_only_looks_like_a_key_is_none() {
        for text in [
            "commit 3f2a9c1d4b5e6f708192a3b4c5d6e7f8091a2b3c",
            "550e8400-e29b-41d4-a716-446655440000",
            "https://example.com/a/very/long/path-with-many-words-in-it?x=1",
            "sk-your-api-key-goes-here-please",
            "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
            "mail ana:bob@example.com",
            "https://user:<password>@host/",
            "sk-learn-style-estimators-in-rust",
        ] {
            assert_eq!(told(text), Vec::<&str>::new(), "{text}");
        }
    }
}
