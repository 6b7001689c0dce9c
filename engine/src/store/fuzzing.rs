//! Doors for the fuzz targets to the bytes on disk: segments, frames, records, rows and the files of snapshots, all of
//! them in memory. They stand in no ordinary build.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::Mark;
use super::disk::{Access, Disk, DiskFile};
use super::frame::{self, FRAME_HEADER, FrameHeader, KIND_FORGET, SEGMENT_HEADER};
use super::journal::Journal;
use super::load::decode_commit;
use super::record::{self, Record, Row};
use super::segments::Position;
use super::snapshot::{Snapshots, Source};
use crate::error::Error;
use crate::model::episode::Episode;
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, ID_BYTES, Namespace};

/// What a frame holds, so that it can be changed and gets its checksum anew.
#[derive(Debug, Clone)]
pub struct FuzzFrame {
    /// The commit's number.
    pub sequence: u64,
    /// What the record is, and its version.
    pub form: (u8, u8),
    /// Its place among those that share a sync.
    pub group: u32,
    /// The record.
    pub meta: Vec<u8>,
    /// The texts.
    pub blob: Vec<u8>,
}

impl FuzzFrame {
    /// Its bytes in a segment with this salt.
    pub fn encode(&self, salt: u64) -> Vec<u8> {
        let (kind, version) = self.form;
        let (meta, blob) = (self.meta.len() as u32, self.blob.len() as u32);
        let header = FrameHeader { sequence: self.sequence, kind, version, meta, blob, group: self.group };
        frame::encode_frame(salt, &header, &self.meta, &self.blob)
    }

    /// Takes the record for a deflated one and lets it be changed before it is deflated again.
    pub fn change_inflated(&mut self, change: impl FnOnce(&mut Vec<u8>)) {
        if let Ok(mut bytes) = record::inflated(&self.meta) {
            change(&mut bytes);
            self.meta = record::deflated(&bytes);
        }
    }
}

/// A record made small.
pub fn deflated(record: &[u8]) -> Vec<u8> {
    record::deflated(record)
}

/// The header of a segment with this salt.
pub fn segment_header(salt: u64) -> Vec<u8> {
    frame::segment_header(salt).to_vec()
}

/// The frames of a segment that is whole.
pub fn frames(segment: &[u8]) -> Vec<FuzzFrame> {
    let (mut frames, mut rest) = (Vec::new(), &segment[SEGMENT_HEADER as usize..]);
    while let Some((bytes, after)) = rest.split_first_chunk::<FRAME_HEADER>() {
        let header = frame::decode_header(bytes).expect("the segment is whole");
        let (meta, after) = after.split_at(header.meta as usize);
        let (blob, after) = after.split_at(header.blob as usize);
        let (sequence, form, group) = (header.sequence, (header.kind, header.version), header.group);
        frames.push(FuzzFrame { sequence, form, group, meta: meta.to_vec(), blob: blob.to_vec() });
        rest = after;
    }
    frames
}

/// The frame of a commit as it is written today.
pub fn commit(sequence: u64, namespace: &Namespace, episodes: &[Episode], readings: &[Reading]) -> FuzzFrame {
    let (meta, blob) = record::encode_commit(
        namespace,
        &episodes.iter().collect::<Vec<_>>(),
        &readings.iter().collect::<Vec<_>>(),
    );
    FuzzFrame { sequence, form: (frame::KIND_COMMIT, record::COMMIT_VERSION), group: 0, meta, blob }
}

/// The frame that takes an episode out.
pub fn forget(sequence: u64, namespace: &Namespace, id: EpisodeId) -> FuzzFrame {
    let meta = record::encode_forget(namespace, &[id]);
    FuzzFrame { sequence, form: (KIND_FORGET, record::OTHER_VERSION), group: 0, meta, blob: Vec::new() }
}

/// The frame in the place of lost commits.
pub fn lost(from: u64, to: u64) -> FuzzFrame {
    let meta = record::encode(&record::LostV1 { from, to }).into_vec();
    let form = (frame::KIND_LOST, record::OTHER_VERSION);
    FuzzFrame { sequence: to, form, group: 0, meta, blob: Vec::new() }
}

/// Reads a record. One that is taken holds what its summary says, and comes back from its own bytes.
pub fn try_record(frame: &FuzzFrame) {
    let FuzzFrame { form, meta, blob, .. } = frame;
    let summary = record::summary(*form, meta, blob);
    let Ok(Record::Commit(commit)) = record::decode(*form, meta, blob) else { return };
    let summary = summary.expect("what is read can be counted").expect("it stands for no lost ones");
    let counts = [commit.episodes.len(), commit.readings.len(), commit.forgets.len()];
    assert_eq!([summary.episodes, summary.readings, summary.forgets].map(|count| count as usize), counts);
    assert_eq!(summary.namespace, commit.namespace);
    if *form == (frame::KIND_COMMIT, record::COMMIT_VERSION) {
        let again = self::commit(0, &commit.namespace, &commit.episodes, &commit.readings);
        let read = record::decode(again.form, &again.meta, &again.blob);
        assert_eq!(read, Ok(Record::Commit(commit)), "a commit comes back");
    }
}

/// Opens a journal of these segments, cuts what is torn, reads every commit, and writes one more, which then is there.
pub fn try_journal(segments: &[Vec<u8>]) {
    let memory = Memory::default();
    for (number, bytes) in segments.iter().enumerate() {
        memory.put(&PathBuf::from(format!("/{number:08}.journal")), bytes);
    }
    let disk: Arc<dyn Disk> = Arc::new(memory);
    let Ok(mut journal) = open(&disk) else { return };
    journal.cut_tail().expect("there is room in memory");
    let Ok((commits, last)) = walk(&journal) else { return };
    assert_eq!(last, journal.sequence());
    let frame = forget(0, &Namespace::default(), EpisodeId::from_bytes([7; ID_BYTES]));
    let appended =
        journal.append(frame.form.0, frame.form.1, &frame.meta, &[]).expect("there is room in memory");
    journal.sync().expect("there is room in memory");
    let end = journal.end();
    let mut again = open(&disk).expect("it was open before");
    assert_eq!(
        (again.end(), again.sequence(), again.cut_tail().expect("nothing is cut")),
        (end, appended.sequence, None)
    );
    assert_eq!(walk(&again).expect("it was walked before"), (commits + 1, appended.sequence));
}

fn open(disk: &Arc<dyn Disk>) -> Result<Journal, Error> {
    // There is such a directory, which is all that is asked of the system.
    Journal::open(disk, Path::new("/"))
}

/// How many frames there are and the number of the last commit.
fn walk(journal: &Journal) -> Result<(usize, u64), Error> {
    let (mut frames, mut last) = (0, 0);
    let segments = journal.segments();
    journal.replay(Position::START, 0, |frame| {
        (frames, last) = (frames + 1, frame.header.sequence);
        let commit = decode_commit(frame).map_err(|problem| segments.damaged(frame.at, problem))?;
        for text in commit.iter().flat_map(|(_, commit)| &commit.texts) {
            segments.text(text)?;
        }
        Ok(())
    })?;
    Ok((frames, last))
}

/// Reads bytes as each row of the working store, with a checksum that holds.
pub fn try_rows(body: &[u8]) {
    fn one<T: Row + PartialEq + std::fmt::Debug>(body: &[u8]) {
        let crc = crc32fast::hash(body).to_le_bytes();
        if let Ok(row) = record::decode_row::<T>(&[&[T::VERSION], &crc[..], body].concat()) {
            assert_eq!(record::decode_row(&record::encode_row(&row)), Ok(row));
        }
        assert!(record::decode_row::<T>(body).is_err() || body.len() > 4);
    }
    one::<record::CommitRowV2>(body);
    one::<record::NamespaceRowV2>(body);
    one::<record::AppliedV2>(body);
    one::<record::AppliedV1>(body);
}

fn source() -> Source {
    let (version, embedder) = ("1".to_owned(), "hash-1".to_owned());
    Source { namespace: Namespace::DEFAULT.to_owned(), version, embedder, generation: 3 }
}

/// The file of a snapshot of two sections.
pub fn snapshot_file() -> Vec<u8> {
    let disk = Arc::new(Memory::default());
    let snapshots = Snapshots::of_store(Path::new("/"), Arc::clone(&disk) as Arc<dyn Disk>);
    let mark = Mark { sequence: 9, commits: 4, digest: [5; 16] };
    snapshots
        .write(source(), &mark, &[b"one".to_vec(), b"two and more".to_vec()])
        .expect("there is room in memory");
    let files = disk.0.lock();
    files.values().next().expect("it was just written").0.lock().clone()
}

/// Reads the file of a snapshot, with or without a header's checksum that holds.
pub fn try_snapshot_file(bytes: &[u8], mend: bool) {
    let mut bytes = bytes.to_vec();
    if mend && let Some((first, rest)) = bytes.split_at_mut_checked(16) {
        let length = u32::from_le_bytes([first[8], first[9], first[10], first[11]]) as usize;
        if let Some(header) = rest.get(..length) {
            first[12..].copy_from_slice(&crc32fast::hash(header).to_le_bytes());
        }
    }
    let disk = Arc::new(Memory::default());
    let snapshots = Snapshots::of_store(Path::new("/"), Arc::clone(&disk) as Arc<dyn Disk>);
    let mark = Mark { sequence: 9, commits: 4, digest: [5; 16] };
    snapshots.write(source(), &mark, &[]).expect("there is room in memory");
    let path = disk.0.lock().keys().next().expect("it was just written").clone();
    disk.put(&path, &bytes);
    let read = snapshots.read(&source());
    assert_eq!(
        matches!(read, Ok(Some(_))),
        disk.0.lock().contains_key(&path),
        "what is of no use is removed"
    );
}

/// Files in memory.
#[derive(Debug, Default)]
struct Memory(Mutex<BTreeMap<PathBuf, Arc<MemoryFile>>>);

#[derive(Debug, Default)]
struct MemoryFile(Mutex<Vec<u8>>);

impl Memory {
    fn put(&self, path: &Path, bytes: &[u8]) {
        self.0.lock().insert(path.to_path_buf(), Arc::new(MemoryFile(Mutex::new(bytes.to_vec()))));
    }
}

fn missing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl Disk for Memory {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.put(path, &[]);
        self.open(path, Access::Write)
    }

    fn open(&self, path: &Path, _: Access) -> io::Result<Arc<dyn DiskFile>> {
        let file = self.0.lock().get(path).cloned().ok_or_else(missing)?;
        Ok(file)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut files = self.0.lock();
        let file = files.remove(from).ok_or_else(missing)?;
        files.insert(to.to_path_buf(), file);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.lock().remove(path).map(drop).ok_or_else(missing)
    }

    fn make_directory(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn sync_directory(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let files = self.0.lock();
        let inside = files.keys().filter(|file| file.parent() == Some(path));
        Ok(inside.filter_map(|file| file.file_name()).map(OsString::from).collect())
    }
}

impl DiskFile for MemoryFile {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let file = self.0.lock();
        let piece = file.get(offset as usize..).and_then(|rest| rest.get(..bytes.len()));
        bytes.copy_from_slice(piece.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut file = self.0.lock();
        let end = offset as usize + bytes.len();
        if file.len() < end {
            file.resize(end, 0);
        }
        file[offset as usize..end].copy_from_slice(bytes);
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.0.lock().len() as u64)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.0.lock().resize(length as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn sync_all(&self) -> io::Result<()> {
        Ok(())
    }
}
