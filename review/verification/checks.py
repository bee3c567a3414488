"""Checks a judgment of a caption before it counts. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from annotate.text.parts import Problem
from annotate.text.sentences import Sentence
from annotate.text.words import count_words
from review.verification.judgment import DELETED, NO_FRAME, Judgment, Missing, Verdict

MIN_MISSING = 3
"""Seconds: a transition that lasts that long is missing when it isn't mentioned (appendix B.3)."""


def problems_of(
    judgment: Judgment,
    sentences: Sequence[Sentence],
    *,
    frames: int,
    fps: Fraction,
    noun: str = "clip",
) -> list[Problem]:
    """Return what must be fixed before the judgment counts, in the order of the text.

    `frames` and `fps` are the clip's, and `noun` is what the page calls it. A problem's field is
    that of the work page: `verdict-<n>`, `correction-<n>`, `span-<n>-start`,
    `missing-<place>-text`, `missing-<place>-start`, `theme`, or "" for the whole.
    """
    if len(judgment.verdicts) != len(sentences):
        raise ValueError(f"{len(judgment.verdicts)} verdicts for {len(sentences)} sentences.")
    by_place = {missing.place: missing for missing in judgment.missing}
    lonely = _without_segment(judgment)
    problems = _undecided(judgment.verdicts)
    for number, sentence in enumerate(sentences):
        verdict = judgment.verdicts[number]
        if number in by_place:
            problems += _of_missing(by_place[number], judgment.verdicts, frames, fps)
        if message := _of_verdict(verdict, sentence):
            problems.append(Problem(f"correction-{number}", f"Sentence {number + 1} {message}"))
        if message := _of_own_span(verdict, frames):
            problems.append(Problem(f"span-{number}-start", f"Sentence {number + 1} {message}"))
        if number in lonely:
            message = "is marked C but has no missing segment: "
            message += "insert the missing content before or after it, or remove C."
            if not is_long_enough(frames, fps):
                message = f"is marked C, but {_too_short(frames, fps)}: remove C."
            problems.append(Problem(f"verdict-{number}", f"Sentence {number + 1} {message}"))
    if len(sentences) in by_place:
        problems += _of_missing(by_place[len(sentences)], judgment.verdicts, frames, fps)
    problems += _of_theme(judgment, noun)
    if all(verdict.is_deleted for verdict in judgment.verdicts) and not by_place:
        mend = "correct at least one sentence, or insert missing content."
        problems.append(Problem("", f"The corrected caption would be empty: {mend}"))
    return problems


def is_long_enough(frames: int, fps: Fraction) -> bool:
    """Return whether a clip of this number of frames is long enough for a missing segment."""
    return frames / fps >= MIN_MISSING


def _undecided(verdicts: Sequence[Verdict]) -> list[Problem]:
    """Return one problem for each range of sentences, so that ten thousand of them make one
    line.
    """
    problems = []
    start = None
    for number, verdict in enumerate([*verdicts, Verdict(frozenset())]):
        if verdict.types is None:
            start = number if start is None else start
        elif start is not None:
            which = f"Sentence {number} is"
            if number - start > 1:
                joint = "and" if number - start == 2 else "to"
                which = f"Sentences {start + 1} {joint} {number} are"
            problems.append(
                Problem(f"verdict-{start}", f"{which} undecided: choose ok, or A, B, C or D.")
            )
            start = None
    return problems


def _of_verdict(verdict: Verdict, sentence: Sentence) -> str:
    """Return what is wrong with the correction of a sentence, as the end of a message; "" without a
    problem.
    """
    types = verdict.types
    if types is None:
        return ""
    correction = verdict.correction.strip()
    if verdict.is_deleted and correction:
        return "is both deleted and corrected: choose one."
    if verdict.is_deleted:
        if types & {"B", "D"}:
            return ""
        return "is deleted, but is not redundant or off topic: mark it B or D, or keep it."
    if not types & {"A", "B", "D"}:
        if correction:
            return "has a correction but no error: mark it A, B or D, or remove the correction."
        return ""
    if not correction:
        if "A" in types:
            mend = "write the corrected sentence"
            return f"is marked {verdict.code}: {mend}{_or_delete(types)}."
        what = "redundant" if "B" in types else "off topic"
        mend = "without the redundant part" if "B" in types else "on topic"
        return f"is {what}: write it {mend}, or delete it."
    if correction == DELETED:
        return f"has the correction {DELETED}, which marks a deletion: delete the sentence."
    if not count_words(correction):
        return f"has a correction without words: write the sentence{_or_delete(types)}."
    if correction == sentence.text:
        return "has a correction identical to the original: change it, or mark the sentence ok."
    if not types & {"A", "D"} and len(correction) >= len(sentence.text):
        return "is only redundant (B), but its correction is not shorter: shorten it, or add A."
    return ""


def _of_own_span(verdict: Verdict, frames: int) -> str:
    if verdict.span is None:
        return ""
    start, end = verdict.span
    if NO_FRAME in (start, end):
        return "has only one of start and end frame: set both, or clear both."
    if not 0 <= start < end <= frames:
        mend = f"choose a span from 0 to {frames}, or clear both"
        return f"covers frames {start} to {end}: {mend}."
    return ""


def _or_delete(types: frozenset[str]) -> str:
    return ", or delete it" if types & {"B", "D"} else ""


def _without_segment(judgment: Judgment) -> set[int]:
    """Return the sentences with C for which no missing segment is left. Each needs its own, because
    otherwise one gap would count as two errors.
    """
    free = {missing.place for missing in judgment.missing}
    lonely = set()
    for number, verdict in enumerate(judgment.verdicts):
        if "C" not in (verdict.types or ()):
            continue
        own = next((place for place in (number, number + 1) if place in free), None)
        if own is None:
            lonely.add(number)
        else:
            free.remove(own)
    return lonely


def _of_missing(
    missing: Missing, verdicts: Sequence[Verdict], frames: int, fps: Fraction
) -> list[Problem]:
    where = f"The missing segment before sentence {missing.place + 1}"
    if missing.place == len(verdicts):
        where = "The missing segment at the end"
    field = f"missing-{missing.place}-start"
    if not is_long_enough(frames, fps):
        return [
            Problem(field, f"{where} is not possible because {_too_short(frames, fps)}: remove it.")
        ]
    problems = []
    if not count_words(missing.text):
        mend = "describe what the clip shows, or remove it."
        problems.append(Problem(f"missing-{missing.place}-text", f"{where} has no words: {mend}"))
    if message := _of_span(missing, frames, fps):
        problems.append(Problem(field, f"{where} {message}"))
    neighbors = verdicts[max(missing.place - 1, 0) : missing.place + 1]
    # An undecided sentence already has its own problem.
    if all(v.types is not None and "C" not in v.types for v in neighbors):
        number = min(missing.place, len(verdicts) - 1)
        problems.append(
            Problem(
                f"verdict-{number}",
                f"{where} has no C next to it: mark sentence {number + 1} C.",
            )
        )
    return problems


def _of_span(missing: Missing, frames: int, fps: Fraction) -> str:
    start, end = missing.start_frame, missing.end_frame
    if NO_FRAME in (start, end):
        return "lacks a start or an end: set both from the player."
    if not 0 <= start < end <= frames:
        return f"covers frames {start} to {end}: choose a span from 0 to {frames}."
    if (end - start) / fps < MIN_MISSING:
        return (
            f"lasts {_seconds(end - start, fps)}, but C needs at least "
            f"{MIN_MISSING} s: choose a longer span, or remove it."
        )
    return ""


def _too_short(frames: int, fps: Fraction) -> str:
    lasts = _seconds(frames, fps)
    return f"the clip lasts {lasts} and C needs at least {MIN_MISSING} s"


def _seconds(frames: int, fps: Fraction) -> str:
    return f"{floor(frames / fps * 100) / 100:g} s"  # 2.999 s must not be shown as 3 s


def _of_theme(judgment: Judgment, noun: str) -> list[Problem]:
    if judgment.fits_theme is None:
        return [Problem("theme", f"Say whether the caption as a whole is about this {noun}.")]
    types = [verdict.types for verdict in judgment.verdicts]
    if not judgment.fits_theme and all(t is not None and "D" not in t for t in types):
        mend = "mark the sentences that are off topic D."
        return [Problem("theme", f"The caption is off topic, but no sentence has D: {mend}")]
    return []
