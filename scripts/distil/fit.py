"""Fits the table to what the teacher says, tells how well it stands in for it on texts that were kept back, and writes it.

    python fit.py WORK OUT

reads what corpora.py and teacher.py left in WORK and writes OUT/table-1.bin and OUT/table-1.reference.tsv.
"""

import argparse
import pathlib
import struct

import numpy
import scipy.sparse

from teacher import words

KEPT_BACK = 20  # one text in so many
DIMENSIONS = 256


class Pieces:
    """Greedy longest match, as in engine/src/embed/pieces.rs."""

    def __init__(self, vocabulary):
        self.number = {piece: i for i, piece in enumerate(vocabulary)}
        self.longest = max(len(piece) for piece in vocabulary)
        self.known = {}

    def of_word(self, word):
        """The pieces of a word; none where it is unknown."""
        if word not in self.known:
            found, at = [], 0
            while at < len(word):
                for end in range(min(len(word), at + self.longest), at, -1):
                    piece = self.number.get(("##" if at else "") + word[at:end])
                    if piece is not None:
                        break
                else:
                    found = []
                    break
                found.append(piece)
                at = end
            self.known[word] = found
        return self.known[word]

    def of_text(self, text):
        return [piece for word in words(text) for piece in self.of_word(word)]


def bags(pieces, texts):
    """A row a text, a column a piece, how often it stands there."""
    rows, columns = [], []
    for row, text in enumerate(texts):
        found = pieces.of_text(text)
        rows += [row] * len(found)
        columns += found
    ones = numpy.ones(len(rows), numpy.float32)
    return scipy.sparse.csr_matrix((ones, (rows, columns)), shape=(len(texts), len(pieces.number)))


def unit(vectors):
    return vectors / numpy.maximum(numpy.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def ridge(features, targets, start, penalty, steps):
    """Least squares of `features @ E` to `targets`, drawn to `start`, by conjugate gradients on all columns at once."""
    def apply(e):
        return features.T @ (features @ e) + penalty * e

    delta = numpy.zeros_like(start)
    rest = features.T @ (targets - features @ start)
    direction, square = rest.copy(), (rest * rest).sum(0)
    for _ in range(steps):
        image = apply(direction)
        pace = square / numpy.maximum((direction * image).sum(0), 1e-20)
        delta += pace * direction
        rest -= pace * image
        new = (rest * rest).sum(0)
        direction = rest + (new / numpy.maximum(square, 1e-20)) * direction
        square = new
    return start + delta


def overlap(student, teacher, count=10, queries=400):
    """How many of the teacher's ten nearest are among the student's."""
    asked = min(queries, len(teacher))
    def nearest(vectors):
        likeness = vectors[:asked] @ vectors.T
        likeness[numpy.arange(asked), numpy.arange(asked)] = -2
        return numpy.argpartition(-likeness, count, axis=1)[:, :count]
    a, b = nearest(student), nearest(teacher)
    return numpy.mean([len(set(x) & set(y)) / count for x, y in zip(a, b)])


def fit(bag, targets, lone, share, options):
    """The table, in floating point."""
    # The teacher's vectors lie in a cone: what is common to all is taken off, and the directions in which sentences differ most
    # are kept.
    mean = targets.mean(0)
    centred = targets - mean
    _, vectors = numpy.linalg.eigh(centred.T @ centred)
    basis = vectors[:, ::-1][:, : options.dimensions]
    aim = unit(centred @ basis)
    weight = options.rare / (options.rare + share)
    start = lone @ basis
    # Frequent pieces are what a text has in common with all others.
    start -= (share[:, None] * start).sum(0) / share.sum()
    start = unit(start) * weight[:, None]
    count = numpy.asarray(bag.sum(1)).ravel()
    scale = 1 / numpy.maximum(count, 1) ** options.length
    features = scipy.sparse.diags(scale) @ bag
    # Brought to the size that suits the aims best, before anything is fitted.
    guess = features @ start
    start *= (guess * aim).sum() / (guess * guess).sum()
    table = ridge(features.tocsr(), aim, start, options.penalty, options.steps)
    if options.recentre:
        table -= (share[:, None] * table).sum(0) / share.sum() * options.recentre
    return table.astype(numpy.float32), basis, mean


def quantise(table):
    """Eight bits a number and a scale a row."""
    scales = numpy.maximum(numpy.abs(table).max(1), 1e-9) / 127
    return numpy.rint(table / scales[:, None]).astype(numpy.int8), scales.astype(numpy.float32)


def report(name, table, bag, teacher, kinds):
    """A line of overlaps by kind."""
    student = unit(bag @ table)
    cells = []
    for kind in ("dialogue", "gloss", "example", "fact", "manual", "jargon", "place", "question"):
        here = numpy.flatnonzero(kinds == kind)[:2500]
        cells.append(f"{kind} {100 * overlap(student[here], teacher[here]):.1f}")
    mixed = numpy.arange(min(10_000, len(teacher)))
    cells.append(f"all {100 * overlap(student[mixed], teacher[mixed]):.1f}")
    print(name, "; ".join(cells), flush=True)


def write(out, vocabulary, table, pieces):
    """The table as engine/src/embed/table.rs reads it, and vectors to compare with."""
    numbers, scales = quantise(table)
    known = numpy.linalg.norm(table, axis=1)
    plain = "\n".join(vocabulary).encode()
    head = struct.pack("<8sIIIf", b"LORETAB1", len(vocabulary), table.shape[1], len(plain), float(numpy.median(known)))
    with open(out / "table-1.bin", "wb") as file:
        file.write(head + plain + scales.tobytes() + numbers.tobytes())
    texts = [
        "Ana adopted a kitten in Porto; the kitten sleeps all day.",
        "When did Caroline go to the support group?",
        "The mitochondrion is the powerhouse of the cell",
        "Zoë's café sells naïve Überraschung paintings",
        "SELECT count(*) FROM episodes WHERE speaker = 'Melanie' LIMIT 10;",
        "hello hello hello world",
    ]
    rows = bags(pieces, texts) @ (numbers * scales[:, None])
    made = [f"{text}\t{' '.join(f'{x:.4f}' for x in row)}\n" for text, row in zip(texts, unit(rows))]
    (out / "table-1.reference.tsv").write_text("".join(made))
    print(f"{(out / 'table-1.bin').stat().st_size} bytes")


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--dimensions", type=int, default=DIMENSIONS)
    parser.add_argument("--rare", type=float, default=1e-3)
    parser.add_argument("--penalty", type=float, default=3.0)
    parser.add_argument("--length", type=float, default=0.5)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--recentre", type=float, default=1.0)
    return parser.parse_args()


def main():
    options = parse()
    lines = [line.split("\t", 1) for line in (options.work / "texts.tsv").read_text().splitlines()]
    teacher = numpy.load(options.work / "teacher.npy", mmap_mode="r")
    made = numpy.flatnonzero(numpy.abs(teacher[:, :4]).sum(1) > 0)
    kinds = numpy.array([lines[i][0] for i in made])
    texts, teacher = [lines[i][1] for i in made], numpy.asarray(teacher[made])
    vocabulary = (options.work / "vocabulary.txt").read_text().split()
    pieces = Pieces(vocabulary)
    bag = bags(pieces, texts)
    back = numpy.arange(len(texts)) % KEPT_BACK == 0
    share = numpy.asarray(bag[~back].sum(0)).ravel() + 0.1
    share /= share.sum()
    lone = numpy.asarray(numpy.load(options.work / "words.npy"))
    print(f"{(~back).sum()} texts fitted, {back.sum()} kept back, {(bag.sum(0) > 0).sum()} of {len(vocabulary)} pieces seen")
    table, basis, mean = fit(bag[~back], teacher[~back], lone, share, options)
    kept = unit((teacher - teacher.mean(0))[back])
    report(str(vars(options)), table, bag[back], kept, kinds[back])
    numbers, scales = quantise(table)
    report("8 bits", numbers * scales[:, None], bag[back], kept, kinds[back])
    write(options.out, vocabulary, table, pieces)


if __name__ == "__main__":
    main()
