"""Has the teacher embed every text and every word of the vocabulary.

    python teacher.py WORK MODEL

reads WORK/texts.tsv and leaves WORK/teacher.npy (a row a text; zeros where it was stopped before), WORK/vocabulary.txt and
WORK/words.npy. MODEL is a directory with bge-small-en-v1.5 as model.onnx and tokenizer.json, such as `lore model add` makes.
It can be stopped and started again. Texts of one length go together, since this model's 8-bit activations are scaled by batch.
"""

import collections
import hashlib
import pathlib
import random
import re
import sys
import unicodedata

import numpy
import onnxruntime
from tokenizers import Tokenizer

BATCH = 12
DIMENSIONS = 384
# Pieces and words of the table, so that all of it is below 8 MB.
VOCABULARY = 29_600


class Teacher:
    def __init__(self, model):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        self.session = onnxruntime.InferenceSession(str(model / "model.onnx"), options)
        self.inputs = {i.name for i in self.session.get_inputs()}
        self.tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(192)

    def ids(self, texts):
        return [e.ids for e in self.tokenizer.encode_batch(texts)]

    def embed(self, ids):
        longest = max(len(i) for i in ids)
        tokens = numpy.zeros((len(ids), longest), numpy.int64)
        mask = numpy.zeros_like(tokens)
        for row, i in enumerate(ids):
            tokens[row, : len(i)] = i
            mask[row, : len(i)] = 1
        feeds = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": numpy.zeros_like(tokens)}
        out = self.session.run(None, {k: v for k, v in feeds.items() if k in self.inputs})[0][:, 0]
        return out / numpy.linalg.norm(out, axis=1, keepdims=True)


def fold(text):
    """Lower case without accents, as the pieces are."""
    text = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in text if unicodedata.category(c) != "Mn")


def words(text):
    """Words as the table's reader sees them: runs of letters and digits."""
    return re.findall(r"[^\W_]+", fold(text))


def vocabulary(pieces, texts, work):
    """The teacher's pieces of Latin letters and digits, then whole words that it would split, the most frequent first."""
    latin = [p for p in pieces if re.fullmatch(r"(##)?[a-z0-9]+", p)]
    known = set(latin)
    counted = collections.Counter()
    for text in texts:
        counted.update(words(text))
    more = [w for w, c in counted.most_common() if w not in known and c >= 3 and re.fullmatch(r"[a-z]{3,}", w)]
    chosen = latin + more[: VOCABULARY - len(latin)]
    (work / "vocabulary.txt").write_text("\n".join(chosen) + "\n")
    print(f"{len(latin)} pieces, {len(chosen) - len(latin)} words of {len(more)}")
    return chosen


def embed_all(teacher, ids, path):
    """Embeds, keeping what there is; short and long in turn, so that a part is a sample of the whole."""
    made = numpy.lib.format.open_memmap(path, mode="r+" if path.exists() else "w+", dtype=numpy.float32, shape=(len(ids), DIMENSIONS))
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    chunks = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    random.Random(2).shuffle(chunks)
    for number, chunk in enumerate(chunks):
        if not made[chunk[0]].any():
            made[chunk] = teacher.embed([ids[i] for i in chunk])
        if number % 500 == 0:
            made.flush()
            print(f"{path.name} {number * BATCH} of {len(ids)}", flush=True)


def main():
    work, model = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    print("teacher", hashlib.sha256((model / "model.onnx").read_bytes()).hexdigest())
    teacher = Teacher(model)
    texts = [line.split("\t", 1)[1] for line in (work / "texts.tsv").read_text().splitlines()]
    pieces = sorted(teacher.tokenizer.get_vocab().items(), key=lambda p: p[1])
    chosen = vocabulary([p for p, _ in pieces], texts, work)
    number = dict(pieces)
    begin, end = number["[CLS]"], number["[SEP]"]
    ids = [[begin, number[w], end] if w in number else teacher.ids([w])[0] for w in chosen]
    embed_all(teacher, ids, work / "words.npy")
    embed_all(teacher, teacher.ids(texts), work / "teacher.npy")


if __name__ == "__main__":
    main()
