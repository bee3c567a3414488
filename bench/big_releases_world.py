"""Projects with long captions of many clips, for the benchmark of big releases."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

VIDEOS = 467
WORDS = 1_394
HALF = 120  # words of a spatial and of a temporal caption
FILM = b"0" * 2_000
BATCH_SIZE = 500
VOCABULARY = [f"word{place * 17 % 997}" for place in range(997)]


def text(number: int, words: int = WORDS) -> str:
    """Return this many words, in another order than for the next numbers."""
    start = number * 31 % len(VOCABULARY)
    return " ".join((VOCABULARY * 3)[start : start + words])


def make_lovr(clips: int, sentences: int) -> Any:
    """Return a project of VIDEOS cut videos with a caption of each clip and of each video, each
    verified sentence by sentence if there are any."""
    from annotate.models import Clip, Project

    project = Project.objects.create(name="Long", slug="long", protocol="lovr", license="CC BY 4.0")
    numbers = [clips * (place + 1) // VIDEOS - clips * place // VIDEOS for place in range(VIDEOS)]
    videos = store_videos(project, [250 * number for number in numbers])
    Clip.objects.bulk_create(
        (
            Clip(
                project=project,
                video=video,
                name=f"{video.original_name[:-4]}-Scene-{place + 1:03}",
                start_frame=250 * place,
                end_frame=250 * (place + 1),
                duration_ms=10_000,
            )
            for video, number in zip(videos, numbers, strict=True)
            for place in range(number)
        ),
        batch_size=BATCH_SIZE,
    )
    parts = Clip.objects.filter(project=project, name__contains="-Scene-").order_by("pk")
    wholes = Clip.objects.filter(project=project).exclude(name__contains="-Scene-").order_by("pk")
    store_captions(project, parts, "general", "machine", WORDS)
    store_captions(project, wholes, "full_video", "machine", WORDS)
    if sentences:
        verify_captions(project, sentences)
    return project


def verify_captions(project: Any, sentences: int) -> None:
    """Store a verification of each caption, with a verdict on each of its sentences."""
    from annotate.models import Caption
    from review.verification.models import SentenceVerdict, Verification

    keys = Caption.objects.filter(project=project).order_by("pk").values_list("pk", flat=True)
    verifications = Verification.objects.bulk_create(
        (
            Verification(
                project=project, caption_id=key, label="A", splitter="lines", fits_theme=True,
                sentences=sentences, errors_a=0, errors_b=0, errors_c=0, content_errors=0,
                content_error_sentences=0, topic_errors=0,
            )
            for key in keys
        ),
        batch_size=BATCH_SIZE,
    )  # fmt: skip
    SentenceVerdict.objects.bulk_create(
        (
            SentenceVerdict(verification=verification, number=number, start=number, end=number + 1)
            for verification in verifications
            for number in range(sentences)
        ),
        batch_size=2_000,
    )


def make_carebench(clips: int) -> Any:
    """Return a project whose clips have the three human captions of a published data set."""
    from annotate.models import Caption, Clip, Project

    project = Project.objects.create(name="Short", slug="short", license="CC BY 4.0")
    store_videos(project, [250] * clips)
    rows = Clip.objects.filter(project=project).order_by("pk")
    store_captions(project, rows, "general", "published", WORDS)
    general = dict(
        Caption.objects.filter(project=project, kind="general").values_list("clip", "pk")
    )
    for kind in ("spatial", "temporal"):
        store_captions(project, rows, kind, "published", HALF)
        Parent = Caption.parents.through
        halves = Caption.objects.filter(project=project, kind=kind).values_list("pk", "clip")
        Parent.objects.bulk_create(
            (
                Parent(from_caption_id=key, to_caption_id=general[clip])
                for key, clip in halves.iterator()
            ),
            batch_size=2_000,
        )
    return project


def store_videos(project: Any, frames: list[int]) -> list[Any]:
    """Store videos of these lengths, which share a file, each with its whole clip."""
    from annotate.models import Clip, Video

    facts = {"playback_size": len(FILM), "playback_sha256": sha256(FILM).hexdigest()}
    videos = Video.objects.bulk_create(
        (
            Video(
                project=project, original_name=f"video-{place:06}.mp4", sha256=f"{place:064x}",
                size=len(FILM), fps_num=25, fps_den=1, frames=number, width=1280, height=720,
                source_file="film", playback_file="film", poster_file="o", filmstrip_file="f",
                category=f"category {place % 4}", subcategory=f"subcategory {place % 106}",
                license="CC BY 4.0", **facts,
            )
            for place, number in enumerate(frames)
        ),
        batch_size=BATCH_SIZE,
    )  # fmt: skip
    Clip.objects.bulk_create(
        (
            Clip(
                project=project, video=video, name=video.original_name.removesuffix(".mp4"),
                end_frame=video.frames, duration_ms=video.frames * 40,
            )
            for video in videos
        ),
        batch_size=BATCH_SIZE,
    )  # fmt: skip
    return videos


def store_captions(project: Any, clips: Any, kind: str, source: str, words: int) -> None:
    from annotate.models import Caption

    if source == "published":
        made_by: list[dict[str, Any]] = [{"data_set": "Benchmark"}]
    else:
        made_by = [{"model": "A", "spec": 0, "run": make_run(project).pk}]
    Caption.objects.bulk_create(
        (
            Caption(
                project=project, clip_id=clip, kind=kind, source=source, text=text(clip, words),
                word_count=words, provenance=made_by,
            )
            for clip in clips.values_list("pk", flat=True)
        ),
        batch_size=BATCH_SIZE,
    )  # fmt: skip


def make_run(project: Any) -> Any:
    from inference.models import InferenceRun
    from inference.recipes import ModelRecipe, Recipe, as_json

    model = ModelRecipe(
        spec=0, name="A", backend="elsewhere", model_id="A", revision="", parameters={}
    )
    return InferenceRun.objects.create(
        project=project, kind="caption", recipe=as_json(Recipe("caption", 1, model, {})),
        recipe_hash="0" * 64, queue="cpu", state="done",
    )  # fmt: skip
