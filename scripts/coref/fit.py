#!/usr/bin/env python3
"""Learns the weights of `extract/src/coref/weigh.rs` from GAP, and tells how they do on texts they have not seen.

    tail -n +2 GAP.tsv | cut -f2 > texts
    cargo run --release -p lorebase-extract --features train --bin train-coref < texts > weighed
    scripts/coref/fit.py GAP.tsv weighed

A logistic regression over those who may be meant and nobody, whose number is 0. The weight of "unnamed" is held: GAP asks
only for names, so it would teach that nobody else is ever meant. Needs numpy.
"""

import collections
import sys

import numpy

HELD = {"unnamed": -1.0}
LIKELY = 0.4
RIDGE = 1.0


def fold(name):
    return " ".join(name.lower().split()).strip("\"'.,;:!? “”").replace("’", "'")


def within(one, other):
    return bool(one) and set(one.split()) <= set(other.split())


def means(name, both):
    """Which of the two names a name means, as the scorer has it."""
    name, both = fold(name), [fold(other) for other in both]
    for fits in (lambda other: name == other, lambda other: within(name, other) or within(other, name)):
        said = [bool(name) and fits(other) for other in both]
        if any(said):
            return [False, False] if all(said) else said
    return [False, False]


def read(gap, weighed):
    candidates = collections.defaultdict(list)
    for line in open(weighed):
        text, start, name, _, features = line.rstrip("\n").split("\t")
        candidates[int(text), int(start)].append((name, [float(value) for value in features.split(",")]))
    items = []
    for at, line in enumerate(list(open(gap))[1:]):
        row = line.rstrip("\n").split("\t")
        right = [row[6] == "TRUE", row[9] == "TRUE"]
        who = candidates[at, int(row[3])]
        said = numpy.array([means(name, (row[4], row[7])) for name, _ in who], bool).reshape(-1, 2)
        items.append((numpy.array([features for _, features in who]), said, numpy.array(right)))
    return items


def fit(items, held):
    items = [item for item in items if len(item[0]) and ((item[1] & item[2]).any() or not item[2].any())]
    features = numpy.concatenate([item[0] for item in items])
    of = numpy.repeat(numpy.arange(len(items)), [len(item[0]) for item in items])
    # Whoever may be meant where a name is right; whoever is neither name, or nobody, where none is.
    good = numpy.concatenate([(s & r).any(1) if r.any() else ~s.any(1) for _, s, r in items])
    nobody = numpy.array([not right.any() for _, _, right in items], float)
    weights, mean, square = numpy.zeros(features.shape[1]), 0, 0
    for step in range(1, 401):
        for place, value in held.items():
            weights[place] = value
        likely = numpy.exp(numpy.clip(features @ weights, -30, 30))
        every = 1 + numpy.bincount(of, likely, len(items))
        fitting = nobody + numpy.bincount(of, likely * good, len(items))
        slope = features.T @ (likely * good / fitting[of] - likely / every[of]) - RIDGE * weights
        slope[list(held)] = 0
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights = weights + 0.05 * (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def count(items, weights):
    """Right, too much, missed."""
    counts = numpy.zeros(3, int)
    for features, said, right in items:
        found = numpy.array([False, False])
        if len(features):
            likely = numpy.exp(features @ weights)
            best = likely.argmax()
            if likely[best] / (1 + likely.sum()) >= LIKELY:
                found = said[best]
        counts += [(found & right).sum(), (found & ~right).sum(), (right & ~found).sum()]
    return counts


def told(counts):
    right, extra, missed = counts
    precision, recall = right / (right + extra), right / (right + missed)
    return f"P {precision:.3f}  R {recall:.3f}  F1 {2 * precision * recall / (precision + recall):.3f}"


def main():
    gap, weighed = sys.argv[1:]
    source = open(__file__.replace("scripts/coref/fit.py", "extract/src/coref/weigh.rs")).read()
    names = [line.strip().strip('",') for line in source.split("= [")[1].split("];")[0].splitlines() if line.strip()]
    held = {names.index(name): value for name, value in HELD.items()}
    items = read(gap, weighed)
    weights = fit(items, held)
    print("learnt from all:  ", told(count(items, weights)))
    order = numpy.random.RandomState(1).permutation(len(items))
    unseen = numpy.zeros(3, int)
    for part in range(5):
        rest = [items[at] for place, at in enumerate(order) if place % 5 != part]
        unseen += count([items[at] for at in order[part::5]], fit(rest, held))
    print("cross-validated:  ", told(unseen))
    for name, weight in zip(names, weights):
        print(f"{weight:6.2f}  {name}")


main()
