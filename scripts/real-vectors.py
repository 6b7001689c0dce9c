#!/usr/bin/env python3
"""Makes engine/src/index/vector/real.vectors: vectors of a real model, for tests, of texts written for this project.

    python3 -m venv venv && venv/bin/pip install onnxruntime tokenizers numpy
    venv/bin/python scripts/real-vectors.py MODEL

MODEL is a directory with bge-small-en-v1.5 (MIT) as model.onnx and tokenizer.json. The texts are the turns of
datasets/data/sample-dialogues.jsonl and sentences of the documentation; the queries are the sample questions.

The file: how many vectors and queries and how many numbers each has, as three numbers of 32 bits; then each vector as what
one unit is (a float of 32 bits) and its numbers in 8 bits. The least significant byte comes first.
"""

import json
import pathlib
import re
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MOST = 680
ASK = "Represent this sentence for searching relevant passages: "

root = pathlib.Path(__file__).resolve().parent.parent
data = root / "datasets" / "data"
lines = lambda name: [json.loads(line) for line in (data / name).read_text().splitlines() if line]
texts = [turn["text"] for turn in lines("sample-dialogues.jsonl") if "text" in turn]
questions = [ASK + (one.get("question") or one.get("text")) for one in lines("sample-questions.jsonl")]
for page in [root / "README.md", root / "ARCHITECTURE.md", *sorted((root / "docs").glob("*.md"))]:
    prose = [block for block in re.split(r"\n\s*\n", page.read_text()) if not re.match(r"[#|`<]", block)]
    sentences = re.split(r"(?<=[.:])\s+", " ".join(prose))
    texts += [sentence for sentence in sentences if 40 <= len(sentence) <= 300 and "|" not in sentence]
texts = list(dict.fromkeys(texts))[:MOST]

model = onnxruntime.InferenceSession(sys.argv[1] + "/model.onnx")
tokenizer = Tokenizer.from_file(sys.argv[1] + "/tokenizer.json")
tokenizer.enable_truncation(256)


def embed(text):
    tokens = tokenizer.encode(text)
    ids = np.array([tokens.ids], np.int64)
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    vector = model.run(None, given)[0][0, 0]
    return vector / np.linalg.norm(vector)


with open(root / "engine/src/index/vector/real.vectors", "wb") as file:
    np.array([len(texts), len(questions), 384], "<u4").tofile(file)
    for vector in map(embed, texts + questions):
        unit = np.abs(vector).max() / 127
        np.array([unit], "<f4").tofile(file)
        np.round(vector / unit).astype(np.int8).tofile(file)
print(len(texts), "texts,", len(questions), "questions")
