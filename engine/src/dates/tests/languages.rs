//! What each language says of time, as tables: what is found by the letter, said on Thursday 8 June 2023 at half past two.

use jiff::civil::date;
use proptest::prelude::*;

use super::super::*;

/// A text, and what is found in it: the words, and an interval, seconds, or a repetition.
type Row = (&'static str, &'static [(&'static str, &'static str)]);

fn shown(text: &str, language: Option<Language>) -> Vec<(String, String)> {
    let end = |end: Option<Timestamp>| {
        let civil = end.map(|end| end.civil().strftime("%Y-%m-%d %H:%M").to_string());
        civil.unwrap_or_default().trim_end_matches(" 00:00").to_owned()
    };
    let told = |found: &Found| match found.meaning {
        Meaning::Time { exact, .. } => format!("{}..{}", end(exact.from), end(exact.to)),
        Meaning::Duration { seconds } => format!("{seconds} s"),
        Meaning::Repetition(repetition) => repetition.to_string(),
    };
    let found = read(text, Some(date(2023, 6, 8).at(14, 30, 0, 0)), language);
    found.iter().map(|one| (one.span.slice(text).unwrap().to_owned(), told(one))).collect()
}

fn holds(language: Language, rows: &[Row]) {
    for (text, expected) in rows {
        let expected: Vec<_> =
            expected.iter().map(|(words, told)| ((*words).to_owned(), (*told).to_owned())).collect();
        assert_eq!(shown(text, Some(language)), expected, "{language:?}: {text}");
        assert_eq!(language_of(text), language, "{text}");
    }
}

#[test]
fn english() {
    holds(
        Language::English,
        &[
            ("She sings every Tuesday at 7pm.", &[("every Tuesday at 7pm", "XXXX-WXX-2T19")]),
            ("We jog twice a week in the park.", &[("twice a week", "P1W")]),
            ("The tour took three hours and 20 minutes.", &[("three hours and 20 minutes", "12000 s")]),
            (
                "I was there from March to June 2019.",
                &[("from March to June 2019", "2019-03-01..2019-06-01")],
            ),
            ("We were away since August 2020.", &[("since August 2020", "2020-08-01..")]),
            ("It was sold before 1998.", &[("before 1998", "..1998-01-01")]),
            ("We met on Easter Monday 2022.", &[("Easter Monday 2022", "2022-04-18..2022-04-19")]),
            ("They fell in Q3 2021.", &[("Q3 2021", "2021-07-01..2021-10-01")]),
            ("My train was at half past six.", &[("at half past six", "2023-06-08 06:30..2023-06-08 06:31")]),
            ("He came in the 18th century.", &[("the 18th century", "1700-01-01..1800-01-01")]),
            (
                "It is the first week of May 2024.",
                &[("the first week of May 2024", "2024-04-29..2024-05-06")],
            ),
            ("I will call you next week on Tuesday.", &[("next week on Tuesday", "2023-06-13..2023-06-14")]),
            ("She left at the end of March 2020.", &[("the end of March 2020", "2020-03-16..2020-04-01")]),
            ("I am at work from 9 to 5pm.", &[("from 9 to 5pm", "2023-06-08 09:00..2023-06-08 17:00")]),
        ],
    );
}

#[test]
fn german() {
    holds(
        Language::German,
        &[
            ("Ich habe ihn vor drei Tagen gesehen.", &[("vor drei Tagen", "2023-06-05..2023-06-06")]),
            ("Wir sind am 3. März 2021 umgezogen.", &[("3. März 2021", "2021-03-03..2021-03-04")]),
            ("Das war letzte Woche bei uns.", &[("letzte Woche", "2023-05-29..2023-06-05")]),
            (
                "Wir treffen uns übermorgen um halb acht.",
                &[("übermorgen um halb acht", "2023-06-10 07:30..2023-06-10 07:31")],
            ),
            ("Sie ist seit 2015 in der Firma.", &[("seit 2015", "2015-01-01..")]),
            ("Der Kurs ist jeden Montag um 18 Uhr.", &[("jeden Montag um 18 Uhr", "XXXX-WXX-1T18")]),
            ("Es hat anderthalb Stunden gedauert.", &[("anderthalb Stunden", "5400 s")]),
            (
                "Wir waren vom 2. bis zum 9. Mai 2022 weg.",
                &[("vom 2. bis zum 9. Mai 2022", "2022-05-02..2022-05-09")],
            ),
            ("Ich war an Heiligabend 2020 nicht da.", &[("Heiligabend 2020", "2020-12-24..2020-12-25")]),
        ],
    );
}

#[test]
fn french() {
    holds(
        Language::French,
        &[
            ("Nous sommes arrivés il y a trois jours.", &[("il y a trois jours", "2023-06-05..2023-06-06")]),
            ("Elle est née le 14 mai 1992.", &[("le 14 mai 1992", "1992-05-14..1992-05-15")]),
            (
                "On se voit lundi prochain à 17h30.",
                &[("lundi prochain à 17h30", "2023-06-12 17:30..2023-06-12 17:31")],
            ),
            ("Il est dans la ville depuis 2011.", &[("depuis 2011", "2011-01-01..")]),
            ("Le cours est chaque mardi.", &[("chaque mardi", "XXXX-WXX-2")]),
            ("Je suis resté pendant deux semaines.", &[("deux semaines", "1209600 s")]),
            ("Le bureau est ouvert de 9h à 17h.", &[("de 9h à 17h", "2023-06-08 09:00..2023-06-08 17:00")]),
            ("Nous dansions dans les années 80.", &[("les années 80", "1980-01-01..1990-01-01")]),
        ],
    );
}

#[test]
fn spanish() {
    holds(
        Language::Spanish,
        &[
            ("Llegué a la ciudad hace tres días.", &[("hace tres días", "2023-06-05..2023-06-06")]),
            ("Nació el 5 de abril de 2001.", &[("el 5 de abril de 2001", "2001-04-05..2001-04-06")]),
            (
                "La reunión es mañana a las 9 de la mañana.",
                &[("mañana a las 9 de la mañana", "2023-06-09 09:00..2023-06-09 09:01")],
            ),
            ("Los vi el mes pasado en la playa.", &[("el mes pasado", "2023-05-01..2023-06-01")]),
            ("Nado cada dos semanas con mi hermana.", &[("cada dos semanas", "P2W")]),
            ("El viaje fue de tres horas.", &[("tres horas", "10800 s")]),
            ("Estuve allí desde 2010 hasta 2014.", &[("desde 2010 hasta 2014", "2010-01-01..2014-01-01")]),
        ],
    );
}

#[test]
fn italian() {
    holds(
        Language::Italian,
        &[
            ("Sono arrivato in città tre giorni fa.", &[("tre giorni fa", "2023-06-05..2023-06-06")]),
            ("Ci siamo sposati il 12 giugno 2015.", &[("il 12 giugno 2015", "2015-06-12..2015-06-13")]),
            ("Il treno è domani alle 8:15.", &[("domani alle 8:15", "2023-06-09 08:15..2023-06-09 08:16")]),
            ("La festa è sabato prossimo.", &[("sabato prossimo", "2023-06-17..2023-06-18")]),
            ("Vado in palestra ogni lunedì.", &[("ogni lunedì", "XXXX-WXX-1")]),
            ("Il film dura due ore.", &[("due ore", "7200 s")]),
        ],
    );
}

#[test]
fn portuguese() {
    holds(
        Language::Portuguese,
        &[
            ("Eu cheguei há três dias.", &[("há três dias", "2023-06-05..2023-06-06")]),
            ("Ela nasceu em 7 de setembro de 1999.", &[("7 de setembro de 1999", "1999-09-07..1999-09-08")]),
            ("A reunião é na próxima semana.", &[("próxima semana", "2023-06-12..2023-06-19")]),
            ("Eu não fui ao trabalho ontem.", &[("ontem", "2023-06-07..2023-06-08")]),
            ("O ônibus sai às 18:45.", &[("às 18:45", "2023-06-08 18:45..2023-06-08 18:46")]),
            ("Eu corro todos os dias com o meu cão.", &[("todos os dias", "P1D")]),
        ],
    );
}

#[test]
fn dutch() {
    holds(
        Language::Dutch,
        &[
            ("Ik heb hem drie dagen geleden gezien.", &[("drie dagen geleden", "2023-06-05..2023-06-06")]),
            ("Het feest is op 4 november 2024.", &[("4 november 2024", "2024-11-04..2024-11-05")]),
            ("We gaan volgende maand naar zee.", &[("volgende maand", "2023-07-01..2023-08-01")]),
            ("De les is elke woensdag.", &[("elke woensdag", "XXXX-WXX-3")]),
            ("Ik was er van maandag tot vrijdag.", &[("van maandag tot vrijdag", "2023-06-05..2023-06-09")]),
            ("Het duurt twintig minuten.", &[("twintig minuten", "1200 s")]),
        ],
    );
}

#[test]
fn turkish() {
    holds(
        Language::Turkish,
        &[
            ("Onu üç gün önce gördüm ama bir şey demedi.", &[("üç gün önce", "2023-06-05..2023-06-06")]),
            ("Ben 23 Nisan 2019'da geldim.", &[("23 Nisan 2019", "2019-04-23..2019-04-24")]),
            ("Gelecek hafta bana gel.", &[("Gelecek hafta", "2023-06-12..2023-06-19")]),
            ("Her salı ve her gün koşarım.", &[("Her salı", "XXXX-WXX-2"), ("her gün", "P1D")]),
            ("Bu film iki saat sürer ve çok güzel.", &[("iki saat", "7200 s")]),
        ],
    );
}

#[test]
fn chinese() {
    holds(
        Language::Chinese,
        &[
            ("他三天前去了上海。", &[("三天前", "2023-06-05..2023-06-06")]),
            ("我在2019年5月7日结婚。", &[("2019年5月7日", "2019-05-07..2019-05-08")]),
            ("我们下周三见面。", &[("下周三", "2023-06-14..2023-06-15")]),
            ("明天上午十点半开会。", &[("明天上午十点半", "2023-06-09 10:30..2023-06-09 10:31")]),
            ("他从2010年到2015年住在这里。", &[("从2010年到2015年", "2010-01-01..2015-01-01")]),
            ("我每天跑步。", &[("每天", "P1D")]),
            ("会议持续了两个小时。", &[("两个小时", "7200 s")]),
            ("去年我买了房子。", &[("去年", "2022-01-01..2023-01-01")]),
        ],
    );
}

#[test]
fn japanese() {
    holds(
        Language::Japanese,
        &[
            ("彼は3日前に東京へ行った。", &[("3日前", "2023-06-05..2023-06-06")]),
            ("私は2018年4月2日に生まれた。", &[("2018年4月2日", "2018-04-02..2018-04-03")]),
            ("来週の火曜日に会いましょう。", &[("来週の火曜日", "2023-06-13..2023-06-14")]),
            ("明日の午後3時に電話します。", &[("明日の午後3時", "2023-06-09 15:00..2023-06-09 15:01")]),
            ("毎週金曜日に泳ぎます。", &[("毎週金曜日", "XXXX-WXX-5")]),
            ("映画は2時間です。", &[("2時間", "7200 s")]),
            ("平成12年に卒業した。", &[("平成12年", "2000-01-01..2001-01-01")]),
        ],
    );
}

#[test]
fn korean() {
    holds(
        Language::Korean,
        &[
            ("그는 3일 전에 서울에 갔다.", &[("3일 전에", "2023-06-05..2023-06-06")]),
            ("나는 2017년 9월 5일에 결혼했다.", &[("2017년 9월 5일", "2017-09-05..2017-09-06")]),
            ("다음 주 화요일에 만나자.", &[("다음 주 화요일", "2023-06-13..2023-06-14")]),
            ("내일 오후 3시에 전화할게.", &[("내일 오후 3시", "2023-06-09 15:00..2023-06-09 15:01")]),
            ("나는 매일 달린다.", &[("매일", "P1D")]),
        ],
    );
}

#[test]
fn hindi() {
    holds(
        Language::Hindi,
        &[
            ("वह तीन दिन पहले दिल्ली गया।", &[("तीन दिन पहले", "2023-06-05..2023-06-06")]),
            ("मेरा जन्म 5 मार्च 1990 को हुआ।", &[("5 मार्च 1990", "1990-03-05..1990-03-06")]),
            ("हम अगले सोमवार को मिलेंगे।", &[("अगले सोमवार", "2023-06-12..2023-06-13")]),
            ("मैं हर दिन दौड़ता हूँ।", &[("हर दिन", "P1D")]),
            ("फिल्म दो घंटे की है।", &[("दो घंटे", "7200 s")]),
        ],
    );
}

#[test]
fn arabic() {
    holds(
        Language::Arabic,
        &[
            ("وصلت منذ ثلاثة أيام", &[("منذ ثلاثة أيام", "2023-06-05..2023-06-06")]),
            ("ولدت في 5 مارس 1990", &[("5 مارس 1990", "1990-03-05..1990-03-06")]),
            ("سأسافر الأسبوع القادم", &[("الأسبوع القادم", "2023-06-12..2023-06-19")]),
        ],
    );
}

#[test]
fn words_of_another_language_are_no_times() {
    for text in [
        "Mars is red, and the sun is far.",
        "On a scale of one to ten, so what?",
        "Dom said that he would rather die than sing.",
        "Mai likes so many mangas.",
        "The dog sat in the sun and the cat may come.",
        "Sei not a word of ours.",
        "Er kann die Mine nicht sehen.",
        "J'ai faim et je suis la.",
        "今から始まったわけではないと言った自分",
        "Good morning, have a nice time!",
    ] {
        let times = |found: &Found| matches!(found.meaning, Meaning::Time { meant: Some(_), .. });
        let found: Vec<_> = read(text, Some(date(2023, 6, 8).at(14, 30, 0, 0)), None);
        assert!(!found.iter().any(times), "{text}: {found:?}");
    }
}

#[test]
fn a_language_is_named_by_its_code_or_its_name() {
    assert_eq!(Language::named("de-AT"), Some(Language::German));
    assert_eq!(Language::named("Japanese"), Some(Language::Japanese));
    assert_eq!(Language::named("xx"), None);
}

/// Pieces of which times are made, in all languages, and others.
const PIECES: &str = "(\\PC| |\n|last |ago|May|[0-9]{1,4}|week|vor |drei |Tagen|il y a |jours|días|mañana|年|月|日|三|前|\
    午後|時|から|까지|요일|다음|दिन|पहले|हर |gün|önce|'|’|[:,./-]|½|منذ |from |to |between |and |every |half |\
    end of |the |first |Monday|5pm|Q1|90s|\u{301}|🦀){0,40}";

proptest! {
    #[test]
    fn whatever_is_read_lies_in_its_text(text in PIECES, language in 0..14_usize) {
        let anchor = date(2024, 2, 29).at(23, 59, 59, 0);
        for anchor in [None, Some(anchor), Some(DateTime::MAX), Some(DateTime::MIN)] {
            let mut end = 0;
            for one in read(&text, anchor, Language::all().nth(language)) {
                prop_assert!(one.span.start >= end && one.span.start < one.span.end, "{:?}", one);
                prop_assert!(one.span.slice(&text).is_some());
                end = one.span.end;
                if let Meaning::Time { exact, meant, .. } = one.meaning {
                    prop_assert!(exact.to.is_none() || exact.from < exact.to, "{:?}", one);
                    if let Some(meant) = meant {
                        prop_assert!(meant.interval.from < meant.interval.to && meant.interval.to.is_some());
                        prop_assert!(meant.span.start >= one.span.start && meant.span.end <= one.span.end);
                    }
                }
            }
        }
    }
}
