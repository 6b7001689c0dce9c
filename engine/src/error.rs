//! Everything that can go wrong in the engine, told by who must act.

use std::io;
use std::path::{Path, PathBuf};

use crate::model::id::Namespace;

/// Who must act on an error. The binary's exit codes follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller asked for something that cannot be: mend the input and ask again.
    Caller,
    /// The store is locked, damaged or out of room: whoever runs it must look.
    Operator,
}

/// What went wrong in the engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A namespace that breaks the rules of [`Namespace::new`].
    #[error(
        "namespace \"{namespace}\" cannot be used: {problem}; use labels separated by single slashes, such as acme/user-42"
    )]
    InvalidNamespace {
        /// The text, escaped.
        namespace: String,
        /// Which rule it breaks.
        problem: &'static str,
    },
    /// Text that is no identifier.
    #[error("\"{text}\" is not an id: 32 hexadecimal digits are expected")]
    InvalidId {
        /// The text as given.
        text: String,
    },
    /// Text that is no time.
    #[error("\"{text}\" is not a time: write it like 2023-05-08T13:56:00+02:00 or 2023-05-08")]
    InvalidTime {
        /// The text as given, cut to 60 characters.
        text: String,
    },
    /// A commit that breaks an invariant of the model; nothing of it was stored.
    #[error("the commit into namespace {namespace} was refused: {problem}")]
    InvalidChanges {
        /// Where it was to go.
        namespace: Namespace,
        /// Which invariant it breaks.
        problem: String,
    },
    /// Another process owns the store.
    #[error("the store {} is in use by {holder}; one process has a store at a time, so wait until it is done and try again", path.display())]
    Locked {
        /// The store's directory.
        path: PathBuf,
        /// Who has it: "process 4711", or "another process" where the lock file does not tell.
        holder: String,
    },
    /// The directory is no store, or one of a format that this version does not know.
    #[error("{} {problem}", path.display())]
    NotAStore {
        /// The file or directory looked at.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A path that the caller named, at which the system has or makes no directory for us.
    #[error(transparent)]
    NamedPath(IoError),
    /// The store's lock cannot be written.
    #[error(
        "cannot write {}, which whoever opens the store must, also for reading; give this user the right to write in the \
         store's directory, or copy the store with `lore backup` and open the copy",
        path.display()
    )]
    LockRefused {
        /// The lock.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Stored bytes that do not hold what they must.
    #[error("damage in {} at byte {offset}: {problem}; nothing was changed; `lore repair` saves what can be read, or bring the file back from a copy", path.display())]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// Where in it.
        offset: u64,
        /// What is wrong there.
        problem: String,
    },
    /// The journal was rewritten again and again while it was copied.
    #[error("the journal of {} was rewritten each time that it was copied; try again when less is forgotten", path.display())]
    Busy {
        /// The store's directory.
        path: PathBuf,
    },
    /// The working store failed; it can be rebuilt from the journal.
    #[error("the working store in {} failed: {problem}; it is rebuilt from the journal at the next opening", path.display())]
    WorkingStore {
        /// Its directory.
        path: PathBuf,
        /// What it said.
        problem: String,
    },
    /// An earlier write failed, so no more are taken until the store is opened again.
    #[error("the store {} takes no writes, since one failed or was refused; open it again", path.display())]
    Poisoned {
        /// The store's directory.
        path: PathBuf,
    },
    /// An embedder gave something other than what its identity promises.
    #[error("embedder {model} gave {problem}")]
    Embedder {
        /// The model's identity.
        model: String,
        /// What it gave.
        problem: String,
    },
    /// An embedder cannot be reached, or does not answer as it should just now.
    #[error("embedder {model} makes no vectors now: {problem}")]
    EmbedderAway {
        /// The model's identity.
        model: String,
        /// What is in the way.
        problem: String,
    },
    /// The operating system failed us.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// Something that the operating system would not do. What it said is the source, and not part of the message.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}", path.display())]
pub struct IoError {
    /// What was being done, such as "read".
    pub action: &'static str,
    /// To which file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl IoError {
    /// A closure for `map_err` that names the action and the file.
    pub fn of<'p>(action: &'static str, path: &'p Path) -> impl FnOnce(io::Error) -> Self + 'p {
        move |source| Self { action, path: path.to_path_buf(), source }
    }

    /// The message, with what the system said.
    pub(crate) fn with_source(&self) -> String {
        format!("{self}: {}", self.source)
    }

    /// Who must act where the caller named the file: a path that cannot be read or written was mistyped, anything
    /// else is the machine's trouble.
    pub fn kind_of_named_file(&self) -> ErrorKind {
        use io::ErrorKind as Kind;
        /// Links that lead in a circle: the kind has no stable name yet.
        const CIRCLE: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };
        match self.source.kind() {
            _ if self.source.raw_os_error() == Some(CIRCLE) => ErrorKind::Caller,
            Kind::NotFound
            | Kind::AlreadyExists
            | Kind::InvalidInput
            | Kind::PermissionDenied
            | Kind::ReadOnlyFilesystem
            | Kind::IsADirectory
            | Kind::NotADirectory
            | Kind::InvalidFilename => ErrorKind::Caller,
            _ => ErrorKind::Operator,
        }
    }
}

impl Error {
    /// Who must act.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidNamespace { .. }
            | Self::InvalidId { .. }
            | Self::InvalidTime { .. }
            | Self::InvalidChanges { .. }
            | Self::NotAStore { .. }
            | Self::Embedder { .. } => ErrorKind::Caller,
            Self::NamedPath(error) => error.kind_of_named_file(),
            Self::Locked { .. }
            | Self::LockRefused { .. }
            | Self::Damaged { .. }
            | Self::Busy { .. }
            | Self::WorkingStore { .. }
            | Self::Poisoned { .. }
            | Self::EmbedderAway { .. }
            | Self::Io(_) => ErrorKind::Operator,
        }
    }

    /// The same error for somebody else whom it hit too; `None` where it cannot be told twice.
    pub(crate) fn again(&self) -> Option<Self> {
        let Self::Io(IoError { action, path, source }) = self else { return None };
        let source = source.raw_os_error().map_or_else(|| source.kind().into(), io::Error::from_raw_os_error);
        Some(Self::Io(IoError { action, path: path.clone(), source }))
    }

    /// The same error where it befell a path that the caller named.
    pub(crate) fn of_named_path(self) -> Self {
        match self {
            Self::Io(error) => Self::NamedPath(error),
            other => other,
        }
    }

    /// A closure for `map_err` that names the action and the file.
    pub(crate) fn io<'p>(action: &'static str, path: &'p Path) -> impl FnOnce(io::Error) -> Self + 'p {
        move |source| Self::Io(IoError::of(action, path)(source))
    }
}
