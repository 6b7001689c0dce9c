#!/usr/bin/env python3
"""Measures hnswlib, usearch and FAISS on vectors that the `vectors` benchmark wrote: recall against time.

    cargo run --release -p lorebase-benches --bin vectors -- --fastest --write vectors.f32
    python3 -m venv venv && venv/bin/pip install hnswlib usearch faiss-cpu numpy
    venv/bin/python scripts/compare-vectors.py vectors.f32 [--only hnswlib,usearch,ivf]

Two threads build, one searches, a query at a time, as the benchmark of our own index does; each query's fastest time of
five counts.
"""

import argparse
import os
import time

os.environ["OMP_NUM_THREADS"] = "2"
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--only", default="hnswlib,usearch,flat,ivf", help="which to measure, separated by commas")
parser.add_argument("--queries", type=int, default=200, help="how many queries at most")
args = parser.parse_args()

count, asked, dimensions = (int(number) for number in np.fromfile(args.file, "<u4", 3))
numbers = np.fromfile(args.file, "<f4", offset=12).reshape(count + asked, dimensions)
vectors, queries = numbers[:count], numbers[count:][: args.queries]
truth = [set(np.argpartition(-(vectors @ query), 10)[:10]) for query in queries]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measure(name, search):
    times, found = [], 0
    for query, right in zip(queries, truth):
        own = []
        for _ in range(5):
            start = time.perf_counter()
            labels = search(query)
            own.append(time.perf_counter() - start)
        times.append(min(own))
        found += len(right & {int(label) for label in labels})
    p50, p95 = np.percentile(times, [50, 95]) * 1e3
    print(f"| {name} | {p50:.3f} ms | {p95:.3f} ms | {found / 10 / len(queries):.4f} | {built} |", flush=True)


def build(make):
    global built
    before, start = resident(), time.time()
    index = make()
    built = f"{(resident() - before) >> 20} MB | {time.time() - start:.1f} s"
    return index


print(f"{count} × {dimensions}\n\n| index | p50 | p95 | recall@10 | memory | built in |")
print("| --- | --- | --- | --- | --- | --- |")
only = args.only.split(",")
if "hnswlib" in only:
    import hnswlib

    def make():
        index = hnswlib.Index("ip", dimensions)
        index.init_index(count, M=16, ef_construction=200)
        index.add_items(vectors, num_threads=2)
        index.set_num_threads(1)
        return index

    index = build(make)
    for ef in (16, 32, 64, 128, 256):
        index.set_ef(ef)
        measure(f"hnswlib, ef {ef}", lambda query: index.knn_query(query, 10)[0][0])
    del index
if "usearch" in only:
    from usearch.index import Index

    def make():
        index = Index(ndim=dimensions, metric="ip", dtype="f32", connectivity=16, expansion_add=200)
        index.add(np.arange(count), vectors, threads=2)
        return index

    index = build(make)
    for ef in (16, 32, 64, 128, 256):
        index.expansion_search = ef
        measure(f"usearch, ef {ef}", lambda query: index.search(query, 10, threads=1).keys)
    del index
if "flat" in only or "ivf" in only:
    import faiss

    def add(index):
        faiss.omp_set_num_threads(2)
        if not index.is_trained:
            index.train(vectors[:: max(1, count // 100_000)])
        index.add(vectors)
        faiss.omp_set_num_threads(1)
        return index

    if "flat" in only:
        index = build(lambda: add(faiss.IndexFlatIP(dimensions)))
        measure("FAISS, flat", lambda query: index.search(query[None], 10)[1][0])
        del index
    if "ivf" in only:
        cells = int(4 * count**0.5)
        flat = faiss.IndexFlatIP(dimensions)
        index = build(lambda: add(faiss.IndexIVFFlat(flat, dimensions, cells, faiss.METRIC_INNER_PRODUCT)))
        for nprobe in (4, 16, 64):
            index.nprobe = nprobe
            measure(f"FAISS, {cells} cells, nprobe {nprobe}", lambda query: index.search(query[None], 10)[1][0])
