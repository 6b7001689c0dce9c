//! How people ask, several ways for each tie.
//!
//! `{N}` is all of the noun, `{H}` its head and `{T}` what may stand at the end of the question; `{N's}` is the owner.
//! `[a|b]` is said as `a` where the asker asks about herself.

use super::world::Tie;

/// The ways to ask for what a tie leads to.
pub(super) fn asking(tie: Tie) -> &'static [&'static str] {
    match tie {
        Tie::Home => &[
            "Where [do|does] {N} live?",
            "In which town [do|does] {H} live {T}?",
            "What town [do|does] {N} live in?",
            "Which town [do|does] {N} live in?",
            "Which town is home to {N}?",
            "In what town can {N} be found living?",
        ],
        Tie::Employer => &[
            "Where [do|does] {N} work?",
            "Which company [do|does] {N} work for?",
            "What company [do|does] {H} work at {T}?",
            "Who is the employer of {N}?",
            "What is the name of the company that {N} [work|works] for?",
            "By which company [am|is] {N} employed?",
        ],
        Tie::Boss => &[
            "Who is the boss of {N}?",
            "Who [do|does] {N} report to?",
            "Who is the manager of {N}?",
            "To whom [do|does] {N} report?",
            "Who manages {N}?",
            "Under whom [do|does] {N} work?",
        ],
        Tie::Sibling | Tie::Spouse | Tie::Parent => &[
            "Who is the {W} of {N}?",
            "What is the name of the {W} of {N}?",
            "Who is {N's} {W}?",
            "What is {N's} {W} called?",
            "What's the {W} of {N} called?",
        ],
        Tie::Founder => &[
            "Who founded {N}?",
            "Who is the founder of {N}?",
            "Who started {N}?",
            "By whom was {N} founded?",
            "Who set up {N}?",
        ],
        Tie::Seat => &[
            "Where is {N} based?",
            "In which town is {N}?",
            "In what town is {H} {T}?",
            "Which town is {N} based in?",
            "Where does {N} have its office?",
        ],
        Tie::SchoolTown => &["Where is {N}?", "In which town is {N}?", "Which town is {N} in?"],
        Tie::Region => &[
            "In which {W} is {N}?",
            "What {W} is {N} in?",
            "Which {W} is {N} in?",
            "Which {W} does {N} lie in?",
        ],
        Tie::School => &[
            "Which school [do|does] {N} go to?",
            "Where [do|does] {N} go to school?",
            "What school [do|does] {N} attend?",
            "What is the name of the school of {N}?",
        ],
        Tie::Pet => &[
            "What is the {W} of {N} called?",
            "What is the name of the {W} of {N}?",
            "What is {N's} {W} called?",
            "What's the name of {N's} {W}?",
        ],
        Tie::Instrument => &[
            "Which instrument [do|does] {N} play?",
            "What instrument [do|does] {N} play?",
            "What does {N} play?",
            "On which instrument is {N} at home?",
        ],
        Tie::Hobby => &[
            "What is the hobby of {N}?",
            "What is {N's} hobby?",
            "Which hobby [do|does] {N} have?",
            "What [do|does] {N} do as a hobby?",
        ],
        Tie::Job => &[
            "What is the job of {N}?",
            "What [do|does] {N} do for a living?",
            "What [do|does] {N} work as?",
            "What is {N's} profession?",
        ],
        Tie::Friend => &["Who are the friends of {N}?"],
    }
}

/// In which county or country somebody lives.
pub(super) const LIVES_IN_REGION: &[&str] =
    &["In which {W} does {H} live {T}?", "Which {W} does {N} live in?", "In what {W} is the home of {N}?"];

/// Which of some people: `{G}` is "Ana's friends", `{C}` a condition such as "lives in Porto".
pub(super) const INSIDE: &[&str] = &[
    "Which of {G} {C}?",
    "Who of {G} {C}?",
    "Who among {G} {C}?",
    "Which one of {G} {C}?",
    "Of {G}, who {C}?",
];

/// Yes or no, of where somebody lives and works and who they are tied to.
pub(super) const LIVES: &[&str] =
    &["Does {N} live in {X}?", "Is {X} the town where {N} lives?", "Is {N} living in {X}?"];
/// See [`LIVES`].
pub(super) const WORKS: &[&str] = &[
    "Does {N} work for {X}?",
    "Does {N} work at {X}?",
    "Is {N} employed by {X}?",
    "Is {X} the company that {N} works for?",
];
/// See [`LIVES`].
pub(super) const IS: &[&str] = &["Is {X} the {W} of {N}?", "Is {N's} {W} {X}?", "Is the {W} of {N} {X}?"];

/// How many of `{G}`, "siblings", somebody has.
pub(super) const COUNT: &[&str] = &[
    "How many {G} [do|does] {N} have?",
    "How many {G} has {N} got?",
    "What is the number of {G} that {N} has?",
];

/// How many of somebody's people fulfil a condition.
pub(super) const COUNT_INSIDE: &[&str] = &["How many of {G} {C}?"];

/// Where somebody was before.
pub(super) const WORKED: &[&str] = &[
    "Where did {N} work before joining {X}?",
    "Which company did {N} work for before {X}?",
    "Who employed {N} before {X} did?",
    "Where was {N} employed until the move to {X}?",
];
/// See [`WORKED`].
pub(super) const LIVED: &[&str] = &[
    "Where did {N} live before moving to {X}?",
    "In which town did {N} live before {X}?",
    "Which town did {N} leave for {X}?",
    "Where was {N's} home before the move to {X}?",
];
