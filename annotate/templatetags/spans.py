"""Texts in pieces, without added spaces between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from annotate.handwrite.pages import Passage
from annotate.merge.marks import MarkedSpan
from annotate.models import Caption, Clip
from annotate.text.diff import DiffSpan

register = template.Library()
ELEMENTS = {
    "delete": "<del>{}</del>",
    "insert": "<ins>{}</ins>",
    "equal": "{}",
    "contradiction": '<mark class="contradiction">{}</mark>',
}


@register.simple_tag
def word_changes(spans: Iterable[DiffSpan | MarkedSpan]) -> SafeString:
    """Return the spans of a word diff with <del> and <ins>, and contradictions with <mark>."""
    return _joined(format_html(ELEMENTS[span.op], span.text) for span in spans)


@register.simple_tag
def marked_text(pieces: Iterable[Mapping[str, str]]) -> SafeString:
    """Return the pieces of a text, those with a `mark` in a <mark> of that class."""
    return _joined(
        format_html('<mark class="{}">{}</mark>', piece["mark"], piece["text"])
        if piece["mark"]
        else conditional_escape(piece["text"])
        for piece in pieces
    )


@register.simple_tag
def passages(parts: Iterable[Passage]) -> SafeString:
    """Return the passages of a caption, each sentence in a span that handwrite/hand.js reads."""
    return _joined(
        format_html("<span data-sentence>{}</span>", part.text)
        if part.is_sentence
        else conditional_escape(part.text)
        for part in parts
    )


@register.simple_tag
def sentence_times(caption: Caption, clip: Clip) -> list[tuple[str, float, float]]:
    """Return each sentence of the caption that is tied to time, with its seconds in the clip."""
    fps = clip.video.fps
    return [
        (
            caption.text[span["text_start"] : span["text_end"]],
            float(span["start_frame"] / fps),
            float(span["end_frame"] / fps),
        )
        for span in caption.spans or ()
    ]


def _joined(pieces: Iterable[str]) -> SafeString:
    return mark_safe("".join(pieces))
