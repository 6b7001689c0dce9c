#!/usr/bin/env python3
"""How long lorebase and onnxruntime take for vectors of short turns, by turns in one run.

    cargo build --release -p lorebase-benches --bin models
    scripts/compare-embedding.py DIR [ROUNDS]

DIR has a sentence encoder in ONNX (model.onnx, tokenizer.json, 1_Pooling/config.json or a known model). Needs numpy, onnxruntime
and tokenizers. Both take 1,024 sentences of the documents of this repository, in batches of 32 of like length, and the first 128
alone; both use all cores. onnxruntime's batches are padded to their longest text. Printed are medians of the rounds, in ms a
text, tokenizing included.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

ROOT = Path(__file__).resolve().parent.parent
COUNT, BATCH, ALONE = 1024, 32, 128


def texts():
    """Sentences of 60 to 220 characters, which is 15 to 50 tokens."""
    found = []
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/src/**/*.rs")]):
        plain = re.sub(r"\s*///?!?|[`*|#]", " ", path.read_text())
        found += (re.sub(r"\s+", " ", one).strip() for one in re.findall(r"[A-Z][^.;{}]{60,220}\.", plain))
    return found[:COUNT]


class Reference:
    def __init__(self, directory):
        self.tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(512)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = os.cpu_count()
        path = str(directory / "model.onnx")
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = [one.name for one in self.session.get_inputs()]

    def embed(self, batch):
        encoded = self.tokenizer.encode_batch(batch)
        longest = max(len(one.ids) for one in encoded)
        ids, mask = np.zeros((2, len(batch), longest), np.int64)
        for row, one in enumerate(encoded):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return self.session.run(None, {name: given[name] for name in self.inputs})[0]

    def measure(self, all_texts):
        by_length = sorted(all_texts, key=len)
        self.embed(by_length[:BATCH])
        start = time.perf_counter()
        for place in range(0, len(by_length), BATCH):
            self.embed(by_length[place : place + BATCH])
        middle = time.perf_counter()
        for text in all_texts[:ALONE]:
            self.embed([text])
        return (middle - start) * 1e3 / len(by_length), (time.perf_counter() - middle) * 1e3 / ALONE


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    directory, rounds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    found, reference = texts(), Reference(directory)
    tokens = statistics.mean(len(one.ids) for one in reference.tokenizer.encode_batch(found))
    own, theirs = [], []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(found) + "\n")
        file.flush()
        command = [ROOT / "target/release/models", "--model", directory, "--texts", file.name]
        for _ in range(rounds):
            row = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            own.append([float(cell) for cell in row.strip("| \n").split("|")])
            theirs.append(reference.measure(found))
    middle = lambda rows, place: statistics.median(row[place] for row in rows)
    print(f"{len(found)} texts of {tokens:.0f} tokens, {os.cpu_count()} cores, median of {rounds} rounds, ms a text")
    print(f"| | lorebase | onnxruntime {onnxruntime.__version__} | times as fast |\n| --- | --- | --- | --- |")
    for place, name in enumerate((f"batches of {BATCH}", "alone")):
        one, other = middle(own, place), middle(theirs, place)
        print(f"| {name} | {one:.2f} | {other:.2f} | {other / one:.2f} |")


main()
