//! The parts of speech and the kinds of ties between words, by the names of those who annotate them.

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[$what])* $variant,)* }

        impl $name {
            /// All of them, in the order of their codes in the file of weights.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name that annotators know it by.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The one of this name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

named! {
    /// A part of speech, by the names of the Penn Treebank.
    Tag {
        /// "and"
        Cc "CC",
        /// "seven"
        Cd "CD",
        /// "the"
        Dt "DT",
        /// "there" that says that something is
        Ex "EX",
        /// A word of another language.
        Fw "FW",
        /// "in", "because"
        In "IN",
        /// "good"
        Jj "JJ",
        /// "better"
        Jjr "JJR",
        /// "best"
        Jjs "JJS",
        /// The mark of an item of a list.
        Ls "LS",
        /// "might"
        Md "MD",
        /// "house"
        Nn "NN",
        /// "houses"
        Nns "NNS",
        /// "Ana"
        Nnp "NNP",
        /// "Alps"
        Nnps "NNPS",
        /// "all" of "all the"
        Pdt "PDT",
        /// "'s" of an owner
        Pos "POS",
        /// "she"
        Prp "PRP",
        /// "her" of "her house"
        PrpS "PRP$",
        /// "often"
        Rb "RB",
        /// "more"
        Rbr "RBR",
        /// "most"
        Rbs "RBS",
        /// "up" of "give up"
        Rp "RP",
        /// A sign.
        Sym "SYM",
        /// "to" before a verb
        To "TO",
        /// "oh"
        Uh "UH",
        /// "take"
        Vb "VB",
        /// "took"
        Vbd "VBD",
        /// "taking"
        Vbg "VBG",
        /// "taken"
        Vbn "VBN",
        /// "take", of a present
        Vbp "VBP",
        /// "takes"
        Vbz "VBZ",
        /// "which"
        Wdt "WDT",
        /// "who"
        Wp "WP",
        /// "whose"
        WpS "WP$",
        /// "where"
        Wrb "WRB",
        /// The end of a sentence.
        Stop ".",
        /// A comma.
        Comma ",",
        /// A colon, a dash.
        Colon ":",
        /// An opening bracket.
        Open "-LRB-",
        /// A closing bracket.
        Close "-RRB-",
        /// An opening quotation mark.
        Quote "``",
        /// A closing quotation mark.
        Unquote "''",
        /// "$"
        Dollar "$",
        /// Another sign, a hyphen, what is no word.
        Other "XX",
    }
}

named! {
    /// As what a word belongs to another, by the names of `ClearNLP`.
    Label {
        /// It belongs to none: the main verb of a sentence.
        Root "ROOT",
        /// A clause that describes a noun.
        Acl "acl",
        /// An adjective that is said of a subject.
        Acomp "acomp",
        /// A clause of circumstance.
        Advcl "advcl",
        /// An adverb.
        Advmod "advmod",
        /// "by" of a passive.
        Agent "agent",
        /// An adjective before its noun.
        Amod "amod",
        /// Another name for what the head names.
        Appos "appos",
        /// A noun that is said of a subject.
        Attr "attr",
        /// An auxiliary verb.
        Aux "aux",
        /// The auxiliary verb of a passive.
        Auxpass "auxpass",
        /// "'s" of an owner
        Case "case",
        /// "and"
        Cc "cc",
        /// A clause that is an object.
        Ccomp "ccomp",
        /// A noun before its noun.
        Compound "compound",
        /// What "and" joins on.
        Conj "conj",
        /// A clause that is a subject.
        Csubj "csubj",
        /// A clause that is the subject of a passive.
        Csubjpass "csubjpass",
        /// To whom.
        Dative "dative",
        /// Another tie.
        Dep "dep",
        /// "the"
        Det "det",
        /// The object of a verb.
        Dobj "dobj",
        /// "there" of "there is"
        Expl "expl",
        /// "oh"
        Intj "intj",
        /// "that" before a clause
        Mark "mark",
        /// Another tie within a name or a date.
        Meta "meta",
        /// "not"
        Neg "neg",
        /// A noun that describes a noun from behind.
        Nmod "nmod",
        /// A noun that is used as an adverb: "yesterday", "five years"
        Npadvmod "npadvmod",
        /// A subject.
        Nsubj "nsubj",
        /// The subject of a passive.
        Nsubjpass "nsubjpass",
        /// A number.
        Nummod "nummod",
        /// What an object is said to be.
        Oprd "oprd",
        /// A sentence within a sentence.
        Parataxis "parataxis",
        /// A clause after a preposition.
        Pcomp "pcomp",
        /// A noun after a preposition.
        Pobj "pobj",
        /// An owner.
        Poss "poss",
        /// "both" of "both … and"
        Preconj "preconj",
        /// "all" of "all the"
        Predet "predet",
        /// A preposition.
        Prep "prep",
        /// "up" of "give up"
        Prt "prt",
        /// A sign.
        Punct "punct",
        /// What describes a number.
        Quantmod "quantmod",
        /// A clause with "who", "which", "that".
        Relcl "relcl",
        /// A clause without a subject of its own, after a verb.
        Xcomp "xcomp",
    }
}
