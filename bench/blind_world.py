"""A project of LoVR's size in which people write, verify, compare and rate without each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

ROLES = {
    "Anna": ["annotator"],
    "Rita": ["reviewer"],
    "Emil": ["expert"],
    "Ada": ["admin"],
    "Ari": ["admin", "annotator", "reviewer"],
}
SENTENCE = "a man walks slowly over the long bridge and sees {} boats. "
BATCH = 2_000
Rows = Sequence[Any]


def build(n_clips: int) -> None:
    """Make the project, its people and its work."""
    from django.db import connection, transaction

    from annotate.models import Clip, Membership, User
    from bench.world import make_corpus

    with transaction.atomic():
        project = make_corpus(n_clips)
        for name, roles in ROLES.items():
            user = User.objects.create(name=name, email=f"{name}@example.org", password="!")
            flags = {f"is_{role}": True for role in roles}
            Membership.objects.create(project=project, user=user, **flags)
        clips = list(Clip.objects.filter(project=project).order_by("pk").values_list(flat=True))
        machine_captions = _write(project, clips, kind="general", source="machine")
        _score(project, machine_captions)
        _verify(project, machine_captions)
        _write_up(project, clips[::8])
        _compare(project, clips)
        _rate(project, machine_captions[1::100])
    if connection.vendor == "postgresql":  # as its autovacuum would; SQLite has no such thing
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def _write(project: Any, clips: Rows, **fields: Any) -> list[Any]:
    from annotate.models import Caption

    text = "".join(SENTENCE.format(number) for number in range(20))
    return Caption.objects.bulk_create(
        (
            Caption(project=project, clip_id=clip, text=f"{clip} {text}", word_count=221, **fields)
            for clip in clips
        ),
        batch_size=BATCH,
    )


def _open(project: Any, kind: str, clips: Rows, subjects: Rows, **fields: Any) -> list[Any]:
    from annotate.models import WorkItem

    return WorkItem.objects.bulk_create(
        (
            WorkItem(project=project, clip_id=clip, kind=kind, subject=subject, **fields)
            for clip, subject in zip(clips, subjects, strict=True)
        ),
        batch_size=BATCH,
    )


def _submit(items: Rows, annotator: Any, state: str = "submitted") -> list[Any]:
    from django.utils import timezone

    from annotate.models import Assignment

    now = timezone.now()
    return Assignment.objects.bulk_create(
        (
            Assignment(item=item, annotator=annotator, state=state, lease_expires_at=now)
            for item in items
        ),
        batch_size=BATCH,
    )


def _user(name: str) -> Any:
    from annotate.models import User

    return User.objects.get(name=name)


def _score(project: Any, captions: Rows) -> None:
    from inference.models import InferenceRun, QualityScore, RunItem
    from inference.recipes import Recipe, as_json

    run = InferenceRun.objects.create(
        project=project, kind="score", recipe=as_json(Recipe("score", 1, None, {})),
        recipe_hash="0" * 64, queue="cpu", state="done",
    )  # fmt: skip
    items = RunItem.objects.bulk_create(
        (
            RunItem(run=run, caption=caption, position=number, key=f"{number:064}", state="done")
            for number, caption in enumerate(captions)
        ),
        batch_size=BATCH,
    )
    QualityScore.objects.bulk_create(
        (
            QualityScore(
                project=project, item=item, caption=caption, clip_id=caption.clip_id,
                scorer="s" * 64, scorer_name="EVQAScore", value=number * 7919 % 1000 / 1000,
            )
            for number, (item, caption) in enumerate(zip(items, captions, strict=True))
        ),
        batch_size=BATCH,
    )  # fmt: skip


def _verify(project: Any, captions: Rows) -> None:
    """Open half of the captions to verify; Rita has verified a fiftieth of these and holds one. A
    sixth are verified and corrected."""
    from annotate.models import Caption
    from review.verification.models import Verification

    rita = _user("Rita")
    half = captions[::2]
    items = _open(
        project, "verify", [c.clip_id for c in half], [c.pk for c in half], needed=2, open_slots=1
    )
    by_rita = _submit(items[::50], rita)
    _submit(items[1:2], rita, state="held")
    finished = captions[1::6]
    done = _open(
        project, "verify", [c.clip_id for c in finished], [c.pk for c in finished],
        state="done", open_slots=0,
    )  # fmt: skip
    by_anna = _submit(done, _user("Anna"))
    corrected = _write(project, [c.clip_id for c in finished], kind="general", source="corrected")
    Caption.parents.through.objects.bulk_create(
        (
            Caption.parents.through(from_caption=new, to_caption=old)
            for new, old in zip(corrected, finished, strict=True)
        ),
        batch_size=BATCH,
    )
    counts: dict[str, Any] = {
        "splitter": "s", "fits_theme": True, "sentences": 20, "errors_a": 1, "errors_b": 0,
        "errors_c": 0, "content_errors": 1, "content_error_sentences": 1, "topic_errors": 0,
    }  # fmt: skip
    rows = [
        *zip(finished, by_anna, corrected, strict=True),
        *((caption, held, None) for caption, held in zip(half[::50], by_rita, strict=True)),
    ]
    Verification.objects.bulk_create(
        (
            Verification(
                project=project, caption=caption, reviewer_id=held.annotator_id,
                assignment=held, corrected=new, **counts,
            )
            for caption, held, new in rows
        ),
        batch_size=BATCH,
    )  # fmt: skip


def _write_up(project: Any, clips: Rows) -> None:
    """Store a write-up of each clip by Anna. Emil has merged those of the first half; the others
    wait for a second writer."""
    merged = clips[: len(clips) // 2]
    places = {True: (2, 0, "done"), False: (2, 1, "open")}
    for is_merged, part in ((True, merged), (False, clips[len(merged) :])):
        needed, free, state = places[is_merged]
        items = _open(
            project, "write", part, [0] * len(part), needed=needed, open_slots=free, state=state
        )
        _submit(items, _user("Anna"))
        _write(project, part, kind="general", source="human", author=_user("Anna"))
    _submit(_open(project, "merge", merged, [0] * len(merged), state="done"), _user("Emil"))
    _write(project, merged, kind="general", source="merged", author=_user("Emil"))


def _compare(project: Any, clips: Rows) -> None:
    """Store a round of two sets; Rita has voted on 2,000 clips and seen the names on 1,000."""
    from django.utils import timezone

    from review.captions.models import CaptionSet, SetCaption
    from review.comparisons.models import (
        CaptionPair,
        Round,
        RoundClip,
        System,
        SystemCaption,
        SystemPair,
        Vote,
    )

    running = Round.objects.create(project=project, kind="general", votes_per_pair=1_000_000)
    RoundClip.objects.bulk_create(
        (RoundClip(round=running, clip_id=clip, place=n) for n, clip in enumerate(clips)),
        batch_size=BATCH,
    )
    systems, entered = [], []
    for name in ("Egret", "Heron"):
        captions = _write(project, clips, kind="prediction", source="imported")
        made = CaptionSet.objects.create(project=project, name=name, kind="general")
        SetCaption.objects.bulk_create(
            (SetCaption(caption_set=made, clip_id=c.clip_id, caption=c) for c in captions),
            batch_size=BATCH,
        )
        system = System.objects.create(round=running, caption_set=made, name=name)
        systems.append(system)
        entered.append(
            SystemCaption.objects.bulk_create(
                (SystemCaption(system=system, clip_id=c.clip_id, caption=c) for c in captions),
                batch_size=BATCH,
            )
        )
    first, second = systems
    pair = SystemPair.objects.create(
        round=running, first=first, second=second, clips=len(clips), given=2_000
    )
    voted = CaptionPair.objects.bulk_create(
        (
            CaptionPair(
                round=running, pair=pair, clip_id=left.clip_id, left=left, right=right,
                reviewer=_user("Rita"), names_shown_at=timezone.now() if number % 2 else None,
            )
            for number, (left, right) in enumerate(zip(*entered, strict=True))
            if number < 2_000
        ),
        batch_size=BATCH,
    )  # fmt: skip
    Vote.objects.bulk_create(
        (Vote(caption_pair=caption_pair, outcome="left") for caption_pair in voted),
        batch_size=BATCH,
    )


def _rate(project: Any, captions: Rows) -> None:
    from review.ratings.models import RatingExample
    from review.studies.models import Study, StudyCaption

    study = Study.objects.create(project=project, kind="rating", people=3, per_rater=100)
    items = _open(
        project, "rate", [c.clip_id for c in captions], [c.pk for c in captions],
        needed=3, open_slots=3,
    )  # fmt: skip
    StudyCaption.objects.bulk_create(
        StudyCaption(study=study, caption=caption, item=item)
        for caption, item in zip(captions, items, strict=True)
    )
    RatingExample.objects.bulk_create(
        RatingExample(
            project=project, caption=caption, value=3, explanation="Because.", place=number
        )
        for number, caption in enumerate(captions[:12])
    )
