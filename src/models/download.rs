//! Files over HTTP: tried again with pauses that grow, and gone on with where they broke off.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use ureq::http::{HeaderMap, StatusCode, header};
use ureq::{Agent, Body};

use super::add::Progress;
use super::files;
use crate::error::Error;

/// Pauses after tries that brought nothing, in milliseconds. After the last, another try is the last.
const PAUSES: [u64; 5] = [500, 1000, 2000, 4000, 8000];
/// The longest pause that a server may ask for.
const PAUSE_MAX: Duration = Duration::from_mins(1);
const CONNECT: Duration = Duration::from_secs(30);
/// The longest silence.
const SILENCE: Duration = Duration::from_mins(1);
/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// A file that is to be downloaded.
pub(super) struct Download<'d> {
    pub(super) url: &'d str,
    /// Where it goes. What is there already is gone on with.
    pub(super) to: &'d Path,
    /// How long it must be, where that is known.
    pub(super) bytes: Option<u64>,
    /// What it is called.
    pub(super) name: &'d str,
}

/// Why a try did not come to the end.
enum Broken {
    /// Trying again may help, perhaps not before this time.
    Again(String, Option<Duration>),
    /// It would not.
    Refused(Error),
}

impl Broken {
    fn again(problem: &dyn std::fmt::Display) -> Self {
        Self::Again(problem.to_string(), None)
    }
}

impl Download<'_> {
    /// Fetches the file, or the rest of it.
    pub(super) fn fetch(&self, told: &mut dyn FnMut(Progress<'_>)) -> Result<(), Error> {
        let open = File::options().create(true).truncate(false).read(true).write(true).open(self.to);
        let mut file = open.map_err(files::io("write", self.to))?;
        let agent = agent(self.url);
        // What the server calls the version of which there is a part.
        let mut version = None;
        let (mut failures, mut before) = (0, 0);
        loop {
            let have = file.metadata().map_err(files::io("read", self.to))?.len();
            match self.go_on(&agent, &mut file, have, &mut version, told) {
                Ok(()) => return file.sync_all().map_err(files::io("sync", self.to)),
                Err(Broken::Refused(error)) => {
                    if have == 0 {
                        files::remove(self.to)?;
                    }
                    return Err(error);
                }
                Err(Broken::Again(problem, asked)) => {
                    let now = file.metadata().map_err(files::io("read", self.to))?.len();
                    if now > before {
                        failures = 0;
                    }
                    let Some(pause) = PAUSES.get(failures) else { return Err(self.failed(&problem)) };
                    (failures, before) = (failures + 1, now);
                    let pause = Duration::from_millis(*pause).max(asked.unwrap_or_default()).min(PAUSE_MAX);
                    told(Progress::Again { problem: &problem, pause });
                    thread::sleep(pause);
                }
            }
        }
    }

    fn failed(&self, problem: &str) -> Error {
        let kept = if self.bytes.is_some() { "what has come is kept, so try" } else { "try" };
        let problem = format!("{problem}; {kept} again when the network is there");
        Error::Download { url: self.url.to_owned(), problem }
    }

    fn refused(&self, problem: String) -> Broken {
        Broken::Refused(Error::Model { place: self.url.to_owned(), problem })
    }

    /// One try.
    fn go_on(
        &self,
        agent: &Agent,
        file: &mut File,
        have: u64,
        version: &mut Option<String>,
        told: &mut dyn FnMut(Progress<'_>),
    ) -> Result<(), Broken> {
        if have > 0 && self.bytes == Some(have) {
            return Ok(());
        }
        // Without its hash, a file that goes on must be known to be the same.
        let resumed = have > 0 && (self.bytes.is_some() || version.is_some());
        let mut request = agent.get(self.url);
        if resumed {
            request = request.header(header::RANGE, format!("bytes={have}-"));
        }
        if let Some(version) = version.as_deref().filter(|_| resumed) {
            request = request.header(header::IF_RANGE, version);
        }
        let mut response = request.call().map_err(|error| self.unreached(error))?;
        let from = self.begin(response.status(), response.headers(), have)?;
        let whole = length(response.headers()).map(|length| length + from).or(self.bytes);
        if let (Some(whole), Some(bytes)) = (whole, self.bytes)
            && whole != bytes
        {
            return Err(self.refused(format!("it has {whole} bytes there instead of {bytes}")));
        }
        *version = strong_version(response.headers());
        file.set_len(from).map_err(|error| self.ours(error))?;
        file.seek(SeekFrom::Start(from)).map_err(|error| self.ours(error))?;
        told(Progress::Begins { name: self.name, have: from, bytes: whole });
        let came = self.receive(response.body_mut(), file, from, told)?;
        match whole {
            Some(whole) if came < whole => Err(Broken::again(&"the connection broke off")),
            Some(whole) if came > whole => Err(self.refused(format!("it has more than {whole} bytes"))),
            _ => Ok(()),
        }
    }

    /// From which byte on the server sends.
    fn begin(&self, status: StatusCode, headers: &HeaderMap, have: u64) -> Result<u64, Broken> {
        match status {
            StatusCode::PARTIAL_CONTENT if first_byte(headers) == Some(have) => Ok(have),
            StatusCode::PARTIAL_CONTENT => {
                Err(self.refused("it sends another part than asked for".to_owned()))
            }
            StatusCode::OK => Ok(0),
            // There is less of it than there should be.
            StatusCode::RANGE_NOT_SATISFIABLE if have > 0 => {
                fs::write(self.to, []).map_err(|error| self.ours(error))?;
                Err(Broken::again(&"it has changed"))
            }
            status if status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429) => {
                let asked = number(headers, header::RETRY_AFTER).map(Duration::from_secs);
                Err(Broken::Again(format!("the server says {status}"), asked))
            }
            status => Err(self.refused(format!("the server says {status}; check the address"))),
        }
    }

    fn receive(
        &self,
        body: &mut Body,
        file: &mut File,
        from: u64,
        told: &mut dyn FnMut(Progress<'_>),
    ) -> Result<u64, Broken> {
        let (mut reader, mut piece, mut came) = (body.as_reader(), vec![0; PIECE], from);
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(came),
                Ok(read) => {
                    file.write_all(&piece[..read]).map_err(|error| self.ours(error))?;
                    came += read as u64;
                    told(Progress::Came(came));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Broken::again(&error)),
            }
        }
    }

    fn ours(&self, error: io::Error) -> Broken {
        Broken::Refused(files::io("write", self.to)(error))
    }

    fn untrusted(&self, error: &dyn std::fmt::Display) -> Broken {
        self.refused(format!(
            "{error}; where a proxy stands between, download the model by other means and give its directory to `lore model \
             add --from`"
        ))
    }

    fn unreached(&self, error: ureq::Error) -> Broken {
        use ureq::Error as E;
        match error {
            E::Http(_) | E::BadUri(_) | E::InvalidProxyUrl | E::RequireHttpsOnly(_) | E::TooManyRedirects => {
                self.refused(error.to_string())
            }
            // Whoever answers is not who was asked, which another try does not change.
            E::Tls(_) | E::Pem(_) | E::Rustls(_) => self.untrusted(&error),
            E::Io(io) if io.kind() == io::ErrorKind::InvalidData => self.untrusted(&io),
            other => Broken::again(&other),
        }
    }
}

fn agent(url: &str) -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        // What is asked for under TLS is not taken from where it leads to without.
        .https_only(url.starts_with("https:"))
        .timeout_connect(Some(CONNECT))
        .timeout_recv_response(Some(SILENCE))
        .timeout_per_read(Some(SILENCE))
        .user_agent(concat!("lorebase/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent()
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn number(headers: &HeaderMap, name: header::HeaderName) -> Option<u64> {
    text(headers, name)?.trim().parse().ok()
}

fn length(headers: &HeaderMap) -> Option<u64> {
    number(headers, header::CONTENT_LENGTH)
}

/// Where the part begins that was sent: `bytes 100-199/200`.
fn first_byte(headers: &HeaderMap) -> Option<u64> {
    text(headers, header::CONTENT_RANGE)?.strip_prefix("bytes ")?.split_once('-')?.0.parse().ok()
}

/// What the server calls this version, where that means every byte.
fn strong_version(headers: &HeaderMap) -> Option<String> {
    text(headers, header::ETAG).filter(|version| !version.starts_with("W/")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::super::served::{Manner, Served};
    use super::*;

    fn bytes() -> Vec<u8> {
        (0..200_000_u32).map(|number| (number.wrapping_mul(number) >> 7) as u8).collect()
    }

    /// Fetches what is served, beginning with what is there, and tells what was asked for.
    fn fetch(manner: Manner, bytes: Option<u64>, there: &[u8]) -> (Result<Vec<u8>, Error>, Vec<String>) {
        let served = Served::new(&[("/f", &self::bytes())], manner);
        let directory = tempfile::tempdir().unwrap();
        let to = directory.path().join("f");
        fs::write(&to, there).unwrap();
        let url = format!("{}/f", served.base);
        let download = Download { url: &url, to: &to, bytes, name: "f" };
        let came = download.fetch(&mut |_| ()).map(|()| fs::read(&to).unwrap());
        (came, served.asked())
    }

    #[test]
    fn what_breaks_off_is_gone_on_with() {
        let whole = bytes();
        let known = Some(whole.len() as u64);
        for bytes in [None, known] {
            let (came, asked) = fetch(Manner::BreaksOff, bytes, b"");
            assert!(came.unwrap() == whole);
            assert_eq!(asked, ["/f", "/f bytes=100000-"]);
            let (came, asked) = fetch(Manner::BreaksOffWithoutParts, bytes, b"");
            assert!(came.unwrap() == whole);
            assert_eq!(asked, ["/f", "/f bytes=100000-"]);
            let (came, asked) = fetch(Manner::Busy, bytes, b"");
            assert!(came.unwrap() == whole);
            assert_eq!(asked, ["/f", "/f"]);
        }
        // What an earlier run has left is used where it can be told in the end whether it is the same file.
        let (came, asked) = fetch(Manner::Whole, known, &whole[..50]);
        assert!(came.unwrap() == whole);
        assert_eq!(asked, ["/f bytes=50-"]);
        let (came, asked) = fetch(Manner::Whole, None, &whole[..50]);
        assert!(came.unwrap() == whole);
        assert_eq!(asked, ["/f"]);
        let (came, asked) = fetch(Manner::Whole, known, &whole);
        assert!(came.unwrap() == whole && asked.is_empty());
    }

    #[test]
    fn what_is_not_there_or_is_another_file_is_not_tried_again() {
        let (came, asked) = fetch(Manner::Whole, Some(7), b"");
        let error = came.unwrap_err().to_string();
        assert!(error.contains("200000 bytes there instead of 7") && asked.len() == 1, "{error}");
        let served = Served::new(&[], Manner::Whole);
        let directory = tempfile::tempdir().unwrap();
        let (url, to) = (format!("{}/f", served.base), directory.path().join("f"));
        for url in [&*url, "http://", "ftp://127.0.0.1/f"] {
            let error = Download { url, to: &to, bytes: None, name: "f" }.fetch(&mut |_| ()).unwrap_err();
            assert!(matches!(error, Error::Model { .. }), "{error}");
        }
        assert_eq!(served.asked().len(), 1);
    }
}
