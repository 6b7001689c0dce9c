//! What can be typed where texts are stored.

use std::path::PathBuf;

use clap::Args;
use lorebase::engine::model::time::SourceTime;
use lorebase::extract::formats::format::Format;
use lorebase::extract::gate::mask::Secrets;

use super::ExpiryArgs;

#[derive(Debug, Args)]
pub(crate) struct IngestArgs {
    /// Files to ingest.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The format, instead of the one that the file looks like: locomo, longmemeval, cases, jsonl or text.
    #[arg(long, value_name = "FORMAT", value_parser = super::parse_format)]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) secrets: SecretsArgs,
    #[command(flatten)]
    pub(crate) expiry: ExpiryArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RememberArgs {
    /// What was said.
    pub(crate) text: String,
    /// Who said it.
    #[arg(long)]
    pub(crate) speaker: Option<String>,
    /// When it was said, such as 2024-05-08T10:00:00+02:00 or 2024-05-08. [default: now]
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) at: Option<SourceTime>,
    /// The session that it continues. [default: notes]
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) expiry: ExpiryArgs,
    #[command(flatten)]
    pub(crate) secrets: SecretsArgs,
}

/// What becomes of secrets in a text.
#[derive(Debug, Args)]
pub(crate) struct SecretsArgs {
    /// Keep passwords, keys, numbers of cards and accounts and the like, which are masked otherwise.
    #[arg(long)]
    keep_secrets: bool,
}

impl SecretsArgs {
    pub(crate) fn asked(&self) -> Secrets {
        if self.keep_secrets { Secrets::Keep } else { Secrets::Mask }
    }
}
