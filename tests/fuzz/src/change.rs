//! A change of bytes that are sound, so that what lies behind their checks is reached. Places count from the beginning
//! and begin anew past the end.

use libfuzzer_sys::arbitrary::{self, Arbitrary};

/// What is changed, and where.
#[derive(Arbitrary, Debug)]
pub struct Change {
    at: u32,
    how: How,
}

#[derive(Arbitrary, Debug)]
enum How {
    Set(u8),
    Flip(u8),
    Insert(u8),
    Remove(u16),
    /// A number of up to ten bytes in the place of the one that begins there, seven bits a byte.
    Number(u64),
    /// A number of four bytes.
    Word(u32),
    Copy {
        to: u32,
        bytes: u8,
    },
    Cut,
    Append(Vec<u8>),
}

impl Change {
    /// Changes `bytes`.
    pub fn make(&self, bytes: &mut Vec<u8>) {
        if let How::Append(more) = &self.how {
            bytes.extend_from_slice(more);
        }
        if bytes.is_empty() {
            return;
        }
        let place = |at: u32| at as usize % bytes.len();
        let at = place(self.at);
        match self.how {
            How::Set(byte) => bytes[at] = byte,
            How::Flip(bits) => bytes[at] ^= bits,
            How::Insert(byte) => bytes.insert(at, byte),
            How::Remove(count) => drop(bytes.drain(at..(at + usize::from(count)).min(bytes.len()))),
            How::Number(value) => {
                let end = at + bytes[at..].iter().position(|byte| *byte < 0x80).map_or(1, |last| last + 1);
                bytes.splice(at..end, number(value));
            }
            How::Word(value) => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
            }
            How::Copy { to, bytes: length } => {
                let (to, end) = (place(to), (at + usize::from(length)).min(bytes.len()));
                let copied = bytes[at..end].to_vec();
                let end = (to + copied.len()).min(bytes.len());
                bytes.splice(to..end, copied);
            }
            How::Cut => bytes.truncate(at),
            How::Append(_) => {}
        }
    }
}

fn number(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
