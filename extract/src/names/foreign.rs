//! Names in other languages than English, without a parser: capitals, letters of another script, and small words.

use std::sync::LazyLock;

use lorebase_engine::model::entity::EntityKind::{self, Organisation, Person, Place, Project};
use lorebase_engine::text::fold_name;

use crate::names::evidence::Votes;
use crate::names::session::Session;
use crate::names::writing::Writing;
use crate::names::{Name, Page, acronyms, gazetteer, german, heads};
use crate::rules::words::{self, WordSet, set};
use crate::syntax::tokens::Kind;

/// The names of a text that is not English.
pub(super) fn names(page: &Page<'_, '_>, session: &Session<'_>) -> Vec<Name> {
    let finder = Finder { page, session };
    let mut found = Vec::new();
    let mut at = 0;
    while at < page.tokens.len() {
        if finder.begins(at) {
            let end = finder.run_end(at);
            finder.cut(at, end, &mut found);
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// Small words that may stand between the words of a name.
const LINKS: &[&str] =
    &["of", "de", "la", "le", "van", "von", "der", "da", "di", "del", "du", "dos", "das", "della", "&"];
/// What is elided before a vowel, and stays outside the name.
const ELIDED: &[&str] = &[
    "l", "d", "dell", "all", "nell", "sull", "dall", "un", "qu", "j", "n", "s", "c", "m", "t", "quell",
    "quest", "lorsqu", "jusqu", "puisqu", "presqu",
];
/// Words of Romance languages that a sentence opens with, before anything else is asked.
static OPENERS: WordSet = LazyLock::new(|| {
    set("a al alla allora além ambos anche après aqui aquí as assim así au aussi aux avec ayer bien c ce \
         ces cet cette che chez ci com come comme como con così cuando d da dans de del depois des \
         después di dopo du e el ela elas ele eles ella ellas elle elles ellos em en entre era esa ese \
         eso esta estas este estes esto estos et eu foi gli gracias grazie ha hace hay hemos ho hola hoy \
         i il ils in io isso ja je já l la las le lei les leur leurs lo loro los lui ma mais me merci mes \
         mi mia mio mis moi mon muito muy my na nas no noi non nos nosotros notre nous nuestra nuestro \
         não nós o obrigado oggi on os oui où para pas per perché pero però poi por porque pour primero \
         puis qual quand quando que quel questa questi questo qui quiero sa se sem ser ses seu seus si \
         sim sin sobre solo son sono sous su sua suas suo sur sus são sí también també também tes todo \
         todos ton tout tras tu tus um uma un una une uno usted vai voglio vos votre vous voy y ya yo à è \
         é él")
});
/// Words that Russian sentences open with.
static RUSSIAN_OPENERS: WordSet = LazyLock::new(|| {
    set("а без был была были в во вот все всё вчера вы где да для до его если ещё её за завтра здесь и из \
         или их к как какой когда конечно кроме кто мне моего моей мой мою моя мы на надо наконец наш \
         наша не нет но ну о об однако он она они от перед по под пока после потом потому почему поэтому \
         при привет раньше с сегодня сейчас снова со спасибо так также там теперь то тогда тоже только ты \
         у уже хорошо хотя что чтобы эта эти это этот я")
});
/// Verbs and small words that stand behind a subject, in Romance languages.
static VERBS: WordSet = LazyLock::new(|| {
    set("a adora aime ama avait di dice dijo dirige disse dit diz e era es est estaba estava está et \
         etait fa fait fez foi fue ha habla hace l lavora lo m me mi mora ne não parla parle quer quiere \
         s se si sta tem tiene trabaja travaille va vai veut vit vive vuole y è é était")
});
/// How verbs of the past end, of one who is told of.
const VERB_ENDINGS: &[&str] = &["ó", "ou", "eu", "iu", "ò", "ava", "aba", "ait", "eva", "iva", "ía"];
/// How plain words of Romance languages end.
const ENDINGS: &[&str] = &[
    "ción", "ção", "ções", "ciones", "zione", "zioni", "tion", "tions", "mente", "ment", "ando", "endo",
    "indo", "ant", "ado", "ido", "ato", "ada", "ida", "age", "ité", "idad", "idade", "ità", "ismo", "isme",
    "ó", "ou", "é", "ée", "és", "eur", "ant", "dor", "tor",
];

struct Finder<'a, 't> {
    page: &'a Page<'a, 't>,
    session: &'a Session<'a>,
}

impl<'t> Finder<'_, 't> {
    fn word(&self, at: usize) -> &'t str {
        self.page.word(at)
    }

    fn raw(&self, at: usize) -> &str {
        self.page.tokens[at].raw(self.page.text)
    }

    /// Where the name begins inside a word such as "l'Acme".
    fn elided(&self, at: usize) -> usize {
        let raw = self.raw(at);
        if self.page.writing != Writing::Romance {
            return 0;
        }
        let cut = raw.char_indices().find(|(_, c)| matches!(c, '\'' | '’'));
        let Some((cut, sign)) = cut else { return 0 };
        let rest = &raw[cut + sign.len_utf8()..];
        let small = raw[..cut].to_lowercase();
        if ELIDED.contains(&small.as_str()) && rest.starts_with(char::is_uppercase) {
            raw.len() - rest.len()
        } else {
            0
        }
    }

    /// Whether a word that opens a sentence before a name is a verb or another word: "Vogliono Acme Maps".
    fn opens_as_verb(&self, at: usize) -> bool {
        let word = self.word(at);
        let verb = ENDINGS.iter().chain(&["ono", "ano", "amos", "emos", "imos", "eren", "aron", "eron"]);
        let beside = self.page.tokens.get(at + 1).is_some_and(|next| next.capital);
        beside
            && !gazetteer::is_first_name(word)
            && !self.session.has_capital(word)
            && verb.into_iter().any(|ending| word.ends_with(ending))
    }

    /// Whether a word is a small one that is joined with another: "l'arco", "c'est".
    fn is_elision(&self, at: usize) -> bool {
        let raw = self.raw(at);
        let cut = raw.split_once(['\'', '’']);
        cut.is_some_and(|(small, rest)| {
            ELIDED.contains(&small.to_lowercase().as_str()) && rest.starts_with(char::is_lowercase)
        })
    }

    fn is_latin(&self, at: usize) -> bool {
        self.word(at).starts_with(|c: char| c.is_ascii() || matches!(c, '\u{C0}'..='\u{24F}'))
    }

    fn begins(&self, at: usize) -> bool {
        let token = &self.page.tokens[at];
        token.capital || token.kind == Kind::Word && self.elided(at) > 0
    }

    fn run_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        while end < self.page.tokens.len() && end < at + 9 {
            let links = usize::from(self.is_link(at, end));
            let next = end + links;
            let Some(token) = self.page.tokens.get(next) else { break };
            let fits =
                token.capital && token.spaced && !token.opens && self.is_latin(next) == self.is_latin(at);
            if !fits {
                break;
            }
            end = next + 1;
        }
        end
    }

    /// Whether a small word at `end` goes on with a name: "Universidad de Salamanca", "Juana de Ibarbourou", "Rio de Janeiro".
    fn is_link(&self, at: usize, end: usize) -> bool {
        if self.page.writing != Writing::Romance || !LINKS.contains(&self.word(end)) {
            return false;
        }
        let first = self.word(at);
        let place = || {
            let last = self.page.tokens.get(end + 1);
            last.is_some_and(|last| gazetteer::is_place(&format!("{first} {} {}", self.word(end), last.word)))
        };
        end == at + 1 && (heads::of_head(first).is_some() || gazetteer::is_first_name(first) || place())
    }

    /// Takes the names out of a run of capitals.
    fn cut(&self, at: usize, end: usize, found: &mut Vec<Name>) {
        let mut first = at;
        for place in at..=end {
            let compound = place < end && place > first && self.compound(place) > 0;
            if place == end || !compound && self.is_plain(place) {
                if first < place {
                    found.extend(self.name(first, place));
                }
                first = place + 1;
            } else if self.compound(place) > 0 || place + 1 < end && self.is_owner(place) {
                found.extend(self.name(first, place + 1));
                first = place + 1;
            }
        }
    }

    /// Whether a word is a name that is known without the "s" it ends in: "Anas Haus".
    fn is_owner(&self, at: usize) -> bool {
        let stem = self.word(at).strip_suffix('s').filter(|_| self.page.writing == Writing::German);
        stem.is_some_and(|stem| self.session.has_capital(stem) && !self.session.has_capital(self.word(at)))
    }

    /// Whether a word of a run has its capital for another reason than that it is a name.
    fn is_plain(&self, at: usize) -> bool {
        let (token, word) = (&self.page.tokens[at], self.word(at));
        if LINKS.contains(&word) && !token.capital {
            return false;
        }
        if words::is_calendar(word) && word.len() > 3
            || token.shouts(self.page.text)
                && (acronyms::is_term(word) || heads::of_noun(word) == Some(Person))
        {
            return true;
        }
        match self.page.writing {
            Writing::German => {
                let beside =
                    |at: usize| self.page.tokens.get(at).is_some_and(|token| token.capital && !token.opens);
                // Words of another language stand together: "Audit Partners".
                let english = gazetteer::is_word(word)
                    && (beside(at + 1) || !token.opens && beside(at.wrapping_sub(1)));
                german::is_opener(word)
                    || (!english || german::is_listed(word)) && german::is_plain(self.raw(at))
            }
            Writing::Romance => {
                token.opens
                    && self.elided(at) == 0
                    && (OPENERS.contains(self.raw(at).to_lowercase().as_str())
                        || self.is_elision(at)
                        || self.opens_as_verb(at))
            }
            Writing::Cyrillic => {
                token.opens && RUSSIAN_OPENERS.contains(self.raw(at).to_lowercase().as_str())
            }
            _ => false,
        }
    }

    /// The length of the German noun that a word ends in behind a hyphen: "Acme-Projekt".
    fn compound(&self, at: usize) -> usize {
        if self.page.writing != Writing::German {
            return 0;
        }
        let raw = self.raw(at);
        let tail = raw.rsplit_once('-').map_or("", |(_, tail)| tail);
        let english = || gazetteer::is_word(&raw[..raw.len() - tail.len() - 1].to_lowercase());
        let plain = tail.starts_with(char::is_lowercase) && english() || german::is_plain(tail);
        if !tail.is_empty() && plain { tail.len() + 1 } else { 0 }
    }

    fn name(&self, first: usize, mut end: usize) -> Option<Name> {
        while end > first && LINKS.contains(&self.word(end - 1)) {
            end -= 1;
        }
        let tokens = self.page.tokens.get(first..end).filter(|tokens| !tokens.is_empty())?;
        let tail = self.compound(end - 1);
        let from = tokens[0].bytes.0 + self.elided(first);
        let to = tokens[tokens.len() - 1].bytes.1 - tail;
        let mut called = self.page.text.get(from..to)?.split_whitespace().collect::<Vec<_>>().join(" ");
        let lone = tokens.len() == 1;
        if lone && (tail > 0 || !self.lone_is_name(first)) {
            return None;
        }
        if self.page.writing == Writing::German && self.is_genitive(first, end) {
            called.pop();
        }
        if let Some(speaker) = self.session.speaker_called(&fold_name(&called)) {
            speaker.clone_into(&mut called);
        }
        Some(Name { first, end, called, kind: EntityKind::Unknown })
    }

    /// Whether a name ends in the "s" of a German owner: "Anas Haus".
    fn is_genitive(&self, first: usize, end: usize) -> bool {
        let last = self.word(end - 1);
        let Some(stem) = last.strip_suffix('s').filter(|stem| !stem.ends_with('s')) else { return false };
        let owned = self.page.tokens.get(end).is_some_and(|next| next.capital && next.spaced && !next.opens);
        owned || end - first == 1 && self.session.has_capital(stem)
    }

    fn lone_is_name(&self, at: usize) -> bool {
        let token = &self.page.tokens[at];
        let word = &self.word(at)[self.elided(at)..];
        let known = || {
            let lower = word.to_lowercase();
            gazetteer::is_first_name(&lower) || gazetteer::is_place(&lower)
        };
        if word.chars().count() < 2 && self.is_latin(at) || self.session.has_small(word) && !known() {
            return false;
        }
        if word.len() > 1
            && !self.raw(at)[self.elided(at)..].contains(char::is_lowercase)
            && self.is_latin(at)
        {
            return acronyms::is_body(word) || gazetteer::is_place(word);
        }
        match self.page.writing {
            Writing::German => known() || german::lone_is_name(self.page, at, self.session),
            Writing::Romance => {
                !token.opens
                    || self.elided(at) > 0 && !gazetteer::is_word(word)
                    || self.session.has_capital(word)
                    || known()
                    || self.opens_as_name(at)
            }
            // "Iron chlorosis": plain words of English in the other text.
            _ if self.is_latin(at) => {
                let small = self.page.tokens.get(at + 1).is_some_and(|next| {
                    !next.capital && next.word.starts_with(|c: char| c.is_ascii_alphabetic())
                });
                known() || !small || !gazetteer::is_word(word)
            }
            _ => !token.opens || self.session.has_capital(word),
        }
    }

    /// Whether a lone word that opens a Romance sentence is a name: a verb can follow, and it does not look like a word.
    fn opens_as_name(&self, at: usize) -> bool {
        let word = self.word(at);
        let next = self.page.tokens.get(at + 1);
        let verb = next.is_some_and(|next| {
            next.kind == Kind::Word
                && !next.capital
                && (VERBS.contains(next.word)
                    || VERB_ENDINGS.iter().any(|ending| next.word.ends_with(ending)))
        });
        verb && !ENDINGS.iter().any(|ending| word.ends_with(ending))
    }
}

/// Nouns before or behind a name that tell its kind, in many languages.
const NOUNS: &[(EntityKind, &[&str])] = &[
    (
        Project,
        &[
            "projekt",
            "projekts",
            "projet",
            "proyecto",
            "progetto",
            "projeto",
            "проект",
            "проекта",
            "проекту",
            "проектом",
            "проекте",
            "프로젝트",
            "项目",
            "प्रोजेक्ट",
            "परियोजना",
            "programm",
            "programme",
            "programa",
            "programma",
            "pipeline",
            "corridor",
            "corredor",
        ],
    ),
    (
        Place,
        &[
            "stadt",
            "dorf",
            "bezirk",
            "distrikt",
            "region",
            "ville",
            "village",
            "quartier",
            "ciudad",
            "distrito",
            "pueblo",
            "región",
            "città",
            "distretto",
            "cidade",
            "região",
            "город",
            "районе",
            "район",
            "деревни",
            "도시",
            "지역",
            "지구",
            "地区",
            "区",
            "市",
            "जिला",
            "जिले",
            "शहर",
        ],
    ),
    (
        Organisation,
        &[
            "firma",
            "unternehmen",
            "entreprise",
            "société",
            "empresa",
            "azienda",
            "società",
            "компания",
            "компании",
            "회사",
            "公司",
            "कंपनी",
        ],
    ),
];

/// What stands beside a name in another language.
pub(super) fn of_context(page: &Page<'_, '_>, name: &Name) -> Votes {
    let mut votes = Votes::default();
    let before = page.before(name.first);
    let after = page.tokens.get(name.end).map_or("", |token| token.word);
    for (kind, nouns) in NOUNS {
        let behind = |noun: &&str| after == *noun || !after.is_ascii() && after.starts_with(*noun);
        if nouns.iter().any(|noun| noun.eq_ignore_ascii_case(before) || behind(noun)) {
            votes.add(*kind, 3.0);
        }
    }
    match before {
        "in" | "nach" | "à" | "em" | "en" | "a" | "в" | "aus" => votes.add(Place, 1.5),
        "bei" | "chez" | "presso" => votes.add(Organisation, 1.2),
        "mit" | "avec" | "con" | "com" | "с" => votes.add(Person, 0.8),
        _ => {}
    }
    // Behind a name in a language without capitals, small words say as what it stands.
    let place = ["에서", "में"];
    let person = ["에게", "와", "과", "ने"];
    if page.writing == Writing::Caseless {
        if place.contains(&after) {
            votes.add(Place, 1.5);
        } else if person.contains(&after) {
            votes.add(Person, 1.2);
        }
    }
    let subject = page.tokens[name.first].opens && !after.is_empty();
    if subject {
        votes.add(Person, 1.0);
    }
    votes
}
