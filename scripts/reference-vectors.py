#!/usr/bin/env python3
"""Vectors of a sentence encoder, and the numbers of a cross-encoder, by onnxruntime, to hold lorebase's own against.

    scripts/reference-vectors.py tiny DIR     # makes a small model by chance in DIR, and its vectors in DIR/vectors.json
    scripts/reference-vectors.py of DIR       # prints those of a model in safetensors, such as all-MiniLM-L6-v2

Needs numpy, onnx, onnxruntime, safetensors and tokenizers. The graph is BERT's (Devlin and others, 2018) in the operators of
ONNX; nothing in it is padded. What is written: the texts, the mean and the first token's vector of each, of length 1, and for
a model with a classifier what it says to QUESTION with each.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

QUESTION = "When does the ferry leave?"
TEXTS = [
    "The ferry to Bergen leaves at six.",
    "Ilka: I adopted a kitten last week!",
    "",
    "Wo wohnt Bram? Er wohnt in Gdynia.",
    "猫 を 飼って います",
    "the boat leaves at six and at six and at six, and the kitten sleeps. " * 12,
]


class Graph:
    """Nodes of an ONNX graph, added one by one."""

    def __init__(self, weights):
        self.weights, self.nodes, self.constants, self.count = weights, [], {}, 0

    def add(self, operation, *inputs, **attributes):
        self.count += 1
        output = f"value{self.count}"
        self.nodes.append(helper.make_node(operation, list(inputs), [output], **attributes))
        return output

    def constant(self, array):
        name = f"constant{len(self.constants)}"
        self.constants[name] = np.asarray(array)
        return name

    def weight(self, name):
        return self.constant(self.weights[name].astype(np.float32))

    def linear(self, rows, name):
        matrix = self.constant(self.weights[f"{name}.weight"].astype(np.float32).T.copy())
        return self.add("Add", self.add("MatMul", rows, matrix), self.weight(f"{name}.bias"))

    def norm(self, rows, name, epsilon):
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", rows, scale, bias, axis=-1, epsilon=epsilon)

    def heads(self, rows, heads, order):
        apart = self.add("Reshape", rows, self.constant(np.array([-1, heads, self.width // heads], np.int64)))
        return self.add("Transpose", apart, perm=order)


def encoder(weights, config):
    """The graph from tokens and their parts to a vector a token."""
    graph = Graph(weights)
    epsilon, heads = config.get("layer_norm_eps", 1e-12), config["num_attention_heads"]
    graph.width = weights["embeddings.word_embeddings.weight"].shape[1]
    words, positions, parts = (
        graph.add("Gather", graph.weight(f"embeddings.{table}_embeddings.weight"), ids)
        for table, ids in (("word", "ids"), ("position", "positions"), ("token_type", "parts"))
    )
    rows = graph.norm(graph.add("Add", graph.add("Add", words, positions), parts), "embeddings.LayerNorm", epsilon)
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in weights:
        name = f"encoder.layer.{layer}"
        query, key, value = (
            graph.heads(graph.linear(rows, f"{name}.attention.self.{part}"), heads, order)
            for part, order in (("query", [1, 0, 2]), ("key", [1, 2, 0]), ("value", [1, 0, 2]))
        )
        root = graph.constant(np.float32(np.sqrt(graph.width / heads)))
        seen = graph.add("Softmax", graph.add("Div", graph.add("MatMul", query, key), root), axis=-1)
        mixed = graph.add("Transpose", graph.add("MatMul", seen, value), perm=[1, 0, 2])
        mixed = graph.add("Reshape", mixed, graph.constant(np.array([-1, graph.width], np.int64)))
        came = graph.linear(mixed, f"{name}.attention.output.dense")
        rows = graph.norm(graph.add("Add", rows, came), f"{name}.attention.output.LayerNorm", epsilon)
        between = graph.add("Gelu", graph.linear(rows, f"{name}.intermediate.dense"))
        came = graph.linear(between, f"{name}.output.dense")
        rows = graph.norm(graph.add("Add", rows, came), f"{name}.output.LayerNorm", epsilon)
        layer += 1
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n"]) for name in ("ids", "positions", "parts")]
    output = helper.make_tensor_value_info(rows, TensorProto.FLOAT, ["n", graph.width])
    constants = [numpy_helper.from_array(array, name) for name, array in graph.constants.items()]
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def vectors(directory, most_tokens):
    weights = {name.removeprefix("bert."): array for name, array in load_file(directory / "model.safetensors").items()}
    session = encoder(weights, json.loads((directory / "config.json").read_text()))
    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(most_tokens)

    def run(tokens):
        given = {"ids": tokens.ids, "positions": range(len(tokens.ids)), "parts": tokens.type_ids}
        return session.run(None, {name: np.array(list(numbers), np.int64) for name, numbers in given.items()})[0]

    def unit(vector):
        return [round(float(x), 6) for x in vector / np.linalg.norm(vector)]

    found = []
    for text in TEXTS:
        rows = run(tokenizer.encode(text))
        one = {"text": text, "mean": unit(rows.mean(axis=0)), "cls": unit(rows[0])}
        if "classifier.weight" in weights:
            pooled = np.tanh(weights["pooler.dense.weight"] @ run(tokenizer.encode(QUESTION, text))[0] + weights["pooler.dense.bias"])
            one["answers"] = round(float((weights["classifier.weight"] @ pooled + weights["classifier.bias"])[0]), 5)
        found.append(one)
    return found


def tiny(directory, width=32, between=64, layers=2, heads=4, places=64):
    """A model by chance whose layers do something: weights as large as training makes them."""
    random = np.random.default_rng(1)
    letters = sorted({letter for text in TEXTS for letter in text.lower() if letter.isalnum()})
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "ferry", "leaves", "at", "six", "kit", "##ten", ".", ",", "!", "?", ":"]
    words += letters + [f"##{letter}" for letter in letters]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "decoder": None,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                       "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {word: place for place, word in enumerate(words)}},
    }
    config = {"model_type": "bert", "num_attention_heads": heads, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
    weights = {}

    def matrix(name, *shape):
        weights[name] = random.normal(0, 0.4, shape).astype(np.float32)

    def norm(name):
        weights[f"{name}.weight"] = random.normal(1, 0.1, width).astype(np.float32)
        weights[f"{name}.bias"] = random.normal(0, 0.1, width).astype(np.float32)

    for table, rows in (("word", len(words)), ("position", places), ("token_type", 2)):
        matrix(f"embeddings.{table}_embeddings.weight", rows, width)
    norm("embeddings.LayerNorm")
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            matrix(f"{name}.attention.self.{part}.weight", width, width)
            matrix(f"{name}.attention.self.{part}.bias", width)
        for part, outputs, inputs in (("attention.output", width, width), ("intermediate", between, width),
                                      ("output", width, between)):
            matrix(f"{name}.{part}.dense.weight", outputs, inputs)
            matrix(f"{name}.{part}.dense.bias", outputs)
        norm(f"{name}.attention.output.LayerNorm")
        norm(f"{name}.output.LayerNorm")
    matrix("pooler.dense.weight", width, width)
    matrix("pooler.dense.bias", width)
    matrix("classifier.weight", 1, width)
    matrix("classifier.bias", 1)
    directory.mkdir(parents=True, exist_ok=True)
    for name, what in (("config.json", config), ("tokenizer.json", tokenizer)):
        (directory / name).write_text(json.dumps(what, ensure_ascii=False, indent=1) + "\n")
    save_file(weights, directory / "model.safetensors")
    (directory / "vectors.json").write_text(json.dumps(vectors(directory, places), ensure_ascii=False) + "\n")


def main():
    match sys.argv[1:]:
        case ["tiny", directory]:
            tiny(Path(directory))
        case ["of", directory]:
            print(json.dumps(vectors(Path(directory), 256), ensure_ascii=False))
        case _:
            sys.exit(__doc__)


main()
