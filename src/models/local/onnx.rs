//! Weights out of ONNX files. Only the weights are of use, not the graph; but exporters drop the names of matrices, so
//! that a matrix is found by way of the bias that is added to what it was multiplied with. Weights of 8 bits are brought
//! back to numbers.

use std::collections::HashMap;

use rten_onnx::onnx::{DataType, ModelProto, NodeProto, TensorProto};

use super::weights::Tensor;

/// Steps from a bias back to its matrix: what brings whole numbers back to numbers lies between.
const STEPS: usize = 5;
/// Steps from a matrix back to the weights in the file.
const DEPTH: usize = 8;

/// A file that was read.
pub(super) struct Onnx {
    weights: HashMap<String, TensorProto>,
    nodes: Vec<NodeProto>,
    /// The node that each value comes from.
    made_by: HashMap<String, usize>,
}

impl Onnx {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let model = ModelProto::parse_buf(bytes).map_err(|error| format!("it is no ONNX file: {error:?}"))?;
        let graph = model.graph.ok_or("it is an ONNX file without a graph")?;
        let named = |tensor: TensorProto| Some((tensor.name.clone()?, tensor));
        let weights = graph.initializer.into_iter().filter_map(named).collect();
        let outputs = |(number, node): (usize, &NodeProto)| {
            node.output.iter().map(|output| (output.clone(), number)).collect::<Vec<_>>()
        };
        let made_by = graph.node.iter().enumerate().flat_map(outputs).collect();
        Ok(Self { weights, nodes: graph.node, made_by })
    }

    /// The names of what is stored, those of 8 bits by what they stand for.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |name: &String| name.strip_suffix("_quantized").unwrap_or(name).to_owned();
        self.weights.keys().map(name).collect()
    }

    pub(super) fn tensor(&self, name: &str) -> Result<Tensor, String> {
        self.value(name, DEPTH)
    }

    /// The matrix that was multiplied with before the bias of that name was added, an input a row.
    pub(super) fn multiplied_before(&self, bias: &str) -> Result<Tensor, String> {
        let added = self.nodes.iter().find(|node| node.input.iter().any(|input| input == bias));
        let added = added.ok_or("nothing uses its bias")?;
        if operation(added) == "Gemm" {
            let matrix = self.value(input(added, 1)?, DEPTH)?;
            let turned = added
                .attribute
                .iter()
                .any(|attribute| attribute.name.as_deref() == Some("transB") && attribute.i == Some(1));
            return if turned { matrix.transposed() } else { Ok(matrix) };
        }
        let mut name = added.input.iter().find(|input| *input != bias).ok_or("its bias stands alone")?;
        for _ in 0..STEPS {
            let node = self.node(name)?;
            match operation(node) {
                "MatMul" => return self.value(input(node, 1)?, DEPTH),
                "MatMulInteger" => {
                    let matrix = input(node, 1)?;
                    return self.value(matrix.strip_suffix("_quantized").unwrap_or(matrix), DEPTH);
                }
                _ => name = node.input.first().ok_or("its graph ends too early")?,
            }
        }
        Err("no matrix stands before its bias".to_owned())
    }

    fn node(&self, output: &str) -> Result<&NodeProto, String> {
        let number = self.made_by.get(output).ok_or_else(|| format!("nothing makes {output}"))?;
        Ok(&self.nodes[*number])
    }

    /// A value that is stored, or made of what is stored.
    fn value(&self, name: &str, depth: usize) -> Result<Tensor, String> {
        if let Some(tensor) = self.weights.get(name) {
            return stored(tensor);
        }
        let rounded = format!("{name}_quantized");
        if self.weights.contains_key(&rounded) {
            let (scale, zero) = (format!("{name}_scale"), format!("{name}_zero_point"));
            return self.widened(&rounded, &scale, Some(&zero));
        }
        let node = self.node(name)?;
        let deeper = depth.checked_sub(1).ok_or("it is made in too many steps")?;
        match operation(node) {
            "DequantizeLinear" => {
                self.widened(input(node, 0)?, input(node, 1)?, node.input.get(2).map(String::as_str))
            }
            "Cast" | "Identity" => self.value(input(node, 0)?, deeper),
            "Transpose" => self.value(input(node, 0)?, deeper)?.transposed(),
            "Mul" => scaled(self.value(input(node, 0)?, deeper)?, self.value(input(node, 1)?, deeper)?),
            other => Err(format!("it is made by {other}, which is not known here")),
        }
    }

    /// Whole numbers of 8 bits as what they stand for, with a scale and a zero point for all or for each column.
    fn widened(&self, name: &str, scale: &str, zero: Option<&str>) -> Result<Tensor, String> {
        let find = |name: &str| self.weights.get(name).ok_or_else(|| format!("{name} is missing"));
        let (mut tensor, scale) = (stored(find(name)?)?, stored(find(scale)?)?.values);
        let zero = match zero.and_then(|zero| self.weights.get(zero)) {
            Some(zero) => stored(zero)?.values,
            None => vec![0.0],
        };
        let columns = tensor.shape.last().copied().unwrap_or(1);
        let fits = |values: &[f32]| values.len() == 1 || values.len() == columns;
        if !fits(&scale) || !fits(&zero) {
            return Err(format!("{name} has a scale of another width"));
        }
        for (place, value) in tensor.values.iter_mut().enumerate() {
            let of = |values: &[f32]| values[place % columns % values.len()];
            *value = (*value - of(&zero)) * of(&scale);
        }
        Ok(tensor)
    }
}

fn operation(node: &NodeProto) -> &str {
    node.op_type.as_deref().unwrap_or_default()
}

fn input(node: &NodeProto, number: usize) -> Result<&str, String> {
    node.input.get(number).map(String::as_str).ok_or_else(|| format!("a {} lacks an input", operation(node)))
}

/// A tensor times a number, or times one for each column.
fn scaled(one: Tensor, other: Tensor) -> Result<Tensor, String> {
    let (mut tensor, factors) =
        if one.values.len() >= other.values.len() { (one, other) } else { (other, one) };
    let columns = tensor.shape.last().copied().unwrap_or(1);
    let count = factors.values.len();
    if count != 1 && count != columns {
        return Err(format!("it is multiplied with a tensor of shape {:?}", factors.shape));
    }
    let factor = |place: usize| factors.values[place % columns % count];
    tensor.values.iter_mut().enumerate().for_each(|(place, value)| *value *= factor(place));
    Ok(tensor)
}

/// The numbers of a tensor as they are stored.
fn stored(tensor: &TensorProto) -> Result<Tensor, String> {
    if !tensor.external_data.is_empty() {
        return Err("it lies in another file; take a model whose weights lie in one".to_owned());
    }
    let raw = tensor.raw_data.as_ref().map(std::cell::RefCell::borrow);
    let raw = raw.as_ref().map_or(&[][..], |raw| &raw[..]);
    let values = match tensor.data_type {
        Some(DataType::FLOAT) if raw.is_empty() => tensor.float_data.clone(),
        Some(DataType::FLOAT) => raw.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        Some(DataType::FLOAT16) => {
            raw.as_chunks().0.iter().map(|bytes| half::f16::from_le_bytes(*bytes).to_f32()).collect()
        }
        Some(DataType::UINT8 | DataType::INT8) if raw.is_empty() => {
            tensor.int32_data.iter().map(|number| *number as f32).collect()
        }
        Some(DataType::UINT8) => raw.iter().map(|byte| f32::from(*byte)).collect(),
        Some(DataType::INT8) => raw.iter().map(|byte| f32::from(byte.cast_signed())).collect(),
        other => return Err(format!("its numbers are of a type that is not known here: {other:?}")),
    };
    let shape = tensor.dims.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
    Tensor::new(shape, values)
}
