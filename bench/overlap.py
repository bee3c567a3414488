"""BLEU-4, METEOR, ROUGE-L and CIDEr of captions of 230 words with their intervals.

    python -m bench.overlap [--captions 1000,10000] [--others 200]

Each metric is timed beside what one would write otherwise: sacrebleu on the whole corpus, the
package rouge-score, and CIDEr-D from counters. They take turns on the first `--others` captions of
one run and give the same score.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Hashable
from statistics import fmean

import numpy as np
from rouge_score.rouge_scorer import _lcs_table
from sacrebleu.metrics.bleu import BLEU

from bench.timing import HEADER, machine, print_rows, take_turns
from metrics.overlap.bleu import bleu_counts
from metrics.overlap.compare import caption_overlap
from metrics.overlap.counts import corpus_bleu
from metrics.overlap.inputs import Clip, clips_of
from metrics.overlap.result import CaptionOverlap
from tests.metrics.overlap.plain import plain_cider_d, plain_f_measure
from tests.metrics.overlap.scored import cider_d, rouge_l

N_WORDS = 230
VOCABULARY = 8000
ROUNDS = 3

Texts = tuple[dict[Hashable, str], dict[Hashable, list[str]]]


def made_up(captions: int) -> Texts:
    """Return a caption and a human one of each clip, which share words like two texts on one thing:
    both begin with the clip's own six words, and each other word is common by Zipf's law, or one of
    thirty of its own."""
    random = np.random.default_rng(0)
    chances = 1 / np.arange(1, VOCABULARY + 1)
    chances /= chances.sum()

    def text(own: np.ndarray) -> str:
        common = random.choice(VOCABULARY, N_WORDS, p=chances)
        chosen = np.where(random.random(N_WORDS) < 0.3, random.choice(own, N_WORDS), common)
        chosen[:6] = own[:6]
        return " ".join(f"word{number}ing" for number in chosen)

    owns = [random.choice(VOCABULARY, 30) for _ in range(captions)]
    return (
        {clip: text(own) for clip, own in enumerate(owns)},
        {clip: [text(own)] for clip, own in enumerate(owns)},
    )


def print_corpus(captions: int) -> None:
    """Print one row. Only its own process would make the peak memory exact; since sizes rise, it is
    that of the largest so far."""
    predictions, references = made_up(captions)
    started, busy = time.perf_counter(), time.process_time()
    done: CaptionOverlap = caption_overlap(predictions, references)
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    scores = ", ".join(f"{name} {score.value:.2f}" for name, score in done.scores.items())
    print(f"| {captions} | {seconds:.1f} | {busy:.1f} | {peak} | {scores} |", flush=True)


def beside_others(clips: list[Clip]) -> None:
    own = [clip.prediction or () for clip in clips]
    human = [clip.references[0] for clip in clips]
    pairs = list(zip(own, human, strict=True))

    def our_bleu() -> tuple[float]:
        counts = np.array(
            [bleu_counts(prediction, [reference]) for prediction, reference in pairs], dtype=float
        )
        return (float(corpus_bleu(counts.sum(axis=0, keepdims=True))[0]),)

    def whole_bleu() -> tuple[float]:
        metric = BLEU(tokenize="none", smooth_method="none", force=True)
        return (metric.corpus_score([*map(" ".join, own)], [[*map(" ".join, human)]]).score,)

    def package_rouge() -> tuple[float]:
        lengths = [_lcs_table(reference, prediction)[-1][-1] for prediction, reference in pairs]
        return (
            fmean(
                plain_f_measure(n / len(prediction), n / len(reference))
                for n, (prediction, reference) in zip(lengths, pairs, strict=True)
            ),
        )

    def our_cider() -> tuple[float]:
        scores = cider_d(clips)
        assert scores is not None
        return (fmean(scores),)

    works: dict[str, dict[str, Callable[[], tuple[float]]]] = {
        "BLEU-4": {"vericap": our_bleu, "sacrebleu, the corpus at once": whole_bleu},
        "ROUGE-L": {
            "vericap": lambda: (
                fmean(rouge_l(prediction, [reference]) for prediction, reference in pairs),
            ),
            "rouge-score": package_rouge,
        },
        "CIDEr": {
            "vericap": our_cider,
            "counters": lambda: (fmean(plain_cider_d(own, [[text] for text in human])),),
        },
    }
    print("\n" + HEADER)
    for work, ways in works.items():
        print_rows(f"{work} of {len(clips)} captions", take_turns(ways, ROUNDS), "vericap")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--captions", default="1000,10000")
    parser.add_argument("--others", type=int, default=200)
    options = parser.parse_args()
    print(machine())
    print(f"captions of {N_WORDS} words, one human caption each, 1,000 resamples\n")
    print("| captions | s | CPU s | peak MB | scores |\n|---|---|---|---|---|")
    for captions in sorted(map(int, options.captions.split(","))):
        print_corpus(captions)
    beside_others(clips_of(*made_up(options.others))[0])


if __name__ == "__main__":
    main()
