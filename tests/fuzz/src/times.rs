//! Any instant that can be written, from a number.

use lorebase_engine::model::time::Timestamp;

/// The first and the last, in milliseconds since 1970.
const ENDS: [i64; 2] = [-377_705_023_201_000, 253_402_207_200_000];

/// The instant so many hours after 2024 began, or the last or first one where that would be later or earlier.
pub fn hours_from_2024(hours: i32) -> Timestamp {
    let millis = 1_704_067_200_000 + i64::from(hours) * 3_600_000;
    Timestamp::from_millis(millis.clamp(ENDS[0], ENDS[1])).expect("it is in range")
}
