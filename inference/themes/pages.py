"""The page of a project's themes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import Project, Video
from inference.models import VideoTheme
from inference.themes.forms import ThemeForm

VIDEOS_PER_PAGE = 25
ALL, CORRECTED, NONE = "", "corrected", "none"
TABS: Mapping[str, str] = {ALL: "All", CORRECTED: "Corrected", NONE: "No theme"}


@dataclass(frozen=True)
class ThemeRow:
    """A video with its current theme, and the corrections by people, newest first."""

    video: Video
    theme: VideoTheme | None
    corrections: list[VideoTheme]
    form: ThemeForm


def themes_context(
    project: Project,
    tab: str,
    page_number: str | None,
    rejected: Mapping[int, ThemeForm] | None = None,
) -> dict[str, Any]:
    """Return the context of the page. `rejected` is a form with errors, by video."""
    tab = tab if tab in TABS else ALL
    videos = {key: _videos(project, key) for key in TABS}
    page = Paginator(videos[tab].order_by("original_name", "pk"), VIDEOS_PER_PAGE).get_page(
        page_number
    )
    return {
        "project": project,
        "tab": tab,
        "tabs": [
            (key, label, page.paginator.count if key == tab else videos[key].count())
            for key, label in TABS.items()
        ],
        "page": page,
        "rows": _rows(list(page), rejected or {}),
        "query": f"show={tab}" if tab else "",
    }


def _videos(project: Project, tab: str) -> QuerySet[Video]:
    videos = Video.objects.filter(project=project).only("original_name", "project")
    themes = VideoTheme.objects.filter(video=OuterRef("pk")).current_first()
    if tab == CORRECTED:
        return videos.filter(Exists(themes.filter(replaces__isnull=False)))
    return videos.filter(~Exists(themes)) if tab == NONE else videos


def _rows(videos: Sequence[Video], rejected: Mapping[int, ThemeForm]) -> list[ThemeRow]:
    themes: dict[int, list[VideoTheme]] = {}
    rows = VideoTheme.objects.filter(video__in=[video.pk for video in videos]).current_first()
    for theme in rows.select_related("author", "item__run__model", "replaces"):
        themes.setdefault(theme.video_id, []).append(theme)
    return [
        ThemeRow(
            video,
            next(iter(themes.get(video.pk, [])), None),
            [theme for theme in themes.get(video.pk, []) if theme.replaces],
            rejected.get(video.pk) or ThemeForm(auto_id=f"theme-{video.pk}-%s"),
        )
        for video in videos
    ]
