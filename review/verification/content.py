"""The draft of a verification: convert between the form's fields and a judgment.

Sentences, places and the clip's frames count from 0, as in `review.verification.judgment`.
"""

from __future__ import annotations

import re

from annotate.queue.content import Content
from annotate.queue.fields import DraftField
from annotate.text.parts import Problem
from annotate.text.sentences import SPLITTER, Sentence
from review.verification.judgment import NO_FRAME, Judgment, Missing, Verdict, parse_types
from review.verification.models import SentenceVerdict, Verification

OK = "ok"
THEMES = {"ok": True, "off": False}
RIGHT_THEME = "video_theme"
EDGES = ("start", "end")
PARTS = ("text", *EDGES)
MISSING_FIELD = re.compile(rf"missing-(\d{{1,6}})-({'|'.join(PARTS)})", re.ASCII)
ASIDE_FIELD = re.compile(r"before-(?:mend|span|missing)-(\d{1,6})", re.ASCII)
MAX_DIGITS = 9
FRAME = f"[0-9]{{1,{MAX_DIGITS}}}"
ASIDE = "Text typed for a verdict that another one has replaced, as a JSON list; not judged."
FIELDS = (
    DraftField("sentences", "The key of the sentences, as in the task."),
    DraftField(
        "verdict-<n>",
        "Of each sentence, from 0: ok, or its types, joined with #",
        pattern="ok|[A-D](#[A-D]){0,3}",
    ),
    DraftField("correction-<n>", "The corrected sentence."),
    DraftField("delete-<n>", "Delete the whole sentence.", ("1",)),
    *(
        DraftField(f"span-<n>-{edge}", "A frame that the sentence is about, from 0", pattern=FRAME)
        for edge in EDGES
    ),
    DraftField("missing-<n>-text", "What is missing before this sentence."),
    *(DraftField(f"missing-<n>-{edge}", "Its frame, from 0", pattern=FRAME) for edge in EDGES),
    DraftField("theme", "Does the caption fit the theme?", tuple(THEMES)),
    DraftField(RIGHT_THEME, "The right theme of the video, if the task has a wrong one."),
    *(DraftField(f"before-{what}-<n>", ASIDE) for what in ("mend", "span", "missing")),
)


def sentences_key(caption_id: int) -> str:
    """Return what sentence numbers refer to: the caption and the splitter."""
    return f"{caption_id}, {SPLITTER}"


def read_judgment(content: Content, sentences: int) -> tuple[Judgment, list[Problem]]:
    """Return the judgment of a caption of this number of sentences, and the problems in its fields.

    A field that can't be read counts as undecided and is a problem.
    """
    problems: list[Problem] = []
    verdicts = tuple(_verdict(content, number, problems) for number in range(sentences))
    places = _places(content, sentences, problems)
    missing = tuple(_missing(content, place) for place in places)
    fits_theme = THEMES.get(content.get("theme", ""))
    return Judgment(verdicts, missing, fits_theme), problems


def _verdict(content: Content, number: int, problems: list[Problem]) -> Verdict:
    code = content.get(f"verdict-{number}", "")
    types = None
    if code:
        try:
            types = parse_types("" if code == OK else code)
        except ValueError as error:
            problems.append(Problem(f"verdict-{number}", f"Sentence {number + 1}: {error}"))
    return Verdict(
        types,
        content.get(f"correction-{number}", "").strip(),
        content.get(f"delete-{number}") == "1",
        _span(content, number),
    )


def _span(content: Content, number: int) -> tuple[int, int] | None:
    """Return None only if both fields are empty; a field that can't be read is a problem."""
    start, end = (content.get(f"span-{number}-{edge}", "").strip() for edge in EDGES)
    return (_frame(start), _frame(end)) if start or end else None


def _places(content: Content, sentences: int, problems: list[Problem]) -> list[int]:
    """Return the places with text or frames of a missing segment, in order."""
    named = {
        int(match[1])
        for name, value in content.items()
        if value.strip() and (match := MISSING_FIELD.fullmatch(name))
    }
    beyond = sorted(place for place in named if place > sentences)
    for place in beyond:
        message = f"A missing segment is placed before sentence {place + 1}, which does not exist."
        problems.append(Problem(f"missing-{place}-text", f"{message} Insert it elsewhere."))
    return sorted(named.difference(beyond))


def _missing(content: Content, place: int) -> Missing:
    text, start, end = (content.get(f"missing-{place}-{part}", "").strip() for part in PARTS)
    return Missing(place, text, _frame(start), _frame(end))


def _frame(value: str) -> int:
    is_frame = value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS
    return int(value) if is_frame else NO_FRAME


def _frames(stored: SentenceVerdict) -> tuple[int, int] | None:
    if stored.start_frame is None or stored.end_frame is None:
        return None
    return stored.start_frame, stored.end_frame


def judgment_of(verification: Verification) -> Judgment:
    """Return the stored verification as a judgment."""
    return Judgment(
        tuple(
            Verdict(
                parse_types(stored.types),
                stored.correction,
                stored.is_deleted,
                _frames(stored),
            )
            for stored in verification.verdicts.all()
        ),
        tuple(
            Missing(stored.place, stored.text, stored.start_frame, stored.end_frame)
            for stored in verification.missing_segments.all()
        ),
        verification.fits_theme,
    )


def judged_sentences(verification: Verification) -> list[Sentence]:
    """Return the sentences from their stored ranges, which is faster than splitting again."""
    text = verification.caption.text
    return [
        Sentence(stored.start, stored.end, text[stored.start : stored.end])
        for stored in verification.verdicts.all()
    ]
