"""Recall@K over a whole corpus, in both directions, against the bare matrix product.

    python -m bench.retrieval [--clips 40804] [--dimension 768] [--rounds 3] [--small 5000]

recall   metrics.retrieval.recall_of_vectors: checks, unit length, products in blocks, ranks
product  the same blocks multiplied, nothing else
argsort  a script as one writes it: the whole similarity matrix, each row sorted
topk     as torchmetrics does it: for each query and each K, sort and gather what is relevant

Recall and product take turns in one run. By the clock the least of the rounds is given; the mean of
the processor's seconds over all cores is what compares where other programs are at work. The peak
memory is that of the process after the first recall, before anything else was computed.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np

from metrics.retrieval import recall_of_vectors
from metrics.retrieval.blocks import cosine_blocks

KS = (1, 5, 10)
Way = Callable[[np.ndarray, np.ndarray], dict[int, float]]


def corpus(clips: int, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Return captions and videos: random directions, each caption at a distance from its video
    where some are found and some are not."""
    random = np.random.default_rng(0)
    videos = random.standard_normal((clips, dimension), dtype=np.float32)
    captions = random.standard_normal((clips, dimension), dtype=np.float32)
    captions *= 6
    captions += videos
    for vectors in (captions, videos):
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return captions, videos


def recall(queries: np.ndarray, gallery: np.ndarray) -> dict[int, float]:
    recall = recall_of_vectors(queries, gallery, [[i] for i in range(len(queries))], KS).recall
    return {k: share for k, share in recall.items() if share is not None}


def product(queries: np.ndarray, gallery: np.ndarray) -> dict[int, float]:
    for _ in cosine_blocks(queries, gallery):
        pass
    return {}


def argsort(queries: np.ndarray, gallery: np.ndarray) -> dict[int, float]:
    similarity = queries @ gallery.T
    ranks = np.array([np.flatnonzero(np.argsort(-row) == i)[0] for i, row in enumerate(similarity)])
    return {k: float((ranks < k).mean()) for k in KS}


def topk(queries: np.ndarray, gallery: np.ndarray) -> dict[int, float]:
    shares: dict[int, list[float]] = {k: [] for k in KS}
    for i, query in enumerate(queries):
        scores = gallery @ query
        relevant = np.zeros(len(gallery), dtype=bool)
        relevant[i] = True
        for k in KS:
            shares[k].append(relevant[np.argsort(-scores)][:k].sum() / relevant.sum())
    return {k: float(np.mean(of_queries)) for k, of_queries in shares.items()}


def timed(way: Way, pair: tuple[np.ndarray, np.ndarray]) -> tuple[float, float, dict[int, float]]:
    """Return the seconds by the clock, the seconds of the processor, and the answer."""
    started, busy = time.perf_counter(), time.process_time()
    answer = way(*pair)
    return time.perf_counter() - started, time.process_time() - busy, answer


def peak_mb() -> float:
    """Return the peak memory of this process so far, as Linux counts it."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=40_804, help="LoVR's")
    parser.add_argument("--dimension", type=int, default=768)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--small", type=int, default=5000, help="clips for the sorting scripts")
    options = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, numpy {np.__version__}, "
        f"load {os.getloadavg()[0]:.1f} before the start"
    )
    captions, videos = corpus(options.clips, options.dimension)
    directions = {"text to video": (captions, videos), "video to text": (videos, captions)}
    before = peak_mb()

    taken: dict[tuple[str, Way], list[tuple[float, float]]] = {}
    peak = 0.0
    for _ in range(options.rounds):
        for name, pair in directions.items():
            for way in (recall, product):
                spent, busy, answer = timed(way, pair)
                peak = peak or peak_mb()
                taken.setdefault((name, way), []).append((spent, busy))
                shares = {k: round(share, 4) for k, share in answer.items()}
                print(f"{name}, {way.__name__}: {spent:.1f} s, {busy:.1f} s busy {shares or ''}")
                sys.stdout.flush()
    print(f"\n| {options.clips} x {options.dimension} | recall | product | ratio |")
    print("|---|---|---|---|")
    for name in directions:
        clocks, busy = zip(
            *(zip(*taken[name, w], strict=True) for w in (recall, product)), strict=True
        )
        for label, (ours, bare) in (
            ("s, least", map(min, clocks)),
            ("processor s, mean", map(statistics.mean, busy)),
        ):
            print(f"| {name}, {label} | {ours:.1f} | {bare:.1f} | {ours / bare:.2f} |")
    print(f"\nPeak memory {peak:.0f} MB, of which {before:.0f} MB before the first recall.\n")

    few = (captions[: options.small], videos[: options.small])
    print(f"| {options.small} x {options.dimension}, text to video | s | times recall |")
    print("|---|---|---|")
    small = {
        way: min((timed(way, few) for _ in range(options.rounds)), key=lambda run: run[0])
        for way in (recall, argsort, topk)
    }
    least, _, expected = small[recall]
    for way, (spent, _, answer) in small.items():
        assert answer == expected, (way.__name__, answer)
        print(f"| {way.__name__} | {spent:.2f} | {spent / least:.1f} |")


if __name__ == "__main__":
    main()
