//! The small tables of English words that the rules share. They hold no names.

use lorebase_engine::text;

/// Words that open sentences or are capitalised for emphasis, and are no names; beside the stop words.
const COMMON: &[&str] = &[
    "absolutely",
    "actually",
    "ah",
    "aha",
    "ai",
    "aka",
    "almost",
    "already",
    "alright",
    "although",
    "always",
    "amazing",
    "another",
    "anyone",
    "anything",
    "anyway",
    "apparently",
    "appreciate",
    "art",
    "ask",
    "aw",
    "awesome",
    "aww",
    "awww",
    "baby",
    "back",
    "basically",
    "beautiful",
    "believe",
    "besides",
    "best",
    "better",
    "big",
    "both",
    "bravo",
    "btw",
    "bye",
    "call",
    "came",
    "check",
    "cheers",
    "come",
    "congrats",
    "congratulations",
    "cool",
    "could",
    "crazy",
    "dad",
    "damn",
    "day",
    "dear",
    "definitely",
    "diy",
    "don",
    "dr",
    "dude",
    "each",
    "eh",
    "either",
    "else",
    "enjoy",
    "especially",
    "even",
    "ever",
    "every",
    "everyone",
    "everything",
    "exactly",
    "excited",
    "excuse",
    "fair",
    "family",
    "fantastic",
    "far",
    "feel",
    "few",
    "finally",
    "fine",
    "first",
    "food",
    "fortunately",
    "friend",
    "friends",
    "fun",
    "funny",
    "generally",
    "get",
    "girl",
    "give",
    "glad",
    "go",
    "god",
    "going",
    "good",
    "goodbye",
    "got",
    "grandma",
    "grandpa",
    "great",
    "guess",
    "guy",
    "guys",
    "ha",
    "haha",
    "hahaha",
    "happy",
    "hard",
    "have",
    "heh",
    "hello",
    "help",
    "hey",
    "hi",
    "hmm",
    "home",
    "honestly",
    "hope",
    "hopefully",
    "how",
    "however",
    "huge",
    "huh",
    "id",
    "idk",
    "imagine",
    "imo",
    "including",
    "indeed",
    "instead",
    "interesting",
    "keep",
    "kids",
    "know",
    "last",
    "lately",
    "later",
    "let",
    "lets",
    "life",
    "like",
    "literally",
    "little",
    "lol",
    "long",
    "look",
    "looking",
    "looks",
    "lots",
    "love",
    "lovely",
    "luckily",
    "make",
    "man",
    "many",
    "maybe",
    "mean",
    "meanwhile",
    "mine",
    "mom",
    "monday",
    "mr",
    "mrs",
    "ms",
    "much",
    "mum",
    "music",
    "my",
    "nah",
    "name",
    "near",
    "need",
    "neither",
    "never",
    "nevertheless",
    "new",
    "next",
    "nice",
    "nobody",
    "none",
    "nope",
    "note",
    "nothing",
    "now",
    "obviously",
    "of",
    "often",
    "oh",
    "ok",
    "okay",
    "old",
    "omg",
    "once",
    "one",
    "ooh",
    "oops",
    "otherwise",
    "ours",
    "overall",
    "people",
    "perfect",
    "perhaps",
    "personally",
    "pic",
    "place",
    "please",
    "plus",
    "pretty",
    "probably",
    "quick",
    "quite",
    "rather",
    "read",
    "ready",
    "really",
    "recently",
    "remember",
    "respect",
    "right",
    "sadly",
    "said",
    "saw",
    "say",
    "school",
    "see",
    "seems",
    "seriously",
    "several",
    "share",
    "show",
    "similarly",
    "simply",
    "since",
    "sir",
    "someone",
    "something",
    "sometimes",
    "soon",
    "sorry",
    "sounds",
    "speaking",
    "start",
    "stay",
    "still",
    "super",
    "sure",
    "surely",
    "take",
    "talk",
    "tbh",
    "tell",
    "thank",
    "thanks",
    "that",
    "thing",
    "things",
    "think",
    "though",
    "three",
    "thus",
    "time",
    "to",
    "today",
    "tomorrow",
    "tonight",
    "totally",
    "true",
    "trust",
    "try",
    "tv",
    "two",
    "ugh",
    "uh",
    "unfortunately",
    "unless",
    "unlike",
    "us",
    "usually",
    "wait",
    "want",
    "was",
    "watch",
    "way",
    "welcome",
    "well",
    "whatever",
    "whenever",
    "wherever",
    "whether",
    "whose",
    "wish",
    "without",
    "woah",
    "wonderful",
    "work",
    "works",
    "would",
    "wow",
    "ya",
    "yay",
    "yea",
    "yeah",
    "yep",
    "yes",
    "yesterday",
    "yet",
    "yo",
    "yup",
];

/// Whether a lower-case word is common English, so that a capital does not make it a name.
pub(super) fn is_common(word: &str) -> bool {
    text::is_stop_word(word) || COMMON.binary_search(&word).is_ok() || word.starts_with('\'') || word == "n't"
}

/// Whether a lower-case word is a month or a weekday, full or cut.
pub(super) fn is_calendar(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "jan"
            | "feb"
            | "mar"
            | "apr"
            | "jun"
            | "jul"
            | "aug"
            | "sep"
            | "sept"
            | "oct"
            | "nov"
            | "dec"
            | "mon"
            | "tue"
            | "wed"
            | "thu"
            | "fri"
            | "sat"
            | "sun"
            | "am"
            | "pm"
    )
}

/// Whether a word links two nouns or clauses, or opens a phrase, and so ends a noun phrase. "Of" does not.
pub(super) fn ends_phrase(word: &str) -> bool {
    word != "of" && (text::is_stop_word(word) && !is_determiner(word) || is_adverb(word) || ends_more(word))
}

fn ends_more(word: &str) -> bool {
    matches!(
        word,
        "since"
            | "without"
            | "within"
            | "near"
            | "around"
            | "across"
            | "along"
            | "among"
            | "behind"
            | "beside"
            | "besides"
            | "towards"
            | "toward"
            | "upon"
            | "via"
            | "per"
            | "like"
            | "whose"
            | "whether"
            | "though"
            | "although"
            | "unless"
            | "whenever"
            | "wherever"
            | "every"
            | "each"
            | "last"
            | "next"
            | "whilst"
            | "inside"
            | "outside"
            | "onto"
            | "cause"
            | "cuz"
            | "including"
            | "called"
            | "named"
            | "us"
            | "ago"
            | "myself"
            | "yourself"
            | "himself"
            | "herself"
            | "themselves"
            | "ourselves"
            | "together"
            | "alone"
            | "everyone"
            | "someone"
            | "anyone"
            | "something"
            | "everything"
            | "anything"
            | "nothing"
            | "got"
            | "based"
            | "located"
            | "instead"
            | "n't"
            | "'m"
            | "'re"
            | "'ve"
            | "'ll"
            | "'d"
            | "went"
            | "made"
            | "making"
    )
}

/// Whether a word opens a noun phrase and adds nothing to what it names.
pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "some" | "any" | "this" | "that" | "these" | "those")
}

/// Whether a word can open a noun phrase.
pub(super) fn is_determiner(word: &str) -> bool {
    is_article(word)
        || matches!(
            word,
            "my" | "our"
                | "his"
                | "her"
                | "their"
                | "your"
                | "its"
                | "all"
                | "both"
                | "own"
                | "no"
                | "more"
                | "most"
        )
}

/// Whether a word may stand between a subject and its verb, or after a phrase, without being part of either.
pub(super) fn is_adverb(word: &str) -> bool {
    matches!(
        word,
        "really"
            | "just"
            | "also"
            | "always"
            | "still"
            | "actually"
            | "already"
            | "recently"
            | "finally"
            | "absolutely"
            | "totally"
            | "currently"
            | "now"
            | "usually"
            | "often"
            | "even"
            | "both"
            | "definitely"
            | "truly"
            | "simply"
            | "sometimes"
            | "mostly"
            | "mainly"
            | "especially"
            | "particularly"
            | "lately"
            | "once"
            | "twice"
            | "again"
            | "too"
            | "together"
            | "yesterday"
            | "today"
            | "tomorrow"
            | "tonight"
            | "soon"
            | "later"
            | "here"
            | "there"
            | "anymore"
            | "well"
            | "much"
            | "originally"
            | "personally"
            | "kinda"
            | "honestly"
            | "only"
            | "then"
            | "all"
            | "first"
            | "back"
            | "away"
            | "ever"
            | "yet"
            | "so"
            | "very"
            | "pretty"
            | "quite"
            | "super"
    )
}

/// Whether a word makes what is said uncertain.
pub(super) fn is_hedge(word: &str) -> bool {
    matches!(
        word,
        "might"
            | "may"
            | "maybe"
            | "perhaps"
            | "probably"
            | "possibly"
            | "apparently"
            | "think"
            | "guess"
            | "believe"
            | "seems"
            | "suppose"
            | "heard"
            | "likely"
    )
}

/// Whether a word takes what follows it out of the world: it is not said to be so.
pub(super) fn is_unreal(word: &str) -> bool {
    matches!(
        word,
        "if" | "whether"
            | "unless"
            | "wish"
            | "imagine"
            | "pretend"
            | "hope"
            | "hoping"
            | "would"
            | "could"
            | "should"
            | "suppose"
            | "supposing"
            | "dream"
            | "dreamt"
            | "dreamed"
            | "can"
            | "let"
            | "wonder"
            | "wondering"
            | "say"
            | "until"
            | "when"
            | "whenever"
            | "than"
            | "how"
            | "what"
            | "why"
            | "as"
    )
}

/// Whether a singular noun names what somebody does for a living.
pub(super) fn is_profession(noun: &str) -> bool {
    matches!(
        noun,
        "nurse"
            | "doctor"
            | "teacher"
            | "engineer"
            | "lawyer"
            | "baker"
            | "chef"
            | "cook"
            | "driver"
            | "farmer"
            | "artist"
            | "painter"
            | "writer"
            | "author"
            | "poet"
            | "journalist"
            | "editor"
            | "designer"
            | "architect"
            | "developer"
            | "programmer"
            | "scientist"
            | "physicist"
            | "chemist"
            | "biologist"
            | "historian"
            | "professor"
            | "lecturer"
            | "researcher"
            | "accountant"
            | "banker"
            | "consultant"
            | "manager"
            | "director"
            | "producer"
            | "actor"
            | "actress"
            | "singer"
            | "musician"
            | "composer"
            | "conductor"
            | "pianist"
            | "guitarist"
            | "drummer"
            | "dancer"
            | "choreographer"
            | "photographer"
            | "carpenter"
            | "plumber"
            | "electrician"
            | "mechanic"
            | "technician"
            | "pilot"
            | "sailor"
            | "soldier"
            | "firefighter"
            | "policeman"
            | "librarian"
            | "dentist"
            | "surgeon"
            | "vet"
            | "veterinarian"
            | "pharmacist"
            | "therapist"
            | "psychologist"
            | "counselor"
            | "counsellor"
            | "coach"
            | "trainer"
            | "waiter"
            | "waitress"
            | "barista"
            | "bartender"
            | "butcher"
            | "tailor"
            | "hairdresser"
            | "barber"
            | "gardener"
            | "translator"
            | "interpreter"
            | "judge"
            | "politician"
            | "salesman"
            | "entrepreneur"
            | "analyst"
            | "economist"
            | "midwife"
            | "paramedic"
            | "cashier"
            | "receptionist"
            | "secretary"
            | "clerk"
            | "footballer"
            | "novelist"
            | "screenwriter"
            | "freelancer"
            | "contractor"
            | "cleaner"
            | "potter"
            | "blacksmith"
            | "jeweller"
            | "florist"
            | "beekeeper"
            | "fisherman"
            | "winemaker"
            | "brewer"
            | "student"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_words_are_sorted_for_the_search() {
        let unsorted: Vec<&[&str]> = COMMON.windows(2).filter(|pair| pair[0] > pair[1]).collect();
        assert!(unsorted.is_empty(), "{unsorted:?}");
        assert!(is_common("thanks") && is_common("the") && !is_common("porto"));
    }
}
