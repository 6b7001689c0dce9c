//! Names in English: runs of capitalised words and quoted titles.

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::text::fold_name;

use crate::names::session::Session;
use crate::names::{Name, Page, acronyms, deeds, gazetteer, heads};
use crate::rules::ties;
use crate::rules::verbs;
use crate::rules::words;
use crate::syntax::tokens::{Kind, Token, is_honorific};
use crate::syntax::{Label, Tag};

/// The names of an English text. A text that nobody speaks is a document.
pub(super) fn names(page: &Page<'_, '_>, session: &Session<'_>) -> Vec<Name> {
    let tokens = page.tokens;
    let finder = Finder { page, text: page.text, tokens, session, document: page.document };
    let mut found = Vec::new();
    let mut at = 0;
    let title = page.document.then(|| finder.title_line()).flatten();
    if let Some(title) = &title {
        at = title.end;
        found.push(title.clone());
    }
    while at < tokens.len() {
        let again = title.as_ref().and_then(|title| finder.again(title, at));
        let hit = if again.is_some() {
            again
        } else if tokens[at].capital || finder.is_camel(at) {
            Some(finder.run(at))
        } else {
            finder.quoted(at).or_else(|| finder.handle(at))
        };
        let next = hit.as_ref().map_or(at + 1, |(_, next)| *next);
        found.extend(hit.and_then(|(name, _)| name));
        at = next.max(at + 1);
    }
    found
}

struct Finder<'a, 't> {
    page: &'a Page<'a, 't>,
    text: &'a str,
    tokens: &'a [Token<'t>],
    session: &'a Session<'a>,
    document: bool,
}

/// Small words that may stand inside a name.
const LINKS: &[&str] =
    &["of", "the", "de", "la", "le", "van", "von", "der", "da", "di", "del", "du", "dos", "&"];
/// The longest name, in tokens.
const LONGEST: usize = 9;

impl<'t> Finder<'_, 't> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.word)
    }

    /// The first line of a document, where it looks like a title: short, more lines after it, no stop.
    fn title_line(&self) -> Option<Name> {
        let line_end = self.text.find('\n')?;
        let line = self.tokens.iter().position(|token| token.bytes.0 >= line_end)?;
        // "Night (film)" is called "Night".
        let end = (1..line).find(|at| self.word(*at) == "(").unwrap_or(line);
        let last = self.word(end.checked_sub(1)?);
        let fits = (1..=12).contains(&end) && self.tokens[0].kind != Kind::Sign;
        (fits && !matches!(last, "." | "!" | "?" | ":" | ",")).then(|| self.name(0, end, None))
    }

    /// The title of several words, where it stands at `at` again.
    fn again(&self, title: &Name, at: usize) -> Option<(Option<Name>, usize)> {
        let words = self.tokens.get(title.first..title.end).filter(|words| words.len() > 1)?;
        let here = self.tokens.get(at..at + words.len())?;
        let same = words.iter().zip(here).all(|(word, here)| word.word == here.word);
        same.then(|| {
            let end = at + words.len();
            (Some(Name { first: at, end, ..title.clone() }), end)
        })
    }

    /// The run of capitalised words at `at`, if it is a name, and the place after the run.
    fn run(&self, at: usize) -> (Option<Name>, usize) {
        let end = self.run_end(at);
        let mut first = at;
        // "Thanks Ana", "When Ana": what opens a sentence has its capital from there.
        while first < end && (self.is_sign(first) || self.is_no_part(first, end)) {
            first += 1;
        }
        let mut last = end;
        while last > first && self.is_trailing(last - 1) {
            last -= 1;
        }
        let named = first < last && self.is_name(first, last);
        (named.then(|| self.name(first, last, None)), end)
    }

    fn run_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        while end < self.tokens.len() && end - at < LONGEST {
            let links = self.links(at, end);
            let initial = usize::from(self.word(end) == "." && self.is_cut(end - 1));
            // "St Olav's Hospital" is one name, "Ana's Peter" is two.
            let heads = |token: &Token<'_>| token.capital && heads::heads_owned_name(token.word);
            let owned = usize::from(self.word(end) == "'s" && self.tokens.get(end + 1).is_some_and(heads));
            let next = end + links.max(initial).max(owned);
            let Some(token) = self.tokens.get(next).filter(|token| token.capital) else {
                break;
            };
            let linked =
                links > 0 && self.tokens[end].spaced || initial + owned > 0 || !self.is_sign(end - 1);
            if !linked || !token.spaced || token.opens || token.word == "i" {
                break;
            }
            end = next + 1;
        }
        end
    }

    /// How many small words go on with the run from `at` at `end`.
    fn links(&self, at: usize, end: usize) -> usize {
        let links = (end..end + 2).take_while(|at| LINKS.contains(&self.word(*at))).count();
        let before = self.word(end - 1);
        let fits = match self.word(end) {
            // "Winnie the Pooh", and not "Told the Times".
            "the" => !gazetteer::is_wordlike(before) && !before.ends_with("ed"),
            // "Joan of Arc", "University of Porto", and not "Ana Silva of Acme".
            "of" => end - at == 1 || gazetteer::is_wordlike(before) || heads::of_head(before).is_some(),
            _ => true,
        };
        if fits { links } else { 0 }
    }

    fn is_sign(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| token.kind == Kind::Sign)
    }

    fn is_cut(&self, at: usize) -> bool {
        self.tokens[at].word.len() == 1 || is_honorific(self.tokens[at].word)
    }

    /// Whether the first word of a run owes its capital to its place, or names a day.
    fn is_no_part(&self, first: usize, end: usize) -> bool {
        let token = &self.tokens[first];
        let next = self.tokens.get(first + 1).filter(|next| first + 1 < end && next.kind == Kind::Word);
        // "April Jones" is no month.
        let given =
            next.is_some_and(|next| gazetteer::is_surname(next.word)) && gazetteer::is_first_name(token.word);
        if words::is_calendar(token.word) && !given {
            return true;
        }
        let opens_names =
            matches!(token.word, "new" | "st" | "saint" | "mr" | "mrs" | "ms") && first + 1 < end;
        // "Aunt Ana" is called Ana.
        if KIN.contains(&token.word)
            && next.is_some_and(|next| next.capital && !is_kin_of_all(token.word, next.word))
        {
            return true;
        }
        // "The CEO of Acme", "our SRE Ana": an office in capitals is no part of the name.
        if heads::of_noun(token.word) == Some(EntityKind::Person) && token.shouts(self.text) {
            return true;
        }
        let plain = words::is_common(token.word) || LINKS.contains(&token.word);
        plain
            && !opens_names
            && (token.opens
                || first + 1 == end
                || lorebase_engine::text::is_stop_word(token.word)
                || token.shouts(self.text))
    }

    fn is_trailing(&self, at: usize) -> bool {
        LINKS.contains(&self.word(at))
            || self.is_date(at)
            || words::is_common(self.word(at)) && self.tokens[at].shouts(self.text)
    }

    /// Whether the last word of a run is a month or a day; cut ones want a number behind them.
    fn is_date(&self, at: usize) -> bool {
        let word = self.word(at);
        let number = self.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Number);
        words::is_calendar(word)
            && (word.len() > 4 || number || matches!(word, "june" | "july" | "may" | "am" | "pm"))
    }

    fn is_name(&self, first: usize, end: usize) -> bool {
        let token = &self.tokens[first];
        if self.session.speaker_called(token.word).is_some() {
            return true;
        }
        let several = (first..end).filter(|at| self.tokens[*at].kind == Kind::Word).count() > 1;
        if (first..end).all(|at| words::is_common(self.word(at))) && !self.is_work_like(first, end) {
            return false;
        }
        let shouting = (first..end).all(|at| self.tokens[at].shouts(self.text));
        if several && shouting && (first..end).any(|at| acronyms::is_term(self.word(at))) {
            return false;
        }
        // "The X people" are no entity, and "Linux-based" is no name.
        if !several
            && (self.word(end) == "people"
                || is_compound_adjective(token.word)
                || is_of_people(token.word) && !gazetteer::is_first_name(token.word))
        {
            return false;
        }
        if several {
            return !(first..end)
                .all(|at| self.tokens[at].shouts(self.text) && self.session.has_small(self.word(at)));
        }
        if token.word.len() < 2 || token.shouts(self.text) && self.session.has_small(token.word) {
            return false;
        }
        if !session_knows(self.session, token.word) && self.is_term(first) {
            return false;
        }
        if token.opens { self.opener_is_name(first) } else { true }
    }

    /// Several common words all in capitals, not at the beginning: "The Long Way Home".
    fn is_work_like(&self, first: usize, end: usize) -> bool {
        end - first > 2 && !self.tokens[first].opens
    }

    /// Whether a lone capitalised word at the beginning of a sentence is a name: it has its capital elsewhere
    /// too, or it does what names do.
    fn opener_is_name(&self, at: usize) -> bool {
        let word = self.word(at);
        if self.session.has_capital(word) {
            return true;
        }
        if self.session.has_small(word) {
            return false;
        }
        if self.does_what_names_do(at) {
            return true;
        }
        let next = self.word(at + 1);
        let copula = matches!(next, "is" | "was");
        let possessive =
            next == "'s" && !word.ends_with("at") && !word.ends_with("ere") && !word.ends_with("ing");
        let third = self.tokens.get(at + 2);
        let described = || !gazetteer::is_word(word) && self.is_described(at + 2);
        let apposed = next == ","
            && (third.is_some_and(|third| matches!(third.word, "my" | "our" | "your")) || described());
        let paired = next == "and" && third.is_some_and(|third| third.capital || third.word == "my");
        verbs::are_done_by_persons(next, self.word(at + 2))
            || self.is_helped(at)
            || self.has_what_persons_have(at)
            || self.lies_somewhere(at)
            || apposed
            || paired
            || possessive
            || copula && (self.document || self.is_of_persons(at + 2))
    }

    /// "Ines doesn't work", "Ines no longer works", "Ines is married": no word of English, with what people do behind
    /// helpers and adverbs.
    fn is_helped(&self, at: usize) -> bool {
        const HELPERS: &[&str] = &[
            "does", "did", "has", "had", "is", "was", "will", "n't", "not", "no", "longer", "never", "still",
            "now", "also", "just", "used", "to",
        ];
        let verb = (at + 1..at + 5).find(|verb| !HELPERS.contains(&self.word(*verb))).unwrap_or(at + 1);
        let known = verbs::verb(self.word(verb)).is_some();
        known && verb > at + 1 && self.word(at).len() > 2 && !gazetteer::is_wordlike(self.word(at))
    }

    /// "Ines has a new job": no word of English, with what nobody but a person has.
    fn has_what_persons_have(&self, at: usize) -> bool {
        let article = matches!(self.word(at + 1), "has" | "had")
            && matches!(self.word(at + 2), "a" | "an" | "two" | "three");
        let had = (at + 3..at + 5).any(|at| heads::is_had_by_persons(self.word(at)));
        article && had && !gazetteer::is_wordlike(self.word(at))
    }

    /// "Lisbon, which is in Portugal": no word of English.
    fn lies_somewhere(&self, at: usize) -> bool {
        let words = [",", "which", "is", "in"];
        (1..).zip(words).all(|(after, word)| self.word(at + after) == word)
            && !gazetteer::is_wordlike(self.word(at))
    }

    /// Whether a noun that is said of names stands behind an article at `at`: "the botanist", "a small supplier".
    fn is_described(&self, at: usize) -> bool {
        let article = matches!(self.word(at), "a" | "an" | "the" | "his" | "her" | "their" | "its");
        article && (at + 1..at + 4).any(|at| heads::of_noun(self.word(at)).is_some())
    }

    /// Whether what "is" claims from `at` on can be claimed of nobody but a person: "my brother", "a nurse",
    /// "married to", "the founder of".
    fn is_of_persons(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        let noun = |at: usize| {
            let word = self.word(at);
            ties::tie(word).is_some() || words::is_profession(word)
        };
        match self.word(at) {
            "my" | "our" | "your" => noun(at + 1) || noun(at + 2),
            "a" | "an" => noun(at + 1) || matches!(next, "vegetarian" | "vegan"),
            "the" => {
                let office = matches!(next, "founder" | "owner" | "ceo" | "manager" | "co-founder");
                (office || ties::tie(next).is_some()) && self.word(at + 2) == "of"
            }
            "married" | "engaged" | "allergic" => next == "to",
            "dating" => self.tokens.get(at + 1).is_some_and(|token| token.capital),
            "working" => matches!(next, "at" | "for" | "as"),
            "living" => next == "in",
            "born" => matches!(next, "in" | "on"),
            "from" => self.tokens.get(at + 1).is_some_and(|token| token.capital),
            word if self.tokens.get(at).is_some_and(|token| token.kind == Kind::Number) => {
                next == "years" && self.word(at + 2) == "old" || word.len() == 2 && matches!(next, "." | "")
            }
            _ => next == "'s" && self.tokens[at].capital && (noun(at + 2) || noun(at + 3)),
        }
    }

    /// A title between quotation marks at `at`: capitals all along, no more than nine words.
    fn quoted(&self, at: usize) -> Option<(Option<Name>, usize)> {
        let close = match self.word(at) {
            "\"" => "\"",
            "“" => "”",
            "«" => "»",
            "'" if self.tokens[at].spaced || at == 0 => "'",
            _ => return None,
        };
        let first = at + 1;
        let end = (first..self.tokens.len().min(first + 14)).find(|at| self.word(*at) == close)?;
        let inner = self.tokens.get(first..end)?;
        if inner.is_empty()
            || !inner[0].capital && inner[0].kind != Kind::Number
            || close == "'" && inner.len() < 2
        {
            return None;
        }
        let capitals = inner.iter().filter(|token| token.capital || token.kind == Kind::Number).count();
        let bare = |token: &&Token<'_>| {
            token.kind == Kind::Word
                && !token.capital
                && !words::is_common(token.word)
                && !LINKS.contains(&token.word)
        };
        let ends_sentence = matches!(self.word(end - 1), "." | "," | "!" | "?");
        let last = if ends_sentence { end - 1 } else { end };
        let said = ends_sentence && self.word(end - 1) != "," && inner.len() < 3;
        if inner.iter().any(|token| bare(&token)) || capitals * 2 < inner.len() || last == first || said {
            return None;
        }
        let all_common = inner.len() == 1 && words::is_common(inner[0].word);
        (!all_common).then(|| (Some(self.name(first, last, Some(EntityKind::Work))), end + 1))
    }

    fn name(&self, first: usize, end: usize, kind: Option<EntityKind>) -> Name {
        let raw = &self.text[self.tokens[first].bytes.0..self.tokens[end - 1].bytes.1];
        if kind.is_none()
            && let Some(speaker) = self.session.speaker_called(&fold_name(raw))
        {
            return Name { first, end, called: speaker.to_owned(), kind: EntityKind::Person };
        }
        let called = if raw.contains('\n') {
            raw.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            raw.to_owned()
        };
        Name { first, end, called, kind: kind.unwrap_or(EntityKind::Unknown) }
    }

    /// Small letters, then a capital, then small ones: "iPhone".
    fn is_camel(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        token.kind == Kind::Word && is_camel(token.raw(self.text))
    }

    /// A lone word in capitals that is a term and names nobody: "PDF", "the GAAP rules", "OTLP exporters".
    fn is_term(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let digits = token.word.contains(|c: char| c.is_ascii_digit());
        if !token.shouts(self.text)
            || digits
            || acronyms::is_body(token.word)
            || gazetteer::is_place(token.word)
        {
            return false;
        }
        let next = self.tokens.get(at + 1).filter(|next| !next.opens);
        let before_noun = next.is_some_and(|next| {
            let noun = self.page.nodes.get(at + 1).is_some_and(|node| matches!(node.tag, Tag::Nn | Tag::Nns));
            next.kind == Kind::Number || !next.capital && next.kind == Kind::Word && noun
        });
        acronyms::is_term(token.word) || before_noun
    }

    /// Whether a lone word that opens a sentence is no English word, and the subject or an owner.
    fn does_what_names_do(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        if word.len() < 3 || self.tokens[at].shouts(self.text) {
            return false;
        }
        if gazetteer::is_wordlike(word) {
            let node = self.page.nodes.get(at);
            let proper = node.is_some_and(|node| node.tag == Tag::Nnp);
            let is = |label| node.is_some_and(|node| node.label == label);
            let with = next == "and" && heads::of_noun(self.word(at + 3)) == Some(EntityKind::Person);
            let deed = is(Label::Nsubj) && deeds::is_human(next) || is(Label::Poss) && next == "'s";
            return proper && !word.ends_with("ing") && (deed || with);
        }
        let plural_of_word = word.strip_suffix('s').is_some_and(gazetteer::is_word);
        let known = gazetteer::is_first_name(word) || gazetteer::is_place(word);
        let Some(node) = self.page.nodes.get(at) else { return known };
        let proper = matches!(node.tag, Tag::Nnp | Tag::Nn | Tag::Fw);
        let subject = matches!(node.label, Label::Nsubj | Label::Nsubjpass) && !plural_of_word;
        let verb_next = self
            .page
            .nodes
            .get(at + 1)
            .is_some_and(|node| matches!(node.tag, Tag::Vbd | Tag::Vbz | Tag::Vbn));
        // Whatever the tagger makes of a word that it does not know, what people do follows it.
        let deed = deeds::is_human(next) && verb_next && !plural_of_word && !word.ends_with("ed");
        deed || proper && (subject || next == "'s" || known)
    }

    /// `#PortoMarathon`, `@Ana`: what a hashtag or a handle spells.
    fn handle(&self, at: usize) -> Option<(Option<Name>, usize)> {
        let sign = self.tokens.get(at).filter(|token| token.spaced || at == 0)?;
        let next = self.tokens.get(at + 1).filter(|next| !next.spaced && next.kind == Kind::Word)?;
        let raw = next.raw(self.text);
        // "@app.route" is code.
        let closed = self
            .tokens
            .get(at + 2)
            .is_none_or(|after| after.spaced || matches!(after.word, "," | "!" | "?" | "'s" | ")" | ":"));
        if !closed || gazetteer::is_word(next.word) && sign.word == "@" {
            return None;
        }
        let (called, kind) = match sign.word {
            "#" if raw.starts_with(char::is_uppercase) => (spelt(raw), EntityKind::Unknown),
            "@" => (raw.to_owned(), EntityKind::Person),
            _ => return None,
        };
        let name = Name { first: at + 1, end: at + 2, called, kind };
        Some((Some(name), at + 2))
    }
}

/// Adjectives such as "Linux-based" begin with a name and are none.
/// What relatives are called before their names.
const KIN: &[&str] =
    &["aunt", "auntie", "uncle", "cousin", "grandma", "grandpa", "granny", "nan", "nana", "grandad"];

/// Names that are no names of anybody's relatives.
fn is_kin_of_all(kin: &str, name: &str) -> bool {
    matches!((kin, name), ("uncle", "sam") | ("aunt", "sally"))
}

fn is_compound_adjective(word: &str) -> bool {
    let tail = word.rsplit_once('-').map_or("", |(_, tail)| tail);
    matches!(
        tail,
        "specific"
            | "style"
            | "based"
            | "like"
            | "related"
            | "driven"
            | "era"
            | "born"
            | "only"
            | "compatible"
            | "level"
            | "free"
            | "inspired"
            | "themed"
            | "led"
            | "backed"
            | "made"
            | "speaking"
            | "wide"
            | "owned"
            | "native"
    )
}

/// Languages and peoples, where their ending tells and nobody else is called so.
fn is_of_people(word: &str) -> bool {
    word.len() > 5
        && word.ends_with("ish")
        && !gazetteer::is_surname(word)
        && !gazetteer::is_first_name(word)
        && !gazetteer::is_place(word)
        && !matches!(
            word,
            "british"
                | "english"
                | "irish"
                | "scottish"
                | "spanish"
                | "turkish"
                | "polish"
                | "danish"
                | "swedish"
                | "finnish"
                | "jewish"
                | "flemish"
                | "kurdish"
                | "yiddish"
                | "cornish"
        )
}

fn session_knows(session: &Session<'_>, word: &str) -> bool {
    session.speaker_called(word).is_some()
}

fn is_camel(raw: &str) -> bool {
    let mut letters = raw.chars();
    let small = letters.by_ref().take_while(|c| c.is_lowercase()).count();
    // The capital itself was taken by the count.
    (1..3).contains(&small)
        && raw.chars().nth(small).is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
}

/// The words of `PortoMarathon`.
fn spelt(raw: &str) -> String {
    let mut words = String::with_capacity(raw.len() + 2);
    let mut before = ' ';
    for letter in raw.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        words.push(letter);
        before = letter;
    }
    words
}
