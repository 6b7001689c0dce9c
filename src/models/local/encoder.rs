//! From texts to the vectors of their tokens: a tokenizer and a model that belong together.

use std::path::Path;

use rayon::prelude::*;
use rten_gemm::GemmError;
use tokenizers::{EncodeInput, PostProcessor, Tokenizer, TruncationParams};

use super::bert::{Bert, Layer, Norm, Tokens};
use super::linear::{Gemm, Linear, Precision, Scratch};
use super::settings::Config;
use super::weights::Weights;

/// Texts and tokens that are computed at once, on one core.
const BATCH_TEXTS: usize = 32;
const BATCH_TOKENS: usize = 2048;
/// Bytes of a text for each token that it may have, beyond which it is not looked at: words are shorter by far, and a
/// text of megabytes is not to be cut into all its tokens for the first few hundred.
const BYTES_PER_TOKEN: usize = 32;

/// What a cross-encoder makes of the first token's vector: one number.
pub(super) struct Head {
    pooler: Linear,
    classifier: Linear,
}

/// A tokenizer and a model.
pub(super) struct Encoder {
    tokenizer: Tokenizer,
    bert: Bert,
    most_tokens: usize,
}

impl Encoder {
    /// Reads both from a directory.
    pub(super) fn open(
        directory: &Path,
        most_tokens: Option<usize>,
        precision: Precision,
    ) -> Result<Self, String> {
        Self::of(directory, &weights_of(directory)?, most_tokens, precision)
    }

    /// Reads both from a directory, with the head of a cross-encoder.
    pub(super) fn with_head(
        directory: &Path,
        most_tokens: Option<usize>,
        precision: Precision,
    ) -> Result<(Self, Head), String> {
        let weights = weights_of(directory)?;
        let encoder = Self::of(directory, &weights, most_tokens, precision)?;
        let head = head(&weights, encoder.width())?;
        Ok((encoder, head))
    }

    fn of(
        directory: &Path,
        weights: &Weights,
        most_tokens: Option<usize>,
        precision: Precision,
    ) -> Result<Self, String> {
        let bert = build(&Config::read(directory)?, weights, precision)?;
        let most_tokens = most_tokens.unwrap_or(usize::MAX).min(bert.most_tokens());
        Ok(Self { tokenizer: tokenizer(directory, most_tokens)?, bert, most_tokens })
    }

    /// Numbers in a vector.
    pub(super) fn width(&self) -> usize {
        self.bert.width
    }

    /// The tokens of texts, each with the prefix before it. What is too long is cut at the end.
    pub(super) fn tokens(&self, prefix: &str, texts: &[&str]) -> Result<Vec<Tokens>, String> {
        let texts = texts.iter().map(|text| format!("{prefix}{}", self.within(text)));
        self.encoded(texts.collect())
    }

    /// The tokens of a question together with each of some texts. What is too long is cut at the end, the longer of both
    /// first.
    pub(super) fn pairs(&self, question: &str, texts: &[String]) -> Result<Vec<Tokens>, String> {
        let question = self.within(question);
        self.encoded(texts.iter().map(|text| (question, self.within(text))).collect())
    }

    /// As much of a text as is looked at.
    fn within<'t>(&self, text: &'t str) -> &'t str {
        &text[..text.floor_char_boundary(BYTES_PER_TOKEN * self.most_tokens)]
    }

    fn encoded<'t>(&self, inputs: Vec<impl Into<EncodeInput<'t>> + Send>) -> Result<Vec<Tokens>, String> {
        let encoded = inputs.into_par_iter().map(|input| self.tokenizer.encode(input, true));
        encoded.map(|encoded| self.checked(&encoded.map_err(|error| error.to_string())?)).collect()
    }

    /// The number that a head makes of each text. They are computed at once, on one core.
    pub(super) fn heads(&self, head: &Head, texts: &[&Tokens]) -> Result<Vec<f32>, String> {
        let refuse = |error: GemmError| error.to_string();
        let rows = self.bert.run(texts).map_err(refuse)?;
        let starts = texts.iter().scan(0, |next, text| Some(std::mem::replace(next, *next + text.ids.len())));
        let first = starts.flat_map(|start| &rows[start * self.width()..][..self.width()]);
        head.apply(&first.copied().collect::<Vec<f32>>()).map_err(refuse)
    }

    /// Nothing that the model has no row for.
    fn checked(&self, encoded: &tokenizers::Encoding) -> Result<Tokens, String> {
        let tokens = Tokens { ids: encoded.get_ids().to_vec(), parts: encoded.get_type_ids().to_vec() };
        let (words, parts) = self.bert.vocabulary();
        let known = tokens.ids.iter().all(|id| (*id as usize) < words)
            && tokens.parts.iter().all(|part| (*part as usize) < parts);
        if known && !tokens.ids.is_empty() && tokens.ids.len() <= self.bert.most_tokens() {
            return Ok(tokens);
        }
        Err("its tokenizer makes tokens that its weights do not know".to_owned())
    }

    /// Hands the vectors of each text's tokens to `each`, with the text's number; what comes of it is in the order of
    /// the texts. Texts of like length are computed together, batches side by side.
    pub(super) fn each<T: Send>(
        &self,
        texts: &[Tokens],
        each: impl Fn(usize, &[f32]) -> T + Sync,
    ) -> Result<Vec<T>, String> {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|number| texts[*number].ids.len());
        let run = |batch: &[usize]| self.batch(texts, batch, &each);
        // Few texts are shared out among the cores.
        let most = texts.len().div_ceil(rayon::current_num_threads()).clamp(1, BATCH_TEXTS);
        let found = batches(&order, most, |number| texts[number].ids.len()).into_par_iter().map(run);
        let found: Vec<Vec<T>> = found.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let mut placed: Vec<(usize, T)> = order.into_iter().zip(found.into_iter().flatten()).collect();
        placed.sort_by_key(|(number, _)| *number);
        Ok(placed.into_iter().map(|(_, found)| found).collect())
    }

    fn batch<T>(
        &self,
        texts: &[Tokens],
        batch: &[usize],
        each: &impl Fn(usize, &[f32]) -> T,
    ) -> Result<Vec<T>, GemmError> {
        let tokens: Vec<&Tokens> = batch.iter().map(|number| &texts[*number]).collect();
        let rows = self.bert.run(&tokens)?;
        let mut rest = &rows[..];
        let one = |(number, tokens): (&usize, &&Tokens)| {
            let own = rest.split_off(..tokens.ids.len() * self.width()).expect("each token has a row");
            each(*number, own)
        };
        Ok(batch.iter().zip(&tokens).map(one).collect())
    }
}

impl Head {
    /// One number for each row.
    fn apply(&self, rows: &[f32]) -> Result<Vec<f32>, GemmError> {
        let (gemm, mut room) = (Gemm::new(), Scratch::default());
        let mut pooled = vec![0.0; rows.len()];
        self.pooler.apply(&gemm, &mut room, rows, &mut pooled)?;
        for number in &mut pooled {
            *number = number.tanh();
        }
        let mut numbers = vec![0.0; rows.len() / self.pooler.outputs()];
        self.classifier.apply(&gemm, &mut room, &pooled, &mut numbers)?;
        Ok(numbers)
    }
}

/// Cuts an order of texts into batches of at most so many.
fn batches(order: &[usize], most: usize, length: impl Fn(usize) -> usize) -> Vec<&[usize]> {
    let mut cut = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (place, number) in order.iter().enumerate() {
        if place - start >= most || (place > start && tokens + length(*number) > BATCH_TOKENS) {
            cut.push(&order[start..place]);
            (start, tokens) = (place, 0);
        }
        tokens += length(*number);
    }
    cut.push(&order[start..]);
    cut.retain(|batch| !batch.is_empty());
    cut
}

fn tokenizer(directory: &Path, most_tokens: usize) -> Result<Tokenizer, String> {
    let path = directory.join("tokenizer.json");
    let refuse = |error: tokenizers::Error| format!("tokenizer.json: {error}");
    let mut tokenizer = Tokenizer::from_file(path).map_err(refuse)?;
    // What its file says of them is for training: some pad every text to 512 tokens.
    tokenizer.with_padding(None);
    // The tokens that stand around a text must leave room for it.
    let around = tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(false));
    if most_tokens <= around {
        return Err(format!("it reads {most_tokens} tokens, and {around} stand around every text"));
    }
    let truncation = TruncationParams { max_length: most_tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(refuse)?;
    Ok(tokenizer)
}

fn weights_of(directory: &Path) -> Result<Weights, String> {
    let name = Weights::find(directory).ok_or("it has no model.safetensors and no model.onnx")?;
    Weights::open(&directory.join(name)).map_err(|problem| format!("{name}: {problem}"))
}

/// What stands before the names of an encoder's weights.
fn prefix(names: &[String]) -> Result<&str, String> {
    let prefix = names.iter().find_map(|name| name.strip_suffix("embeddings.LayerNorm.weight"));
    prefix.ok_or_else(|| "its weights are not named as those of BERT are".to_owned())
}

/// The head of a cross-encoder that has one label.
fn head(weights: &Weights, width: usize) -> Result<Head, String> {
    let names = weights.names();
    if !names.iter().any(|name| name == "classifier.bias") {
        return Err("it is no cross-encoder: it has no classifier".to_owned());
    }
    let of = |prefix| Parts { prefix, epsilon: 0.0, weights, gemm: Gemm::new(), precision: Precision::Full };
    let head = Head {
        pooler: of(prefix(&names)?).linear(&["pooler.dense".to_owned()])?,
        classifier: of("").linear(&["classifier".to_owned()])?,
    };
    if head.pooler.shape() != [width, width] || head.classifier.shape() != [width, 1] {
        let labels = head.classifier.outputs();
        return Err(format!(
            "its classifier has {labels} labels, or does not fit; those with one can be run here"
        ));
    }
    Ok(head)
}

/// Puts the encoder together from weights by name.
fn build(config: &Config, weights: &Weights, precision: Precision) -> Result<Bert, String> {
    let names = weights.names();
    let parts = Parts {
        prefix: prefix(&names)?,
        epsilon: config.layer_norm_eps,
        weights,
        gemm: Gemm::new(),
        precision,
    };
    let depth = (0..names.len()).take_while(|layer| parts.has(&names, *layer)).count();
    let layers = (0..depth).map(|layer| parts.layer(layer)).collect::<Result<Vec<_>, _>>()?;
    let words = parts.tensor("embeddings.word_embeddings.weight")?;
    let [_, width] = words.shape[..] else { return Err("its words are no table".to_owned()) };
    let bert = Bert {
        width,
        heads: config.heads(),
        activation: config.activation()?,
        words: words.values,
        positions: parts.tensor("embeddings.position_embeddings.weight")?.values,
        parts: parts.tensor("embeddings.token_type_embeddings.weight")?.values,
        norm: parts.norm("embeddings.LayerNorm")?,
        layers,
    };
    fits(bert)
}

/// A model whose parts have the widths that they must have for each other.
fn fits(bert: Bert) -> Result<Bert, String> {
    let width = bert.width;
    let norm = |norm: &Norm| norm.weight.len() == width && norm.bias.len() == width;
    let layer = |layer: &Layer| {
        layer.attention.shape() == [width, 3 * width]
            && layer.attended.shape() == [width, width]
            && layer.up.shape()[0] == width
            && layer.down.shape() == [layer.up.outputs(), width]
            && norm(&layer.attention_norm)
            && norm(&layer.norm)
    };
    let tables = [&bert.words, &bert.positions, &bert.parts];
    let whole = width > 0
        && bert.heads > 0
        && width.is_multiple_of(bert.heads)
        && tables.iter().all(|table| !table.is_empty() && table.len().is_multiple_of(width))
        && norm(&bert.norm)
        && bert.layers.iter().all(layer)
        && !bert.layers.is_empty();
    if whole { Ok(bert) } else { Err("the shapes of its weights do not fit together".to_owned()) }
}

/// What the parts of a model are made of.
struct Parts<'w> {
    prefix: &'w str,
    epsilon: f32,
    weights: &'w Weights,
    gemm: Gemm,
    precision: Precision,
}

impl Parts<'_> {
    fn has(&self, names: &[String], layer: usize) -> bool {
        let name = format!("{}encoder.layer.{layer}.output.LayerNorm.weight", self.prefix);
        names.contains(&name)
    }

    fn tensor(&self, name: &str) -> Result<super::weights::Tensor, String> {
        self.weights.tensor(&format!("{}{name}", self.prefix))
    }

    fn norm(&self, name: &str) -> Result<Norm, String> {
        let [weight, bias] = ["weight", "bias"].map(|end| self.tensor(&format!("{name}.{end}")));
        Ok(Norm { weight: weight?.values, bias: bias?.values, epsilon: self.epsilon })
    }

    /// Linear layers of the same input, side by side as one.
    fn linear(&self, names: &[String]) -> Result<Linear, String> {
        let (mut matrices, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            let matrix = self.weights.linear(&format!("{}{name}", self.prefix))?;
            let own = self.tensor(&format!("{name}.bias"))?.values;
            if own.is_empty() || matrix.shape.len() != 2 || matrix.shape[1] != own.len() {
                return Err(format!("weights of {name}: they do not fit to its bias"));
            }
            bias.extend(own);
            matrices.push(matrix);
        }
        let inputs = matrices[0].shape[0];
        if matrices.iter().any(|matrix| matrix.shape[0] != inputs) {
            return Err(format!("weights of {}: they do not fit to those beside them", names[0]));
        }
        let mut rows = Vec::with_capacity(inputs * bias.len());
        for input in 0..inputs {
            for matrix in &matrices {
                let outputs = matrix.shape[1];
                rows.extend_from_slice(&matrix.values[input * outputs..][..outputs]);
            }
        }
        Ok(Linear::new(&self.gemm, &rows, bias, self.precision))
    }

    fn layer(&self, number: usize) -> Result<Layer, String> {
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let three = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        Ok(Layer {
            attention: self.linear(&three)?,
            attended: self.linear(&[name("attention.output.dense")])?,
            attention_norm: self.norm(&name("attention.output.LayerNorm"))?,
            up: self.linear(&[name("intermediate.dense")])?,
            down: self.linear(&[name("output.dense")])?,
            norm: self.norm(&name("output.LayerNorm"))?,
        })
    }
}
