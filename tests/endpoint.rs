//! An endpoint on this machine that makes vectors as OpenAI's does, for what asks it: it can throttle, fail, break off, and
//! answer otherwise than it should, once or always.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Numbers in its vectors, where nobody asks for another number.
pub(crate) const DIMENSIONS: usize = 4;

/// How it answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Manner {
    /// As it should.
    Well,
    /// With a status, a header, and what it says of it.
    Says(u16, &'static str, &'static str),
    /// With a head, and the connection ends.
    Drops,
    /// With half of its JSON, as if that were all.
    Truncates,
    /// Not in this time.
    Hangs(Duration),
    /// With the vectors in the other order.
    Backwards,
    /// With one vector less.
    Fewer,
    /// With vectors of another length.
    Wider,
    /// With vectors of zeros.
    Zeros,
    /// With numbers that are too large.
    Huge,
    /// With vectors as base64.
    Base64,
    /// With something else.
    Page,
}

/// A request that it got.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) at: Instant,
    pub(crate) path: String,
    pub(crate) key: Option<String>,
    pub(crate) body: Value,
    pub(crate) texts: Vec<String>,
    /// Whether vectors were sent.
    pub(crate) well: bool,
}

#[derive(Default)]
struct Desk {
    script: VecDeque<Manner>,
    usual: Option<Manner>,
    most_texts: Option<usize>,
    longest: Option<usize>,
    poison: Option<&'static str>,
    log: Vec<Asked>,
}

/// The endpoint, which runs until the process ends.
pub(crate) struct Endpoint {
    /// Its URL, to give to `--remote`.
    pub(crate) url: String,
    desk: Arc<Mutex<Desk>>,
}

impl Endpoint {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let desk = Arc::new(Mutex::new(Desk::default()));
        let there = Arc::clone(&desk);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let desk = Arc::clone(&there);
                // Whoever asked may have gone.
                thread::spawn(move || drop(answer(&stream.unwrap(), &desk)));
            }
        });
        Self { url, desk }
    }

    /// How it answers the next requests, before it answers as usual.
    pub(crate) fn next(&self, manners: &[Manner]) {
        self.desk.lock().unwrap().script.extend(manners.iter().cloned());
    }

    pub(crate) fn usually(&self, manner: Manner) {
        self.desk.lock().unwrap().usual = Some(manner);
    }

    /// Refuses requests of more texts, longer texts, and such as hold a word.
    pub(crate) fn refuses(&self, most_texts: usize, longest: usize, poison: Option<&'static str>) {
        let mut desk = self.desk.lock().unwrap();
        (desk.most_texts, desk.longest, desk.poison) = (Some(most_texts), Some(longest), poison);
    }

    /// What it was asked since this was called last.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.desk.lock().unwrap().log)
    }

    /// How many texts it was asked for until now, without forgetting them.
    pub(crate) fn texts(&self) -> usize {
        self.desk.lock().unwrap().log.iter().map(|asked| asked.texts.len()).sum()
    }
}

/// What a text means to it: ships, or else what its first letters are.
fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let text = text.to_lowercase();
    let mut vector = vec![0.0; dimensions];
    if ["ferry", "boat"].iter().any(|ship| text.contains(ship)) {
        (vector[0], vector[1]) = (3.0, 4.0);
    } else {
        let sum: usize = text.bytes().map(usize::from).sum();
        (vector[2], vector[3]) = (1.0 + (sum % 7) as f32, 1.0);
    }
    vector
}

fn answer(stream: &TcpStream, desk: &Mutex<Desk>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        head.iter().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let mut body = vec![0; header("content-length").map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let texts: Vec<String> = body["input"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    let manner = {
        let mut desk = desk.lock().unwrap();
        let next = desk.script.pop_front().or_else(|| desk.usual.clone()).unwrap_or(Manner::Well);
        let too_many = desk.most_texts.is_some_and(|most| texts.len() > most);
        let too_long = desk.longest.is_some_and(|longest| texts.iter().any(|text| text.len() > longest));
        let poisoned = desk.poison.is_some_and(|word| texts.iter().any(|text| text.contains(word)));
        let manner = match next {
            Manner::Well if too_many => Manner::Says(413, "X-A: b", "too many inputs"),
            Manner::Well if too_long => Manner::Says(400, "X-A: b", "maximum context length exceeded"),
            Manner::Well if poisoned => Manner::Says(422, "X-A: b", "cannot be tokenized"),
            manner => manner,
        };
        let well = matches!(manner, Manner::Well | Manner::Backwards | Manner::Base64 | Manner::Hangs(_));
        let key = header("authorization");
        desk.log.push(Asked {
            at: Instant::now(),
            path,
            key,
            body: body.clone(),
            texts: texts.clone(),
            well,
        });
        manner
    };
    if let Manner::Hangs(time) = manner {
        thread::sleep(time);
    }
    respond(stream, &manner, &texts, body["dimensions"].as_u64().map_or(DIMENSIONS, |number| number as usize))
}

fn respond(mut out: &TcpStream, manner: &Manner, texts: &[String], dimensions: usize) -> std::io::Result<()> {
    let mut data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let vector = match manner {
                Manner::Wider => vector(text, dimensions + 1),
                Manner::Zeros => vec![0.0; dimensions],
                _ => vector(text, dimensions),
            };
            json!({ "object": "embedding", "index": index, "embedding": vector })
        })
        .collect();
    match manner {
        Manner::Backwards => data.reverse(),
        Manner::Fewer => drop(data.pop()),
        Manner::Huge => data.iter_mut().for_each(|item| item["embedding"][0] = json!(1e300)),
        Manner::Base64 => {
            // 3, 4, 0, 0 as numbers of 32 bits.
            for item in &mut data {
                item["embedding"] = json!("AABAQAAAgEAAAAAAAAAAAA==");
            }
        }
        _ => {}
    }
    let mut text = json!({ "object": "list", "data": data, "model": "m" }).to_string();
    let (mut status, mut line) = (200, "X-A: b");
    match manner {
        Manner::Says(code, header, said) => {
            (status, line) = (*code, header);
            text = json!({ "error": { "message": said, "type": said, "code": null } }).to_string();
        }
        Manner::Page => text = "<html>Welcome</html>".to_owned(),
        Manner::Truncates => text.truncate(text.len() / 2),
        _ => {}
    }
    let mut head = format!("HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\n{line}\r\n");
    write!(head, "Content-Length: {}\r\nConnection: close\r\n\r\n", text.len()).unwrap();
    out.write_all(head.as_bytes())?;
    out.write_all(if *manner == Manner::Drops { &text.as_bytes()[..10] } else { text.as_bytes() })?;
    out.flush()
}
