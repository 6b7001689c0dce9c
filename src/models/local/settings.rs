//! What a model's own files say of it besides its weights.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::bert::Activation;

/// How one vector is made of those of a text's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// The first token's.
    Cls,
    /// The mean of all.
    Mean,
}

/// `config.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Config {
    #[serde(default)]
    model_type: String,
    num_attention_heads: usize,
    #[serde(default = "default_epsilon")]
    pub(super) layer_norm_eps: f32,
    #[serde(default)]
    hidden_act: Option<String>,
    #[serde(default)]
    position_embedding_type: Option<String>,
}

fn default_epsilon() -> f32 {
    1e-12
}

impl Config {
    pub(super) fn read(directory: &Path) -> Result<Self, String> {
        let config: Self = read(directory, "config.json")?.ok_or("it has no config.json")?;
        if config.model_type != "bert" {
            let kind = config.model_type;
            return Err(format!("it is of the kind \"{kind}\"; models of the kind \"bert\" can be run here"));
        }
        if config.position_embedding_type.as_deref().is_some_and(|kind| kind != "absolute") {
            return Err(
                "its positions are not absolute, as they are in all models that can be run here".to_owned()
            );
        }
        Ok(config)
    }

    pub(super) fn heads(&self) -> usize {
        self.num_attention_heads
    }

    pub(super) fn activation(&self) -> Result<Activation, String> {
        match self.hidden_act.as_deref().unwrap_or("gelu") {
            "gelu" => Ok(Activation::Gelu),
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Ok(Activation::ApproximateGelu),
            other => Err(format!("its activation is \"{other}\"; \"gelu\" and \"gelu_new\" can be run here")),
        }
    }
}

/// What is told in `1_Pooling/config.json`, `sentence_bert_config.json` and `config_sentence_transformers.json`.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) pooling: Option<Pooling>,
    pub(super) most_tokens: Option<usize>,
    pub(super) query_prefix: Option<String>,
    pub(super) passage_prefix: Option<String>,
}

#[derive(Deserialize)]
struct PoolingFile {
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
}

#[derive(Deserialize)]
struct SentenceFile {
    max_seq_length: Option<usize>,
}

#[derive(Deserialize)]
struct PromptsFile {
    #[serde(default)]
    prompts: std::collections::HashMap<String, String>,
}

impl Told {
    pub(super) fn read(directory: &Path) -> Result<Self, String> {
        let pooling = match read::<PoolingFile>(directory, "1_Pooling/config.json")? {
            Some(PoolingFile { pooling_mode_cls_token: true, .. }) => Some(Pooling::Cls),
            Some(PoolingFile { pooling_mode_mean_tokens: true, .. }) => Some(Pooling::Mean),
            Some(_) => return Err("it pools neither by the first token nor by the mean".to_owned()),
            None => None,
        };
        let sentence = read::<SentenceFile>(directory, "sentence_bert_config.json")?;
        let mut prompts = read::<PromptsFile>(directory, "config_sentence_transformers.json")?
            .map(|file| file.prompts)
            .unwrap_or_default();
        let mut prompt = |names: &[&str]| {
            names.iter().find_map(|name| prompts.remove(*name)).filter(|prompt| !prompt.is_empty())
        };
        Ok(Self {
            pooling,
            most_tokens: sentence.and_then(|file| file.max_seq_length),
            query_prefix: prompt(&["query", "search_query"]),
            passage_prefix: prompt(&["passage", "document", "search_document"]),
        })
    }
}

/// A JSON file of a directory, or `None` where there is none.
fn read<T: DeserializeOwned>(directory: &Path, name: &str) -> Result<Option<T>, String> {
    match std::fs::read(directory.join(name)) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| format!("{name}: {error}")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{name}: {error}")),
    }
}
