//! What a secret looks like of which the words before it say what it is.

use crate::gate::keys;

/// What is said of passwords in place of telling them.
const SAID: &str = "about actually again all also always any been being better case changed compromised correct \
    different done easy empty enough fine gone good great hard here hidden important invalid like long \
    mandatory missing more much necessary needed never none not nothing okay only optional plain private \
    probably protected public ready required right safe same secret secure sensitive short simple some \
    something strong stronger sufficient super temporary that their there these this those too true \
    unique unknown unsafe useless valid very visible weak weaker what when where which will with wrong \
    your string null false incorrect used stored from they have just maybe both crucial essential \
    manager managers reset";

/// What ties a name to what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// A colon or an equals sign.
    Mark,
    /// "is", "was".
    Verb,
    /// Nothing, or "to" after a verb of change.
    None,
}

/// Whether it is written as an ordinary word is.
pub(super) fn is_plain(value: &str) -> bool {
    let mut rest = value.chars().skip(1);
    value.chars().all(char::is_alphabetic) && rest.all(char::is_lowercase)
}

/// Whether it may be a password: it is told as one, and is not what is said of one.
pub(super) fn is_password(value: &str, link: Link) -> bool {
    // `hashed_password`, "testpassword": a name of one.
    let names_one = ["passw", "passphrase"].iter().any(|name| value.to_ascii_lowercase().contains(name));
    if names_one && (link != Link::Verb || !value.bytes().any(|byte| byte.is_ascii_digit())) {
        return false;
    }
    if value.len() < 4 || value.len() > 200 || keys::is_filler(value) || value.contains("://") {
        return false;
    }
    let lower = value.to_lowercase();
    if is_plain(value) {
        // "expired", "working" and "correctly" say something of a password.
        let told = ["ed", "ing", "ly", "able", "ible"].iter().any(|end| lower.ends_with(end));
        return link != Link::None && !told && !SAID.split(' ').any(|said| said == lower);
    }
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.chars().any(char::is_alphabetic);
    let mark = value
        .chars()
        .any(|c| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-' | ',' | '.' | '(' | ')' | '/'));
    let mixed = value.chars().skip(1).any(char::is_uppercase) && value.chars().any(char::is_lowercase);
    // "os.environ[...]", "get_password(...)".
    let named = value.find(['(', '[', '{']).and_then(|at| value.get(..at));
    let code = named
        .is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:".contains(&byte)));
    !code
        && match link {
            Link::Mark => !value.contains(' ') || value.split(' ').count() <= 8,
            Link::Verb => digit || mark || mixed || value.contains('-'),
            Link::None => digit && letter && !value.contains([' ', '*']),
        }
}

/// Whether it is as random as a key is.
pub(super) fn is_key(value: &str, link: Link) -> bool {
    let signs = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+/=~:".contains(&byte));
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let least = if link == Link::None { 24 } else { 16 };
    signs
        && digit
        && letter
        && value.len() >= least
        && keys::entropy(value) >= 3.0
        && !keys::is_filler(value)
        && !value.contains("://")
}

fn digits(value: &str) -> Option<usize> {
    let told = value.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ' || byte == b'-');
    told.then(|| value.bytes().filter(u8::is_ascii_digit).count())
}

/// Whether it may be a PIN or the check number of a card.
pub(super) fn is_pin(value: &str, _: Link) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit()) && (3..=6).contains(&value.len())
}

/// Whether it may be a code that is used once.
pub(super) fn is_code(value: &str, link: Link) -> bool {
    link != Link::None && digits(value).is_some_and(|count| (3..=8).contains(&count) && !value.contains(' '))
}

/// Whether it may be the number of an account.
pub(super) fn is_account(value: &str, _: Link) -> bool {
    digits(value).is_some_and(|count| (6..=18).contains(&count))
}

/// Whether it may be a sort code.
pub(super) fn is_sort_code(value: &str, _: Link) -> bool {
    digits(value) == Some(6)
}

/// Whether it may be a social security number of the United States.
pub(super) fn is_social_security(value: &str, _: Link) -> bool {
    let number: String = value.chars().filter(char::is_ascii_digit).collect();
    let written = value.len() == 9 || value.split(['-', ' ']).map(str::len).eq([3, 2, 4]);
    let given = |piece: Option<&str>, never: &[&str]| piece.is_some_and(|piece| !never.contains(&piece));
    number.len() == 9
        && digits(value).is_some()
        && written
        && !number.starts_with('9')
        && given(number.get(..3), &["000", "666"])
        && given(number.get(3..5), &["00"])
        && given(number.get(5..), &["0000"])
}
