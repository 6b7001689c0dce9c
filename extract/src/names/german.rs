//! German, where every noun has a capital: which capitalised words are no names.

use std::sync::LazyLock;

use crate::names::session::Session;
use crate::names::{Page, deeds, gazetteer};
use crate::rules::words::{WordSet, set};
use crate::syntax::tokens::Kind;

/// Endings of nouns and of what opens sentences, longest words aside; a word must be longer by three letters.
const ENDINGS: &[&str] = &[
    "ung", "ungen", "ungs", "heit", "heiten", "keit", "keiten", "schaft", "schaften", "tion", "tionen",
    "tät", "täten", "ismus", "ling", "linge", "chen", "lein", "tum", "nis", "nisse", "nissen", "erin",
    "erinnen", "ierung", "eur", "ist", "isten", "enz", "anz", "enzen", "anzen", "ien", "ie", "ieren",
    "logie", "login", "graf", "graphie", "grafie", "meter", "tungen", "ität", "ente", "enten",
];

/// Common nouns, by themselves or at the end of longer ones; their plurals and cases are told from them.
static NOUNS: WordSet =
    LazyLock::new(|| include_str!("../../data/german-nouns.txt").split_ascii_whitespace().collect());

/// What a sentence opens with and is no noun.
static OPENERS: WordSet = LazyLock::new(|| {
    set("ab abends aber ach alle alles als also am an anscheinend april auch auf august aus außerdem bald \
         bei beide beim bis bitte da dabei dadurch dafür dagegen daher damals damit danach daneben danke \
         dann darum das dass dazu dein deine dem den denn der deren des deshalb dessen deswegen dezember \
         die dienstag dies diese diesem diesen dieser dieses doch donnerstag dort du durch ebenso ein \
         eine einem einen einer eines einige endlich entweder er erst es etwa etwas euch euer falls \
         februar freitag für ganz gegen genau gerade gerne gestern habe haben hallo hat heute hier hinter \
         ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins insbesondere irgendwie ist ja \
         januar jede jeder jedes jedoch jemand jetzt juli juni kann kannst kein keine können könnte \
         leider letzte letzten mai man manchmal mehr mein meine meinem meinen meiner mich mir mit \
         mittwoch montag morgen morgens muss märz möchte nach nachdem nachmittags natürlich neben nein \
         nicht nichts nie niemand noch november nun nur ob obwohl oder oft ohne oktober ostern plötzlich \
         samstag schon sehr sein seine seit seitdem selbst september sie sind so sobald sogar solche soll \
         sondern sonntag sonst sowie später statt trotz trotzdem um und uns unser unsere unter viel viele \
         vielen vielleicht vom von vor vorher wann war warum was wegen weihnachten weil weiter weitere \
         welche welcher wem wen wenn wer werden wie wieder will wir wird wo wohin während zu zudem zuerst \
         zuletzt zum zur zurück zusammen zwar zwischen über übrigens")
});

/// What stands before common nouns: articles and what is joined with them, and numbers.
static DETERMINERS: WordSet = LazyLock::new(|| {
    set("alle am ans beim das dein deine deinen dem den der deren des dessen die diese diesem diesen \
         dieser dieses drei ein eine einem einen einer eines einige etwas fünf ihr ihre ihrem ihren ihrer \
         im ins jede jeden jeder jedes kein keine keinem keinen keiner mehr mehrere mein meine meinem \
         meinen meiner ohne pro sein seine seinem seinen seiner unser unsere unserem unseren unserer viel \
         viele vier vom welche welcher wenig zum zur zwei")
});
/// Small words that are no verbs, behind what opens a sentence.
static NO_VERBS: WordSet = LazyLock::new(|| {
    set("als am an auch auf aus bei beim das dass dem den der des die durch ein eine einem einen einer \
         für gegen im in mit nach nicht nur ob oder ohne per statt trotz um unter vom von vor wegen wie \
         wurde wurden zu zum zur zwischen über")
});

/// Whether a capitalised word is a plain German one, so far as lists and endings tell.
pub(super) fn is_plain(raw: &str) -> bool {
    let word = raw.to_lowercase();
    if OPENERS.contains(word.as_str()) {
        return true;
    }
    if gazetteer::is_place(&word) || gazetteer::is_first_name(&word) && !NOUNS.contains(word.as_str()) {
        return false;
    }
    ENDINGS.iter().any(|ending| word.len() > ending.len() + 3 && word.ends_with(ending)) || is_noun(&word)
}

/// Whether a word is one of those that a sentence opens with.
pub(super) fn is_opener(word: &str) -> bool {
    OPENERS.contains(word)
}

/// Whether a word stands in the list of nouns as it is.
pub(super) fn is_listed(word: &str) -> bool {
    NOUNS.contains(word)
}

/// Whether a word is a common noun, inflected or at the end of another.
fn is_noun(word: &str) -> bool {
    let cases = ["", "e", "en", "er", "es", "s", "n", "ern", "innen"];
    cases.iter().filter_map(|case| word.strip_suffix(case)).any(|stem| {
        let joined = |at: &usize| *at == 0 || *at > 2 && stem.len() - at > 3;
        (0..stem.len())
            .filter(|at| stem.is_char_boundary(*at))
            .filter(joined)
            .any(|at| NOUNS.contains(&stem[at..]))
    })
}

/// Whether a lone capitalised word that is not known to be plain is a name.
pub(super) fn lone_is_name(page: &Page<'_, '_>, at: usize, session: &Session<'_>) -> bool {
    let token = &page.tokens[at];
    let stem = token.word.strip_suffix('s');
    if !token.opens {
        let before = &page.tokens[at.saturating_sub(1)];
        // An adjective before it, or an article: "die neue Fassung".
        let bent = !before.capital
            && before.kind == Kind::Word
            && before.word.len() > 4
            && ["e", "en", "er", "es", "em"].iter().any(|ending| before.word.ends_with(ending))
            && !deeds::is_human(before.word);
        let determined = before.kind == Kind::Word && DETERMINERS.contains(before.word)
            || before.kind == Kind::Number
            || bent;
        return !determined;
    }
    if token.word.ends_with("en") {
        return false;
    }
    if session.has_capital(token.word) || stem.is_some_and(|stem| session.has_capital(stem)) {
        return true;
    }
    let next = page.tokens.get(at + 1);
    next.is_some_and(|next| {
        let verb = next.kind == Kind::Word && !next.capital && !NO_VERBS.contains(next.word);
        let owned = next.capital && stem.is_some();
        verb || owned || matches!(next.word, "'")
    })
}
