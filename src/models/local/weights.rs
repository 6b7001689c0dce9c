//! Weights by name, from files in safetensors or ONNX.

use std::path::Path;

use half::{bf16, f16};
use safetensors::{Dtype, SafeTensors};

use super::onnx::Onnx;

/// Numbers in rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tensor {
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f32>,
}

impl Tensor {
    /// One whose values are as many as its shape says.
    pub(super) fn new(shape: Vec<usize>, values: Vec<f32>) -> Result<Self, String> {
        let count = shape.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
        if count != Some(values.len()) {
            return Err(format!("it has {} values where its shape is {shape:?}", values.len()));
        }
        Ok(Self { shape, values })
    }

    /// Rows and columns exchanged.
    pub(super) fn transposed(&self) -> Result<Self, String> {
        let [rows, columns] = self.shape[..] else {
            return Err(format!("its shape is {:?} where rows and columns were expected", self.shape));
        };
        let values = (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
        let values = values.map(|place| self.values[place]).collect();
        Ok(Self { shape: vec![columns, rows], values })
    }
}

/// A file of weights that was read.
pub(super) enum Weights {
    Safetensors(Vec<u8>),
    Onnx(Box<Onnx>),
}

/// The names that files of weights have, best first.
const FILES: &[&str] = &[
    "model.safetensors",
    "onnx/model.onnx",
    "model.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "onnx/model_int8.onnx",
];

impl Weights {
    /// The file of weights in a directory of a model, as it stands below it.
    pub(in crate::models) fn find(directory: &Path) -> Option<&'static str> {
        FILES.iter().copied().find(|name| directory.join(name).is_file())
    }

    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        if path.extension().is_some_and(|ending| ending == "onnx") {
            return Ok(Self::Onnx(Box::new(Onnx::parse(&bytes)?)));
        }
        SafeTensors::deserialize(&bytes).map_err(|error| format!("it is no safetensors file: {error}"))?;
        Ok(Self::Safetensors(bytes))
    }

    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Self::Safetensors(bytes) => {
                read(bytes).names().into_iter().map(|name| (*name).to_owned()).collect()
            }
            Self::Onnx(onnx) => onnx.names(),
        }
    }

    /// The tensor of a name.
    pub(super) fn tensor(&self, name: &str) -> Result<Tensor, String> {
        let found = match self {
            Self::Safetensors(bytes) => safetensor(bytes, name),
            Self::Onnx(onnx) => onnx.tensor(name),
        };
        found.map_err(|problem| format!("tensor {name}: {problem}"))
    }

    /// The weights of a linear layer, an input a row.
    pub(super) fn linear(&self, name: &str) -> Result<Tensor, String> {
        let found = match self {
            // An output a row.
            Self::Safetensors(bytes) => {
                safetensor(bytes, &format!("{name}.weight")).and_then(|tensor| tensor.transposed())
            }
            Self::Onnx(onnx) => onnx.multiplied_before(&format!("{name}.bias")),
        };
        found.map_err(|problem| format!("weights of {name}: {problem}"))
    }
}

fn read(bytes: &[u8]) -> SafeTensors<'_> {
    SafeTensors::deserialize(bytes).expect("it was read before")
}

fn safetensor(bytes: &[u8], name: &str) -> Result<Tensor, String> {
    let view = read(bytes).tensor(name).map_err(|error| error.to_string())?;
    let data = view.data();
    let values = match view.dtype() {
        Dtype::F32 => data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        Dtype::F16 => data.as_chunks().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect(),
        Dtype::BF16 => data.as_chunks().0.iter().map(|bytes| bf16::from_le_bytes(*bytes).to_f32()).collect(),
        other => return Err(format!("its numbers are {other}; F32, F16 and BF16 can be read")),
    };
    Tensor::new(view.shape().to_vec(), values)
}
