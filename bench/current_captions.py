"""The query of the current captions at LoVR's size, beside the one without ranks that it replaced.

    python -m bench.current_captions [--databases sqlite,postgresql] [--clips 40804]

Each clip has a machine caption of LoVR's mean length (1,394 words), a third of them a second one,
a tenth a correction and a fiftieth a text by hand; a fifth of the machine's are accepted.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from bench import server
from bench.timing import machine

server.NAME = "vericap_bench_current"
SENTENCE = "a man walks slowly over the long bridge and sees {} boats. "
ROUNDS = 5
HEADER = "| database | query | what | rows | s |\n|---|---|---|---|---|"


def fill(project: Any) -> None:
    """Store the captions of the project's clips, with the ranks of some."""
    from django.db import transaction

    from annotate.models import Caption, CaptionRank, Clip

    text = "".join(SENTENCE.format(number) for number in range(140))
    clips = list(Clip.objects.filter(project=project).order_by("pk"))

    def write(captioned_clips: list[Any], source: str) -> None:
        for start in range(0, len(captioned_clips), 1000):
            Caption.objects.bulk_create(
                Caption(
                    project=project,
                    clip=clip,
                    kind="general",
                    source=source,
                    text=f"{clip.pk} {text}",
                    word_count=1394,
                )
                for clip in captioned_clips[start : start + 1000]
            )

    with transaction.atomic():
        for step, source in ((1, "machine"), (3, "machine"), (10, "corrected"), (50, "human")):
            write(clips[::step], source)
        made = Caption.objects.filter(source="machine").order_by("pk").values_list("pk", flat=True)
        CaptionRank.objects.bulk_create(
            [CaptionRank(caption_id=key, rank=2, because="refined") for key in list(made)[::5]],
            batch_size=1000,
        )


def without_ranks(clips: Any) -> Any:
    """Return the earlier query: merged captions, else the newest."""
    from django.db.models import Case, Exists, OuterRef, Q, When

    from annotate.models import Caption

    is_merged = Case(When(source="merged", then=1), default=0)
    of_kind = Caption.objects.filter(kind="general").alias(is_merged=is_merged)
    better = of_kind.filter(clip=OuterRef("clip")).filter(
        Q(is_merged__gt=OuterRef("is_merged"))
        | Q(is_merged=OuterRef("is_merged"), pk__gt=OuterRef("pk"))
    )
    return of_kind.filter(~Exists(better), clip__in=clips.order_by().values("pk"))


def measure(database: str, n_clips: int) -> None:
    with server.fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from annotate.corpus.precedence import current_captions
        from bench.world import make_corpus
        from inference.queries import clips_to_describe

        call_command("migrate", verbosity=0)
        project = make_corpus(n_clips)
        fill(project)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        reads: dict[str, Callable[[Any], int]] = {
            "keys": lambda captions: len(list(captions.values_list("clip", "pk"))),
            "count": lambda captions: captions.count(),
        }
        for name, query in (("without ranks", without_ranks), ("by rank", current_captions)):
            for what, read in reads.items():
                taken = []
                for _ in range(ROUNDS):
                    started = time.perf_counter()
                    rows = read(query(clips_to_describe(project)))
                    taken.append(time.perf_counter() - started)
                seconds = statistics.median(taken)
                print(f"| {database} | {name} | {what} | {rows:,} | {seconds:.2f} |", flush=True)
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--clips", type=int, default=40_804, help="LoVR's")
    options = parser.parse_args()
    # A process has one set of settings, so each database gets its own process.
    databases = options.databases.split(",")
    if len(databases) > 1:
        print(machine(), HEADER, sep="\n\n", flush=True)
        for database in databases:
            arguments = ["--databases", database, "--clips", str(options.clips)]
            subprocess.run([sys.executable, "-m", "bench.current_captions", *arguments], check=True)
    else:
        measure(databases[0], options.clips)


if __name__ == "__main__":
    main()
