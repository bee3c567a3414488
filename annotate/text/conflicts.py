"""Find contradictions between two aligned sentences: numbers, colors, sides, order.

Precise rather than complete: only statements about the same thing are compared, and a detail that
one sentence lacks is not a conflict.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import combinations
from typing import Literal

import regex

from annotate.text.content import Token, content_words, stem, stems_of, tokens
from annotate.text.lexicon import (
    ADJECTIVES,
    COLORS,
    DETERMINERS,
    NUMBERS,
    SAME_THING,
    SHADES,
    SIDE_NOUNS,
    SIDES,
)
from metrics.similarity import jaccard

Kind = Literal["number", "colour", "side", "order"]

SAME_STEP = 0.3
"""From this similarity on, two clauses describe the same action."""

_LINKS = frozenset({"and", "or"})
_BE = frozenset({"are", "is", "was", "were"})
_NOT_ONE = frozenset({"another", "any", "each", "every", "no", "other", "that", "the", "this"})
_SIDE_BEFORE = DETERMINERS | {"bottom", "far", "from", "lower", "on", "to", "top", "upper"}
_AREAS = stems_of(frozenset({"corner", "edge", "half", "part", "side"}))
_SAME_THING = {stem(word): name for word, name in SAME_THING.items()}
_ORDER_MARK = regex.compile(
    r"[,;.]?\s*\b(?:and\s+then|then|after\s+that|afterwards?|next|later|finally|followed\s+by"
    r"|before|after)\b[,\s]*",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Conflict:
    """One contradiction, with the words of each sentence that cause it."""

    kind: Kind
    a_text: str
    b_text: str
    message: str


@dataclass(frozen=True, slots=True)
class Detail:
    """A sentence's detail about some things: the possible values, the things, and its own words."""

    values: frozenset[str]
    things: frozenset[str]
    text: str


def find_conflicts(a: str, b: str) -> list[Conflict]:
    """Return the contradictions between two aligned sentences, empty if they agree."""
    conflicts = []
    for kind, (name, details) in _DETAILS.items():
        for ours, theirs in _contradictions(details(a), details(b)):
            message = f"The {name} differ: “{ours.text}” and “{theirs.text}”."
            conflicts.append(Conflict(kind, ours.text, theirs.text, message))
    return conflicts + _order_conflicts(a, b)


def _contradictions(a: list[Detail], b: list[Detail]) -> list[tuple[Detail, Detail]]:
    def said_of(details: list[Detail], thing: str) -> frozenset[str]:
        return frozenset().union(*(d.values for d in details if thing in d.things))

    contradictions = []
    for ours in a:
        for theirs in b:
            shared = ours.things & theirs.things
            # "Two dogs" contradicts "three dogs", but "two dogs, three dogs" agrees with both.
            if shared and all(said_of(a, thing).isdisjoint(said_of(b, thing)) for thing in shared):
                contradictions.append((ours, theirs))
    return contradictions


def _numbers(text: str) -> list[Detail]:
    words = tokens(text)
    details = []
    for place, token in enumerate(words):
        value = _number(words, place)
        if value is None:
            continue
        run = _content_run(text, words, place + 1)
        things = frozenset({stem("time")}) if token.word == "twice" else _things(run)
        end = run[-1].end if run and token.word != "twice" else token.end
        if things:
            details.append(Detail(frozenset({value}), things, text[token.start : end]))
    return details


def _number(words: list[Token], place: int) -> str | None:
    token = words[place]
    if token.word == "twice":
        return "2"
    if token.word == "one" and place and words[place - 1].word in _NOT_ONE:
        return None
    if token.word in NUMBERS:
        return str(NUMBERS[token.word])
    if not token.word[:1].isdigit():
        return None
    digits = regex.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", token.word).replace(",", ".")
    try:
        return str(Decimal(digits).normalize())
    except InvalidOperation:
        return None


def _colors(text: str) -> list[Detail]:
    words = tokens(text)
    details = []
    place = 0
    while place < len(words):
        start = end = place
        values: set[str] = set()
        # "red and white" is one statement about the words that follow.
        while end < len(words) and (
            words[end].word in COLORS
            or (values and words[end].word in _LINKS | SHADES and _color_follows(words, end + 1))
        ):
            values |= set(COLORS.get(words[end].word, "").split())
            end += 1
        if not values:
            place += 1
            continue
        run = _content_run(text, words, end)
        things = _things(run) or _subject(words, start)
        phrase = text[words[start].start : (run[-1] if run else words[end - 1]).end]
        if things:
            details.append(Detail(frozenset(values), things, phrase))
        place = end
    return details


def _color_follows(words: list[Token], place: int) -> bool:
    while place < len(words) and words[place].word in SHADES:
        place += 1
    return place < len(words) and words[place].word in COLORS


def _subject(words: list[Token], place: int) -> frozenset[str]:
    """Return the thing in "the shirt is dark red"."""
    place -= 1
    while place >= 0 and words[place].word in SHADES:
        place -= 1
    if place < 1 or words[place].word not in _BE:
        return frozenset()
    return _things([words[place - 1]])


def _sides(text: str) -> list[Detail]:
    words = tokens(text)
    by_thing: dict[frozenset[str], list[tuple[str, str]]] = defaultdict(list)
    for place, token in enumerate(words):
        if token.word not in SIDES:
            continue
        axis, value = SIDES[token.word]
        before = words[place - 1].word if place else ""
        after = words[place + 1] if place + 1 < len(words) else None
        noun = after.stem if after and after.word in SIDE_NOUNS else ""
        if axis == "rotation":
            turned = value if before not in ("counter", "anti") else "counter-clockwise"
            start = token.start if before not in ("counter", "anti") else words[place - 1].start
            by_thing[frozenset({axis})].append((turned, text[start : token.end]))
        elif noun or before in _SIDE_BEFORE:
            end = after.end if after and noun else token.end
            thing = "" if noun in _AREAS else noun
            by_thing[frozenset({f"{axis} {thing}"})].append((value, text[token.start : end]))
    return [
        Detail(frozenset(value for value, _ in sides), things, sides[0][1])
        for things, sides in by_thing.items()
    ]


def _content_run(text: str, words: list[Token], place: int) -> list[Token]:
    """Return the content words that follow without a break, at most four."""
    run: list[Token] = []
    while place < len(words) and len(run) < 4 and words[place].is_content:
        between = text[words[place - 1].end : words[place].start]
        if between.strip(" -\u2010\u2011") or words[place].word in NUMBERS:
            break
        run.append(words[place])
        place += 1
    return run


def _things(run: list[Token]) -> frozenset[str]:
    plain = ADJECTIVES | SHADES | COLORS.keys()
    return frozenset(
        _SAME_THING.get(token.stem, token.stem) for token in run if token.word not in plain
    )


def _order_conflicts(a: str, b: str) -> list[Conflict]:
    ours, theirs = _steps(a), _steps(b)
    if len(ours) < 2 or len(theirs) < 2:
        return []
    # Words in every step (usually the subject) don't help to match steps.
    shared = frozenset.intersection(*(_stems(step) for step in ours + theirs))
    scores = [[_step_score(step, other, shared) for other in theirs] for step in ours]
    matches = [
        (i, k)
        for i, row in enumerate(scores)
        for k, score in enumerate(row)
        # A repeated step could be matched either way, so it proves nothing.
        if score >= SAME_STEP
        and sum(other >= score for other in row) == 1
        and sum(other[k] >= score for other in scores) == 1
    ]
    for (i, k), (j, m) in combinations(matches, 2):
        if i < j and k > m:
            a_text, b_text = f"{ours[i]} … {ours[j]}", f"{theirs[m]} … {theirs[k]}"
            message = f"The order differs: “{a_text}” and “{b_text}”."
            return [Conflict("order", a_text, b_text, message)]
    return []


def _steps(text: str) -> list[str]:
    """Return the clauses in the order of events, as far as the text gives it."""
    steps: list[str] = []
    start, mark = 0, ""
    for match in [*_ORDER_MARK.finditer(text), None]:
        clause = text[start : match.start() if match else len(text)].strip(" ,.;\n")
        if clause and mark in ("before", "after") and not steps and "," in clause:
            other, main = (part.strip() for part in clause.split(",", 1))
            steps += [main, other] if mark == "before" else [other, main]
        elif clause and mark == "after":
            steps.insert(max(len(steps) - 1, 0), clause)
        elif clause:
            steps.append(clause)
        if match:
            start, mark = match.end(), match[0].lower().strip(" ,;.\n")
    return steps


@lru_cache(maxsize=500)  # each step is compared with every other, several times
def _stems(step: str) -> frozenset[str]:
    return frozenset(token.stem for token in content_words(step))


def _step_score(a: str, b: str, shared: frozenset[str]) -> float:
    return jaccard(_stems(a) - shared, _stems(b) - shared) or 0.0


_DETAILS: dict[Kind, tuple[str, Callable[[str], list[Detail]]]] = {
    "number": ("numbers", _numbers),
    "colour": ("colours", _colors),
    "side": ("sides", _sides),
}
