//! The languages that are read: what is peculiar to each, and which one a text is in. Their words stand in `tables`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::dates::lexicon::{Lexicon, fold};

/// A language of which expressions of time are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English; what is taken for it where nothing tells of another.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Dutch.
    Dutch,
    /// Turkish.
    Turkish,
    /// Chinese.
    Chinese,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
    /// Hindi.
    Hindi,
    /// Arabic.
    Arabic,
}

/// How many of the languages are written in Latin letters; they come first.
const LATIN: usize = 8;

const ALL: [(Language, &str, &str, &str); 13] = [
    (Language::English, "en", "english", include_str!("tables/english.txt")),
    (Language::German, "de", "german", include_str!("tables/german.txt")),
    (Language::French, "fr", "french", include_str!("tables/french.txt")),
    (Language::Spanish, "es", "spanish", include_str!("tables/spanish.txt")),
    (Language::Italian, "it", "italian", include_str!("tables/italian.txt")),
    (Language::Portuguese, "pt", "portuguese", include_str!("tables/portuguese.txt")),
    (Language::Dutch, "nl", "dutch", include_str!("tables/dutch.txt")),
    (Language::Turkish, "tr", "turkish", include_str!("tables/turkish.txt")),
    (Language::Chinese, "zh", "chinese", include_str!("tables/chinese.txt")),
    (Language::Japanese, "ja", "japanese", include_str!("tables/japanese.txt")),
    (Language::Korean, "ko", "korean", include_str!("tables/korean.txt")),
    (Language::Hindi, "hi", "hindi", include_str!("tables/hindi.txt")),
    (Language::Arabic, "ar", "arabic", include_str!("tables/arabic.txt")),
];

impl Language {
    /// The language with this code of ISO 639-1 ("de", also "de-AT") or English name ("German").
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let code = name.split(['-', '_']).next().unwrap_or_default();
        ALL.iter().find(|(_, short, long, _)| *short == code || *long == name).map(|row| row.0)
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().map(|row| row.0)
    }

    /// Whether words stand against one another without white space.
    pub(super) fn is_unspaced(self) -> bool {
        matches!(self, Self::Chinese | Self::Japanese | Self::Korean)
    }

    /// Whether what English says before a time ("since", "before") is said behind it.
    pub(super) fn has_postpositions(self) -> bool {
        matches!(self, Self::Chinese | Self::Japanese | Self::Korean | Self::Turkish | Self::Hindi)
    }

    /// Whether "ago" stands before what it counts: "vor drei Tagen".
    pub(super) fn ago_comes_first(self) -> bool {
        matches!(self, Self::German | Self::French | Self::Spanish | Self::Portuguese | Self::Arabic)
    }

    /// Whether "5/7" is the seventh of May.
    pub(super) fn month_comes_first(self) -> bool {
        matches!(self, Self::English | Self::Japanese | Self::Korean)
    }

    /// Whether "7." is the seventh and "7.5." a date.
    pub(super) fn dots_ordinals(self) -> bool {
        matches!(self, Self::German | Self::Turkish)
    }

    /// Whether the names of months and weekdays are told by a capital.
    pub(super) fn has_capitals(self) -> bool {
        self == Self::English
    }

    /// Whether a unit of hours tells the time of the clock as well: "à 5 heures".
    pub(super) fn hours_tell_the_clock(self) -> bool {
        matches!(self, Self::French | Self::Portuguese | Self::Spanish | Self::Italian | Self::Dutch)
    }

    /// The words of the language.
    pub(super) fn lexicon(self) -> &'static Lexicon {
        static LEXICONS: [OnceLock<Lexicon>; ALL.len()] = [const { OnceLock::new() }; ALL.len()];
        LEXICONS[self as usize].get_or_init(|| Lexicon::new(ALL[self as usize].3))
    }
}

/// For each language in Latin letters a bit, by words: those that every text has, and those of the calendar.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    common: u8,
    calendar: u8,
}

/// What one look at a text tells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glance {
    /// The language that it is likely in.
    pub(super) language: Language,
    /// Whether it can hold an expression of time at all.
    pub(super) may_hold_time: bool,
}

fn marks() -> &'static FxHashMap<u64, Marks> {
    static MARKS: OnceLock<FxHashMap<u64, Marks>> = OnceLock::new();
    MARKS.get_or_init(|| {
        let mut marks: FxHashMap<u64, Marks> = FxHashMap::default();
        for (bit, language) in Language::all().take(LATIN).enumerate() {
            for word in language.lexicon().common_words() {
                marks.entry(hash(word.chars())).or_default().common |= 1 << bit;
            }
            for word in language.lexicon().calendar_words() {
                marks.entry(hash(word.chars())).or_default().calendar |= 1 << bit;
            }
        }
        marks
    })
}

fn step(hash: u64, folded: char) -> u64 {
    (hash ^ u64::from(u32::from(folded))).wrapping_mul(0x0100_0000_01b3)
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn hash(word: impl Iterator<Item = char>) -> u64 {
    word.fold(SEED, step)
}

/// What the characters of a text are counted into.
#[derive(Default)]
struct Counts {
    common: [u16; LATIN],
    calendar: [u16; LATIN],
    latin: usize,
    han: usize,
    kana: usize,
    japanese: bool,
    hangul: usize,
    devanagari: usize,
    arabic: usize,
    digit: bool,
}

/// Looks at a text once, without keeping anything. Most texts end here, so that this is all they cost.
pub(super) fn glance(text: &str, hint: Option<Language>) -> Glance {
    let marks = marks();
    let mut counts = Counts::default();
    let (mut word, mut length) = (SEED, 0_u32);
    let end_word = |counts: &mut Counts, word: u64, length: u32| {
        if length > 0
            && let Some(mark) = marks.get(&word)
        {
            counts.word(*mark);
        }
    };
    for character in text.chars() {
        if !character.is_ascii() {
            counts.letter(character);
        }
        let folded = fold(character);
        if folded.is_ascii_lowercase() || (folded > '\u{7f}' && folded < '\u{370}' && folded.is_alphabetic())
        {
            word = step(word, folded);
            length += 1;
            continue;
        }
        end_word(&mut counts, word, length);
        counts.latin += length as usize;
        (word, length) = (SEED, 0);
        counts.character(folded);
    }
    end_word(&mut counts, word, length);
    counts.latin += length as usize;
    let language = hint.unwrap_or_else(|| counts.language());
    let bit = language as usize;
    let may_hold_time =
        counts.digit || bit >= LATIN || language == Language::Turkish || counts.calendar[bit] > 0;
    Glance { language, may_hold_time }
}

impl Counts {
    fn word(&mut self, mark: Marks) {
        for bit in 0..LATIN {
            self.common[bit] = self.common[bit].saturating_add(u16::from(mark.common >> bit & 1));
            self.calendar[bit] = self.calendar[bit].saturating_add(u16::from(mark.calendar >> bit & 1));
        }
    }

    /// Letters and signs of one language count as a word of it.
    fn letter(&mut self, character: char) {
        let language = match character {
            'ñ' | 'Ñ' | '¿' | '¡' => Language::Spanish,
            'ã' | 'õ' | 'Ã' | 'Õ' => Language::Portuguese,
            'ß' | 'ä' | 'Ä' => Language::German,
            'ğ' | 'ş' | 'ı' | 'İ' | 'Ş' => Language::Turkish,
            'œ' | 'ê' | 'û' | 'è' => Language::French,
            'ò' | 'ì' => Language::Italian,
            _ => return,
        };
        let common = &mut self.common[language as usize];
        *common = common.saturating_add(1);
    }

    fn character(&mut self, folded: char) {
        match folded {
            '\0'..='\u{7f}' => self.digit |= folded.is_ascii_digit(),
            '\u{3041}'..='\u{30ff}' => self.kana += 1,
            '\u{4e00}'..='\u{9fff}' => {
                self.han += 1;
                // Characters that Chinese of today writes otherwise, or does not use so.
                self.japanese |= matches!(folded, '曜' | '翌' | '頃');
            }
            '\u{ac00}'..='\u{d7a3}' => self.hangul += 1,
            '\u{900}'..='\u{97f}' => self.devanagari += 1,
            '\u{600}'..='\u{6ff}' => self.arabic += 1,
            _ => {}
        }
    }

    fn language(&self) -> Language {
        // A character of Han or Hangul is about a word, and a word of Latin letters has about five.
        let others = [
            (Language::Chinese, (self.han + self.kana) * 3),
            (Language::Korean, self.hangul * 3),
            (Language::Hindi, self.devanagari),
            (Language::Arabic, self.arabic),
        ];
        match others.into_iter().max_by_key(|other| other.1) {
            Some((language, weight)) if weight > self.latin => match language {
                Language::Chinese if self.kana > 0 || self.japanese => Language::Japanese,
                language => language,
            },
            _ => self.latin_language(),
        }
    }

    /// English, unless words that are not English stand clearly against it.
    fn latin_language(&self) -> Language {
        let score = |bit: usize| 2 * u32::from(self.common[bit]) + u32::from(self.calendar[bit]);
        let best = (1..LATIN).max_by_key(|bit| (score(*bit), LATIN - bit)).unwrap_or_default();
        let english = score(0) + u32::from(self.calendar[0]);
        if 2 * score(best) > 3 * english && self.calendar[best] + self.common[best] > 0 {
            return ALL[best].0;
        }
        Language::English
    }
}
