"""Stores themes: a model's, and a person's in place of a wrong one."""

from __future__ import annotations

from django.db import transaction

from annotate.audit import record_event
from annotate.models import User, Video
from inference.errors import InferenceError
from inference.models import RunItem, VideoTheme
from inference.planning.staleness import mark_stale_by_theme
from inference.queries import current_theme

MAX_THEME_LENGTH = 300


def record_theme(*, item: RunItem, text: str) -> VideoTheme:
    """Store the theme that a run's model named. A person's theme stays current."""
    video = Video.objects.get(run_items=item)
    theme = VideoTheme.objects.create(
        project_id=video.project_id, video=video, item=item, text=text
    )
    mark_stale_by_theme(video)
    return theme


@transaction.atomic
def take_back_theme(*, video: Video, person: User) -> VideoTheme | None:
    """Take back what people gave, so that the newest model's theme is current again; return it,
    None without one. Raises InferenceError if no person gave the current theme.
    """
    video = Video.objects.select_for_update(no_key=True).get(pk=video.pk)
    before = current_theme(video)
    if before is None or before.author is None:
        raise InferenceError("No person gave this theme, so there is nothing to take back.")
    VideoTheme.objects.create(
        project_id=video.project_id, video=video, text="", author=person, replaces=before
    )
    record_event(
        actor=person,
        verb="take back theme",
        subject=video,
        project=video.project,
        before={"theme": before.text, "key": before.pk},
    )
    mark_stale_by_theme(video)
    return current_theme(video)


@transaction.atomic
def correct_theme(*, video: Video, text: str, person: User) -> VideoTheme:
    """Store a person's theme, which replaces the current one. Raises InferenceError."""
    text = " ".join(text.split())
    if not text:
        raise InferenceError("The theme is empty. Say in a few words what the video is about.")
    if len(text) > MAX_THEME_LENGTH:
        raise InferenceError(
            f"The theme has {len(text):,} letters. Shorten it to {MAX_THEME_LENGTH}."
        )
    video = Video.objects.select_for_update(no_key=True).get(pk=video.pk)
    before = current_theme(video)
    if before is not None and before.text == text:
        raise InferenceError("This is the theme already. Nothing was changed.")
    theme = VideoTheme.objects.create(
        project_id=video.project_id, video=video, text=text, author=person, replaces=before
    )
    record_event(
        actor=person,
        verb="correct theme",
        subject=theme,
        project=video.project,
        before={"theme": before.text, "key": before.pk} if before else {},
        after={"video": video.pk, "theme": text},
    )
    mark_stale_by_theme(video)
    return theme
