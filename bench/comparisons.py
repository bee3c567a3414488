"""The next pair of captions and a vote on it, in rounds of different sizes, on both databases.

    python -m bench.comparisons [--databases sqlite,postgresql] [--votes 100]

Each step is timed as the page asks for it, without the web server: choose and take a pair
(`prepare_caption_pairs`, `claim_next`), then store the vote. Rounds are begun by `open_round`;
earlier votes are inserted in bulk, evenly over the pairs.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from typing import Any
from uuid import uuid4

from bench.server import fresh_environment
from bench.timing import machine

# models, clips, earlier votes
SIZES = ((6, 1_000, 0), (6, 1_000, 20_000), (20, 1_000, 20_000), (6, 40_804, 20_000))
HEADER = (
    "| database | models | clips | earlier votes | open round s | choose and take ms: median, p95 "
    "| vote ms: median, p95 | SQL per choice / vote |\n|---|---|---|---|---|---|---|---|"
)


def make_sets(project: Any, models: int) -> list[Any]:
    from annotate.models import Caption, Clip
    from review.captions.models import CaptionSet, SetCaption

    clips = list(Clip.objects.filter(project=project).values_list("pk", flat=True))
    sets = []
    for number in range(models):
        made = CaptionSet.objects.create(project=project, name=f"Model {number}", kind="general")
        captions = Caption.objects.bulk_create(
            (
                Caption(
                    project=project,
                    clip_id=clip,
                    kind="prediction",
                    source="imported",
                    text=f"Somebody walks past number {number}. " * 40,
                    word_count=200,
                )
                for clip in clips
            ),
            batch_size=2_000,
        )
        SetCaption.objects.bulk_create(
            (SetCaption(caption_set=made, clip_id=c.clip_id, caption=c) for c in captions),
            batch_size=2_000,
        )
        sets.append(made)
    return sets


def vote_before(round: Any, votes: int) -> None:
    """Store votes of made-up reviewers, evenly over the pairs and in turn over the clips."""
    from django.db.models import F

    from review.comparisons.models import CaptionPair, SystemCaption, SystemPair, Vote

    captions = {
        (system, clip): key
        for system, clip, key in SystemCaption.objects.filter(system__round=round).values_list(
            "system", "clip", "pk"
        )
    }
    clips = list(round.clips.values_list("clip", flat=True))
    pairs = list(round.pairs.all())
    caption_pairs = []
    for number in range(votes):
        pair, clip = pairs[number % len(pairs)], clips[number // len(pairs) % len(clips)]
        sides = captions[pair.first_id, clip], captions[pair.second_id, clip]
        left, right = sides if number % 2 else sides[::-1]
        caption_pairs.append(
            CaptionPair(
                round=round,
                pair=pair,
                clip_id=clip,
                left_id=left,
                right_id=right,
                label=f"Reviewer {number % 20}",
            )
        )
    made = CaptionPair.objects.bulk_create(caption_pairs, batch_size=2_000)
    Vote.objects.bulk_create(
        (Vote(caption_pair=caption_pair, outcome="left") for caption_pair in made), batch_size=2_000
    )
    each = votes // len(pairs)
    SystemPair.objects.filter(round=round).update(
        given=F("given") + each, decided=each, first_left=each // 2, first_points=each / 2
    )


def time_votes(project: Any, person: Any, times: int) -> tuple[list[float], list[float], int, int]:
    """Return the milliseconds of each choice and vote, and the statements of the last of each."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from annotate.models import Assignment, Membership
    from annotate.queue.services import claim_next
    from review.comparisons.content import shown_on
    from review.comparisons.models import CaptionPair
    from review.comparisons.pairing import prepare_caption_pairs
    from review.comparisons.services import submit_vote

    choices, votes = [], []
    for _ in range(times):
        membership = Membership.objects.select_related("project", "user").get(user=person)
        started = time.perf_counter()
        with CaptureQueriesContext(connection) as to_choose:
            prepare_caption_pairs(membership)
            held = claim_next(membership=membership, kind="compare")
        choices.append(1000 * (time.perf_counter() - started))
        assert held is not None
        item = Assignment.objects.select_related("item").get(pk=held.pk).item
        content = {
            "outcome": "left",
            "shown": shown_on(CaptionPair.objects.get(pk=item.subject)),
        }
        started = time.perf_counter()
        with CaptureQueriesContext(connection) as to_vote:
            submit_vote(
                assignment_id=held.pk,
                annotator=person,
                key=uuid4(),
                base_version=0,
                content=content,
            )
        votes.append(1000 * (time.perf_counter() - started))
    return choices, votes, len(to_choose), len(to_vote)


def measure(database: str, models: int, clips: int, before: int, votes: int) -> None:
    with fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from annotate.models import Membership
        from bench.world import make_world
        from review.rounds.services import open_round

        call_command("migrate", verbosity=0)
        project, [person, *_] = make_world(clips=clips, people=2)
        Membership.objects.update(is_reviewer=True)
        sets = make_sets(project, models)
        started = time.perf_counter()
        round = open_round(project=project, admin=None, sets=sets, votes_per_pair=100_000)
        opening = time.perf_counter() - started
        vote_before(round, before)
        if database == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        choices, cast, per_choice, per_vote = time_votes(project, person, votes)
        times = [
            f"{statistics.median(taken):.1f}, {sorted(taken)[int(len(taken) * 0.95)]:.1f}"
            for taken in (choices, cast)
        ]
        print(
            f"| {database} | {models} | {clips:,} | {before:,} | {opening:.1f} | {times[0]} "
            f"| {times[1]} | {per_choice} / {per_vote} |",
            flush=True,
        )
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--votes", type=int, default=100)
    parser.add_argument("--size", help="models,clips,earlier votes: only this one")
    options = parser.parse_args()
    if options.size:
        models, clips, before = map(int, options.size.split(","))
        measure(options.databases, models, clips, before, options.votes)
        return
    print(machine(), HEADER, sep="\n\n", flush=True)
    # A process has one set of settings, so each database and size gets its own process.
    for database in options.databases.split(","):
        for size in SIZES:
            arguments = ["--databases", database, "--votes", str(options.votes)]
            arguments += ["--size", ",".join(map(str, size))]
            subprocess.run([sys.executable, "-m", "bench.comparisons", *arguments], check=True)


if __name__ == "__main__":
    main()
