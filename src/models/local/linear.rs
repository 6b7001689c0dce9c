//! Linear layers over many rows at once, with weights of 32 bits or of 8.

use rten_gemm::{BiasVector, GemmError, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp;
use rten_tensor::NdTensorView;
use rten_vecmath::{ExtendInit, MinMax, Quantize};

/// How many bits a weight has in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// 32, as in most files.
    Full,
    /// 8, with a scale for each output, and inputs rounded to 8 bits with a scale for each row, so that what else is in
    /// a batch changes nothing. Four times as fast as `Full`; vectors of bge-small keep a cosine of 0.999 to its.
    #[default]
    Eight,
}

/// What multiplies matrices, with the fastest instructions that the processor has.
pub(super) struct Gemm {
    full: GemmExecutor<f32>,
    eight: GemmExecutor<u8, i8, i32>,
}

impl Gemm {
    pub(super) fn new() -> Self {
        Self { full: GemmExecutor::new(), eight: GemmExecutor::new() }
    }

    pub(super) fn full(&self) -> &GemmExecutor<f32> {
        &self.full
    }

    /// The largest weight of 8 bits. Where the processor adds products in 16 bits, two of them must fit.
    fn largest(&self) -> f32 {
        if self.eight.may_saturate() { 63.0 } else { 127.0 }
    }
}

enum Weights {
    Full(PackedBMatrix<f32>),
    Eight(Eight),
}

struct Eight {
    packed: PackedBMatrix<i8>,
    /// What a weight of each output is to be multiplied by.
    scales: Vec<f32>,
    /// The sum of the weights of each output, to take the zero points of the rows out.
    sums: Vec<i32>,
}

/// `output = input · weights + bias`.
pub(super) struct Linear {
    inputs: usize,
    weights: Weights,
    bias: Vec<f32>,
}

/// Room that is used again from layer to layer.
#[derive(Default)]
pub(super) struct Scratch {
    rounded: Vec<u8>,
    /// The scale and the zero point of each row.
    scales: Vec<(f32, i32)>,
    products: Vec<i32>,
}

impl Linear {
    /// From weights that stand row by row, an input a row, and a bias an output.
    pub(super) fn new(gemm: &Gemm, weights: &[f32], bias: Vec<f32>, precision: Precision) -> Self {
        let (inputs, outputs) = (weights.len() / bias.len(), bias.len());
        let weights = match precision {
            Precision::Full => {
                Weights::Full(gemm.full.prepack_b(NdTensorView::from_data([inputs, outputs], weights)))
            }
            Precision::Eight => Weights::Eight(Eight::new(gemm, weights, [inputs, outputs])),
        };
        Self { inputs, weights, bias }
    }

    pub(super) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Inputs and outputs.
    pub(super) fn shape(&self) -> [usize; 2] {
        [self.inputs, self.bias.len()]
    }

    /// Computes all rows of `input` into those of `output`.
    pub(super) fn apply(
        &self,
        gemm: &Gemm,
        scratch: &mut Scratch,
        input: &[f32],
        output: &mut [f32],
    ) -> Result<(), GemmError> {
        let shape = [input.len() / self.inputs, self.inputs];
        match &self.weights {
            Weights::Full(packed) => {
                let rows = GemmInputA::Unpacked(NdTensorView::from_data(shape, input));
                let bias = Some(BiasVector::Row(&self.bias));
                gemm.full.gemm(
                    output,
                    rows,
                    GemmInputB::Packed(packed),
                    GemmOptions { bias, ..GemmOptions::default() },
                )
            }
            Weights::Eight(eight) => {
                scratch.round(input, self.inputs);
                scratch.products.resize(shape[0] * self.outputs(), 0);
                let rows = GemmInputA::Unpacked(NdTensorView::from_data(shape, &scratch.rounded[..]));
                let options = GemmOptions::default();
                gemm.eight.gemm(&mut scratch.products, rows, GemmInputB::Packed(&eight.packed), options)?;
                eight.scale(scratch, &self.bias, output);
                Ok(())
            }
        }
    }
}

impl Eight {
    fn new(gemm: &Gemm, weights: &[f32], [inputs, outputs]: [usize; 2]) -> Self {
        let mut scales = vec![0.0_f32; outputs];
        for row in weights.chunks(outputs) {
            scales.iter_mut().zip(row).for_each(|(scale, weight)| *scale = scale.max(weight.abs()));
        }
        for scale in &mut scales {
            *scale = if *scale > 0.0 { *scale / gemm.largest() } else { 1.0 };
        }
        let mut sums = vec![0; outputs];
        let mut rounded = Vec::with_capacity(weights.len());
        for row in weights.chunks(outputs) {
            for ((weight, scale), sum) in row.iter().zip(&scales).zip(&mut sums) {
                let weight = (weight / scale).round() as i8;
                *sum += i32::from(weight);
                rounded.push(weight);
            }
        }
        let packed = gemm.eight.prepack_b(NdTensorView::from_data([inputs, outputs], &rounded[..]));
        Self { packed, scales, sums }
    }

    /// From products of whole numbers to numbers, with the bias.
    fn scale(&self, scratch: &Scratch, bias: &[f32], output: &mut [f32]) {
        let width = bias.len();
        let rows = scratch.products.chunks(width).zip(output.chunks_mut(width)).zip(&scratch.scales);
        for ((products, output), (row, zero)) in rows {
            let columns = self.scales.iter().zip(&self.sums).zip(bias);
            for ((product, output), ((scale, sum), bias)) in products.iter().zip(output).zip(columns) {
                *output = (product - zero * sum) as f32 * (row * scale) + bias;
            }
        }
    }
}

impl Scratch {
    /// Rounds each row to 8 bits between its least and its greatest number.
    fn round(&mut self, input: &[f32], width: usize) {
        self.rounded.clear();
        self.scales.clear();
        self.rounded.reserve(input.len());
        for row in input.chunks(width) {
            let (low, high) = MinMax::new(row).dispatch();
            let (low, high) = (low.min(0.0), high.max(0.0));
            let scale = if high > low { (high - low) / 255.0 } else { 1.0 };
            // The zero points are taken out afterwards: rten-gemm 0.27 mixes up those of rows in different blocks.
            let zero = (-low / scale).round() as u8;
            self.scales.push((scale, i32::from(zero)));
            self.rounded
                .extend_init(|room| Quantize::new(row, &mut room[..width], scale.recip(), zero).dispatch());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, and rows of them that lie apart.
    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..count).map(|_| random.f32() - 0.5).collect()
    }

    #[test]
    fn eight_bits_come_close_to_thirty_two_in_every_row() {
        let gemm = Gemm::new();
        for [rows, inputs, outputs] in [[1, 384, 384], [300, 384, 384], [40, 1536, 96], [3, 8, 1]] {
            let (weights, bias) = (numbers(inputs * outputs, 1), numbers(outputs, 2));
            let mut input = numbers(rows * inputs, 3);
            // Rows with zero points that differ.
            for (row, numbers) in input.chunks_mut(inputs).enumerate() {
                for number in numbers {
                    *number += (row % 7) as f32 / 3.0;
                }
            }
            let [full, eight] = [Precision::Full, Precision::Eight].map(|precision| {
                let linear = Linear::new(&gemm, &weights, bias.clone(), precision);
                let mut output = vec![0.0; rows * outputs];
                linear.apply(&gemm, &mut Scratch::default(), &input, &mut output).unwrap();
                output
            });
            let naive: f32 = (0..inputs).map(|i| input[i] * weights[i * outputs]).sum::<f32>() + bias[0];
            assert!((full[0] - naive).abs() < 1e-3, "{} {naive}", full[0]);
            let worst = full.iter().zip(&eight).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 0.03 * (inputs as f32).sqrt(), "{worst} with {rows} rows of {inputs}");
        }
    }
}
