//! The small tables of English words that the rules share. They hold no names.

use std::sync::LazyLock;

use lorebase_engine::text;
use rustc_hash::FxHashSet;

/// A table of lower-case words.
pub(crate) type WordSet = LazyLock<FxHashSet<&'static str>>;

/// The words of a text.
pub(crate) fn set(text: &'static str) -> FxHashSet<&'static str> {
    text.split_whitespace().collect()
}

/// Words that open sentences or are capitalised for emphasis, and are no names; beside the stop words.
static COMMON: WordSet = LazyLock::new(|| {
    set(
        "absolutely actually ah aha ai ain aka allegedly almost already alright although always amazing another anyone \
         anything anyway apparently appreciate art ask aw awesome aww awww baby back basically beautiful \
         believe besides best better big both bravo btw bye call came cant check cheers come congrats \
         congratulations cool could crazy dad damn day dear definitely diy don dont dr dude dunno each eh either else \
         enjoy especially even ever every everyone everything exactly excited excuse fair family fantastic \
         far feel few finally fine first food fortunately friend friends fun funny generally get gimme girl give \
         glad go god going gonna good goodbye got gotta grandma grandpa great guess guy guys ha haha hahaha happy hard \
         have heh hello help hey hi hmm home honestly hope hopefully how however huge huh id idk ill im imagine \
         imo including indeed instead interesting ive keep kids kinda know last lately later let lets lemme life like \
         literally little lol long look looking looks lots love lovely luckily make man many maybe mean \
         meanwhile mine mom monday mr mrs ms much mum music my nah name near need neither never \
         nevertheless new next nice nobody none nope note nothing now obviously of often oh ok okay old omg \
         once one ooh oops otherwise ours overall people perfect perhaps personally pic place please plus poor \
         presumably pretty probably quick quite rather read ready really recently remember reportedly respect right sadly said \
         saw say school see seems seriously several share show similarly simply since sir someone something \
         sometimes soon sorry sounds speaking start stay still super supposedly sure surely take talk tbh tell thank \
         thanks that thing things think though three thus time to today tomorrow tonight totally true trust \
         try tv two ugh uh unfortunately unless unlike us usually wait wanna want was watch way welcome well \
         whatever whenever wherever whether whose wish without woah wonderful work works would wow ya yay \
         yea yeah yep yes yesterday yet yo yup",
    )
});

/// Whether a lower-case word is common English, so that a capital does not make it a name.
pub(crate) fn is_common(word: &str) -> bool {
    text::is_stop_word(word) || COMMON.contains(word) || word.starts_with('\'') || word == "n't"
}

/// Months and weekdays, full and cut.
static CALENDAR: WordSet = LazyLock::new(|| {
    set("am apr april aug august dec december feb february fri friday jan january jul july jun june mar \
         march may mon monday nov november oct october pm sat saturday sep sept september sun sunday thu \
         thursday tue tuesday wed wednesday")
});

/// Whether a lower-case word is a month or a weekday, full or cut.
pub(crate) fn is_calendar(word: &str) -> bool {
    CALENDAR.contains(word)
}

/// Whether a word links two nouns or clauses, or opens a phrase, and so ends a noun phrase. "Of" does not.
pub(crate) fn ends_phrase(word: &str) -> bool {
    word != "of" && (text::is_stop_word(word) && !is_determiner(word) || is_adverb(word) || ends_more(word))
}

/// Words that end a noun phrase, beside stop words and adverbs.
static LINKS: WordSet = LazyLock::new(|| {
    set("'d 'll 'm 're 've across ago alone along although among anyone anything around based behind beside \
         besides called cause cuz each every everyone everything got herself himself including inside \
         instead last like located made making myself n't named near next nothing onto ourselves outside \
         per since someone something themselves though together toward towards unless upon us via went \
         whenever wherever whether whilst whose within without yourself")
});

fn ends_more(word: &str) -> bool {
    LINKS.contains(word)
}

/// Whether a word opens a noun phrase and adds nothing to what it names.
pub(crate) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "some" | "any" | "this" | "that" | "these" | "those")
}

/// Whether a word can open a noun phrase.
pub(crate) fn is_determiner(word: &str) -> bool {
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

/// Adverbs of manner, degree and time.
static ADVERBS: WordSet = LazyLock::new(|| {
    set("absolutely actually again all already also always anymore away back both currently definitely \
         especially even ever finally first here honestly just kinda lately later mainly mostly much now \
         often once only originally particularly personally pretty quite really recently simply so \
         sometimes soon still super then there today together tomorrow tonight too totally truly twice \
         usually very well yesterday yet")
});

/// Whether a word may stand between a subject and its verb, or after a phrase, without being part of either.
pub(crate) fn is_adverb(word: &str) -> bool {
    ADVERBS.contains(word)
}

/// Words of doubt.
static HEDGES: WordSet = LazyLock::new(|| {
    set(
        "allegedly apparently believe guess hear heard likely may maybe might perhaps possibly presumably probably \
         reportedly seems suppose supposedly think",
    )
});

/// Whether a word makes what is said uncertain.
pub(crate) fn is_hedge(word: &str) -> bool {
    HEDGES.contains(word)
}

/// Words of condition, wish, possibility and question.
static UNREAL: WordSet = LazyLock::new(|| {
    set("as can could dream dreamed dreamt hope hoping how if imagine let pretend say should suppose \
         supposing than unless until what when whenever whether why wish wonder wondering would")
});

/// Whether a word takes what follows it out of the world: it is not said to be so.
pub(crate) fn is_unreal(word: &str) -> bool {
    UNREAL.contains(word)
}

/// What people are by trade.
static PROFESSIONS: WordSet = LazyLock::new(|| {
    set(
        "actuary animator anaesthetist archaeologist archivist astronomer auctioneer auditor bailiff barrister bookkeeper \
         bookseller botanist bricklayer broker cardiologist caretaker caterer cobbler copywriter courier curator detective \
         dietitian forester geologist goldsmith headmaster headteacher illustrator joiner locksmith luthier machinist \
         magistrate mathematician miner nanny notary nutritionist optician optometrist osteopath paediatrician \
         pediatrician physiotherapist planner plasterer policewoman porter postman psychiatrist publisher radiographer \
         ranger recruiter referee roofer seamstress shepherd solicitor sommelier statistician steward stonemason \
         stylist surveyor tuner tutor undertaker watchmaker weaver welder zoologist \
         accountant actor actress analyst architect artist author baker banker barber barista bartender \
         beekeeper biologist blacksmith brewer butcher carpenter cashier chef chemist choreographer cleaner \
         clerk coach composer conductor consultant contractor cook counsellor counselor dancer dentist \
         designer developer director doctor driver drummer economist editor electrician engineer \
         entrepreneur farmer firefighter fisherman florist footballer freelancer gardener guitarist \
         hairdresser historian interpreter jeweller journalist judge lawyer lecturer librarian manager \
         mechanic midwife musician novelist nurse painter paramedic pharmacist photographer physicist \
         pianist pilot plumber poet policeman politician potter producer professor programmer psychologist \
         receptionist researcher sailor salesman scientist screenwriter secretary singer soldier student \
         surgeon tailor teacher technician therapist trainer translator vet veterinarian waiter waitress \
         winemaker writer",
    )
});

/// Whether a singular noun names what somebody does for a living.
pub(crate) fn is_profession(noun: &str) -> bool {
    PROFESSIONS.contains(noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_hold_their_words() {
        assert!(is_common("thanks") && is_common("the") && !is_common("porto"));
        assert!(is_profession("nurse") && is_calendar("may") && is_unreal("if") && is_adverb("really"));
        assert!(ends_phrase("because") && !ends_phrase("of") && !ends_phrase("the"));
    }
}
