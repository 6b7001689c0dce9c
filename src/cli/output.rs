//! Where output goes: standard output in one piece, and a progress bar where a person is looking.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use super::render;
use crate::wire::text;

/// Writes text to standard output. A reader that has gone away is no error.
pub(crate) fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Writes JSON, in one line.
pub(crate) fn write_json(value: &Value) -> anyhow::Result<()> {
    write(&(text::line(value) + "\n"))
}

/// Text that is meant for programs: as it is for them, and safe to look at where a person does.
pub(crate) fn for_who_looks(text: &str) -> String {
    if io::stdout().is_terminal() { render::visible_lines(text) } else { text.to_owned() }
}

/// Whether standard output goes to a terminal.
pub(crate) fn is_looked_at() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard output goes to a terminal where colours are welcome, see <https://no-color.org>.
pub(crate) fn is_coloured() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    is_looked_at() && !refused && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Tells something beside the output.
pub(crate) fn note(text: &str) {
    // Nothing can be done where even that cannot be written.
    let _ = writeln!(io::stderr(), "lore: {}", render::visible(text));
}

/// A bar on a terminal; nothing where standard error is no terminal.
pub(crate) fn progress(what: &str, total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(what.to_owned());
    bar
}

/// A count of what is done, where nobody knows how much there is. Not shown where `shown` is false: where the output
/// itself goes to the terminal.
pub(crate) fn counter(what: &str, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::no_length();
    let style = ProgressStyle::with_template("{msg} {human_pos} {per_sec}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(what.to_owned());
    bar
}

/// A bar for a file that comes, of a length that may be unknown.
pub(crate) fn download(name: &str, bytes: Option<u64>) -> ProgressBar {
    let bar = bytes.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let template = if bytes.is_some() {
        "{msg} {wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta}"
    } else {
        "{msg} {binary_bytes} {binary_bytes_per_sec}"
    };
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(name.to_owned());
    bar
}
