//! `export` and `import`: files of lines out of a store and into one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::Context as _;
use lorebase::engine::model::id::Namespace;
use lorebase::error::Error;
use lorebase::memory::Memory;
use lorebase::transfer::compare::Differences;
use lorebase::transfer::import::Imported;
use lorebase::transfer::{Tally, Thing};

use super::args::{ImportArgs, Output};
use super::source::{Source, named};
use super::{Outcome, Store, embed_pending, output, render};
use crate::wire;
use crate::wire::files::{Things, Writer};

/// How much is written or read at a time.
const BUFFER_BYTES: usize = 1 << 20;
/// What standard input is called.
const STANDARD_INPUT: &str = "-";

/// What an export came to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Exported {
    pub(crate) namespaces: usize,
    pub(crate) tally: Tally,
}

/// What importing one file came to.
#[derive(Debug, Clone, Default)]
pub(crate) struct ImportedFile {
    pub(crate) file: String,
    pub(crate) told: Imported,
    /// Entities and facts of the file against those that were made.
    pub(crate) differences: Differences,
}

impl Store {
    pub(super) fn export(&self, output: Option<&Path>) -> anyhow::Result<Outcome> {
        let only = self.only()?;
        let memory = self.open()?;
        let mut namespaces = memory.engine().namespaces()?;
        namespaces.retain(|known| only.as_ref().is_none_or(|only| only == known));
        match output {
            None => match write_all(&memory, &namespaces, io::stdout().lock()) {
                Err(error) if is_broken_pipe(&error) => {
                    output::note("standard output was closed before the export was whole");
                    return Ok(Outcome::Nothing);
                }
                other => _ = other.context("cannot write to standard output")?,
            },
            Some(path) => {
                let told = write_file(&memory, &namespaces, path)?;
                let file = path.display().to_string();
                self.show(|| wire::exported(&file, &told), || render::exported(&file, &told))?;
            }
        }
        if only.is_some() { self.found(namespaces.len()) } else { Ok(Outcome::Done) }
    }

    /// The namespace that was named, if one was.
    fn only(&self) -> anyhow::Result<Option<Namespace>> {
        Ok(self.namespace.as_deref().map(Namespace::new).transpose()?)
    }

    pub(super) fn import(&self, args: &ImportArgs) -> anyhow::Result<Outcome> {
        let only = self.only()?;
        let into = args.into.as_deref().map(Namespace::new).transpose()?;
        // Everything is read before anything is stored: a mistyped path or a damaged file changes nothing.
        let sources = args.paths.iter().map(|path| open(path)).collect::<anyhow::Result<Vec<_>>>()?;
        let mut held = BTreeMap::new();
        for source in &sources {
            source.count(only.as_ref(), &mut held)?;
        }
        if only.is_some() && held.is_empty() {
            self.show(|| wire::imported(&[], &[]), String::new)?;
            return self.found(0);
        }
        if into.is_some() && held.len() > 1 {
            let problem = format!(
                "takes one namespace, and the files hold {}; name one of them with --namespace",
                held.len()
            );
            return Err(Error::Argument { argument: "--into", problem }.into());
        }
        let memory = self.create()?;
        let mut files = Vec::new();
        for source in &sources {
            let told = source.import(&memory, only.as_ref(), into.as_ref())?;
            if self.shown == Output::Text {
                output::write(&render::imported(&told))?;
            }
            files.push(told);
        }
        let notices = match &into {
            Some(into) => embed_pending(&memory, [into]),
            None => embed_pending(&memory, held.keys()),
        };
        if self.shown == Output::Json {
            output::write_json(&wire::imported(&files, &notices))?;
        }
        let same = files.iter().all(|file| file.differences.count == 0);
        Ok(if same { Outcome::Done } else { Outcome::Nothing })
    }
}

fn open(path: &Path) -> anyhow::Result<Source> {
    if path.as_os_str() == STANDARD_INPUT {
        Source::standard_input("standard input")
    } else {
        Source::open(path)
    }
}

/// Writes an export of `namespaces`.
fn write_all(
    memory: &Memory,
    namespaces: &[Namespace],
    out: impl Write,
) -> anyhow::Result<(Exported, impl Write)> {
    let bar = output::counter("exporting", !io::stdout().is_terminal());
    let mut writer = Writer::new(BufWriter::with_capacity(BUFFER_BYTES, out))?;
    for namespace in namespaces {
        memory.export::<anyhow::Error>(namespace, |thing| {
            bar.inc(1);
            writer.thing(namespace, &thing)
        })?;
    }
    let (out, tally) = writer.end()?;
    bar.finish_and_clear();
    Ok((Exported { namespaces: namespaces.len(), tally }, out))
}

/// Writes an export into a new file, which takes the place of the old one when it is whole.
fn write_file(memory: &Memory, namespaces: &[Namespace], path: &Path) -> anyhow::Result<Exported> {
    let in_file = || format!("while writing {}", path.display());
    // A device or a pipe is written to, not replaced.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        let file = File::options().write(true).open(path).map_err(named("write", path))?;
        return Ok(write_all(memory, namespaces, file).with_context(in_file)?.0);
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Made by ourselves: with the rights of any new file, and errors that do not name what nobody asked for.
    let new = |path: &Path| File::options().write(true).create_new(true).open(path);
    let file = tempfile::Builder::new()
        .prefix(".lore-export-")
        .make_in(directory, new)
        .map_err(named("write", path))?;
    let (told, _) = write_all(memory, namespaces, file.as_file()).with_context(in_file)?;
    file.as_file().sync_all().map_err(named("sync", path))?;
    file.persist(path).map_err(|error| named("write", path)(error.error))?;
    let synced = File::open(directory).and_then(|directory| directory.sync_all());
    synced.map_err(named("sync", directory))?;
    Ok(told)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

impl Source {
    /// The things of the namespace that is named, or of all.
    fn things<'s>(
        &'s self,
        only: Option<&'s Namespace>,
    ) -> anyhow::Result<impl Iterator<Item = anyhow::Result<(Namespace, Thing)>> + use<'s>> {
        let file = File::open(&self.file).map_err(named("open", &self.shown))?;
        let things = Things::new(BufReader::with_capacity(BUFFER_BYTES, file), &self.shown);
        let wanted = move |namespace: &Namespace| only.is_none_or(|only| only == namespace);
        Ok(things.filter(move |told| !matches!(told, Ok((namespace, _)) if !wanted(namespace))))
    }

    /// Reads and checks the whole file, and counts the episodes and tombstones of each namespace.
    fn count(&self, only: Option<&Namespace>, held: &mut BTreeMap<Namespace, Tally>) -> anyhow::Result<()> {
        let bar = output::counter("checking", true);
        for told in self.things(only)? {
            let (namespace, thing) = told?;
            bar.inc(1);
            match held.get_mut(&namespace) {
                Some(tally) => tally.count(&thing),
                None => held.entry(namespace).or_default().count(&thing),
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn import(
        &self,
        memory: &Memory,
        only: Option<&Namespace>,
        into: Option<&Namespace>,
    ) -> anyhow::Result<ImportedFile> {
        let before = memory.engine().namespaces()?;
        let bar = output::counter("importing", true);
        let moved = self.things(only)?.filter_map(|told| match (told, into) {
            (Ok((_, thing)), Some(into)) => thing.moved_to(into).map(|thing| Ok((into.clone(), thing))),
            (told, _) => Some(told),
        });
        let told = memory
            .import(moved, |episodes| bar.inc(episodes as u64))
            .with_context(|| format!("while importing {}", self.shown.display()))?;
        bar.finish_and_clear();
        let differences = match into {
            // What has other ids cannot be compared.
            Some(_) => Differences::default(),
            None => memory.compare(self.things(only)?, |namespace| !before.contains(namespace))?,
        };
        Ok(ImportedFile { file: self.shown.display().to_string(), told, differences })
    }
}
