//! From a text to a rule, or to what is wrong with it and where.

use super::rule::{ATOMS_MAX, Atom, InvalidRule, RULE_MAX_BYTES, Rule, Term};
use crate::model::predicate::Predicate;

/// What is wrong, and at which character, counted from 0.
struct Problem {
    at: usize,
    problem: String,
}

/// An atom with where it begins.
struct Placed {
    at: usize,
    atom: Atom,
}

/// A text that is read character by character.
struct Reader {
    text: Vec<char>,
    at: usize,
}

/// How much of a text an error shows.
const SHOWN: usize = 120;

/// Reads a rule.
pub(super) fn rule(text: &str) -> Result<Rule, InvalidRule> {
    read(text).map_err(|Problem { at, problem }| {
        let shown: String = text.chars().take(SHOWN).collect();
        let text = if text.chars().count() > SHOWN { format!("{shown}…") } else { shown };
        InvalidRule { text, at: at + 1, problem }
    })
}

fn read(text: &str) -> Result<Rule, Problem> {
    let mut reader = Reader { text: text.chars().collect(), at: 0 };
    if text.len() > RULE_MAX_BYTES {
        let at = text.char_indices().take_while(|(byte, _)| *byte < RULE_MAX_BYTES).count();
        return Err(Problem::at(at, format!("a rule has at most {RULE_MAX_BYTES} bytes")));
    }
    let (body, head) = reader.rule()?;
    if let Some(surplus) = body.get(ATOMS_MAX) {
        return Err(Problem::at(surplus.at, format!("a rule has at most {ATOMS_MAX} atoms before ->")));
    }
    check(&body, &head)?;
    Ok(Rule::of(body.into_iter().map(|placed| placed.atom).collect(), head.atom))
}

/// What no grammar says: that variables are used so that a rule can be worked out from any of its ends.
fn check(body: &[Placed], head: &Placed) -> Result<(), Problem> {
    for placed in body.iter().chain([head]) {
        let Atom { predicate, ends: [one, other] } = &placed.atom;
        if one == other {
            let problem = format!("{predicate} would tie {one} to itself; give two different ones");
            return Err(Problem::at(placed.at, problem));
        }
    }
    if let Some(placed) = body.iter().find(|placed| placed.atom.variables().next().is_none()) {
        let problem = "an atom before -> needs a variable, such as X".to_owned();
        return Err(Problem::at(placed.at, problem));
    }
    let stands = |name: &str| body.iter().any(|placed| placed.atom.variables().any(|known| known == name));
    if let Some(name) = head.atom.variables().find(|name| !stands(name)) {
        let problem = format!("{name} stands in no atom before ->, so nothing would tell what it is");
        return Err(Problem::at(head.at, problem));
    }
    if head.atom.variables().next().is_none() {
        let problem = "what follows needs a variable, such as X".to_owned();
        return Err(Problem::at(head.at, problem));
    }
    loose(body).map_or(Ok(()), |placed| {
        let problem = format!("{} shares no variable with the atoms before it", placed.atom);
        Err(Problem::at(placed.at, problem))
    })
}

/// The first atom to which no chain of shared variables leads from the first one.
fn loose(body: &[Placed]) -> Option<&Placed> {
    let mut reached: Vec<&str> = body[0].atom.variables().collect();
    let mut open: Vec<&Placed> = body[1..].iter().collect();
    loop {
        let ties = |placed: &&Placed| placed.atom.variables().any(|name| reached.contains(&name));
        let Some(place) = open.iter().position(ties) else { return open.first().copied() };
        reached.extend(open.remove(place).atom.variables());
    }
}

impl Problem {
    fn at(at: usize, problem: String) -> Self {
        Self { at, problem }
    }
}

impl Reader {
    /// The atoms before the arrow, and the one after it.
    fn rule(&mut self) -> Result<(Vec<Placed>, Placed), Problem> {
        let mut body = vec![self.atom()?];
        while !self.takes_arrow() {
            if !self.takes(',') {
                return Err(self.expected("\",\" and another atom, or \"->\" and what follows from them"));
            }
            body.push(self.atom()?);
        }
        let head = self.atom()?;
        self.blanks();
        if self.at < self.text.len() {
            return Err(self.expected("the end: one atom follows \"->\""));
        }
        Ok((body, head))
    }

    fn atom(&mut self) -> Result<Placed, Problem> {
        self.blanks();
        let at = self.at;
        let predicate = self.predicate()?;
        if !self.takes('(') {
            return Err(self.expected(&format!("\"(\" after {predicate}")));
        }
        let subject = self.term()?;
        if !self.takes(',') {
            return Err(self.expected("\",\" and a second term: an atom ties two"));
        }
        let object = self.term()?;
        if !self.takes(')') {
            return Err(self.expected("\")\" after the second term"));
        }
        Ok(Placed { at, atom: Atom { predicate, ends: [subject, object] } })
    }

    fn predicate(&mut self) -> Result<Predicate, Problem> {
        let begins = |c: char| c.is_alphabetic() && !c.is_uppercase();
        match self.next() {
            Some(c) if c.is_uppercase() => {
                return Err(self.expected("a predicate, such as lives_in; upper case begins variables"));
            }
            Some(c) if begins(c) => {}
            _ => return Err(self.expected("a predicate, such as lives_in")),
        }
        let name = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '\''));
        Ok(Predicate::new(&name))
    }

    fn term(&mut self) -> Result<Term, Problem> {
        self.blanks();
        match self.next() {
            Some('"') => self.constant(),
            Some(c) if c.is_uppercase() => {
                Ok(Term::Variable(self.take_while(|c| c.is_alphanumeric() || c == '_')))
            }
            _ => {
                Err(self
                    .expected("a variable in upper case, such as X, or a text in quotes, such as \"Porto\""))
            }
        }
    }

    /// What stands between quotes, of which the first one comes next.
    fn constant(&mut self) -> Result<Term, Problem> {
        let begin = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let c = self.next();
            self.at += 1;
            match c {
                None => {
                    return Err(Problem::at(begin, "the quote that begins here does not end".to_owned()));
                }
                Some('"') => break,
                Some('\\') => {
                    let escaped = self.next().filter(|c| matches!(c, '"' | '\\'));
                    let Some(escaped) = escaped else {
                        return Err(self.expected("\" or \\ after \\"));
                    };
                    text.push(escaped);
                    self.at += 1;
                }
                Some(c) => text.push(c),
            }
        }
        if crate::text::fold_name(&text).is_empty() {
            return Err(Problem::at(begin, "names nothing; give a name or a value".to_owned()));
        }
        Ok(Term::Constant(text))
    }

    fn next(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let taken: String = self.text[self.at..].iter().take_while(|c| belongs(**c)).collect();
        self.at += taken.chars().count();
        taken
    }

    fn takes(&mut self, wanted: char) -> bool {
        self.blanks();
        let found = self.next() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn takes_arrow(&mut self) -> bool {
        self.blanks();
        let found = self.text[self.at..].starts_with(&['-', '>']);
        self.at += if found { 2 } else { 0 };
        found
    }

    fn expected(&self, what: &str) -> Problem {
        let found = self.next().map_or_else(|| "the end".to_owned(), |c| format!("'{}'", c.escape_debug()));
        Problem::at(self.at, format!("{found} stands where there should be {what}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn problem(text: &str) -> (usize, String) {
        let InvalidRule { at, problem, .. } = text.parse::<Rule>().unwrap_err();
        (at, problem)
    }

    #[test]
    fn a_rule_is_read_and_written_alike() {
        for (text, shown) in [
            ("lives_in(X,C), city_in(C,N) -> country(X,N)", "lives_in(X,C), city_in(C,N) -> country(X,N)"),
            (" knows( Xa , Y_1 )->Knows_of(Y_1,Xa)", ""),
            ("p(X,\"a \\\"b\\\" \\\\ c\")->q(\"Porto\",X)", "p(X,\"a \\\"b\\\" \\\\ c\") -> q(\"Porto\",X)"),
            ("住在(X,Y) , isn't-far(Y,Z)-> 近(X,Z)", "住在(X,Y), isn't-far(Y,Z) -> 近(X,Z)"),
        ] {
            match text.parse::<Rule>() {
                Ok(rule) => {
                    assert_eq!(rule.to_string(), shown);
                    assert_eq!(shown.parse::<Rule>().unwrap(), rule);
                }
                Err(_) => assert_eq!(shown, ""),
            }
        }
    }

    #[test]
    fn an_error_tells_the_place_and_what_should_be_there() {
        for (text, at, told) in [
            ("", 1, "the end stands where there should be a predicate"),
            ("Lives(X,Y) -> p(X,Y)", 1, "upper case begins variables"),
            ("lives_in X,Y", 10, "\"(\" after lives_in"),
            ("p(X)", 4, "an atom ties two"),
            ("p(x,Y) -> q(Y,Y)", 3, "a variable in upper case"),
            ("p(X,\"Porto) -> q(X,Y)", 5, "does not end"),
            ("p(X,\"\\n\") -> q(X,Y)", 7, "\" or \\ after"),
            ("p(X,\" \") -> q(X,Y)", 5, "names nothing"),
            ("p(X,Y", 6, "\")\" after the second term"),
            ("p(X,Y) q(Y,Z)", 8, "or \"->\""),
            ("p(X,Y) -> q(X,Y), r(X,Y)", 17, "the end"),
            ("p(X,Y) -> q(X,Z)", 11, "Z stands in no atom before ->"),
            ("p(X,Y) -> q(\"a\",\"b\")", 11, "needs a variable"),
            ("p(X,Y), q(\"a\",\"b\") -> r(X,Y)", 9, "needs a variable"),
            ("p(X,X) -> q(X,Y)", 1, "to itself"),
            ("p(X,Y) -> q(X,X)", 11, "to itself"),
            ("p(X,Y), r(Z,W), q(Y,V) -> q(X,Z)", 9, "shares no variable"),
            ("p(A,B), p(B,C), p(C,D), p(D,E), p(E,F), p(F,G), p(G,H) -> p(A,H)", 49, "at most 6 atoms"),
        ] {
            let (place, problem) = problem(text);
            assert!(place == at && problem.contains(told), "{text}: {place}: {problem}");
        }
        assert_eq!(problem(&"p".repeat(RULE_MAX_BYTES + 1)).0, RULE_MAX_BYTES + 1);
    }

    #[test]
    fn the_order_of_atoms_does_not_matter_for_what_hangs_together() {
        assert!("p(X,Y), r(Z,W), q(Y,Z) -> s(X,W)".parse::<Rule>().is_ok());
    }

    proptest! {
        #[test]
        fn any_text_is_a_rule_that_is_written_as_it_is_read_or_has_a_place_that_is_wrong(
            text in "[a-cXYZ_\\-'(),> \"\\\\é]{0,40}",
            pieces in prop::collection::vec(prop::sample::select(
                vec!["p(X,Y)", ", ", " -> ", "q(Y,Z)", "r(X,\"a\")", "p(", "X", ")", "\"", "\\"]), 0..9),
        ) {
            for text in [text, pieces.concat()] {
                match text.parse::<Rule>() {
                    Ok(rule) => prop_assert_eq!(rule.to_string().parse::<Rule>().unwrap(), rule),
                    Err(InvalidRule { at, .. }) => prop_assert!((1..=text.chars().count() + 1).contains(&at)),
                }
            }
        }
    }
}
