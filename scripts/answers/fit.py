#!/usr/bin/env python3
"""Learns what short answers are chosen and declined by, and writes src/answer/data/answers-1.bin.

  cargo run --release -p lorebase-benches --bin answers -- PATH/TO/DATASETS OUT
  pip install numpy lightgbm scikit-learn nltk
  python scripts/answers/fit.py OUT src/answer/data/answers-1.bin

Three things are learnt, on the tuning halves of LoCoMo and REALTALK:
  - trees that put the candidates of a question into order (LambdaRank), by the token F1 of each with the expected answer;
  - weights of the signs of doubt (logistic regression), by whether a question is adversarial. Each question about one of two
    speakers is also learnt from with the other's name in its place, where it mostly has no answer, and an adversarial one then
    has: so that how a set asks is not what is learnt;
  - how likely an answer is right (logistic regression), where right means a token F1 of at least one half.
All figures that are printed, and all that the last is learnt from, are of conversations that were left out in turn: each
is answered by what was learnt from the others. The settings below were tried by hand on these figures, some ten of them.
Token F1 is LoCoMo's: Porter stems without articles and signs; of the first group the mean over its parts.
"""
import collections
import json
import pathlib
import re
import string
import struct
import sys

import lightgbm as lgb
import numpy as np
from nltk.stem import PorterStemmer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import learnt  # noqa: E402

FEATURES = 80
SIGNS = 32
TREES = 300
RANKING = dict(
    objective="lambdarank", label_gain=list(range(9)), lambdarank_truncation_level=5, num_leaves=15, learning_rate=0.05,
    min_data_in_leaf=100, feature_fraction=0.5, bagging_fraction=0.5, bagging_freq=1, lambda_l2=5, verbose=-1,
    num_threads=2, seed=1, deterministic=True, force_row_wise=True,
)
# The share of answerable questions that may be declined where they are not learnt from.
DECLINED = 0.145
LISTED_BELOW, LISTED = 1.0, 6

stemmer, stems = PorterStemmer(), {}


def stem(word):
    if word not in stems:
        stems[word] = stemmer.stem(word)
    return stems[word]


def tokens(text):
    text = str(text).replace(",", "").lower()
    text = "".join(c for c in text if c not in string.punctuation)
    return [stem(word) for word in re.sub(r"\b(a|an|the|and)\b", " ", text).split()]


def f1(answer, gold):
    same = sum((collections.Counter(answer) & collections.Counter(gold)).values())
    return 2 * same / (len(answer) + len(gold)) if same else 0.0


def expected(question):
    answer = str(question["answer"])
    return answer.split(";")[0] if question["category"] == "open-domain" and question["set"] == "locomo" else answer


def score(question, answer):
    gold = expected(question)
    if question["category"] != "multi-hop":
        return f1(tokens(answer), tokens(gold))
    answers = [tokens(part) for part in answer.split(",")]
    return float(np.mean([max(f1(part, tokens(wanted)) for part in answers) for wanted in gold.split(",")]))


def load(directory, name):
    questions = [json.loads(line) for line in open(f"{directory}/{name}.jsonl", encoding="utf-8")]
    features = np.fromfile(f"{directory}/{name}.bin", dtype="<f4").reshape(-1, FEATURES)
    at = 0
    for question in questions:
        count = len(question["candidates"])
        question["x"] = features[at : at + count]
        question["set"] = name
        at += count
    return questions


def gains(question):
    gold = expected(question)
    wanted = [tokens(gold)] + ([tokens(part) for part in gold.split(",")] if question["category"] == "multi-hop" else [])
    told = [tokens(candidate) for candidate in question["candidates"]]
    return np.array([max(f1(candidate, part) for part in wanted) for candidate in told])


def rank(questions):
    x = np.concatenate([question["x"] for question in questions])
    y = np.round(np.concatenate([question["y"] for question in questions]) * 8).astype(int)
    return lgb.train(RANKING, lgb.Dataset(x, y, group=[len(q["candidates"]) for q in questions]), TREES)


def doubt(rows):
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000))
    return model.fit(np.array([row["signs"] for row in rows]), [row["none"] for row in rows])


def same(one, other):
    return one <= other or other <= one


def answer(question, rating):
    """As `choose` of src/answer/choose.rs, but for yes and no, which is taken to be yes."""
    order = np.argsort(-rating, kind="stable")
    said = [set(tokens(question["candidates"][at])) for at in order[:200]]
    other = next((at for at, words in zip(order, said) if not same(words, said[0])), order[0])
    lead = rating[order[0]] - rating[other]
    if question["want"] == "yes_no":
        return "yes", rating[order[0]], lead
    kept = [0]
    if question["several"] and question["want"] not in ("date", "duration", "frequency", "number"):
        for place in range(1, len(said)):
            if rating[order[place]] <= rating[order[0]] - LISTED_BELOW or len(kept) == LISTED:
                break
            if not any(same(said[place], said[known]) for known in kept):
                kept.append(place)
    return ", ".join(question["candidates"][order[place]] for place in kept), rating[order[0]], lead


def doubtful(questions):
    rows = []
    for question in questions:
        adversarial = question["category"] == "adversarial"
        if any(question["signs"]):
            rows.append(dict(question=question, case=question["case"], signs=question["signs"], none=adversarial))
        if question["swapped"]:
            rows.append(dict(question=None, case=question["case"], signs=question["swapped"], none=not adversarial))
    return rows


def main(directory, out):
    sets = {name: load(directory, name) for name in ("locomo", "realtalk")}
    everything = sets["locomo"] + sets["realtalk"]
    asked = [q for q in everything if q["answer"] is not None and q["category"] != "adversarial" and q["candidates"]]
    for question in asked:
        question["y"] = gains(question)
    rows = doubtful(everything)
    for case in sorted({question["case"] for question in everything}):
        ranking = rank([question for question in asked if question["case"] != case])
        for question in (q for q in everything if q["case"] == case):
            question["rating"] = ranking.predict(question["x"]) if len(question["x"]) else np.zeros(0)
        doubting = doubt([row for row in rows if row["case"] != case])
        for row in (row for row in rows if row["case"] == case):
            row["doubt"] = float(doubting.decision_function([row["signs"]])[0])
            if row["question"] is not None:
                row["question"]["doubt"] = row["doubt"]
        print(f"{case} is done", file=sys.stderr, flush=True)
    locomo = [q for q in sets["locomo"] if "doubt" in q]
    bound = float(np.quantile([q["doubt"] for q in locomo if q["category"] != "adversarial"], 1 - DECLINED))
    print(f"doubt above {bound:.3f} declines")
    groups = collections.defaultdict(list)
    right, told = [], []
    for question in asked:
        text, rating, lead = answer(question, question["rating"])
        got = score(question, text)
        declined = question.get("doubt", bound) > bound
        groups[question["set"], question["category"]].append((got, 0.0 if declined else got, declined))
        told.append((rating, lead, question.get("doubt", 0.0)))
        right.append(got >= 0.5)
    for question in sets["locomo"]:
        if question["category"] == "adversarial":
            groups["locomo", "adversarial"].append((0, 0, question.get("doubt", bound) > bound))
            if question["candidates"]:
                _, rating, lead = answer(question, question["rating"])
                told.append((rating, lead, question.get("doubt", 0.0)))
                right.append(False)
    for key, rows_of in sorted(groups.items()):
        print(*key, len(rows_of), "F1 %.3f, with declines %.3f, declined %.3f" % tuple(np.mean(rows_of, axis=0)))
    every = [row for key, rows_of in groups.items() if key[0] == "locomo" and key[1] != "adversarial" for row in rows_of]
    print("locomo, four groups", len(every), "F1 %.3f, with declines %.3f, declined %.3f" % tuple(np.mean(every, axis=0)))
    sure = LogisticRegression(max_iter=2000).fit(np.array(told), right)
    likely = sure.predict_proba(np.array(told))[:, 1]
    for low in np.arange(0, 1, 0.1):
        within = (likely >= low) & (likely < low + 0.1)
        if within.any():
            print("confidence %.1f: %d, right %.2f" % (low, within.sum(), np.array(right)[within].mean()))
    ranking, doubting = rank(asked), doubt(rows)
    scale, weights = doubting[0], doubting[1].coef_[0]
    raw = weights / scale.scale_
    base = float(doubting[1].intercept_[0] - (raw * scale.mean_).sum())
    with open(out, "wb") as file:
        file.write(b"lorebase answers 1\n" + learnt.trees(ranking))
        file.write(struct.pack(f"<{SIGNS}f", *raw) + struct.pack("<2f", base, bound))
        file.write(struct.pack("<4f", float(sure.intercept_[0]), *sure.coef_[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
