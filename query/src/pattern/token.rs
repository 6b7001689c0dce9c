//! The smallest pieces of a text: words, signs, names, texts in quotes and numbers, each with the blanks before it.

use winnow::combinator::{alt, delimited, not, opt, preceded, repeat, terminated};
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, literal, one_of, take_while};
use winnow::{Parser, Result};

use super::ast::{Literal, Variable};
use super::problem::Problem;
use super::words::{begins_name, is_of_name, is_reserved};

/// What is left of a text.
pub(super) type Input<'t> = LocatingSlice<&'t str>;
/// What was read of it.
pub(super) type Parsed<T> = Result<T, Problem>;

/// Passes over blanks.
pub(super) fn blanks<'t>(input: &mut Input<'t>) -> Parsed<&'t str> {
    take_while(0.., char::is_whitespace).parse_next(input)
}

/// A sign, such as `->`.
pub(super) fn symbol<'t>(sign: &'static str) -> impl Parser<Input<'t>, &'t str, Problem> {
    preceded(blanks, literal(sign))
}

/// A word of the language, in whichever case.
pub(super) fn keyword<'t>(wanted: &'static str) -> impl Parser<Input<'t>, &'t str, Problem> {
    preceded(blanks, word).verify(move |word: &str| word.eq_ignore_ascii_case(wanted))
}

/// Two of them in a row.
pub(super) fn keywords<'t>(
    [one, other]: [&'static str; 2],
) -> impl Parser<Input<'t>, (&'t str, &'t str), Problem> {
    (keyword(one), keyword(other))
}

fn word<'t>(input: &mut Input<'t>) -> Parsed<&'t str> {
    (one_of(begins_name), take_while(0.., is_of_name)).take().parse_next(input)
}

/// A name, in backticks or not.
pub(super) fn name(input: &mut Input<'_>) -> Parsed<String> {
    let piece = alt((literal("``").value('`'), any.verify(|c| *c != '`')));
    let quoted = delimited('`', repeat(1.., piece), '`');
    preceded(blanks, alt((quoted, word.map(str::to_owned)))).parse_next(input)
}

/// The name of a variable or a column: no word of the language, unless in backticks.
pub(super) fn variable(input: &mut Input<'_>) -> Parsed<Variable> {
    blanks(input)?;
    let at = input.current_token_start();
    not(word.verify(|word: &str| is_reserved(word))).parse_next(input)?;
    Ok(Variable::placed(&name(input)?, at))
}

/// What stands between quotes.
pub(super) fn quoted(input: &mut Input<'_>) -> Parsed<String> {
    blanks(input)?;
    let at = input.current_token_start();
    let quote = one_of(['"', '\'']).parse_next(input)?;
    let escaped = |input: &mut Input<'_>| {
        let known = one_of(['"', '\'', '\\', 'n', 't', 'r']);
        let c = need(input, known, "one of \" ' \\ n t r after \\")?;
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            same => same,
        })
    };
    let plain = any.verify(move |c: &char| *c != quote && *c != '\\');
    let text = repeat(0.., alt((preceded('\\', escaped), plain))).parse_next(input)?;
    let ended: Option<char> = opt(literal_char(quote)).parse_next(input)?;
    ended.map(|_| text).ok_or_else(|| Problem::at(at, "the quote that begins here does not end".to_owned()))
}

fn literal_char<'t>(wanted: char) -> impl Parser<Input<'t>, char, Problem> {
    any.verify(move |c: &char| *c == wanted)
}

/// A whole number without a sign.
pub(super) fn digits(input: &mut Input<'_>) -> Parsed<u32> {
    blanks(input)?;
    let at = input.current_token_start();
    let digits: &str = take_while(1.., |c: char| c.is_ascii_digit()).parse_next(input)?;
    digits.parse().map_err(|_| Problem::at(at, format!("{digits} is too large a number")))
}

/// A number, with or without a sign, a point and an exponent.
pub(super) fn number(input: &mut Input<'_>) -> Parsed<Literal> {
    fn some<'t>(input: &mut Input<'t>) -> Parsed<&'t str> {
        take_while(1.., |c: char| c.is_ascii_digit()).parse_next(input)
    }
    blanks(input)?;
    let at = input.current_token_start();
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), some);
    let number = (opt('-'), some, opt(('.', some)), opt(exponent)).take();
    let text: &str = terminated(number, not(one_of(is_of_name))).parse_next(input)?;
    if let Ok(whole) = text.parse() {
        return Ok(Literal::Integer(whole));
    }
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.map(Literal::Number).ok_or_else(|| Problem::at(at, format!("{text} is too large a number")))
}

/// What must come next.
pub(super) fn need<'t, O>(
    input: &mut Input<'t>,
    parser: impl Parser<Input<'t>, O, Problem>,
    what: &str,
) -> Parsed<O> {
    opt(parser).parse_next(input)?.ok_or_else(|| expected(input, what))
}

/// Whether what may come next does; it is passed over then.
pub(super) fn takes<'t, O>(
    input: &mut Input<'t>,
    parser: impl Parser<Input<'t>, O, Problem>,
) -> Parsed<bool> {
    Ok(opt(parser).parse_next(input)?.is_some())
}

/// Where the next thing begins.
pub(super) fn position(input: &Input<'_>) -> usize {
    let mut ahead = *input;
    // Blanks are passed over whatever comes.
    let _ = blanks(&mut ahead);
    ahead.current_token_start()
}

/// That something else stands where there should be `what`.
pub(super) fn expected(input: &Input<'_>, what: &str) -> Problem {
    let mut ahead = *input;
    let _ = blanks(&mut ahead);
    let found = match opt(word).parse_next(&mut ahead) {
        Ok(Some(word)) => word.to_owned(),
        _ => ahead.chars().next().map_or_else(|| "the end".to_owned(), |c| format!("'{}'", c.escape_debug())),
    };
    Problem::at(position(input), format!("{found} stands where there should be {what}"))
}
