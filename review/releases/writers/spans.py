"""The times of sentences in the files of a release, in one shape (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.bulk import in_batches
from annotate.models import Caption
from annotate.text.spans import Span
from review.frozen.models import Release
from review.releases.released_captions import released_captions, taken_down
from review.releases.writers.tables import Column

SPAN = {
    "text_start": "The sentence's first code point in the text, from 0",
    "text_end": "The first code point after the sentence",
    "start_frame": "The sentence's first frame, from the first frame of the clip, which is 0",
    "end_frame": "The first frame after the sentence's",
}
"""The fields of a span, in order, with their meaning."""
ABOUT = "for each sentence with a time: its code points and frames; null where no sentence has one"

Spans = list[Span] | None


def spans_name(caption: str) -> str:
    """Return the name of the field with the spans of the caption in this field."""
    return f"{caption}_spans"


def spans_column(caption: str) -> Column:
    return Column(spans_name(caption), "spans", f"Of `{caption}`, {ABOUT}", True)


def written_spans(spans: Sequence[Span] | None) -> Spans:
    """Return the spans with their fields in the same order from every database."""
    if not spans:
        return None
    return [
        Span(
            text_start=span["text_start"],
            text_end=span["text_end"],
            start_frame=span["start_frame"],
            end_frame=span["end_frame"],
        )
        for span in spans
    ]


def has_spans(captions: Sequence[int]) -> bool:
    """Return whether any of these captions has timed sentences."""
    return any(
        Caption.objects.filter(pk__in=batch, spans__isnull=False).exists()
        for batch in in_batches(captions)
    )


def release_has_spans(release: Release) -> bool:
    """Return whether a caption that the release offers has spans."""
    return has_spans(sorted(released_captions(release) - taken_down(release)))
