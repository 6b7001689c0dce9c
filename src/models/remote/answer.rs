//! What an endpoint sends: vectors in any order, as numbers or as base64, with more or less around them than OpenAI's.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;

/// How long a vector must at least be before it is made one of length 1.
const LENGTH_LEAST: f32 = 1e-12;

/// An answer, as far as it is of interest.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    data: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    /// Which text of the request it belongs to; where none has one, they come in order.
    index: Option<usize>,
    embedding: Numbers,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Numbers {
    Plain(Vec<f32>),
    Base64(String),
}

impl Answer {
    /// A vector of length 1 for each of so many texts, in their order; or what is wrong.
    pub(super) fn vectors(self, texts: usize, dimensions: Option<usize>) -> Result<Vec<Vec<f32>>, String> {
        if self.data.len() != texts {
            return Err(format!("{} vectors for {texts} texts", self.data.len()));
        }
        let width = dimensions.unwrap_or(usize::MAX);
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
        for (place, item) in self.data.into_iter().enumerate() {
            let place = item.index.unwrap_or(place);
            let vector = item.embedding.read()?;
            if dimensions.is_some_and(|_| vector.len() != width) || vector.is_empty() {
                return Err(format!("vectors of {} numbers instead of {width}", vector.len()));
            }
            match vectors.get_mut(place) {
                Some(free @ None) => *free = Some(of_length_one(vector)?),
                Some(Some(_)) => return Err(format!("two vectors for text {place} of a request")),
                None => return Err(format!("a vector for text {place} of a request with {texts}")),
            }
        }
        // As many as there are texts, and no two for one.
        Ok(vectors.into_iter().flatten().collect())
    }
}

impl Numbers {
    fn read(self) -> Result<Vec<f32>, String> {
        match self {
            Self::Plain(numbers) => Ok(numbers),
            Self::Base64(text) => {
                let bytes =
                    BASE64_STANDARD.decode(text).map_err(|error| format!("damaged base64 ({error})"))?;
                let (numbers, rest) = bytes.as_chunks();
                if !rest.is_empty() {
                    return Err(format!("{} bytes for numbers of 4", bytes.len()));
                }
                Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
            }
        }
    }
}

fn of_length_one(mut vector: Vec<f32>) -> Result<Vec<f32>, String> {
    if let Some(number) = vector.iter().find(|number| !number.is_finite()) {
        return Err(format!("{number} for a number of a vector"));
    }
    // Of the largest number first, so that no square is too large or too small.
    let largest = vector.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    if largest < LENGTH_LEAST {
        return Err("a vector of which all numbers are 0".to_owned());
    }
    for number in &mut vector {
        *number /= largest;
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    for number in &mut vector {
        *number /= length;
    }
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, texts: usize, dimensions: Option<usize>) -> Result<Vec<Vec<f32>>, String> {
        serde_json::from_str::<Answer>(text).map_err(|error| error.to_string())?.vectors(texts, dimensions)
    }

    #[test]
    fn vectors_stand_by_their_index_and_have_length_one() {
        let alike = |come: Vec<Vec<f32>>, wanted: &[[f32; 2]]| {
            assert_eq!(come.len(), wanted.len());
            let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6;
            assert!(come.iter().flatten().zip(wanted.iter().flatten()).all(near), "{come:?}");
        };
        let two = r#"{"data": [{"index": 1, "embedding": [0, 3]}, {"index": 0, "embedding": [3, 4]}]}"#;
        alike(read(two, 2, Some(2)).unwrap(), &[[0.6, 0.8], [0.0, 1.0]]);
        let plain = r#"{"object": "list", "data": [{"embedding": [3e30, 4e30]}, {"embedding": [0, 1e-9]}], "usage": null}"#;
        alike(read(plain, 2, None).unwrap(), &[[0.6, 0.8], [0.0, 1.0]]);
        let base64 = BASE64_STANDARD.encode([3.0_f32, 4.0].map(f32::to_le_bytes).concat());
        let text = format!(r#"{{"data": [{{"index": 0, "embedding": "{base64}"}}]}}"#);
        alike(read(&text, 1, Some(2)).unwrap(), &[[0.6, 0.8]]);
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        for (vectors, told) in [
            (r#"{"index": 0, "embedding": [1, 0]}"#, "1 vectors for 2"),
            (
                r#"{"index": 0, "embedding": [1, 0]}, {"index": 0, "embedding": [1, 0]}"#,
                "two vectors for text 0",
            ),
            (r#"{"index": 0, "embedding": [1, 0]}, {"index": 2, "embedding": [1, 0]}"#, "for text 2"),
            (
                r#"{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1]}"#,
                "1 numbers instead of 2",
            ),
            (r#"{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [0, 0]}"#, "are 0"),
            (r#"{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1e300, 0]}"#, "inf"),
            (r#"{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [null, 0]}"#, ""),
            (r#"{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": "AAAA"}"#, "3 bytes"),
            (r#"{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": "!"}"#, "base64"),
        ] {
            let error = read(&format!(r#"{{"data": [{vectors}]}}"#), 2, Some(2)).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }
}
