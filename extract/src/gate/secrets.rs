//! What is not to be kept of a text: passwords, keys and tokens, numbers of cards and accounts, PINs, and numbers by which a
//! state knows people. Some tell by their form what they are, the others by the words before them. What is doubtful is
//! kept: a memory that forgets what it was told is of no use.

use std::ops::Range;

use lorebase_engine::model::episode::Span;
use lorebase_engine::model::extraction::{Refusal, RefusalReason};

use crate::gate::fits::Link;
use crate::gate::words::{Piece, characters, has_word, pieces};
use crate::gate::{fits, keys, mask, numbers};

/// What is said to be given: the words that say so, and what it is then.
struct Kind {
    reason: RefusalReason,
    /// Last words of what is named, as "number" in "account number".
    heads: &'static [&'static str],
    /// The words one of which must stand before, or none.
    before: &'static [&'static str],
    fits: fn(&str, Link) -> bool,
}

const KINDS: &[Kind] = &[
    Kind {
        reason: RefusalReason::Password,
        heads: &[
            "password",
            "passwd",
            "pwd",
            "pw",
            "passphrase",
            "passcode",
            "pass_word",
            "passwort",
            "kennwort",
            "contraseña",
            "senha",
            "wachtwoord",
            "parola",
            "şifre",
            "şifrem",
            "пароль",
        ],
        before: &[],
        fits: fits::is_password,
    },
    Kind { reason: RefusalReason::Password, heads: &["passe"], before: &["de"], fits: fits::is_password },
    Kind {
        reason: RefusalReason::Key,
        heads: &[
            "apikey",
            "api_key",
            "secret_key",
            "access_key",
            "access_token",
            "auth_token",
            "secret",
            "token",
            "bearer",
        ],
        before: &[],
        fits: fits::is_key,
    },
    Kind {
        reason: RefusalReason::Key,
        heads: &["key"],
        before: &[
            "api",
            "access",
            "secret",
            "private",
            "licence",
            "license",
            "encryption",
            "signing",
            "product",
            "auth",
        ],
        fits: fits::is_key,
    },
    Kind {
        reason: RefusalReason::Pin,
        heads: &["pin", "cvv", "cvc", "cvv2", "otp"],
        before: &[],
        fits: fits::is_pin,
    },
    Kind {
        reason: RefusalReason::Pin,
        heads: &["code"],
        before: &["pin", "security", "verification", "cvv", "cvc", "2fa", "otp", "time", "login"],
        fits: fits::is_code,
    },
    Kind {
        reason: RefusalReason::AccountNumber,
        heads: &["number", "no", "nr", "num"],
        before: &["account", "acct", "routing"],
        fits: fits::is_account,
    },
    Kind {
        reason: RefusalReason::AccountNumber,
        heads: &["kontonummer", "iban", "account_number", "rekeningnummer"],
        before: &[],
        fits: fits::is_account,
    },
    Kind {
        reason: RefusalReason::AccountNumber,
        heads: &["code"],
        before: &["sort"],
        fits: fits::is_sort_code,
    },
    Kind {
        reason: RefusalReason::IdentityNumber,
        heads: &["ssn"],
        before: &[],
        fits: fits::is_social_security,
    },
    Kind {
        reason: RefusalReason::IdentityNumber,
        heads: &["security", "number"],
        before: &["social", "security"],
        fits: fits::is_social_security,
    },
];

/// Words that mean a password and are not set apart from what follows by blanks.
const UNSPACED: &[&str] = &["密码", "密碼", "口令", "パスワード", "비밀번호"];

/// How far from its name something may be given, in words: "the password for the wifi in the office is".
const REACH: usize = 8;
/// What parts sentences, over which no name reaches.
const STOPS: &[&str] = &[".", "!", "?", ";", "\n", "。"];

/// What no name reaches over either: marks of programs and of pages.
const BREAKS: &[&str] = &["<", ">", "{", "}", "[", "]", "(", "|", "&", "/", "\\"];
const QUOTES: &[&str] = &["\"", "'", "`", "*", "”", "’", "»"];
/// What ties a name to more words: "password for the wifi". "Password policies" are no password.
const TIES: &[&str] = &[
    "for", "to", "of", "on", "at", "in", "from", "s", "here", "there", "now", "that", "which", "we", "i",
    "number", "code", "für", "para", "pour", "de", "del", "per", "voor",
];

/// The secrets of a text, in order and without overlap. A mask is none, and what it says names none.
pub fn find(text: &str) -> Vec<Refusal> {
    let blanked = mask::blanked(text);
    let mut found = find_in(blanked.as_deref().unwrap_or(text));
    // What stands beside a secret may be one that is only seen once that is gone.
    let mut more = found.clone();
    while !more.is_empty() {
        more = find_in(&without(text, blanked.as_deref(), &found));
        found.append(&mut more.clone());
        found.sort_unstable();
    }
    found
}

/// A text with what was found made unreadable.
fn without(text: &str, blanked: Option<&str>, found: &[Refusal]) -> String {
    let (mut rest, mut at) = (found.iter().peekable(), 0_u32);
    let blank = |c: char| {
        while rest.next_if(|refusal| refusal.span.end <= at).is_some() {}
        let inside = rest.peek().is_some_and(|refusal| refusal.span.start <= at);
        at += 1;
        if inside { '[' } else { c }
    };
    blanked.unwrap_or(text).chars().map(blank).collect()
}

fn find_in(text: &str) -> Vec<Refusal> {
    let mut found: Vec<(Range<usize>, RefusalReason)> = Vec::new();
    let (digits, named) = (has_digits(text), may_name(text));
    if digits {
        found.extend(numbers::cards(text).into_iter().map(|at| (at, RefusalReason::CardNumber)));
        found.extend(numbers::ibans(text).into_iter().map(|at| (at, RefusalReason::AccountNumber)));
    }
    found.extend(keys::formed(text).into_iter().map(|at| (at, RefusalReason::Key)));
    found.extend(keys::in_addresses(text).into_iter().map(|at| (at, RefusalReason::Password)));
    if named {
        found.extend(named_in(text));
    }
    apart(text, found)
}

/// Whether it has ten digits with few other signs between; nothing shorter is looked for without its name.
fn has_digits(text: &str) -> bool {
    let (mut count, mut since) = (0, 0);
    text.bytes().any(|byte| {
        (count, since) = match (byte.is_ascii_digit(), since) {
            (true, _) => (count + 1, 0),
            (false, 0..4) => (count, since + 1),
            (false, _) => (0, since),
        };
        count >= 10
    })
}

/// Whether some word may name a secret. Nearly no text has any.
fn may_name(text: &str) -> bool {
    let foreign =
        || UNSPACED.iter().chain(&["şifre", "Şifre", "пароль", "Пароль"]).any(|word| text.contains(word));
    has_word(text, beginnings) || (!text.is_ascii() && foreign())
}

/// What words begin with that may name a secret, by their first letters.
fn beginnings(first: u8) -> &'static [&'static str] {
    match first {
        b'p' => &["pass", "pw", "pin", "parola", "private", "product"],
        b'c' => &["cv", "code", "contrase"],
        b'o' => &["otp"],
        b'k' => &["key", "konto", "kennwort"],
        b'a' => &["api", "access", "auth", "account", "acct"],
        b's' => &["secret", "ssn", "social", "security", "senha", "sort"],
        b't' => &["token"],
        b'b' => &["bearer"],
        b'r' => &["routing", "rekening"],
        b'i' => &["iban"],
        b'w' => &["wachtwoord"],
        _ => &[],
    }
}

/// What the words before it tell to be a secret.
fn named_in(text: &str) -> Vec<(Range<usize>, RefusalReason)> {
    let pieces = pieces(text);
    let mut found = Vec::new();
    for at in 0..pieces.len() {
        if let Some(kind) = KINDS.iter().find(|kind| kind.is_named(&pieces, at))
            && let Some(value) = given(text, &pieces, at, kind)
        {
            found.push((value, kind.reason));
        }
    }
    for word in UNSPACED {
        found.extend(text.match_indices(word).filter_map(|(at, word)| unspaced(text, at + word.len())));
    }
    found
}

impl Kind {
    fn is_named(&self, pieces: &[Piece<'_>], at: usize) -> bool {
        let word = pieces[at].text;
        let is_head = |head: &&str| {
            word.eq_ignore_ascii_case(head) || word.to_lowercase() == **head || ends_in(word, head)
        };
        let before = |back: usize| at.checked_sub(back).is_some_and(|at| pieces[at].is(self.before));
        // "API-key", "one-time code": a dash may stand between.
        let dash = at.checked_sub(1).is_some_and(|at| pieces[at].text == "-");
        self.heads.iter().any(is_head) && (self.before.is_empty() || before(1) || (dash && before(2)))
    }
}

/// Whether a word of a program ends in another one: `DB_PASSWORD`, `dbPassword`, `my_api_key`.
fn ends_in(word: &str, head: &str) -> bool {
    let Some(at) = word.len().checked_sub(head.len()).filter(|at| *at > 0) else { return false };
    let (Some(before), Some(end)) = (word.get(..at), word.get(at..)) else { return false };
    let parted = before.ends_with('_')
        || (before.ends_with(|c: char| c.is_lowercase()) && end.starts_with(|c: char| c.is_uppercase()));
    parted && end.eq_ignore_ascii_case(head)
}

/// What is given behind a name, if something is that fits.
fn given(text: &str, pieces: &[Piece<'_>], name: usize, kind: &Kind) -> Option<Range<usize>> {
    let (mut words, mut attached) = (0, true);
    for at in name + 1..pieces.len() {
        let piece = pieces[at];
        if piece.is(STOPS)
            || piece.is(BREAKS)
            || words > REACH
            || KINDS.iter().any(|kind| kind.is_named(pieces, at))
        {
            break;
        }
        let link = match piece.text {
            ":" if text[piece.end()..].starts_with("//") => break,
            ":" | "：" => Link::Mark,
            "=" if attached => Link::Mark,
            _ if piece.is(&["is", "was", "are", "ist", "lautet", "es", "est", "é", "è"]) => Link::Verb,
            _ if piece.is(&["to"]) && changed(pieces, name) => Link::None,
            _ if words == 0 && piece.is_word() && !piece.is(TIES) => break,
            _ => {
                attached &= piece.is(QUOTES);
                words += usize::from(piece.is_word());
                continue;
            }
        };
        // "is: hunter2", "is now hunter2", "=> hunter2".
        let mut next = at + 1;
        let mut link = link;
        while let Some(piece) = pieces.get(next) {
            match piece.text {
                ":" | "=" | "：" => link = Link::Mark,
                ">" | "#" | "*" => {}
                _ if piece.is(&["now", "still", "currently", "just", "really", "simply"]) => {}
                _ => break,
            }
            next += 1;
        }
        let value = value(text, pieces.get(next)?.start);
        return ((kind.fits)(&text[value.clone()], link) && ends_there(text, &value)).then_some(value);
    }
    // "password hunter2", "PIN 4821".
    let next = pieces.get(name + 1).filter(|piece| piece.is_word() || piece.is(&["\"", "'", "`", "#"]))?;
    let next = if next.text == "#" { pieces.get(name + 2)? } else { next };
    let value = value(text, next.start);
    ((kind.fits)(&text[value.clone()], Link::None)).then_some(value)
}

/// Whether the name is the object of a verb of change, a few words before.
fn changed(pieces: &[Piece<'_>], name: usize) -> bool {
    const CHANGES: &[&str] = &[
        "change", "changed", "changing", "set", "setting", "reset", "update", "updated", "switched", "make",
        "made",
    ];
    pieces[name.saturating_sub(5)..name]
        .iter()
        .rev()
        .take_while(|piece| !piece.is(STOPS))
        .any(|piece| piece.is(CHANGES))
}

/// The run of signs that begins at a byte, without quotation marks around it and marks of sentences behind it.
fn value(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`' | '“' | '‘' | '«'))
    {
        let close = match quote {
            '“' => '”',
            '‘' => '’',
            '«' => '»',
            other => other,
        };
        let inner = start + quote.len_utf8();
        let line = text[inner..].find('\n').map_or(text.len(), |end| inner + end);
        if let Some(end) = text[inner..line].find(close) {
            return inner..inner + end;
        }
    }
    let run = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '`' | '”')).unwrap_or(rest.len());
    let run = rest.find("</").map_or(run, |tag| tag.min(run));
    let run = rest[..run].trim_end_matches(|c: char| {
        matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '"' | '\'' | '`' | '”')
    });
    // A number may be told in groups.
    let grouped = rest.find(|c: char| !c.is_ascii_digit() && c != ' ' && c != '-').unwrap_or(rest.len());
    let grouped = rest[..grouped].trim_end_matches([' ', '-']);
    start..start + run.len().max(grouped.len())
}

/// Whether a clause ends behind a value that may be a word: "is swordfish", and not "is swordfish related".
fn ends_there(text: &str, value: &Range<usize>) -> bool {
    let (value, rest) = (&text[value.clone()], &text[value.end..]);
    let next = rest.trim_start_matches(['"', '\'', '`', '”', '’', '»', ' ']);
    let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    !fits::is_plain(value)
        || !next.starts_with(char::is_alphanumeric)
        || ["and", "but", "so", "for", "please", "in", "if", "on", "just", "btw"].contains(&word)
}

/// The value behind a name that no blank parts from it: "密码是hunter2".
fn unspaced(text: &str, end: usize) -> Option<(Range<usize>, RefusalReason)> {
    let rest = text[end..].trim_start();
    let link =
        ["是", "为", "為", "は", "는", "은", "：", ":", "="].iter().find(|link| rest.starts_with(**link))?;
    let rest = rest[link.len()..].trim_start_matches([' ', '"', '「', '“', '：', ':']);
    let length = rest.find(|c: char| !c.is_ascii_graphic()).unwrap_or(rest.len());
    let value = rest[..length].trim_end_matches(['.', ',', '!', '?', '"']);
    let start = text.len() - rest.len();
    (value.len() >= 4 && !keys::is_filler(value))
        .then(|| (start..start + value.len(), RefusalReason::Password))
}

/// In the order of the text, in characters; of what overlaps, the first and of these the longest.
fn apart(text: &str, mut found: Vec<(Range<usize>, RefusalReason)>) -> Vec<Refusal> {
    found.sort_by_key(|(at, reason)| (at.start, std::cmp::Reverse(at.end), *reason));
    let mut end = 0;
    found.retain(|(at, _)| {
        let free = at.start >= end && !at.is_empty();
        end = if free { at.end } else { end };
        free
    });
    let places = characters(text, found.iter().flat_map(|(at, _)| [at.start, at.end]));
    let span = |ends: &[u32]| Span { start: ends[0], end: ends[1] };
    found
        .iter()
        .zip(places.chunks_exact(2))
        .map(|((_, reason), ends)| Refusal { span: span(ends), reason: *reason })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(&str, &'static str)> {
        find(text).into_iter().map(|found| (found.span.slice(text).unwrap(), found.reason.as_str())).collect()
    }

    #[test]
    fn passwords_are_told_by_the_words_before_them() {
        for (text, secret) in [
            ("My password is hunter2.", "hunter2"),
            ("my wifi password is swordfish", "swordfish"),
            ("Password: Tr0ub4dor&3", "Tr0ub4dor&3"),
            ("pw: letmein99, user: ana", "letmein99"),
            ("The password for the shared drive is now \"blue horse\".", "blue horse"),
            ("I changed my password to s3cr3t-x!", "s3cr3t-x"),
            ("log in with password hunter2", "hunter2"),
            ("DB_PASSWORD=hunter22", "hunter22"),
            ("{\"password\": \"hunter22\"}", "hunter22"),
            ("the passphrase is 'correct horse battery staple'", "correct horse battery staple"),
            ("Mein Passwort ist Sommer2024!", "Sommer2024"),
            ("mot de passe : soleil123", "soleil123"),
            ("我的密码是hunter22。", "hunter22"),
            ("My password's hunter2? No: my password is hunter3", "hunter3"),
        ] {
            assert!(told(text).contains(&(secret, "password")), "{text}: {:?}", told(text));
        }
    }

    #[test]
    fn what_is_said_of_passwords_is_kept() {
        for text in [
            "My password is too weak.",
            "The password is expired, I think.",
            "my password is not working",
            "I forgot my password again, what is your plan?",
            "Is the password the same as before?",
            "Password managers are great: I use one.",
            "password: <your password>",
            "The password is required.",
            "She said the password is something about cats",
            "password = os.environ['DB_PASSWORD']",
            "password: [refused: password]",
            "I need to change my password to something better.",
            "The key to success is hard work and 16 hours a day.",
            "The token was a small gift for Ana.",
            "Pin 3 goes to ground, I pinned 4 posts.",
            "My zip code is 94110 and the flight number is 1234567.",
            "the secret is to keep calm",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }

    #[test]
    fn numbers_and_keys_are_told_by_their_names() {
        for (text, secret, reason) in [
            ("My PIN is 4821.", "4821", "PIN"),
            ("the PIN for the card is 4821", "4821", "PIN"),
            ("CVV 123", "123", "PIN"),
            ("your verification code is 482913", "482913", "PIN"),
            ("My account number is 12345678.", "12345678", "account number"),
            ("Acct no: 0012 3456 78", "0012 3456 78", "account number"),
            ("sort code 12-34-56", "12-34-56", "account number"),
            ("my SSN is 123-45-6789", "123-45-6789", "identity number"),
            ("Social Security number: 123-45-6789", "123-45-6789", "identity number"),
            ("api_key = \"q8Fk2Lq9Zx7Vb3Nm1Rt6\"", "q8Fk2Lq9Zx7Vb3Nm1Rt6", "key"),
            ("Our API key is q8Fk2Lq9Zx7Vb3Nm1Rt6.", "q8Fk2Lq9Zx7Vb3Nm1Rt6", "key"),
            ("card 4111 1111 1111 1111 exp 12/26", "4111 1111 1111 1111", "card number"),
            ("IBAN: DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00", "account number"),
        ] {
            assert_eq!(told(text), [(secret, reason)], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_kept() {
        for text in [
            "Call me at +351 912 345 678 or 555-123-4567.",
            "commit 3f2a9c1d4b5e6f708192a3b4c5d6e7f8091a2b3c fixed it",
            "The id is 550e8400-e29b-41d4-a716-446655440000.",
            "It took 1700000000123 ms, on 2024-05-08 at 10:00:00.",
            "Order 123-45-6789 came today.",
            "ISBN 978-0-306-40615-7",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }
}
