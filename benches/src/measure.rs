//! What is measured beside time: memory of this process, files of a store, quantiles.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Memory of a process, in bytes, as the system counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resident {
    /// What lies in memory now.
    pub now: u64,
    /// The most there was.
    pub peak: u64,
}

/// A directory for the store of one run, that goes when the value does: in the one that is named, or else where the system keeps
/// what is temporary.
pub fn scratch(within: Option<&Path>) -> std::io::Result<tempfile::TempDir> {
    match within {
        Some(directory) => tempfile::tempdir_in(directory),
        None => tempfile::tempdir(),
    }
}

/// The memory of this process, from `/proc/self/status`; zeros where the system has no such file.
pub fn resident() -> Resident {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    };
    Resident { now: field("VmRSS:").unwrap_or(0), peak: field("VmHWM:").unwrap_or(0) }
}

/// Seconds that the threads of this process have worked, from `/proc/self/stat`, where Linux counts in hundredths; zero
/// where the system has no such file.
pub fn worked() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name may have blanks; what follows it has none. Fields 14 and 15 are its own and the system's part.
    let rest = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |field: usize| rest.split_whitespace().nth(field - 3)?.parse::<f64>().ok();
    ticks(14).zip(ticks(15)).map_or(0.0, |(own, system)| (own + system) / TICKS_A_SECOND)
}

/// Bytes of a store's files by part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// The truth, with all texts.
    pub journal: u64,
    /// The working store.
    pub sled: u64,
    /// What makes opening fast.
    pub snapshots: u64,
    /// All else.
    pub other: u64,
}

impl Disk {
    /// What the store in `directory` takes.
    ///
    /// # Errors
    /// Where the directory cannot be read.
    pub fn of(directory: &Path) -> anyhow::Result<Self> {
        let part = |name: &str| bytes_in(&directory.join(name));
        let (journal, sled, snapshots) = (part("journal")?, part("sled")?, part(SNAPSHOTS)?);
        Ok(Self { journal, sled, snapshots, other: bytes_in(directory)? - journal - sled - snapshots })
    }
}

/// The folder of a store that makes opening fast and can be taken away.
pub const SNAPSHOTS: &str = "snapshots";

/// Bytes of the files in a directory, all the way down; 0 where there is none.
///
/// # Errors
/// Where it cannot be read.
pub fn bytes_in(directory: &Path) -> anyhow::Result<u64> {
    let mut total = 0;
    if !directory.is_dir() {
        return Ok(total);
    }
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        total += if metadata.is_dir() { bytes_in(&entry.path())? } else { metadata.len() };
    }
    Ok(total)
}

/// The value below which this share of all lies; zero where there is none.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let place = ((share * times.len() as f64).ceil() as usize).saturating_sub(1);
    times.get(place).copied().unwrap_or_default()
}

/// Median and 95th percentile, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// The median.
    pub p50: f64,
    /// What 95 of 100 stay below.
    pub p95: f64,
}

impl Latency {
    /// Of these times.
    pub fn of(times: &mut [Duration]) -> Self {
        let milliseconds = |share| quantile(times, share).as_secs_f64() * 1e3;
        let [p50, p95] = [0.5, 0.95].map(milliseconds);
        Self { p50, p95 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_of_this_process() {
        if Path::new("/proc/self/stat").exists() {
            let before = worked();
            let mut sum = 0u64;
            while worked() < before + 0.02 {
                sum = (0..100_000).fold(sum, |sum: u64, n| sum.wrapping_mul(31).wrapping_add(n));
            }
            // The system counts by processor and adds up now and then.
            let memory = resident();
            assert!(memory.now > 1 << 20 && memory.peak + (1 << 20) >= memory.now, "{sum}");
        }
    }

    #[test]
    fn quantiles_are_measured_times() {
        let mut times: Vec<Duration> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(quantile(&mut times, 0.5), Duration::from_millis(50));
        assert_eq!(Latency::of(&mut times), Latency { p50: 50.0, p95: 95.0 });
        assert_eq!(quantile(&mut [], 0.5), Duration::ZERO);
    }
}
