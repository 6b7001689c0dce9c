"""Lets spaCy parse sentences, and adds shortened ones.

    python scripts/syntax/parses.py MODEL SENTENCES PARSES

MODEL is the directory of spaCy's en_core_web_sm. SENTENCES has words with spaces between them, a sentence a line, as
`train-syntax tokens` writes them. PARSES gets a line a word (word, tag, place of its head, label) and an empty line after
each sentence. Of sentences that begin with "I" or "we" a copy without it is added ("Promised her a draft"), as notes
are written, which no model of whole sentences reads well.
"""

import random
import sys

import spacy
from spacy.tokens import Doc

MOST = 190000
LEFT_OUT = {"'ve", "have", "am", "'m", "are", "'re", "was", "were", "had"}


def parsed(model, path):
    """Sentences of two to sixty words, parsed."""
    nlp = spacy.load(model, exclude=["ner", "lemmatizer"])
    lines = [line.rstrip("\n").split(" ") for line in open(path)]
    lines = [line for line in lines if 2 <= len(line) <= 60]
    random.Random(3).shuffle(lines)

    def documents():
        for words in lines[:MOST]:
            document = Doc(nlp.vocab, words=words, spaces=[True] * len(words))
            for token in document:
                token.is_sent_start = token.i == 0
            yield document

    for document in nlp.pipe(documents(), batch_size=256):
        yield [(token.text, token.tag_, token.head.i, token.dep_) for token in document]


def shortened(words):
    """The sentence without "I" and what follows it; None where that is no note."""
    first, _, head, label = words[0]
    if first not in ("I", "We") or label not in ("nsubj", "nsubjpass") or len(words) < 4 or words[head][3] != "ROOT":
        return None
    drop = 1
    while words[drop][3] in ("aux", "auxpass") and words[drop][2] == head and words[drop][0].lower() in LEFT_OUT:
        drop += 1
    if words[drop][3] == "neg" or words[drop][1] == "VBP" or any(place < drop for _, _, place, _ in words[drop:]):
        return None
    rest = [(word, tag, place - drop, label) for word, tag, place, label in words[drop:]]
    begins = {"'ll": "Will", "'d": "Would"}.get(rest[0][0], rest[0][0][0].upper() + rest[0][0][1:])
    return [(begins, *rest[0][1:]), *rest[1:]]


def main():
    model, sentences, out = sys.argv[1:4]
    with open(out, "w") as out:
        for words in parsed(model, sentences):
            for told in filter(None, (words, shortened(words))):
                out.write("".join("\t".join(map(str, word)) + "\n" for word in told) + "\n")


main()
