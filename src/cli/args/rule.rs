//! What can be typed of rules.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum RuleCommand {
    /// Add a rule: what holds of things of which other facts hold.
    #[command(
        after_help = "Before the arrow stand one to six atoms, PREDICATE(TERM,TERM), after it stands one. A term is a variable, which \
                      begins in upper case and is the same thing wherever it stands, or a name or value in quotes. What follows is \
                      worked out when it is asked for, from facts that hold at one time; where one of them is superseded or \
                      retracted, it is gone. docs/rules.md tells more.\n\n\
                      Example:\n  lore --store mem rule add 'lives_in(X,C), city_in(C,N) -> country(X,N)'\n  \
                      lore --store mem rule add 'member_of(X,\"the choir\") -> likes(X,\"singing\")'"
    )]
    Add {
        /// The rule.
        rule: String,
    },
    /// List the rules: those that hold everywhere, and those that were added.
    #[command(after_help = "Example:\n  lore --store mem rule list --json")]
    List,
    /// Remove a rule that was added. What followed by it follows no more.
    #[command(after_help = "The exit code is 1 where there is none.\n\n\
                      Example:\n  lore --store mem rule remove 'lives_in(X,C), city_in(C,N) -> country(X,N)'")]
    Remove {
        /// The rule as it is written, or its id.
        rule: String,
    },
}
