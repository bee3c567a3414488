"""The four parts of a Stage-I write-up, and their checks."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotate.text.sentences import split_sentences
from annotate.text.words import count_words

PARTS = ("overview", "objects", "actions", "misc")
"""The parts in the order in which the caption joins them."""

PART_HEADINGS = ("Overview", "Objects", "Actions", "Misc")

SENTENCES = {"overview": (1, 1), "misc": (2, 4)}
"""The least and the most sentences of the parts that have a rule."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason why a write-up can't be submitted; `field` is a part, or "" for the whole text."""

    field: str
    message: str


def join_parts(parts: Mapping[str, str]) -> str:
    """Return the caption: the parts in order, stripped, the empty left out, one space between.

    White space inside a part is kept as written; a missing part counts as empty. Raises ValueError
    for an unknown part, so that no text is silently dropped.
    """
    _refuse_unknown(parts)
    stripped = (parts.get(part, "").strip() for part in PARTS)
    return " ".join(text for text in stripped if text)


def check_parts(parts: Mapping[str, str], *, min_words: int, max_words: int) -> list[Problem]:
    """Return what must be fixed before this write-up can be submitted, part by part."""
    _refuse_unknown(parts)
    problems = []
    for part in PARTS:
        message = _problem_of_part(part, parts.get(part, ""))
        if message:
            problems.append(Problem(part, message))
    words = count_words(join_parts(parts))
    if words < min_words:
        mend = f"write {min_words - words} more (allowed: {min_words} to {max_words})."
        problems.append(Problem("", f"The whole text has {_count(words, 'word')}; {mend}"))
    elif words > max_words:
        mend = f"take {words - max_words} out (allowed: {min_words} to {max_words})."
        problems.append(Problem("", f"The whole text has {_count(words, 'word')}; {mend}"))
    return problems


def _problem_of_part(part: str, text: str) -> str:
    name = part.capitalize()
    if not count_words(text):
        return f"{name} is empty; write {_expected(part)}."
    if part not in SENTENCES:
        return ""
    least, most = SENTENCES[part]
    sentences = len(split_sentences(text))
    if least <= sentences <= most:
        return ""
    number = "exactly 1" if least == most else f"{least} to {most}"
    return f"{name} has {_count(sentences, 'sentence')}; write {number}."


def _expected(part: str) -> str:
    return {
        "overview": "1 sentence that sums up the video",
        "objects": "what can be seen",
        "actions": "what happens, in order",
        "misc": "2 to 4 sentences on viewpoint, style and mood",
    }[part]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _refuse_unknown(parts: Mapping[str, str]) -> None:
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise ValueError(f"Unknown part {unknown[0]!r}; the parts are {', '.join(PARTS)}.")
