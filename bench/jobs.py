"""How long a person waits to start a job over 40,804 clips, and a worker then plans it: runs of
each kind, judging captions, and a round of two models over all clips.

    python -m bench.jobs [--database sqlite] [--clips 40804]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.server import fresh_environment
from bench.timing import machine

CLIPS = 40_804


def make_set(project: Any, name: str) -> Any:
    """Store captions of 240 words by one model, of every clip; none names its model."""
    from annotate.models import Caption, Clip
    from review.captions.models import CaptionSet, SetCaption

    keys = Clip.objects.filter(project=project).values_list("pk", flat=True)
    captions = Caption.objects.bulk_create(
        (
            Caption(
                project=project,
                clip_id=key,
                kind=Caption.Kind.GENERAL,
                source=Caption.Source.IMPORTED,
                text=f"It shows {len(name)} birds in clip {key}. " + "A word follows. " * 80,
                word_count=243,
            )
            for key in keys
        ),
        batch_size=2000,
    )
    made = CaptionSet.objects.create(project=project, name=name, kind="general", is_used=True)
    SetCaption.objects.bulk_create(
        (
            SetCaption(caption_set=made, clip_id=caption.clip_id, caption=caption)
            for caption in captions
        ),
        batch_size=2000,
    )
    return made


def make_human_captions(project: Any) -> None:
    """Store a merged caption of every clip, with which captions are compared."""
    from annotate.models import Caption, Clip

    keys = Clip.objects.filter(project=project).values_list("pk", flat=True)
    Caption.objects.bulk_create(
        (
            Caption(
                project=project,
                clip_id=key,
                kind=Caption.Kind.GENERAL,
                source=Caption.Source.MERGED,
                text=f"A bird in clip {key}.",
                word_count=5,
            )
            for key in keys
        ),
        batch_size=2000,
    )


def timed(step: str, act: Callable[[], Any]) -> Any:
    began, worked = time.perf_counter(), time.process_time()
    result = act()
    seconds, own = time.perf_counter() - began, time.process_time() - worked
    print(f"| {step} | {seconds:.2f} | {own:.2f} |", flush=True)
    return result


def time_jobs(project: Any, sets: Any) -> None:
    from annotate.jobs.services.planning import plan_job
    from annotate.jobs.services.working import work_on
    from annotate.models.jobs import Job
    from inference.models import ModelSpec
    from inference.runs.services import start_run
    from review.capst.services import start_capst_run
    from review.rounds.services import start_round

    models = ModelSpec.objects
    draft = models.create(project=project, name="Draft", backend="opencv-draft")
    words = models.create(project=project, name="Words", backend="lexical")
    for kind, model in (("segment", None), ("caption", draft), ("embed", words), ("score", words)):
        run = timed(
            f"start a {kind} run",
            partial(start_run, project=project, kind=kind, model=model),
        )
        timed("a worker plans it", partial(plan_job, run))
    make_human_captions(project)
    judge = models.create(project=project, name="Judge", backend="word-overlap")
    judging = timed(
        "start judging the captions of a model (CapST)",
        lambda: start_capst_run(
            project=project,
            caption_set=sets[0],
            extractor=judge,
            judge=judge,
            preset="official",
            admin=None,
        ),
    )
    timed("a worker plans it", lambda: plan_job(judging))
    opening = timed(
        "start opening a round of two models",
        lambda: start_round(project=project, admin=None, sets=sets, votes_per_pair=1000),
    )
    timed("a worker opens it", lambda: work_on(job_id=opening.pk))
    assert Job.objects.get(pk=opening.pk).state == Job.State.DONE


def measure(database: str, clips: int) -> None:
    with fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from bench.world import make_corpus

        call_command("migrate", verbosity=0)
        project = make_corpus(clips)
        sets = [make_set(project, name) for name in ("Avocet", "Bittern")]
        if database == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        print(f"{database}, {clips:,} clips", flush=True)
        time_jobs(project, sets)
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default="postgresql", choices=["sqlite", "postgresql"])
    parser.add_argument("--clips", type=int, default=CLIPS)
    options = parser.parse_args()
    head = "| step | s | of the processor, but for the database |\n|---|---|---|"
    print(machine(), head, sep="\n\n", flush=True)
    measure(options.database, options.clips)


if __name__ == "__main__":
    main()
