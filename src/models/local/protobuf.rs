//! The fields of ONNX files, which are messages of Protocol Buffers: just what weights are found by. Files come from
//! anywhere, so nothing is believed that a file says of lengths.

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'b> {
    /// A whole number, as it is stored.
    Number(u64),
    /// A text, bytes, a message, or numbers one after the other.
    Bytes(&'b [u8]),
    /// Four bytes.
    Four([u8; 4]),
    /// Eight bytes.
    Eight([u8; 8]),
}

/// Goes through the fields of a message, each with its number.
pub(super) struct Fields<'b> {
    rest: &'b [u8],
}

impl<'b> Fields<'b> {
    pub(super) fn of(message: &'b [u8]) -> Self {
        Self { rest: message }
    }

    fn read(&mut self) -> Option<(u64, Value<'b>)> {
        let key = number(&mut self.rest)?;
        let value = match key & 7 {
            0 => Value::Number(number(&mut self.rest)?),
            1 => Value::Eight(*self.rest.split_off(..8)?.first_chunk()?),
            2 => {
                let length = usize::try_from(number(&mut self.rest)?).ok()?;
                Value::Bytes(self.rest.split_off(..length)?)
            }
            5 => Value::Four(*self.rest.split_off(..4)?.first_chunk()?),
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Result<(u64, Value<'b>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let read = self.read();
        if read.is_none() {
            // Nothing after it can be told apart.
            self.rest = &[];
        }
        Some(read.ok_or_else(|| "it is damaged, or no ONNX file".to_owned()))
    }
}

/// A whole number: seven bits a byte, the lowest first, at most ten bytes.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..10 {
        let byte = *rest.split_off_first()?;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

impl<'b> Value<'b> {
    /// A message, or what else has a length.
    pub(super) fn bytes(self) -> Result<&'b [u8], String> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            _ => Err("it is no ONNX file: a field has another kind".to_owned()),
        }
    }

    /// A text. What is no UTF-8 in it names nothing.
    pub(super) fn text(self) -> Result<String, String> {
        self.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// A whole number.
    pub(super) fn number(self) -> Result<u64, String> {
        match self {
            Self::Number(number) => Ok(number),
            _ => Err("it is no ONNX file: a field has another kind".to_owned()),
        }
    }

    /// Whole numbers: one, or one after the other.
    pub(super) fn numbers(self, to: &mut Vec<i64>) -> Result<(), String> {
        match self {
            Self::Number(number) => to.push(number.cast_signed()),
            other => {
                let mut rest = other.bytes()?;
                while !rest.is_empty() {
                    let number = number(&mut rest).ok_or("it is damaged, or no ONNX file")?;
                    to.push(number.cast_signed());
                }
            }
        }
        Ok(())
    }

    /// Numbers of four bytes: one, or one after the other.
    pub(super) fn floats(self, to: &mut Vec<f32>) -> Result<(), String> {
        match self {
            Self::Four(bytes) => to.push(f32::from_le_bytes(bytes)),
            other => to.extend(other.bytes()?.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes))),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_told_apart() {
        let message =
            [0x08, 0x96, 0x01, 0x12, 2, b'h', b'i', 0x1d, 0, 0, 0x80, 0x3f, 0x21, 1, 0, 0, 0, 0, 0, 0, 0];
        let fields: Vec<_> = Fields::of(&message).collect::<Result<_, _>>().unwrap();
        let one = 1.0_f32.to_le_bytes();
        assert_eq!(fields[..3], [(1, Value::Number(150)), (2, Value::Bytes(b"hi")), (3, Value::Four(one))]);
        assert_eq!(fields[3], (4, Value::Eight(1_u64.to_le_bytes())));
        let (mut numbers, mut floats) = (Vec::new(), Vec::new());
        Value::Bytes(&[0x96, 1, 7]).numbers(&mut numbers).unwrap();
        Value::Number(u64::MAX).numbers(&mut numbers).unwrap();
        Value::Bytes(&one).floats(&mut floats).unwrap();
        assert_eq!((numbers, floats), (vec![150, 7, -1], vec![1.0]));
        assert!(Value::Number(1).text().is_err() && Value::Bytes(b"x").number().is_err());
    }

    #[test]
    fn what_is_damaged_comes_to_an_end() {
        let endless = [0xff; 40];
        let longer_than_it_is = [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1];
        for damaged in [&endless[..], &longer_than_it_is, &[0x08], &[0x0b], &[0x0d, 1], &[0x09, 1]] {
            let read: Vec<_> = Fields::of(damaged).collect();
            assert!(read.len() == 1 && read[0].is_err(), "{damaged:?}");
        }
        assert!(Value::Bytes(&endless).numbers(&mut Vec::new()).is_err());
    }
}
