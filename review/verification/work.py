"""The page of a verification: the sentences with their verdicts, and the rebuilt caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotate.corpus.precedence import only_outdated
from annotate.errors import AnnotateError
from annotate.keys.lists import Key
from annotate.models import Assignment, Caption, Role, WorkItem
from annotate.queue.content import Content
from annotate.queue.queries import caption_asked_about
from annotate.queue.work_kinds import Context, WorkKind
from annotate.text.sentences import Sentence
from annotate.text.spans import timeline_spans, with_times
from inference.queries import current_theme
from review.verification.checks import MIN_MISSING, is_long_enough
from review.verification.content import (
    ASIDE_FIELD,
    EDGES,
    FIELDS,
    RIGHT_THEME,
    read_judgment,
    sentences_key,
)
from review.verification.judgment import Judgment, Verdict, caption_changes, gaps_of
from review.verification.pre_tags import pre_tags
from review.verification.queueing import kept_for_studies
from review.verification.recording import sentences_of
from review.verification.services import submit_verification

# A browser lays out each such list only when it comes near the screen. Ten thousand rows in one
# list, or in a list each, take many seconds.
ROWS_IN_LIST = 100
# Without scripts each sentence shows the fields of its frames, and more of them would come close to
# the maximum number of fields in a form.
MAX_PLAIN_SPANS = 300


@dataclass(frozen=True)
class Span:
    """The frames that a sentence is about, as typed."""

    start: str
    end: str


@dataclass(frozen=True)
class Gap:
    """The typed text and frames of a missing segment; `before` names the sentence after it."""

    place: int
    before: str
    text: str
    start: str
    end: str


@dataclass(frozen=True)
class Aside:
    """The input of an earlier verdict, as stored in the draft by the page's script."""

    name: str
    value: str


@dataclass(frozen=True)
class Row:
    """A sentence with the form's input. `verdict` is the field's text. `gap` is the missing segment
    before it, or None.
    """

    number: int
    text: str
    begins_paragraph: bool
    verdict: str
    correction: str
    is_deleted: bool
    is_open: bool
    span: Span | None
    gap: Gap | None
    aside: list[Aside]


def verify_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    try:
        caption = caption_asked_about(assignment.item)
    except AnnotateError as error:
        return {"rows": [], "no_caption": str(error), "shortest_missing": MIN_MISSING}
    is_of_video = caption.kind == Caption.Kind.FULL_VIDEO
    key = sentences_key(caption.pk)
    typed = content if content.get("sentences", key) == key else {}
    sentences = sentences_of(caption.text)
    judgment, _ = read_judgment(typed, len(sentences))
    gaps = gaps_of(caption.text, sentences)
    theme = current_theme(caption.clip.video)
    may_miss = is_long_enough(caption.clip.frames, caption.clip.video.fps)
    rows = _rows(sentences, judgment, typed, gaps=gaps, may_miss=may_miss)
    return {
        "rows": rows,
        "sentence_spans": timeline_spans(
            with_times(caption.text, caption.spans, [sentence.text for sentence in sentences])
        ),
        "lists": [rows[at : at + ROWS_IN_LIST] for at in range(0, len(rows), ROWS_IN_LIST)],
        "end_gap": _gap(typed, len(sentences), "the end"),
        "end_aside": _asides(typed).get(len(sentences), []),
        "sentences_key": key,
        "theme": typed.get("theme", ""),
        "video_theme": theme,
        "may_correct_theme": bool(theme and theme.author in (None, assignment.annotator)),
        "right_theme": content.get(RIGHT_THEME, ""),
        "decided": sum(verdict.types is not None for verdict in judgment.verdicts),
        "shortest_missing": MIN_MISSING,
        "may_miss": may_miss,
        "is_of_video": is_of_video,
        "is_outdated": is_of_video
        and only_outdated(Caption.objects.filter(pk=caption.pk)).exists(),
        "has_plain_spans": len(rows) <= MAX_PLAIN_SPANS,
        "changes": caption_changes(caption.text, sentences, judgment),
        "pre_tags": pre_tags(assignment.item, assignment.annotator, caption, judgment.verdicts),
    }


def _rows(
    sentences: Sequence[Sentence],
    judgment: Judgment,
    typed: Content,
    *,
    gaps: Sequence[str],
    may_miss: bool,
) -> list[Row]:
    asides = _asides(typed)
    return [
        Row(
            number=number,
            text=sentence.text,
            begins_paragraph=bool(number) and "\n" in gaps[number],
            verdict=typed.get(f"verdict-{number}", ""),
            correction=_correction(typed, number, sentence, verdict),
            is_deleted=verdict.is_deleted,
            is_open=_is_open(verdict),
            span=_span(typed, number),
            gap=_gap(
                typed,
                number,
                f"sentence {number + 1}",
                is_due=may_miss and "C" in (verdict.types or ()),
            ),
            aside=asides.get(number, []),
        )
        for number, (sentence, verdict) in enumerate(zip(sentences, judgment.verdicts, strict=True))
    ]


def _correction(typed: Content, number: int, sentence: Sentence, verdict: Verdict) -> str:
    """Return the typed correction, or the original sentence if a correction is due and none is
    typed.
    """
    correction = typed.get(f"correction-{number}", "")
    is_due = bool((verdict.types or frozenset()) - {"C"}) and not verdict.is_deleted
    return sentence.text if is_due and not correction.strip() else correction


def _asides(typed: Content) -> dict[int, list[Aside]]:
    """Return the set-aside input by the number of the sentence or the place."""
    asides: dict[int, list[Aside]] = {}
    for name, value in typed.items():
        if value and (match := ASIDE_FIELD.fullmatch(name)):
            asides.setdefault(int(match[1]), []).append(Aside(name, value))
    return asides


def _is_open(verdict: Verdict) -> bool:
    """Return whether the row shows the fields of a correction; showing all would be too many."""
    has_fault = bool((verdict.types or frozenset()) - {"C"})
    return has_fault or bool(verdict.correction) or verdict.is_deleted


def _span(content: Content, number: int) -> Span | None:
    start, end = (content.get(f"span-{number}-{edge}", "") for edge in EDGES)
    return Span(start, end) if start or end else None


def _gap(content: Content, place: int, before: str, *, is_due: bool = False) -> Gap | None:
    text = content.get(f"missing-{place}-text", "")
    start, end = (content.get(f"missing-{place}-{edge}", "") for edge in EDGES)
    return Gap(place, before, text, start, end) if is_due or text or start or end else None


def tagged_caption(caption: Caption, content: Content) -> list[str]:
    """Return the caption, its sentences with their types and corrections, and what is missing."""
    sentences = sentences_of(caption.text)
    judgment, _ = read_judgment(content, len(sentences))
    tagged = [
        f"{number}. {sentence.text}\n{_verdict_in_words(verdict)}"
        for number, (sentence, verdict) in enumerate(
            zip(sentences, judgment.verdicts, strict=True), 1
        )
    ]
    missing = [f"Before sentence {gap.place + 1}: {gap.text}" for gap in judgment.missing]
    return [caption.text, "\n".join(tagged), "\n".join(missing)]


def _verdict_in_words(verdict: Verdict) -> str:
    types = ", ".join(sorted(verdict.types or ()))
    if not types:
        return "→ right"
    if verdict.is_deleted:
        return f"→ {types}, delete the sentence"
    return f"→ {types}: {verdict.correction}" if verdict.correction else f"→ {types}"


class Verify(WorkKind):
    kind = "verify"
    label = "Verify"
    activity = "verifying"
    roles = (Role.ANNOTATOR, Role.REVIEWER)
    submitted = "Verification submitted"
    can_be_chosen = True
    leaves_place_to_people = True
    counted_as = "Machine captions verified"
    is_about_captions = True
    waits_while_left_out = True
    template = "review/verification/work_verify.html"
    keys_heading = "A sentence"
    keys = (
        Key("ok", "ok", ("KeyO",), ("Alt+Digit0",)),
        Key("A", "A, wrong", ("KeyA",), ("Alt+Digit1",)),
        Key("B", "B, redundant", ("KeyB",), ("Alt+Digit2",)),
        Key("C", "C, missing content", ("KeyC",), ("Alt+Digit3",)),
        Key("D", "D, off topic", ("KeyD",), ("Alt+Digit4",)),
        Key("edit", "Edit it", ("KeyE",)),
        Key("delete", "Delete it, keep it", ("Delete",)),
        Key("insert", "Insert what is missing before it", ("KeyI",), ("Alt+Digit5",)),
        Key("play", "Play its frames", ("KeyP",), ("Alt+Digit6",)),
        Key("start", "Seen from here", ("KeyF",), ("Alt+Digit7",)),
        Key("end", "Seen to here", ("KeyT",), ("Alt+Digit8",)),
        Key("theme", "Theme: yes; press again for no", ("KeyW",), ("Alt+Digit9",)),
        Key("up", "Sentence above", ("ArrowUp",), ("Alt+ArrowUp",)),
        Key("down", "Sentence below", ("ArrowDown",), ("Alt+ArrowDown",)),
        Key("undecided", "Next undecided sentence", ("KeyN",)),
        Key("first", "First sentence", ("Home",)),
        Key("last", "Last sentence", ("End",)),
    )
    submit = staticmethod(submit_verification)
    fields = FIELDS
    noun = "caption"
    skip_reasons = (
        "The video does not play",
        "Too dark to see",
        "The caption is in another language",
    )
    example_headings = ("Caption of the model", "Sentences", "Missing")
    none_yet = "Captions appear here when an admin hands them out."
    none_free = "No caption waits for another person to verify it now."
    none_for_you = "You have verified or skipped every waiting caption."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return verify_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        caption = caption_asked_about(assignment.item)
        return {
            "sentences": [sentence.text for sentence in sentences_of(caption.text)],
            "sentences_key": sentences_key(caption.pk),
            "theme": str(current_theme(caption.clip.video) or ""),
        }

    def texts(self, draft: Content) -> list[str]:
        decided = sum(bool(value) for name, value in draft.items() if name.startswith("verdict-"))
        written = [
            value
            for name, value in draft.items()
            if name.startswith("correction-")
            or (name.startswith("missing-") and name.endswith("-text"))
        ]
        return [f"{decided} decided.", *written] if decided or any(written) else []

    def example_parts(self, assignment: Assignment) -> list[str]:
        return tagged_caption(caption_asked_about(assignment.item), assignment.draft)

    def outlives(self, items: Sequence[WorkItem]) -> set[int]:
        return kept_for_studies(items)
