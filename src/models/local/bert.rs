//! The encoder of the BERT family (Devlin and others, 2018): from the tokens of some texts to a vector a token.
//!
//! Texts are not padded: the rows of all of them stand one after the other, and only attention looks at one text at a
//! time. So a text comes out the same, alone or among others.

use rten_gemm::{GemmError, GemmInputA, GemmInputB, GemmOptions};
use rten_simd::{SimdOp, SimdUnaryOp};
use rten_tensor::NdTensorView;
use rten_vecmath::{ApproxGelu, Gelu, Normalize, NormalizeOptions, Softmax, Sum, SumSquareSub};

use super::linear::{Gemm, Linear, Scratch};

/// A text as the model reads it: a number a token, and which part of the input the token stands in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) ids: Vec<u32>,
    pub(crate) parts: Vec<u32>,
}

/// What stands between the two layers of a feed-forward block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activation {
    Gelu,
    /// By way of the hyperbolic tangent.
    ApproximateGelu,
}

/// Rows brought to mean 0 and variance 1, then scaled and moved.
pub(super) struct Norm {
    pub(super) weight: Vec<f32>,
    pub(super) bias: Vec<f32>,
    pub(super) epsilon: f32,
}

/// One layer of the encoder.
pub(super) struct Layer {
    /// Queries, keys and values, side by side.
    pub(super) attention: Linear,
    pub(super) attended: Linear,
    pub(super) attention_norm: Norm,
    pub(super) up: Linear,
    pub(super) down: Linear,
    pub(super) norm: Norm,
}

/// The whole encoder.
pub(super) struct Bert {
    /// Numbers in the vector of a token.
    pub(super) width: usize,
    pub(super) heads: usize,
    pub(super) activation: Activation,
    /// A row for each token of the vocabulary, each position, and each part.
    pub(super) words: Vec<f32>,
    pub(super) positions: Vec<f32>,
    pub(super) parts: Vec<f32>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
}

impl Bert {
    /// The most tokens that a text can have.
    pub(super) fn most_tokens(&self) -> usize {
        self.positions.len() / self.width
    }

    /// The number of different tokens, and of parts.
    pub(super) fn vocabulary(&self) -> (usize, usize) {
        (self.words.len() / self.width, self.parts.len() / self.width)
    }

    /// The vectors of all tokens, text by text. Every token must be in the vocabulary, and no text longer than
    /// [`most_tokens`](Self::most_tokens).
    pub(super) fn run(&self, texts: &[&Tokens]) -> Result<Vec<f32>, GemmError> {
        // Executors cannot go from thread to thread; making one is asking the processor what it can.
        let gemm = &Gemm::new();
        let mut rows = self.embed(texts);
        let count = rows.len() / self.width;
        let between = self.layers.iter().map(|layer| layer.up.outputs()).max().unwrap_or(0);
        let mut room = Scratch::default();
        let (mut three, mut seen) = (vec![0.0; 3 * rows.len()], vec![0.0; rows.len()]);
        let (mut middle, mut came) = (vec![0.0; count * between], vec![0.0; rows.len()]);
        for layer in &self.layers {
            layer.attention.apply(gemm, &mut room, &rows, &mut three)?;
            self.attend(gemm, texts, &three, &mut seen)?;
            layer.attended.apply(gemm, &mut room, &seen, &mut came)?;
            add(&mut rows, &came);
            layer.attention_norm.apply(&mut rows);
            layer.up.apply(gemm, &mut room, &rows, &mut middle)?;
            match self.activation {
                Activation::Gelu => Gelu {}.map_mut(&mut middle),
                Activation::ApproximateGelu => ApproxGelu {}.map_mut(&mut middle),
            }
            layer.down.apply(gemm, &mut room, &middle, &mut came)?;
            add(&mut rows, &came);
            layer.norm.apply(&mut rows);
        }
        Ok(rows)
    }

    fn embed(&self, texts: &[&Tokens]) -> Vec<f32> {
        let width = self.width;
        let row = |table: &[f32], number: usize| table[number * width..][..width].to_vec();
        let mut rows = Vec::with_capacity(texts.iter().map(|text| text.ids.len()).sum::<usize>() * width);
        for text in texts {
            for (position, (id, part)) in text.ids.iter().zip(&text.parts).enumerate() {
                let mut sum = row(&self.words, *id as usize);
                add(&mut sum, &row(&self.positions, position));
                add(&mut sum, &row(&self.parts, *part as usize));
                rows.append(&mut sum);
            }
        }
        self.norm.apply(&mut rows);
        rows
    }

    /// Lets the tokens of each text look at each other.
    fn attend(
        &self,
        gemm: &Gemm,
        texts: &[&Tokens],
        three: &[f32],
        seen: &mut [f32],
    ) -> Result<(), GemmError> {
        let width = self.width;
        let mut room = (Vec::new(), Vec::new());
        let mut start = 0;
        for text in texts {
            let end = start + text.ids.len();
            let (from, to) =
                (&three[3 * start * width..3 * end * width], &mut seen[start * width..end * width]);
            for head in 0..self.heads {
                self.attend_with(gemm, head, from, to, &mut room)?;
            }
            start = end;
        }
        Ok(())
    }

    fn attend_with(
        &self,
        gemm: &Gemm,
        head: usize,
        three: &[f32],
        seen: &mut [f32],
        (weights, mixed): &mut (Vec<f32>, Vec<f32>),
    ) -> Result<(), GemmError> {
        let (width, size) = (self.width, self.width / self.heads);
        let count = seen.len() / width;
        let part = |number: usize| {
            let from = &three[number * width + head * size..];
            NdTensorView::<f32, 2>::from_data_with_strides([count, size], from, [3 * width, 1])
                .expect("the rows of three vectors a token lie in it")
        };
        let gemm = gemm.full();
        weights.resize(count * count, 0.0);
        mixed.resize(count * size, 0.0);
        let (queries, keys) = (GemmInputA::Unpacked(part(0)), part(1));
        let alpha = (size as f32).sqrt().recip();
        let options = GemmOptions { alpha, ..GemmOptions::default() };
        gemm.gemm(weights, queries, GemmInputB::Unpacked(keys.transposed()), options)?;
        for row in weights.chunks_mut(count) {
            Softmax::new_mut(row).dispatch();
        }
        let rows = GemmInputA::Unpacked(NdTensorView::from_data([count, count], &weights[..]));
        gemm.gemm(mixed, rows, GemmInputB::Unpacked(part(2)), GemmOptions::default())?;
        for (row, mixed) in seen.chunks_mut(width).zip(mixed.chunks(size)) {
            row[head * size..][..size].copy_from_slice(mixed);
        }
        Ok(())
    }
}

impl Norm {
    fn apply(&self, rows: &mut [f32]) {
        let width = self.weight.len();
        for row in rows.chunks_mut(width) {
            let mean = Sum::new(row).dispatch() / width as f32;
            let variance = SumSquareSub::new(row, mean).dispatch() / width as f32;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: (variance + self.epsilon).sqrt().recip(),
                element_scale: Some(&self.weight),
                element_bias: Some(&self.bias),
                ..NormalizeOptions::default()
            };
            Normalize::new_mut(row, options).dispatch();
        }
    }
}

fn add(to: &mut [f32], what: &[f32]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what);
}
