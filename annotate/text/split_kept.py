"""Warnings about a split that its author has dismissed.

A draft stores them in `keep-<field>-<kind>`, one subject per line: a word for the kinds that mark
words, the other clip for a near duplicate, "summary" for a missing summary. So a word added later
gets a warning, although others of its kind were dismissed.
"""

from __future__ import annotations

from collections.abc import Mapping

from annotate.text.content import normal_form
from annotate.text.split_checks import Span, SplitWarning, about_words

KINDS_OF = {
    "spatial": ("no_summary", "motion", "novel", "near_duplicate"),
    "temporal": ("no_summary", "object", "novel", "near_duplicate"),
}
WORD_KINDS = frozenset({"motion", "object", "novel"})


def keep_name(field: str, kind: str) -> str:
    return f"keep-{field}-{kind}".replace("_", "-")


def kept_subjects(content: Mapping[str, str], field: str, kind: str) -> frozenset[str]:
    return frozenset(content.get(keep_name(field, kind), "").split("\n")) - {""}


def spans_by_subject(warning: SplitWarning, text: str) -> dict[str, list[Span]]:
    """Return the warning's subjects, each with its spans in `text`, in order."""
    if warning.kind not in WORD_KINDS:
        return {warning.clip or "summary": list(warning.spans)}
    by_subject: dict[str, list[Span]] = {}
    for start, end in warning.spans:
        by_subject.setdefault(normal_form(text[start:end]), []).append((start, end))
    return by_subject


def part_kept(
    warning: SplitWarning, text: str, content: Mapping[str, str]
) -> tuple[SplitWarning | None, SplitWarning | None]:
    """Return the active and the dismissed part of the warning, None for an empty part."""
    kept = kept_subjects(content, warning.field, warning.kind)
    by_subject = spans_by_subject(warning, text)
    if warning.kind not in WORD_KINDS:
        return (None, warning) if kept.issuperset(by_subject) else (warning, None)

    def only(is_kept: bool) -> SplitWarning | None:
        spans = sorted(
            span
            for subject, places in by_subject.items()
            if (subject in kept) == is_kept
            for span in places
        )
        return about_words(warning.field, warning.kind, text, spans) if spans else None

    return only(False), only(True)


def with_dismissals(
    warning: SplitWarning, text: str, content: Mapping[str, str]
) -> list[tuple[SplitWarning, bool]]:
    """Return the warning, divided if some of its words are dismissed; True marks the dismissed
    part.
    """
    remaining, kept = part_kept(warning, text, content)
    pairs = [(remaining, False), (kept, True)]
    return [(problem, dismissed) for problem, dismissed in pairs if problem is not None]
