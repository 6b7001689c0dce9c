//! A server of files on this machine, for what downloads them: it can break off, fail, and serve parts.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// How it serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Everything that is asked for.
    Whole,
    /// The first time that a file is asked for, half of it, and then the connection ends.
    BreaksOff,
    /// The same, and parts are not served.
    BreaksOffWithoutParts,
    /// The first time that a file is asked for, that there is too much to do.
    Busy,
}

/// The server, which runs until the process ends.
pub(crate) struct Served {
    /// Its address, without a slash at the end.
    pub(crate) base: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Served {
    pub(crate) fn new(files: &[(&str, &[u8])], manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let files: HashMap<String, Vec<u8>> =
            files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                // Whoever asked may have gone.
                let _ = answer(&stream.unwrap(), &files, manner, &log);
            }
        });
        Self { base, asked }
    }

    /// What was asked for: the path, and the part if one was wanted.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(
    stream: &TcpStream,
    files: &HashMap<String, Vec<u8>>,
    manner: Manner,
    log: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let path = lines.next().unwrap_or(Ok(String::new()))?.split(' ').nth(1).unwrap_or_default().to_owned();
    let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let header = |name: &str| {
        head.iter().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let range = header("range");
    let first = {
        let mut log = log.lock().unwrap();
        let first = !log.iter().any(|line| line.split(' ').next() == Some(&path));
        log.push([path.as_str(), range.as_deref().unwrap_or_default()].join(" ").trim_end().to_owned());
        first
    };
    let mut out = stream;
    let Some(bytes) = files.get(&path) else {
        return out.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    if first && manner == Manner::Busy {
        return out.write_all(
            b"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    }
    let from = range.and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok());
    let from = from.filter(|_| manner != Manner::BreaksOffWithoutParts);
    let part = &bytes[from.unwrap_or(0)..];
    let status = from.map_or("200 OK".to_owned(), |from| {
        let (last, all) = (bytes.len() - 1, bytes.len());
        format!("206 Partial Content\r\nContent-Range: bytes {from}-{last}/{all}")
    });
    let length = part.len();
    write!(
        out,
        "HTTP/1.1 {status}\r\nETag: \"{}\"\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n",
        bytes.len()
    )?;
    let breaks = first && matches!(manner, Manner::BreaksOff | Manner::BreaksOffWithoutParts);
    out.write_all(if breaks { &part[..length / 2] } else { part })?;
    out.flush()
}
