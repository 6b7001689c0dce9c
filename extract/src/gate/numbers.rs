//! Numbers that tell by their own digits what they are: payment cards and IBANs.

use std::ops::Range;

/// Countries with IBANs, and how long theirs are.
const IBAN_LENGTHS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BR", 29),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PK", 24),
    ("PL", 28),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
];

/// Numbers of payment cards: 13 to 19 digits, alone or in groups, that begin as an issuer's do and whose check digit is
/// right.
pub(super) fn cards(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for run in digit_runs(text) {
        let digits: Vec<u8> =
            text[run.clone()].bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        if is_issued(&digits) && passes_luhn(&digits) && is_grouped(&text[run.clone()]) {
            found.push(run);
        }
    }
    found
}

/// Runs of digits with single blanks or dashes between, which nothing else is attached to.
fn digit_runs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut runs, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let (start, mut end) = (at, at + 1);
        while end < bytes.len() {
            let joins =
                matches!(bytes[end], b' ' | b'-') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            if bytes[end].is_ascii_digit() || joins {
                end += 1;
            } else {
                break;
            }
        }
        at = end;
        let attached = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'+'))
        };
        let before = start.checked_sub(1).and_then(|before| bytes.get(before));
        let fraction = |one: Option<&u8>, other: Option<&u8>| {
            one.is_some_and(|byte| matches!(byte, b'.' | b',')) && other.is_some_and(u8::is_ascii_digit)
        };
        let decimal = fraction(bytes.get(end), bytes.get(end + 1))
            || fraction(before, start.checked_sub(2).and_then(|before| bytes.get(before)));
        if !attached(before) && !attached(bytes.get(end)) && !decimal {
            runs.push(start..end);
        }
    }
    runs
}

/// Whether the digits of a card stand as they are written on cards: in one, in fours, or as 4-6-5 and 4-6-4.
fn is_grouped(written: &str) -> bool {
    let lengths: Vec<usize> = written.split([' ', '-']).map(str::len).collect();
    match &lengths[..] {
        [_] | [4, 6, 5 | 4] => true,
        [fours @ .., last] => fours.iter().all(|length| *length == 4) && (1..=4).contains(last),
        [] => false,
    }
}

/// Whether a card with these digits may be of an issuer that is known.
fn is_issued(digits: &[u8]) -> bool {
    let first =
        |count: usize| digits.iter().take(count).fold(0_u32, |number, digit| number * 10 + u32::from(*digit));
    match digits.len() {
        13 | 19 => first(1) == 4 || (digits.len() == 19 && first(2) == 62),
        14 => matches!(first(2), 36 | 38 | 39) || (300..=305).contains(&first(3)),
        15 => matches!(first(2), 34 | 37),
        16 => {
            first(1) == 4
                || (51..=55).contains(&first(2))
                || (2221..=2720).contains(&first(4))
                || first(4) == 6011
                || (644..=649).contains(&first(3))
                || matches!(first(2), 62 | 65)
                || (3528..=3589).contains(&first(4))
        }
        17 | 18 => first(2) == 62,
        _ => false,
    }
}

fn passes_luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let value =
        |(place, digit): (usize, &u8)| u32::from(if place % 2 == 1 { doubled(*digit) } else { *digit });
    let varied = digits.iter().any(|digit| *digit != digits[0]);
    varied && digits.iter().rev().enumerate().map(value).sum::<u32>() % 10 == 0
}

/// IBANs, in one or in fours, whose check digits are right.
pub(super) fn ibans(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at + 15 <= bytes.len() {
        let begins = bytes[at].is_ascii_alphabetic()
            && bytes[at + 1].is_ascii_alphabetic()
            && bytes[at + 2].is_ascii_digit()
            && bytes[at + 3].is_ascii_digit()
            && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric());
        if let Some(end) = begins.then(|| iban_end(bytes, at)).flatten() {
            found.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// The first byte after the IBAN that begins at `start`, if one does.
fn iban_end(bytes: &[u8], start: usize) -> Option<usize> {
    let country = [bytes[start].to_ascii_uppercase(), bytes[start + 1].to_ascii_uppercase()];
    let length = IBAN_LENGTHS.iter().find(|(code, _)| code.as_bytes() == country)?.1;
    let (mut signs, mut end) = (Vec::with_capacity(length), start);
    while signs.len() < length {
        match bytes.get(end)? {
            sign if sign.is_ascii_alphanumeric() => signs.push(sign.to_ascii_uppercase()),
            b' ' | b'-' if signs.len() % 4 == 0 && bytes[end - 1].is_ascii_alphanumeric() => {}
            _ => return None,
        }
        end += 1;
    }
    let attached = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    (!attached && remainder(&signs) == 1).then_some(end)
}

/// What is left of an IBAN's number when it is divided by 97, the country and check digits put last and letters written as
/// numbers.
fn remainder(signs: &[u8]) -> u32 {
    let value = |sign: &u8| u32::from(if sign.is_ascii_digit() { sign - b'0' } else { sign - b'A' + 10 });
    let moved = signs[4..].iter().chain(&signs[..4]);
    moved.map(value).fold(0, |rest, value| (rest * if value > 9 { 100 } else { 10 } + value) % 97)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'t>(text: &'t str, found: &[Range<usize>]) -> Vec<&'t str> {
        found.iter().map(|range| &text[range.clone()]).collect()
    }

    #[test]
    fn cards_are_told_by_issuer_and_check_digit() {
        for card in ["4111 1111 1111 1111", "5500-0000-0000-0004", "378282246310005", "3782 822463 10005"] {
            let text = format!("It is {card}, I think.");
            assert_eq!(pieces(&text, &cards(&text)), [card]);
        }
        for other in [
            "4111 1111 1111 1112",
            "9111111111111111",
            "id-4111111111111111",
            "+49 1511 2345678",
            "1700000000123",
            "0000 0000 0000 0000",
            "12 34 56 78 90 12 34 56",
            "3.4111111111111111",
        ] {
            assert!(cards(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn ibans_are_told_by_country_length_and_check_digits() {
        for iban in ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "NL91 ABNA 0417 1643 00"] {
            let text = format!("Pay to {iban} please");
            assert_eq!(pieces(&text, &ibans(&text)), [iban]);
        }
        for other in
            ["DE88 3704 0044 0532 0130 00", "XX89370400440532013000", "room AB12 3456 7890 1234 5678"]
        {
            assert!(ibans(other).is_empty(), "{other}");
        }
    }
}
