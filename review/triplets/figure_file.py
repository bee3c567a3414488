"""A composed query with its targets as a figure (TF-CoVR, Figures 1 and E4)."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.template.loader import render_to_string

from annotate.models import Clip
from annotate.responses import file_to_save
from review.display.clip_figure import Drawing, FigureClip, FigureRow, draw_figure
from review.triplets.clip_pictures import pictures_of
from review.triplets.models import ComposedQuery

PICTURES = 3
MAX_TARGETS = 5


def triplet_figure(query: ComposedQuery) -> Drawing:
    """Return the query clip with its text, then its first targets."""
    targets = Clip.objects.filter(pk__in=query.targets.values("target"))
    by_key = targets.select_related("video", "label").in_bulk()
    places = query.targets.values_list("target", flat=True)[:MAX_TARGETS]
    first_targets = [_figure_clip(by_key[key]) for key in places]
    number = query.targets.count()
    heading = f"Target{'' if number == 1 else 's'}"
    if number > len(first_targets):
        heading = f"{len(first_targets)} of {number} targets"
    return draw_figure(
        [query_row(query, query.modification.text), FigureRow(heading, first_targets)]
    )


def query_row(query: ComposedQuery, text: str) -> FigureRow:
    """Return the row of the query clip and the text."""
    clip = Clip.objects.select_related("video", "label").get(pk=query.clip_id)
    return FigureRow("Query", [_figure_clip(clip)], f"+ “{text}”")


def _figure_clip(clip: Clip) -> FigureClip:
    caption = clip.label.caption if clip.label else ""
    return FigureClip(clip.name, caption, pictures_of(clip, PICTURES))


def send_figure(drawing: Drawing, query: ComposedQuery, name: str) -> HttpResponseBase:
    """Return the figure as a file to download."""
    context = {"drawing": drawing, "title": query.modification.text}
    svg = render_to_string("review/display/clip_figure.svg", context)
    return file_to_save(svg, name)
