//! The form of a verb that a dictionary lists it under.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The lemma of a lower-case verb in any form.
pub(crate) fn lemma(word: &str) -> String {
    if let Some(lemma) = IRREGULAR.get(word) {
        return (*lemma).to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    if let Some(stem) = word.strip_suffix("ied").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    if let Some(stem) = word.strip_suffix("ing").filter(|stem| has_vowel(stem)) {
        return base(stem);
    }
    if let Some(stem) = word.strip_suffix("ed").filter(|stem| has_vowel(stem)) {
        return base(stem);
    }
    let hissing = ["ses", "xes", "zes", "ches", "shes", "oes"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix('s') {
        // "Uses" and "chooses" keep their e.
        Some(stem) if hissing && !stem.ends_with("se") && !stem.ends_with("ze") => {
            stem[..stem.len() - 1].to_owned()
        }
        Some(stem) if stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// Ends of stems behind which verbs have a silent e, where no two vowels stand before them.
const SILENT: &[&str] = &[
    "at", "iz", "yz", "v", "c", "u", "dg", "rg", "ns", "rs", "bl", "cl", "dl", "fl", "gl", "kl", "pl", "tl",
    "ut", "ir", "ur", "ag", "us",
];

/// A stem without its ending as a base: "stopp" is "stop", "donat" is "donate".
fn base(stem: &str) -> String {
    let vowel = |letter: u8| matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u');
    let letters = stem.as_bytes();
    if let [.., before, last] = letters
        && before == last
        && last.is_ascii_lowercase()
        && !vowel(*last)
        && !matches!(last, b'l' | b's' | b'f' | b'z')
    {
        return stem[..stem.len() - 1].to_owned();
    }
    let silent = SILENT.iter().any(|end| {
        let first_is_vowel = vowel(end.as_bytes()[0]);
        let before = stem.strip_suffix(end).and_then(|rest| rest.bytes().last());
        before.is_some_and(|before| !(first_is_vowel && vowel(before)))
    });
    if silent { format!("{stem}e") } else { stem.to_owned() }
}

fn has_vowel(stem: &str) -> bool {
    stem.len() > 1 && stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// Forms of verbs whose past is no "-ed", and of those that the rules above would miss.
const FORMS: &str = "be am is are was were been being 're 'm; have has had having 've; do does did done; go went gone goes; \
    say said; get got gotten; make made making; know knew known; think thought; take took taken taking; see saw seen; \
    come came coming; want wanted; give gave given giving; use used using; find found; tell told; feel felt; \
    become became becoming; leave left leaving; put putting; mean meant; keep kept; let letting; begin began begun beginning; \
    show shown; hear heard; run ran running; hold held; bring brought; write wrote written writing; sit sat sitting; \
    stand stood; lose lost losing; pay paid; meet met; set setting; lead led; understand understood; speak spoke spoken; \
    read; spend spent; grow grew grown; win won winning; teach taught; buy bought; send sent; build built; fall fell fallen; \
    cut cutting; sell sold; rise rose risen rising; drive drove driven driving; break broke broken; wear wore worn; \
    choose chose chosen choosing; eat ate eaten; draw drew drawn; sing sang sung; swim swam swum swimming; fly flew flown flies; \
    ride rode ridden riding; sleep slept; drink drank drunk; catch caught; fight fought; throw threw thrown; forget forgot \
    forgotten forgetting; lie lying lay lain; lay laid; hit hitting; quit quitting; hurt; shoot shot; steal stole stolen; \
    wake woke woken waking; bite bit bitten; hide hid hidden hiding; shake shook shaken shaking; swear swore sworn; \
    stick stuck; strike struck; feed fed; bend bent; lend lent; deal dealt; dream dreamt; learn learnt; burn burnt; \
    light lit; seek sought; shut shutting; split splitting; spread; sweep swept; tear tore torn; weave wove woven; \
    withdraw withdrew withdrawn; bear bore born borne; beat beaten; bind bound; blow blew blown; freeze froze frozen; \
    hang hung; kneel knelt; overcome overcame; prove proven; ring rang rung; sink sank sunk; spin spun; spring sprang sprung; \
    swing swung; die dying; tie tying; add adds added adding; need needed; plan planned; agree agreed agreeing; free freed; \
    offer offered offering; visit visited visiting; open opened opening; happen happened happening; travel travelled \
    traveled travelling traveling; enter entered entering; remember remembered remembering; consider considered \
    considering; discover discovered; deliver delivered; cover covered; gather gathered; wonder wondered; answer answered; \
    listen listened; develop developed developing; edit edited editing; limit limited; commit committed committing; \
    volunteer volunteered volunteering; prefer preferred preferring; hope hoped hoping; move moved moving; live lived living; \
    love loved loving; like liked liking; hate hated hating; invite invited inviting; decide decided deciding; arrive arrived; \
    create created creating; practise; practice; promise promised promising; close closed closing; date dated dating; \
    require required requiring; hire hired hiring; share shared sharing; care cared caring; prepare prepared preparing; \
    explore explored exploring; store stored; ignore ignored; score scored; schedule scheduled scheduling; receive received; \
    believe believed; achieve achieved; manage managed managing; change changed changing; arrange arranged; challenge; \
    bake baked baking; hike hiked hiking; bike biking; joke joking; smoke smoking; cook cooked cooking; look; book; \
    complete completed completing; write; compete competed competing; notice noticed; place placed; dance danced dancing; \
    introduce introduced; produce produced; reduce reduced; force forced; race raced; face faced; type typed typing; \
    graduate; hope; cope coped; shape shaped; escape escaped; exercise exercised; raise raised raising; praise praised; \
    release released; increase increased; purchase purchased; base based; chase chased; advise advised; rise; realise; \
    organise organised; serve served; solve solved; improve improved; involve involved; save saved; drive; \
    relocate relocated; paint painted; wait waited; repair repaired; appear appeared; join joined; train trained; \
    explain explained; contain contained; remain remained; obtain; maintain maintained; gain gained; rain; \
    focus focused focusing; discuss discussed discussing; pass passed; miss missed; guess guessed; fix fixed; \
    study studied studies; try tried tries; carry carried carries; marry married marries; worry; cry; enjoy; play; stay; \
    show; follow followed following; allow allowed; view viewed; snow; review reviewed reviewing; sew sewn; know; \
    order ordered; suffer suffered; recover recovered; register registered; transfer transferred; refer referred; \
    occur occurred; admit admitted; submit submitted; permit; upset; host hosted; attend attended; \
    work worked; start started; help helped; ask asked; call called; turn turned; talk; walk; watch watched watches; \
    teach teaches; reach reaches; wish wishes; finish finishes finished; publish published; push; fish; wash; \
    outline outlined outlining; combine combined; define defined; imagine imagined imagining; examine examined; determine determined; decline declined; \
    sign signed; design designed; assign; rent; paint; print; plant planted; hunt; count; mount; want";

static IRREGULAR: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut forms = FxHashMap::default();
    for verb in FORMS.split(';') {
        let mut words = verb.split_whitespace();
        if let Some(lemma) = words.next() {
            forms.entry(lemma).or_insert(lemma);
            for form in words {
                forms.entry(form).or_insert(lemma);
            }
        }
    }
    forms
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lead_to_their_lemma() {
        for (form, wanted) in [
            ("went", "go"),
            ("stopped", "stop"),
            ("making", "make"),
            ("adopted", "adopt"),
            ("hosts", "host"),
            ("uses", "use"),
            ("watches", "watch"),
            ("carries", "carry"),
            ("painting", "paint"),
            ("relocated", "relocate"),
            ("donated", "donate"),
            ("cycling", "cycle"),
            ("swimming", "swim"),
            ("selling", "sell"),
            ("signed", "sign"),
            ("is", "be"),
        ] {
            assert_eq!(lemma(form), wanted, "{form}");
        }
    }
}
