//! The grammar of questions over ties: from words to what is asked. Every way to read them is tried; the first that takes
//! all words counts. It knows no facts but who has which name.

use lorebase_engine::graph::EntityIx;
use lorebase_engine::text::Stems;

use super::ask::{Ask, Fits, Term};
use super::ties::{self, Role, Sort, Tie, VERBS};
use super::words::Word;

/// A reading that went so far.
type Read<T> = Vec<(T, usize)>;

/// The words of a question while they are read.
pub(super) struct Grammar<'w> {
    words: &'w [Word],
    stems: Stems,
    /// Who asks, where that is told.
    asker: Option<Vec<EntityIx>>,
    /// How much was tried; a long riddle is given up.
    tried: std::cell::Cell<usize>,
}

/// How often a noun is looked for in a question at the most.
const TRIES: usize = 20_000;

/// What is asked by these words, by each way of reading all of them; nothing where they are not understood as a whole. Only
/// where they are not as they stand, clauses are looked for behind other nouns. `user` is who asks, where no one else is said to.
pub(super) fn read(words: &[Word], user: Option<Vec<EntityIx>>) -> Vec<Ask> {
    let (asker, words) = asker(words);
    let asker = asker.or(user);
    let words = trimmed(words);
    let read = |words: Vec<Word>| {
        let grammar =
            Grammar { words: &words, stems: Stems::default(), asker: asker.clone(), tried: 0.into() };
        grammar.question()
    };
    let straight = read(words.to_vec());
    if straight.is_empty() { rearranged(words).into_iter().flat_map(read).collect() } else { straight }
}

/// Takes off "Ana asks:" and tells who that is.
fn asker(words: &[Word]) -> (Option<Vec<EntityIx>>, &[Word]) {
    match words {
        [name, asks, rest @ ..]
            if !name.named.is_empty() && asks.is_one_of(&["asks", "wonders", "asked"]) =>
        {
            let rest = rest
                .split_first()
                .filter(|(sign, _)| sign.is_one_of(&[":", ","]))
                .map_or(rest, |(_, rest)| rest);
            (Some(name.named.clone()), rest)
        }
        _ => (None, words),
    }
}

/// The words without those at either end that say nothing of what is asked.
fn trimmed(mut words: &[Word]) -> &[Word] {
    const POLITE: [&[&str]; 6] = [
        &["do", "you", "know"],
        &["can", "you", "tell", "me"],
        &["tell", "me"],
        &["please"],
        &["and"],
        &["so"],
    ];
    const LATE: [&[&str]; 8] = [
        &["now"],
        &["currently"],
        &["today"],
        &["nowadays"],
        &["these", "days"],
        &["at", "the", "moment"],
        &["please"],
        &["right", "now"],
    ];
    let is = |words: &[Word], plain: &[&str]| {
        words.len() == plain.len() && words.iter().zip(plain).all(|(word, plain)| word.is(plain))
    };
    for polite in POLITE {
        if words.len() > polite.len() && is(&words[..polite.len()], polite) {
            words = &words[polite.len()..];
        }
    }
    for late in LATE {
        if words.len() > late.len() && is(&words[words.len() - late.len()..], late) {
            words = &words[..words.len() - late.len()];
        }
    }
    words
}

/// "In which town does the founder of the company live that Ana works for" with the clause behind its noun.
fn rearranged(words: &[Word]) -> Vec<Vec<Word>> {
    let opens = |word: &Word| word.is_one_of(&["that", "which", "who", "where", "whom"]);
    let mut found = Vec::new();
    for clause in (2..words.len()).filter(|place| opens(&words[*place])) {
        for length in 1..=3_usize.min(clause - 1) {
            let verb = clause - length;
            found.push([&words[..verb], &words[clause..], &words[verb..clause]].concat());
        }
    }
    found
}

impl Grammar<'_> {
    fn word(&self, at: usize) -> Option<&Word> {
        self.words.get(at)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.word(at).is_some_and(|known| known.is(word))
    }

    fn is_one_of(&self, at: usize, words: &[&str]) -> bool {
        self.word(at).is_some_and(|known| known.is_one_of(words))
    }

    /// Behind these words, if they stand there.
    fn past(&self, at: usize, words: &[&str]) -> Option<usize> {
        let all = words.iter().enumerate().all(|(place, word)| self.is(at + place, word));
        all.then_some(at + words.len())
    }

    fn all<T>(&self, read: Read<T>) -> Vec<T> {
        read.into_iter().filter(|(_, end)| *end == self.words.len()).map(|(read, _)| read).collect()
    }

    fn question(&self) -> Vec<Ask> {
        let mut found = self.before();
        found.extend(self.count().into_iter().map(Ask::Count));
        found.extend(self.whether());
        found.extend(self.asked().into_iter().map(Ask::Ends));
        found
    }

    /// What is asked for by "who", "which", "where".
    fn asked(&self) -> Vec<Term> {
        let read = [self.of_group(), self.inverted(), self.is_what(), self.who_does()];
        read.into_iter().flat_map(|read| self.all(read)).collect()
    }

    /// "Which of Ana's friends live in Porto", "of Ana's friends, who lives in Porto", "which friend of Ana lives in …".
    fn of_group(&self) -> Read<Term> {
        let mut found = Vec::new();
        let wh = ["which", "who", "whom", "what"];
        let mut groups: Read<Term> = Vec::new();
        if self.is_one_of(0, &wh) {
            let at = if self.is(1, "one") { 2 } else { 1 };
            if self.is_one_of(at, &["of", "among"]) {
                groups.extend(self.noun(at + 1));
            }
            groups.extend(self.role_of(1));
        }
        if self.is_one_of(0, &["of", "among"]) {
            for (term, mut at) in self.noun(1) {
                at += usize::from(self.is(at, ","));
                if self.is_one_of(at, &wh) {
                    at += if self.is(at + 1, "one") { 2 } else { 1 };
                    groups.push((term, at));
                }
            }
        }
        for (term, at) in groups {
            let fits = self.clause(at).into_iter();
            found.extend(fits.map(|(fits, end)| (Term::With(Box::new(term.clone()), vec![fits]), end)));
        }
        found
    }

    /// The word that asks, with the sort of what is asked for: "in which town", "where", "what company".
    fn asking(&self) -> Option<(Option<&'static Tie>, Sort, Option<Role>, usize)> {
        let at =
            usize::from(self.is_one_of(0, &["in", "by", "for", "at", "to", "on", "under", "from", "with"]));
        let word = self.word(at)?;
        if !word.is_one_of(&["who", "whom", "what", "which", "where"]) {
            return None;
        }
        let hint = (word.is("where")).then_some(&ties::HOME);
        if !word.is_one_of(&["what", "which"]) {
            let sort = if word.is_one_of(&["who", "whom"]) { Sort::Person } else { Sort::Any };
            return Some((hint, sort, None, at + 1));
        }
        let noun = self.word(at + 1).filter(|word| word.named.is_empty());
        let sort = noun.and_then(|noun| ties::sort(noun.singular()));
        let role = noun.and_then(|noun| ties::role(noun.singular()));
        let end = at + 1 + usize::from(sort.is_some() || role.is_some());
        Some((hint, sort.unwrap_or(Sort::Any), role, end))
    }

    /// "Where does Ana live", "in which town is Acme based", "who does Ana report to".
    fn inverted(&self) -> Read<Term> {
        let Some((_, sort, role, at)) = self.asking() else { return Vec::new() };
        if !self
            .is_one_of(at, &["does", "do", "did", "is", "are", "was", "were", "has", "am", "can", "could"])
        {
            return Vec::new();
        }
        let mut found = Vec::new();
        let is = self.is_one_of(at, &["is", "are", "was", "were", "am"]);
        for (term, end) in self.noun(at + 1) {
            for (tie, end) in self.verb(end) {
                // "By which company is Ana employed", "where is Ana employed": what is done to her.
                let passive = is && [&ties::STAFF, &ties::REPORTS, &ties::FOUNDED].contains(&tie);
                let asked = if passive { ties::turned(tie) } else { tie };
                found.push((asked_of(&term, asked, sort), end));
                if self.is_one_of(0, &["under"]) && *tie == ties::WORK {
                    found.insert(found.len() - 1, (asked_of(&term, &ties::BOSS, sort), end));
                }
            }
            if let Some(role) = role.filter(|_| {
                self.is_one_of(end, &["have", "got", "own", "has"]) || self.past(end, &["go", "to"]).is_some()
            }) {
                let end = self.past(end, &["go", "to"]).unwrap_or(end + 1);
                found.push((Term::Over(Box::new(term.clone()), role), end));
            }
            // "Where is Ana's home": it is the place.
            if matches!(&term, Term::Over(_, role) if *role.tie == ties::HOME) && self.is(0, "where") {
                found.push((term.clone(), end));
            }
            if is
                && (self.is(0, "where")
                    || self.is(0, "in")
                    || self.is(end, "in")
                    || sort == Sort::Town
                    || sort == Sort::Region)
            {
                let end = end + usize::from(self.is(end, "in"));
                found.push((asked_of(&term, &ties::PLACE, sort), end));
                found.push((asked_of(&term, &ties::HOME, sort), end));
            }
        }
        found
    }

    /// "Who is Ana's boss", "what is the name of Ana's dog", "what is Ana's dog called".
    fn is_what(&self) -> Read<Term> {
        let Some((_, _, _, at)) = self.asking() else { return Vec::new() };
        if self.is_one_of(0, &["where", "in", "by"])
            || !self.is_one_of(at, &["is", "are", "was", "'s", "were"])
        {
            return Vec::new();
        }
        let named =
            self.past(at + 1, &["the", "name", "of"]).or_else(|| self.past(at + 1, &["the", "names", "of"]));
        let mut found = Vec::new();
        for (term, mut end) in self.noun(named.unwrap_or(at + 1)) {
            end += usize::from(self.is_one_of(end, &["called", "named"]));
            // "Who is Ana?" asks for more than a name.
            if !matches!(term, Term::Named(_)) {
                found.push((term, end));
            }
        }
        found
    }

    /// "Who founded Acme", "which town is home to Ana".
    fn who_does(&self) -> Read<Term> {
        let Some((_, sort, _, at)) = self.asking() else { return Vec::new() };
        let sorted = |fits| Term::Sorted(Box::new(Term::All(vec![fits])), sort);
        self.clause(at).into_iter().map(|(fits, end)| (sorted(fits), end)).collect()
    }

    /// What is counted.
    fn count(&self) -> Vec<Term> {
        if let Some(at) = self.past(0, &["what", "is", "the", "number", "of"]) {
            return self.all(self.owned(at));
        }
        let Some(at) = self.past(0, &["how", "many"]) else { return Vec::new() };
        if self.is_one_of(at, &["of"]) {
            let mut found = Vec::new();
            for (term, end) in self.noun(at + 1) {
                let fits = self.clause(end).into_iter();
                found.extend(fits.map(|(fits, end)| (Term::With(Box::new(term.clone()), vec![fits]), end)));
            }
            return self.all(found);
        }
        let Some(noun) = self.word(at) else { return Vec::new() };
        let mut found = Vec::new();
        let own = self.is_one_of(at + 1, &["does", "do", "has", "have"]);
        if let Some(role) = ties::role(noun.singular()).filter(|_| own) {
            for (term, end) in self.noun(at + 2) {
                let end = end + usize::from(self.is_one_of(end, &["have", "got", "has"]));
                found.push((Term::Over(Box::new(term), role), end));
            }
        }
        if ties::sort(noun.singular()).is_some() {
            found.extend(self.clause(at + 1).into_iter().map(|(fits, end)| (Term::All(vec![fits]), end)));
        }
        self.all(found)
    }

    /// "Siblings that Ana has".
    fn owned(&self, at: usize) -> Read<Term> {
        let Some(role) = self.word(at).and_then(|noun| ties::role(noun.singular())) else {
            return Vec::new();
        };
        let at = at + 1 + usize::from(self.is(at + 1, "that"));
        let own = |(term, end): (Term, usize)| {
            self.is_one_of(end, &["has", "have"]).then(|| (Term::Over(Box::new(term), role), end + 1))
        };
        self.noun(at).into_iter().filter_map(own).collect()
    }

    fn whether(&self) -> Vec<Ask> {
        if !self.is_one_of(0, &["does", "do", "did", "is", "are", "was", "were", "has"]) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (term, at) in self.noun(1) {
            for (fits, end) in self.clause(at) {
                found.push((Ask::Whether(term.clone(), fits), end));
            }
            if !self.is_one_of(0, &["does", "do", "did"]) {
                let ends = self.noun(at).into_iter();
                found.extend(ends.map(|(other, end)| (Ask::Whether(term.clone(), Fits::Is(other)), end)));
            }
        }
        self.all(found)
    }

    /// What was before something else: where they lived before they moved, which town they left.
    fn before(&self) -> Vec<Ask> {
        let cut = (1..self.words.len()).find(|place| self.is_one_of(*place, &["before", "until", "prior"]));
        let formerly = self.words.iter().position(|word| word.is_one_of(&["previously", "formerly"]));
        let Some(cut) = cut.or(formerly) else { return self.left().into_iter().collect() };
        let words = &self.words[..cut];
        let grammar = Self { words, stems: Stems::default(), asker: self.asker.clone(), tried: 0.into() };
        grammar.asked().into_iter().filter_map(past).collect()
    }

    /// "Which town did Ana leave for Porto".
    fn left(&self) -> Option<Ask> {
        let (_, sort, _, at) = self.asking()?;
        if !self.is(at, "did") {
            return None;
        }
        let tie = if sort == Sort::Company { &ties::WORK } else { &ties::HOME };
        let found = self.noun(at + 1).into_iter().find(|(_, end)| {
            self.is(*end, "leave")
                && (*end + 1 == self.words.len() || self.is_one_of(*end + 1, &["for", "when"]))
        });
        found.map(|(term, _)| Ask::Before(term, tie))
    }

    /// A noun with all that belongs to it.
    fn noun(&self, at: usize) -> Read<Term> {
        self.tried.set(self.tried.get() + 1);
        if self.tried.get() > TRIES || at >= self.words.len() {
            return Vec::new();
        }
        let mut found = self.plain_noun(at);
        let mut place = 0;
        while place < found.len() {
            let (term, end) = found[place].clone();
            if self.is(end, "'s") {
                found.extend(
                    self.role_at(end + 1).map(|(role, end)| (Term::Over(Box::new(term.clone()), role), end)),
                );
            } else if self.is_one_of(end, &["who", "that", "which"]) && matches!(term, Term::Over(..)) {
                let clauses = self.clause(end + 1).into_iter();
                found
                    .extend(clauses.map(|(fits, end)| (Term::With(Box::new(term.clone()), vec![fits]), end)));
            }
            place += 1;
        }
        // What takes more words first.
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found
    }

    fn plain_noun(&self, at: usize) -> Read<Term> {
        let Some(word) = self.word(at) else { return Vec::new() };
        if !word.named.is_empty() {
            return vec![(Term::Named(word.named.clone()), at + 1)];
        }
        if let Some(asker) = self.asker.as_ref().filter(|_| word.is_one_of(&["i", "me", "my"])) {
            let asker = Term::Named(asker.clone());
            if !word.is("my") {
                return vec![(asker, at + 1)];
            }
            return self
                .role_at(at + 1)
                .map(|(role, end)| (Term::Over(Box::new(asker), role), end))
                .into_iter()
                .collect();
        }
        let start = at + usize::from(word.is_one_of(&["the", "a", "an", "some"]));
        let mut found = self.role_of(start);
        found.extend(self.anybody(start));
        found
    }

    /// "boss of Ana".
    fn role_of(&self, at: usize) -> Read<Term> {
        let Some((role, end)) = self.role_at(at).filter(|(_, end)| self.is(*end, "of")) else {
            return Vec::new();
        };
        let whole = |(term, end)| (Term::Over(Box::new(term), role), end);
        self.noun(end + 1).into_iter().map(whole).collect()
    }

    /// "boss", "best friend".
    fn role_at(&self, at: usize) -> Option<(Role, usize)> {
        const PASSED: [&str; 12] = [
            "best", "new", "current", "good", "own", "older", "younger", "little", "big", "direct", "only",
            "close",
        ];
        let at = at + usize::from(self.is_one_of(at, &PASSED));
        if self.is(at, "home") && self.is_one_of(at + 1, &["town", "city"]) {
            return ties::role("home").map(|role| (role, at + 2));
        }
        let word = self.word(at).filter(|word| word.named.is_empty())?;
        ties::role(word.singular()).map(|role| (role, at + 1))
    }

    /// "person who founded Acme", "company that Ana works for", "someone who lives in Porto", "boss who lives in Porto", "town in
    /// Devon".
    fn anybody(&self, at: usize) -> Read<Term> {
        let Some(word) = self.word(at).filter(|word| word.named.is_empty()) else { return Vec::new() };
        let pronoun = word.is_one_of(&["someone", "somebody", "anyone", "anybody", "those", "one"]);
        let sort = ties::sort(word.singular()).or(pronoun.then_some(Sort::Person));
        let Some(sort) = sort.or(ties::role(word.singular()).map(|_| Sort::Any)) else { return Vec::new() };
        let sorted = |(term, end): (Term, usize)| (Term::Sorted(Box::new(term), sort), end);
        let mut found: Read<Term> = self.relative(at + 1).into_iter().map(sorted).collect();
        if sort == Sort::Town && self.is(at + 1, "in") {
            let held = |(term, end): (Term, usize)| (asked_of(&term, &ties::HOLDS, sort), end);
            found.extend(self.noun(at + 2).into_iter().map(held));
        }
        found
    }

    /// A clause that tells which: "that Ana works for", "where Ana lives", "who founded Acme", "Ana reports to".
    fn relative(&self, at: usize) -> Read<Term> {
        let opened = self.is_one_of(at, &["that", "which", "who", "whom", "where"]);
        let mut found = Vec::new();
        // "in which Ana lives"
        let prepared =
            self.is_one_of(at, &["in", "for", "at", "to"]) && self.is_one_of(at + 1, &["which", "whom"]);
        let start = if prepared { at + 2 } else { at + usize::from(opened) };
        for (term, end) in self.noun(start) {
            let end = end + usize::from(self.is_one_of(end, &["is", "are", "was", "am"]));
            for (tie, end) in self.verb(end) {
                found.push((asked_of(&term, tie, Sort::Any), end));
            }
            if self.is(end - 1, "is") && (self.is(at, "where") || self.is(end, "in")) {
                found.push((asked_of(&term, &ties::PLACE, Sort::Any), end + usize::from(self.is(end, "in"))));
            }
        }
        if opened && !self.is(at, "where") {
            found.extend(self.clause(at + 1).into_iter().map(|(fits, end)| (Term::All(vec![fits]), end)));
        }
        let whose = self.is(at, "whose").then(|| self.role_at(at + 1)).flatten();
        if let Some((role, end)) = whose {
            let all = |(fits, end)| (Term::All(vec![Fits::Tied(role, Term::All(vec![fits]))]), end);
            found.extend(self.clause(end).into_iter().map(all));
        }
        found
    }

    /// What is said of somebody: "lives in Porto", "is the boss of Ana", "has a boss who lives in Porto".
    fn clause(&self, at: usize) -> Read<Fits> {
        let mut found = Vec::new();
        let is = self.is_one_of(at, &["is", "are", "was", "were", "am"]);
        let start = at + usize::from(is);
        for (tie, end) in self.verb(start) {
            let tied = |term| Fits::Tied(Role { tie, by: &[], not: &[] }, term);
            let nouns = self.noun(end);
            found.extend(nouns.into_iter().map(|(term, end)| (tied(term), end)));
            found.extend(self.value(end, tie).map(|(term, end)| (tied(term), end)));
        }
        if is {
            found.extend(self.noun(start).into_iter().map(|(term, end)| (Fits::Is(term), end)));
            if self.is(start, "in") {
                let tied = |term| Fits::Tied(Role { tie: &ties::PLACE, by: &[], not: &[] }, term);
                found.extend(self.noun(start + 1).into_iter().map(|(term, end)| (tied(term), end)));
            }
        }
        if self.is_one_of(at, &["has", "have", "having", "with"]) {
            let start = at + 1 + usize::from(self.is_one_of(at + 1, &["a", "an"]));
            if let Some((role, end)) = self.role_at(start) {
                if self.is_one_of(end, &["who", "that", "which"]) {
                    let whose = |(fits, end)| (Fits::Tied(role, Term::All(vec![fits])), end);
                    found.extend(self.clause(end + 1).into_iter().map(whose));
                }
                if self.is_one_of(end, &["called", "named"]) {
                    let called = self.noun(end + 1).into_iter();
                    found.extend(called.map(|(term, end)| (Fits::Tied(role, term), end)));
                }
            }
        }
        found
    }

    /// A plain value up to the end: "the cello".
    fn value(&self, at: usize, tie: &Tie) -> Option<(Term, usize)> {
        let at = at + usize::from(self.is_one_of(at, &["the", "a", "an"]));
        let takes = [&ties::PLAYS, &ties::JOB, &ties::HOBBY, &ties::SPEAKS].contains(&tie);
        let words: Vec<&str> = self.words.get(at..)?.iter().map(|word| word.text.as_str()).collect();
        (takes && !words.is_empty()).then(|| (Term::Value(words.join(" ")), self.words.len()))
    }

    /// The ties that the words of a verb say, those of more words first.
    fn verb(&self, at: usize) -> Read<&'static Tie> {
        let at = at
            + usize::from(
                self.is_one_of(at, &["currently", "now", "also", "still", "get", "gets", "got", "be"]),
            );
        let stem = |word: &str| self.stems.stem(word).into_owned();
        let stands = |words: &[&str]| {
            words.iter().enumerate().all(|(place, word)| {
                self.word(at + place).is_some_and(|known| {
                    // The stem of "lives" is that of "life".
                    let third = known.text.strip_suffix('s') == Some(word);
                    known.named.is_empty() && (known.is(word) || third || known.stem == stem(word))
                })
            })
        };
        let mut found: Read<&'static Tie> = VERBS
            .iter()
            .filter(|(words, _)| stands(words))
            .map(|(words, tie)| (*tie, at + words.len()))
            .collect();
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found
    }
}

/// What is asked for, as of before.
fn past(term: Term) -> Option<Ask> {
    match term {
        Term::Over(of, role) => Some(Ask::Before(*of, role.tie)),
        Term::Sorted(of, _) => past(*of),
        Term::All(mut fits) => match fits.pop()? {
            Fits::Tied(role, of) => Some(Ask::Before(of, ties::turned(role.tie))),
            Fits::Is(_) => None,
        },
        _ => None,
    }
}

/// What somebody is tied to, as it is asked for.
fn asked_of(term: &Term, tie: &'static Tie, sort: Sort) -> Term {
    let ends = Term::Over(Box::new(term.clone()), Role { tie, by: &[], not: &[] });
    if sort == Sort::Any { ends } else { Term::Sorted(Box::new(ends), sort) }
}
