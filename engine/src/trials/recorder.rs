//! The system's disk with a log of all that was done to it, and which of it was made to last; and, where it is told
//! to, a disk that fails. What may lie there after a power cut is worked out of the log in `platter.rs`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

use super::image::Image;
use crate::store::disk::{Access, Disk, DiskFile, Os};

/// A file or directory, whatever it is called at the time.
pub(super) type Node = usize;

/// The directory that the log is about.
pub(super) const ROOT: Node = 0;

/// One thing that was done.
#[derive(Debug, Clone)]
pub(super) enum Op {
    /// Names of a directory changed, both at once: one was taken away, one came to stand for a node.
    Names { directory: Node, gone: Option<OsString>, come: Option<(OsString, Node)> },
    /// Bytes were written.
    Write { file: Node, offset: u64, bytes: Arc<[u8]> },
    /// A file was cut or lengthened.
    Truncate { file: Node, length: u64 },
    /// All that was written to a file was made to last.
    Sync { file: Node },
    /// A sync failed: what was written before may or may not last, and no later sync changes that.
    SyncFailed { file: Node },
    /// The names in a directory were made to last.
    SyncDirectory { directory: Node },
    /// What sled's directory holds now.
    Foreign { node: Node, image: Arc<Image> },
    /// What sled's directory held then was made to last.
    ForeignSynced { node: Node },
}

/// What the nodes are that have a name now.
#[derive(Debug)]
pub(super) enum Kind {
    /// A file.
    File,
    /// A directory, with what is in it.
    Directory(BTreeMap<OsString, Node>),
    /// A directory that is written behind the disk's back: sled's.
    Foreign(Arc<Image>),
}

/// How an operation fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Nothing of it is done.
    Refused,
    /// A write is done in part; anything else is refused.
    Short,
    /// It is done, and told as failed.
    Late,
    /// It is not done because the process is no more: nobody asks again, and nothing was lost by asking.
    Killed,
}

/// Which operations are to fail, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    /// How many come before.
    pub(super) after: usize,
    /// How many fail.
    pub(super) lasting: usize,
    pub(super) way: Way,
    /// What the system is to say.
    pub(super) code: i32,
}

/// "Input/output error".
pub(super) const EIO: i32 = 5;
/// "No space left on device": only what needs room can fail this way.
pub(super) const ENOSPC: i32 = 28;

/// The disk.
#[derive(Debug)]
pub(crate) struct Recorder {
    root: PathBuf,
    log: Arc<Mutex<Log>>,
    gate: Arc<Gate>,
}

/// What was done.
#[derive(Debug)]
struct Log {
    root: PathBuf,
    /// Where sled writes behind the disk's back, below the root.
    foreign: PathBuf,
    ops: Vec<Op>,
    nodes: Vec<Kind>,
    /// Operations that could have been made to fail.
    asked: usize,
    fault: Option<Fault>,
    failed: usize,
}

/// Where whoever syncs a file waits while it is closed.
#[derive(Debug, Default)]
struct Gate {
    state: Mutex<GateState>,
    opened: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    closed: bool,
    waiting: usize,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock();
        state.waiting += 1;
        self.opened.wait_while(&mut state, |state| state.closed);
        state.waiting -= 1;
    }
}

impl Recorder {
    /// A disk for what lies below `root`, where all that lies there already lasts. The paths to record must begin
    /// with `root`. `foreign` names sled's directory below it.
    pub(crate) fn new(root: &Path, foreign: &str) -> Arc<Self> {
        let mut log = Log {
            root: root.to_path_buf(),
            foreign: root.join(foreign),
            ops: Vec::new(),
            nodes: vec![Kind::Directory(BTreeMap::new())],
            asked: 0,
            fault: None,
            failed: 0,
        };
        log.adopt(root, ROOT);
        Arc::new(Self { root: root.to_path_buf(), log: Arc::new(Mutex::new(log)), gate: Arc::default() })
    }

    /// How many operations were done so far. What sled did since the last one is counted in.
    pub(super) fn position(&self) -> usize {
        let mut log = self.log.lock();
        log.observe();
        log.ops.len()
    }

    /// The first operations, up to `count`.
    pub(super) fn ops(&self, count: usize) -> Vec<Op> {
        self.log.lock().ops[..count].to_vec()
    }

    /// Lets operations fail from now on.
    pub(super) fn fail(&self, fault: Fault) {
        let mut log = self.log.lock();
        (log.asked, log.failed, log.fault) = (0, 0, Some(fault));
    }

    /// Lets nothing fail any more. Returns how many operations could have failed since the last call or
    /// [`Recorder::fail`], and how many did.
    pub(super) fn heal(&self) -> (usize, usize) {
        let mut log = self.log.lock();
        let counts = (log.asked, log.failed);
        (log.asked, log.failed, log.fault) = (0, 0, None);
        counts
    }

    /// Lets whoever syncs a file wait until the gate is opened.
    pub(super) fn close_gate(&self) {
        self.gate.state.lock().closed = true;
    }

    /// Whether somebody waits at the gate.
    pub(super) fn held(&self) -> bool {
        self.gate.state.lock().waiting > 0
    }

    pub(super) fn open_gate(&self) {
        self.gate.state.lock().closed = false;
        self.gate.opened.notify_all();
    }
}

impl Log {
    /// Takes in what lies in a directory, as something that lasts.
    fn adopt(&mut self, path: &Path, directory: Node) {
        for entry in fs::read_dir(path).unwrap() {
            let (name, path) = entry.map(|entry| (entry.file_name(), entry.path())).unwrap();
            if path == self.foreign {
                self.observe();
                let node = self.child(directory, &name).unwrap();
                self.ops.push(Op::ForeignSynced { node });
            } else if path.is_dir() {
                let node = self.node(Kind::Directory(BTreeMap::new()));
                self.name(directory, &name, node);
                self.adopt(&path, node);
            } else if name != "lock" {
                let file = self.node(Kind::File);
                self.name(directory, &name, file);
                let bytes: Arc<[u8]> = fs::read(&path).unwrap().into();
                self.ops.extend([Op::Write { file, offset: 0, bytes }, Op::Sync { file }]);
            }
        }
        self.ops.push(Op::SyncDirectory { directory });
    }

    /// Looks what sled has done since the last operation.
    fn observe(&mut self) {
        let path = self.foreign.clone();
        let Some((directory, name)) = self.parent(&path) else { return };
        match (self.child(directory, &name), path.is_dir()) {
            (None, false) => {}
            (None, true) => {
                let image = Arc::new(Image::of(&path, None));
                let node = self.node(Kind::Foreign(Arc::clone(&image)));
                self.name(directory, &name, node);
                self.ops.push(Op::Foreign { node, image });
            }
            (Some(_), false) => self.change(directory, Some(name), None),
            (Some(node), true) => {
                let Kind::Foreign(before) = &self.nodes[node] else { panic!("{path:?} is not sled's") };
                let image = Arc::new(Image::of(&path, Some(before)));
                if image != *before {
                    self.nodes[node] = Kind::Foreign(Arc::clone(&image));
                    self.ops.push(Op::Foreign { node, image });
                }
            }
        }
    }

    fn node(&mut self, kind: Kind) -> Node {
        self.nodes.push(kind);
        self.nodes.len() - 1
    }

    fn child(&self, directory: Node, name: &OsStr) -> Option<Node> {
        match &self.nodes[directory] {
            Kind::Directory(entries) => entries.get(name).copied(),
            Kind::File | Kind::Foreign(_) => None,
        }
    }

    /// The directory that holds `path`, or would; `None` where there is none.
    fn parent(&self, path: &Path) -> Option<(Node, OsString)> {
        let name = path.file_name()?.to_owned();
        Some((self.find(path.parent()?)?, name))
    }

    /// What stands at `path`. For everything in sled's directory that is the directory itself.
    fn find(&self, path: &Path) -> Option<Node> {
        let below = path.strip_prefix(&self.root).ok()?;
        below.components().try_fold(ROOT, |node, component| match (&self.nodes[node], component) {
            (Kind::Foreign(_), _) => Some(node),
            (_, Component::Normal(name)) => self.child(node, name),
            _ => None,
        })
    }

    fn name(&mut self, directory: Node, name: &OsStr, node: Node) {
        self.change(directory, None, Some((name.to_owned(), node)));
    }

    fn change(&mut self, directory: Node, gone: Option<OsString>, come: Option<(OsString, Node)>) {
        let Kind::Directory(entries) = &mut self.nodes[directory] else { panic!("no directory: {come:?}") };
        if let Some(name) = &gone {
            entries.remove(name);
        }
        if let Some((name, node)) = &come {
            entries.insert(name.clone(), *node);
        }
        self.ops.push(Op::Names { directory, gone, come });
    }

    /// Whether this operation is to fail, and how. One that needs no room cannot fail for want of it.
    fn fault(&mut self, needs_room: bool) -> Option<(Way, io::Error)> {
        let place = self.asked;
        self.asked += 1;
        let fault = self.fault?;
        let due = place >= fault.after && self.failed < fault.lasting;
        if !due || (fault.code == ENOSPC && !needs_room) {
            return None;
        }
        self.failed += 1;
        Some((fault.way, io::Error::from_raw_os_error(fault.code)))
    }
}

/// Does `act` unless it is to fail. It says what was done, which goes into the log.
fn faulty<T>(log: &mut Log, needs_room: bool, act: impl FnOnce(&mut Log) -> io::Result<T>) -> io::Result<T> {
    log.observe();
    match log.fault(needs_room) {
        None => act(log),
        Some((Way::Late, error)) => act(log).and(Err(error)),
        Some((_, error)) => Err(error),
    }
}

impl Recorder {
    fn recorded(&self, node: Node, foreign: bool, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(RecordedFile {
            node,
            foreign,
            file,
            log: Arc::clone(&self.log),
            gate: Arc::clone(&self.gate),
        })
    }

    fn inside(&self, path: &Path) {
        assert!(path.starts_with(&self.root), "{path:?} is not below {:?}", self.root);
    }
}

impl Disk for Recorder {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.inside(path);
        let mut log = self.log.lock();
        let (node, file) = faulty(&mut log, true, |log| {
            let file = Os.create(path)?;
            let (directory, name) = log.parent(path).expect("the directory was made through the disk");
            let known = log.child(directory, &name);
            let node = known.unwrap_or_else(|| log.node(Kind::File));
            log.ops.push(Op::Truncate { file: node, length: 0 });
            if known.is_none() {
                log.name(directory, &name, node);
            }
            Ok((node, file))
        })?;
        Ok(self.recorded(node, false, file))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Arc<dyn DiskFile>> {
        self.inside(path);
        let file = Os.open(path, access)?;
        let mut log = self.log.lock();
        log.observe();
        let node = log.find(path).unwrap_or_else(|| panic!("{path:?} was not made through the disk"));
        let foreign = matches!(log.nodes[node], Kind::Foreign(_));
        assert!(!foreign || access == Access::Read, "{path:?} is sled's");
        Ok(self.recorded(node, foreign, file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inside(from);
        let mut log = self.log.lock();
        faulty(&mut log, true, |log| {
            let (directory, old) = log.parent(from).expect("a directory was made through the disk");
            let (target, new) = log.parent(to).expect("a directory was made through the disk");
            assert_eq!(directory, target, "a move from one directory to another is not sure to be whole");
            let node = log.child(directory, &old);
            Os.rename(from, to)?;
            log.change(directory, Some(old), Some((new, node.expect("what is renamed is there"))));
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.inside(path);
        let mut log = self.log.lock();
        faulty(&mut log, false, |log| {
            Os.remove(path)?;
            let (directory, name) = log.parent(path).expect("the directory was made through the disk");
            log.change(directory, Some(name), None);
            Ok(())
        })
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.inside(path);
        let mut log = self.log.lock();
        faulty(&mut log, true, |log| {
            Os.make_directory(path)?;
            let (directory, name) = log.parent(path).expect("the directory was made through the disk");
            let node = log.node(Kind::Directory(BTreeMap::new()));
            log.name(directory, &name, node);
            Ok(())
        })
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        if !path.starts_with(&self.root) {
            return Ok(());
        }
        let mut log = self.log.lock();
        faulty(&mut log, false, |log| {
            if !path.is_dir() {
                return Err(io::ErrorKind::NotFound.into());
            }
            let found = log.find(path);
            let directory = found.unwrap_or_else(|| panic!("{path:?} was not made through the disk"));
            // sled's names last with its bytes: sled makes new files only when it opens and when it takes stock.
            if !matches!(log.nodes[directory], Kind::Foreign(_)) {
                log.ops.push(Op::SyncDirectory { directory });
            }
            Ok(())
        })
    }
}

/// A file of the recorder's.
#[derive(Debug)]
struct RecordedFile {
    node: Node,
    foreign: bool,
    file: Arc<dyn DiskFile>,
    log: Arc<Mutex<Log>>,
    gate: Arc<Gate>,
}

impl DiskFile for RecordedFile {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_at(bytes, offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut log = self.log.lock();
        log.observe();
        let (bytes, outcome) = match log.fault(true) {
            None => (bytes, Ok(())),
            Some((Way::Refused | Way::Killed, error)) => return Err(error),
            Some((Way::Short, error)) => (&bytes[..bytes.len() / 2], Err(error)),
            Some((Way::Late, error)) => (bytes, Err(error)),
        };
        self.file.write_at(bytes, offset)?;
        log.ops.push(Op::Write { file: self.node, offset, bytes: bytes.into() });
        outcome
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        let mut log = self.log.lock();
        faulty(&mut log, false, |log| {
            self.file.truncate(length)?;
            log.ops.push(Op::Truncate { file: self.node, length });
            Ok(())
        })
    }

    fn sync_data(&self) -> io::Result<()> {
        self.gate.pass();
        let mut log = self.log.lock();
        log.observe();
        // Nothing is synced in truth: these tests see no power cut but the ones that they work out.
        match (log.fault(false), self.foreign) {
            (Some((way, error)), foreign) => {
                if !foreign && way != Way::Killed {
                    log.ops.push(Op::SyncFailed { file: self.node });
                }
                Err(error)
            }
            (None, false) => {
                log.ops.push(Op::Sync { file: self.node });
                Ok(())
            }
            (None, true) => {
                log.ops.push(Op::ForeignSynced { node: self.node });
                Ok(())
            }
        }
    }

    fn sync_all(&self) -> io::Result<()> {
        self.sync_data()
    }
}
