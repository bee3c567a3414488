"""The page of a verification: the sentences with what is said of each, and the caption rebuilt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate.content import Content
from annotate.errors import AnnotateError
from annotate.models import Assignment
from annotate.text.diff import DiffSpan, word_diff
from review.services.verifying import sentences_of, verified_caption
from review.verification import Judgement, Verdict, gaps_of, rebuild
from review.verification_checks import SHORTEST_MISSING
from review.verification_content import read_judgement, sentences_key

# A difference of more words takes longer than somebody waits for a page.
LONGEST_DIFF = 40_000


@dataclass(frozen=True)
class Gap:
    """A place where something may be missing, with what is typed about it."""

    place: int
    text: str
    start: str
    end: str
    is_open: bool


@dataclass(frozen=True)
class Row:
    """A sentence as typed: `verdict` is the field's text. `gap` is the place before it."""

    number: int
    text: str
    ends_paragraph: bool
    verdict: str
    correction: str
    is_deleted: bool
    is_open: bool
    gap: Gap


def verify_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    try:
        caption = verified_caption(assignment.item)
    except AnnotateError as error:
        return {"rows": [], "no_caption": str(error), "shortest_missing": SHORTEST_MISSING}
    key = sentences_key(caption.pk)
    typed = content if content.get("sentences", key) == key else {}
    sentences = sentences_of(caption.text)
    judgement, _ = read_judgement(typed, len(sentences))
    rows = []
    for number, (sentence, verdict) in enumerate(zip(sentences, judgement.verdicts, strict=True)):
        before = sentences[number - 1].end if number else 0
        rows.append(
            Row(
                number=number,
                text=sentence.text,
                ends_paragraph="\n" in caption.text[before : sentence.start],
                verdict=typed.get(f"verdict-{number}", ""),
                correction=typed.get(f"correction-{number}", ""),
                is_deleted=verdict.is_deleted,
                is_open=_is_open(verdict),
                gap=_gap(typed, number, "C" in (verdict.types or ())),
            )
        )
    return {
        "rows": rows,
        "end_gap": _gap(typed, len(sentences), is_open=False),
        "sentences_key": key,
        "theme": typed.get("theme", ""),
        "decided": sum(verdict.types is not None for verdict in judgement.verdicts),
        "shortest_missing": SHORTEST_MISSING,
        "changes": _changes(caption.text, judgement),
        "gaps": gaps_of(caption.text, sentences),
    }


def _is_open(verdict: Verdict) -> bool:
    """Whether the row has the fields of a correction: each sentence with them would be too many."""
    has_fault = bool((verdict.types or frozenset()) - {"C"})
    return has_fault or bool(verdict.correction) or verdict.is_deleted


def _gap(content: Content, place: int, is_open: bool) -> Gap:
    text, start, end = (
        content.get(f"missing-{place}-{part}", "") for part in ("text", "start", "end")
    )
    return Gap(place, text, start, end, is_open or bool(text or start or end))


def _changes(text: str, judgement: Judgement) -> list[DiffSpan] | None:
    """From the machine's caption to the one rebuilt; None where it is too long to compare."""
    new = rebuild(text, sentences_of(text), judgement)
    if len(text) + len(new) > LONGEST_DIFF:
        return None
    return word_diff(text, new)
