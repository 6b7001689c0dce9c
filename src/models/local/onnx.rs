//! Weights out of ONNX files. Only the weights are of use, not the graph; but exporters drop the names of matrices, so
//! that a matrix is found by way of the bias that is added to what it was multiplied with. Weights of 8 bits are brought
//! back to numbers.

use std::collections::HashMap;

use super::protobuf::{Fields, Value};
use super::weights::Tensor;

/// Numbers of fields, as onnx.proto has them.
mod field {
    pub(super) const MODEL_GRAPH: u64 = 7;
    pub(super) const GRAPH_NODE: u64 = 1;
    pub(super) const GRAPH_INITIALIZER: u64 = 5;
    pub(super) const NODE_INPUT: u64 = 1;
    pub(super) const NODE_OUTPUT: u64 = 2;
    pub(super) const NODE_OPERATION: u64 = 4;
    pub(super) const NODE_ATTRIBUTE: u64 = 5;
    pub(super) const ATTRIBUTE_NAME: u64 = 1;
    pub(super) const ATTRIBUTE_NUMBER: u64 = 3;
    pub(super) const TENSOR_DIMENSIONS: u64 = 1;
    pub(super) const TENSOR_TYPE: u64 = 2;
    pub(super) const TENSOR_FLOATS: u64 = 4;
    pub(super) const TENSOR_NUMBERS: u64 = 5;
    pub(super) const TENSOR_NAME: u64 = 8;
    pub(super) const TENSOR_RAW: u64 = 9;
    pub(super) const TENSOR_ELSEWHERE: u64 = 13;
}

/// Types of numbers, as onnx.proto has them.
mod kind {
    pub(super) const FLOAT: u64 = 1;
    pub(super) const UINT8: u64 = 2;
    pub(super) const INT8: u64 = 3;
    pub(super) const FLOAT16: u64 = 10;
}

/// Numbers that are stored.
#[derive(Default)]
struct Stored {
    name: String,
    shape: Vec<i64>,
    kind: u64,
    floats: Vec<f32>,
    numbers: Vec<i64>,
    raw: Vec<u8>,
    elsewhere: bool,
}

/// A step of the graph.
#[derive(Default)]
struct Node {
    operation: String,
    input: Vec<String>,
    output: Vec<String>,
    /// Those of its attributes that are whole numbers.
    attributes: Vec<(String, i64)>,
}

/// Hands each field of a message to `each`.
fn read<'b>(
    message: &'b [u8],
    mut each: impl FnMut(u64, Value<'b>) -> Result<(), String>,
) -> Result<(), String> {
    Fields::of(message).try_for_each(|field| field.and_then(|(number, value)| each(number, value)))
}

impl Stored {
    fn read(message: &[u8]) -> Result<Self, String> {
        let mut tensor = Self::default();
        read(message, |number, value| {
            match number {
                field::TENSOR_DIMENSIONS => value.numbers(&mut tensor.shape)?,
                field::TENSOR_TYPE => tensor.kind = value.number()?,
                field::TENSOR_FLOATS => value.floats(&mut tensor.floats)?,
                field::TENSOR_NUMBERS => value.numbers(&mut tensor.numbers)?,
                field::TENSOR_NAME => tensor.name = value.text()?,
                field::TENSOR_RAW => tensor.raw = value.bytes()?.to_vec(),
                field::TENSOR_ELSEWHERE => tensor.elsewhere = true,
                _ => {}
            }
            Ok(())
        })?;
        Ok(tensor)
    }
}

impl Node {
    fn read(message: &[u8]) -> Result<Self, String> {
        let mut node = Self::default();
        read(message, |number, value| {
            match number {
                field::NODE_INPUT => node.input.push(value.text()?),
                field::NODE_OUTPUT => node.output.push(value.text()?),
                field::NODE_OPERATION => node.operation = value.text()?,
                field::NODE_ATTRIBUTE => node.attributes.push(attribute(value.bytes()?)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(node)
    }
}

fn attribute(message: &[u8]) -> Result<(String, i64), String> {
    let mut attribute = (String::new(), 0);
    read(message, |number, value| {
        match number {
            field::ATTRIBUTE_NAME => attribute.0 = value.text()?,
            field::ATTRIBUTE_NUMBER => attribute.1 = value.number()?.cast_signed(),
            _ => {}
        }
        Ok(())
    })?;
    Ok(attribute)
}

/// Steps from a bias back to its matrix: what brings whole numbers back to numbers lies between.
const STEPS: usize = 5;
/// Steps from a matrix back to the weights in the file.
const DEPTH: usize = 8;

/// A file that was read.
pub(super) struct Onnx {
    weights: HashMap<String, Stored>,
    nodes: Vec<Node>,
    /// The node that each value comes from.
    made_by: HashMap<String, usize>,
}

impl Onnx {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (mut weights, mut nodes, mut made_by) = (HashMap::new(), Vec::new(), HashMap::new());
        let mut graph = None;
        read(bytes, |number, value| {
            if number == field::MODEL_GRAPH {
                graph = Some(value.bytes()?);
            }
            Ok(())
        })?;
        read(graph.ok_or("it is no ONNX file, or one without a graph")?, |number, value| {
            match number {
                field::GRAPH_INITIALIZER => {
                    let tensor = Stored::read(value.bytes()?)?;
                    weights.insert(tensor.name.clone(), tensor);
                }
                field::GRAPH_NODE => {
                    let node = Node::read(value.bytes()?)?;
                    made_by.extend(node.output.iter().map(|output| (output.clone(), nodes.len())));
                    nodes.push(node);
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(Self { weights, nodes, made_by })
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
        if added.operation == "Gemm" {
            let matrix = self.value(input(added, 1)?, DEPTH)?;
            let turned = added.attributes.iter().any(|(name, value)| name == "transB" && *value == 1);
            return if turned { matrix.transposed() } else { Ok(matrix) };
        }
        let mut name = added.input.iter().find(|input| *input != bias).ok_or("its bias stands alone")?;
        for _ in 0..STEPS {
            let node = self.node(name)?;
            match &*node.operation {
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

    fn node(&self, output: &str) -> Result<&Node, String> {
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
        match &*node.operation {
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

fn input(node: &Node, number: usize) -> Result<&str, String> {
    node.input.get(number).map(String::as_str).ok_or_else(|| format!("a {} lacks an input", node.operation))
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
fn stored(tensor: &Stored) -> Result<Tensor, String> {
    if tensor.elsewhere {
        return Err("it lies in another file; take a model whose weights lie in one".to_owned());
    }
    let raw = &tensor.raw[..];
    let values = match tensor.kind {
        kind::FLOAT if raw.is_empty() => tensor.floats.clone(),
        kind::FLOAT => raw.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        kind::FLOAT16 => {
            raw.as_chunks().0.iter().map(|bytes| half::f16::from_le_bytes(*bytes).to_f32()).collect()
        }
        kind::UINT8 | kind::INT8 if raw.is_empty() => {
            tensor.numbers.iter().map(|number| *number as f32).collect()
        }
        kind::UINT8 => raw.iter().map(|byte| f32::from(*byte)).collect(),
        kind::INT8 => raw.iter().map(|byte| f32::from(byte.cast_signed())).collect(),
        other => return Err(format!("its numbers are of a type that is not known here: {other}")),
    };
    let shape = tensor.shape.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
    Tensor::new(shape, values)
}
