//! Columns of small numbers: each number takes one byte for every seven bits of it (LEB128), and a column is written
//! with its length before it. What is read back is not trusted.

/// The columns of a record while it is written, by their numbers.
pub(super) struct Columns<const N: usize> {
    columns: [Vec<u8>; N],
}

impl<const N: usize> Columns<N> {
    /// No numbers yet.
    pub(super) fn new() -> Self {
        Self { columns: std::array::from_fn(|_| Vec::new()) }
    }

    /// Adds a number to a column.
    pub(super) fn put(&mut self, column: usize, number: u64) {
        put(&mut self.columns[column], number);
    }

    /// Adds bytes to a column.
    pub(super) fn put_bytes(&mut self, column: usize, bytes: &[u8]) {
        self.columns[column].extend_from_slice(bytes);
    }

    /// All columns, one after the other.
    pub(super) fn pack(&self) -> Vec<u8> {
        let mut packed = Vec::with_capacity(self.columns.iter().map(|column| column.len() + 3).sum());
        for column in &self.columns {
            put(&mut packed, column.len() as u64);
            packed.extend_from_slice(column);
        }
        packed
    }
}

/// The columns of a record while it is read: what is left of each.
pub(super) struct ColumnReader<'a, const N: usize> {
    columns: [&'a [u8]; N],
}

impl<'a, const N: usize> ColumnReader<'a, N> {
    /// Takes apart what [`Columns::pack`] put together, where that was so many columns; the others are empty.
    pub(super) fn unpack_first(mut packed: &'a [u8], count: usize) -> Result<Self, String> {
        let mut columns: [&[u8]; N] = [&[]; N];
        for column in &mut columns[..count] {
            let length = take(&mut packed)?;
            let (bytes, rest) = usize::try_from(length)
                .ok()
                .and_then(|length| packed.split_at_checked(length))
                .ok_or("a column reaches past its record")?;
            (*column, packed) = (bytes, rest);
        }
        if packed.is_empty() { Ok(Self { columns }) } else { Err("a record has bytes left over".to_owned()) }
    }

    /// The next number of a column.
    pub(super) fn take(&mut self, column: usize) -> Result<u64, String> {
        take(&mut self.columns[column])
    }

    /// The next number of a column, which must fit into 32 bits.
    pub(super) fn take_u32(&mut self, column: usize) -> Result<u32, String> {
        u32::try_from(self.take(column)?).map_err(|_| "a record's number is too large".to_owned())
    }

    /// The next bytes of a column.
    pub(super) fn take_bytes(&mut self, column: usize, length: u64) -> Result<&'a [u8], String> {
        let split =
            usize::try_from(length).ok().and_then(|length| self.columns[column].split_at_checked(length));
        let (bytes, rest) = split.ok_or("a record's bytes end early")?;
        self.columns[column] = rest;
        Ok(bytes)
    }

    /// How many bytes of a column are left: no fewer than it has numbers.
    pub(super) fn left(&self, column: usize) -> usize {
        self.columns[column].len()
    }

    /// Whether everything was taken.
    pub(super) fn is_done(&self) -> bool {
        self.columns.iter().all(|column| column.is_empty())
    }
}

/// A number that may be negative as one that is small where it lies near zero.
pub(super) fn fold(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The inverse of [`fold`].
pub(super) fn unfold(folded: u64) -> i64 {
    (folded >> 1) as i64 ^ -((folded & 1) as i64)
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0;
    for (place, &byte) in bytes.iter().enumerate().take(10) {
        if place == 9 && byte > 1 {
            break;
        }
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            *bytes = &bytes[place + 1..];
            return Ok(number);
        }
    }
    Err("a record's number has no end".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<i64>, bytes: Vec<u8>) {
            let mut columns = Columns::<2>::new();
            for number in &numbers {
                columns.put(0, fold(*number));
            }
            columns.put_bytes(1, &bytes);
            let packed = columns.pack();
            let mut reader = ColumnReader::<2>::unpack_first(&packed, 2).unwrap();
            for number in numbers {
                prop_assert_eq!(unfold(reader.take(0).unwrap()), number);
            }
            prop_assert!(reader.take(0).is_err());
            prop_assert_eq!(reader.take_bytes(1, bytes.len() as u64).unwrap(), &bytes[..]);
            prop_assert!(reader.is_done());
        }

        #[test]
        fn arbitrary_bytes_do_no_harm(bytes: Vec<u8>) {
            if let Ok(mut reader) = ColumnReader::<3>::unpack_first(&bytes, 3) {
                while reader.take(1).is_ok() {}
            }
        }
    }
}
