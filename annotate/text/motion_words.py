"""Find words that describe motion, without words that only share the spelling.

"A man opens the door" describes motion; "an opening", "the opened book", "the road runs along the
coast" and "a ladder leans against the wall" don't. A word's form and its neighbors decide, because
better taggers need data that a server without a network doesn't have.
"""

from annotate.text.content import Token, stem, stems_of
from annotate.text.lexicon import (
    ADJECTIVES,
    AS_STATE,
    COLORS,
    DETERMINERS,
    EXTENDING,
    IRREGULAR_PARTICIPLES,
    MATERIALS,
    MOTION,
    MOTION_AS_NAME,
    MOTION_WITH_PARTICLE,
    NO_MOTION,
    NUMBERS,
    PLURAL_SUBJECTS,
    PREPOSITIONS,
    STATIC_PHRASES,
)

_MOTION = stems_of(MOTION)
_WITH_PARTICLE = {
    stem(verb): frozenset(particles.split()) for verb, particles in MOTION_WITH_PARTICLE.items()
}
_AS_NAME = MOTION_AS_NAME | COLORS.keys()
_PHRASES = frozenset((first, stem(second)) for first, second in STATIC_PHRASES)
_EXTENDING = stems_of(EXTENDING)
_AS_STATE = stems_of(AS_STATE)
_NAMING = DETERMINERS | ADJECTIVES | NUMBERS.keys() | COLORS.keys() | MATERIALS
_TO_BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "isn't", "aren't"])
_PREDICATES = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "lead",
        "leads",
        "cover",
        "covers",
        "surround",
        "stand",
    ]
)
_BODY = stems_of(
    frozenset(
        [
            "arm",
            "leg",
            "knee",
            "hand",
            "head",
            "finger",
            "foot",
            "elbow",
            "eye",
            "sleeve",
            "hair",
            "body",
        ]
    )
)
# A finite verb never follows these, unlike the particle of "the man who leans in smiles".
_BEFORE_A_NOUN = frozenset(["between", "by", "for", "from", "like", "of", "with", "without"])
# Materials of a drawing.
_ART = frozenset(["chalk", "charcoal", "crayon", "ink", "line", "oil", "pencil", "wall"])
_LIKE_ADJECTIVES = ("able", "ful", "ible", "ish", "less", "ous")


def motion_words(text: str, body: list[Token]) -> list[Token]:
    """Return the tokens of `body`, consecutive tokens of `text`, that describe motion."""
    return [token for place, token in enumerate(body) if _tells_of_motion(text, body, place)]


def _tells_of_motion(text: str, body: list[Token], place: int) -> bool:
    token = body[place]
    before = neighbor(text, body, place, -1)
    after = neighbor(text, body, place, 1)
    if token.word in NO_MOTION or _is_phrase(token, after):
        return False
    particles = _WITH_PARTICLE.get(token.stem)
    if particles is None and token.stem not in _MOTION:
        return False
    if particles is not None and not _has_particle(text, body, place, particles):
        return False
    if token.word.endswith("ing"):
        return not (_ing_names(text, before, after) or _ing_is_described(text, body, place))
    if token.word.endswith("ings") or token.word in _AS_NAME:
        return False
    if token.word.endswith("ed") or token.word in IRREGULAR_PARTICIPLES:
        if _is_state(text, token, before, after):
            return False
        return not _extends(text, body, place)
    if _is_plural_noun(text, body, place):
        return False
    return not (_is_noun(text, token, before, after) or _extends(text, body, place))


def _is_phrase(token: Token, after: Token | None) -> bool:
    return after is not None and (token.word, after.stem) in _PHRASES


def _has_particle(text: str, body: list[Token], place: int, particles: frozenset[str]) -> bool:
    after = neighbor(text, body, place, 1)
    if after is not None and after.word.endswith("ly"):
        after = neighbor(text, body, place + 1, 1)
    return after is not None and after.word in particles


def _ing_names(text: str, before: Token | None, after: Token | None) -> bool:
    """Return whether a form in -ing is a noun ("an opening") or describes one ("a
    moving truck").
    """
    if before is not None and before.word in _TO_BE:
        return False
    if before is None or _is_naming(text, before):
        return before is not None or (after is not None and after.word in ("in", "of"))
    return before.word in PREPOSITIONS and after is not None and after.is_content


def _ing_is_described(text: str, body: list[Token], place: int) -> bool:
    """Return whether a form in -ing is a noun by the words around it: "a framed drawing", "a
    pencil drawing", "a drawing of a ship".
    """
    before, after = neighbor(text, body, place, -1), neighbor(text, body, place, 1)
    if before is None or before.word in _TO_BE:
        return False
    if before.word in _ART or (after is not None and after.word == "of"):
        return True
    if not (_is_like_adjective(before) or _is_participle(before)):
        return False
    # "a framed drawing", not "she finished drawing".
    first = neighbor(text, body, place - 1, -1)
    return first is None or _is_naming(text, first) or first.word in PREPOSITIONS


def _is_plural_noun(text: str, body: list[Token], place: int) -> bool:
    """Return whether a form in -s is a noun, as in "Dashes mark the road", "rows of dashes" and
    "iced drinks": a verb would follow its subject.
    """
    token, before = body[place], neighbor(text, body, place, -1)
    if not token.word.endswith("s"):
        return before is not None and before.word == "of"
    if before is None:
        start = text[: token.start].rstrip()
        return not start or start.endswith((".", "!", "?"))
    is_described = _is_like_adjective(before) or _is_participle(before)
    return is_described or before.word in _BEFORE_A_NOUN


def _is_like_adjective(token: Token) -> bool:
    return token.word.endswith(_LIKE_ADJECTIVES)


def _is_participle(token: Token) -> bool:
    return token.word.endswith("ed") or token.word in IRREGULAR_PARTICIPLES | {"broken"}


def _is_state(text: str, token: Token, before: Token | None, after: Token | None) -> bool:
    """Return whether a participle describes a noun ("twisted roots") or a state ("is folded")."""
    describes = after is not None and after.is_content
    if before is None:
        return describes
    if _is_naming(text, before):
        return describes
    if before.word in _TO_BE or before.stem in _BODY:
        return token.stem in _AS_STATE
    leads = before.word in PREPOSITIONS or before.word in ("and", "has", "have", "wears")
    return describes and leads


def _is_noun(text: str, token: Token, before: Token | None, after: Token | None) -> bool:
    is_plural = token.word.endswith("s")
    if after is not None and after.word == "of":
        return True
    if is_plural and after is not None and (after.stem in _MOTION or after.word in _PREDICATES):
        return True
    if before is None:
        return False
    if before.word in ("that", "this") and is_plural:
        return False
    if _is_naming(text, before):
        return True
    return not is_plural and token.word not in _PAST and _is_compound(before)


# Past forms never follow a noun as the second part of a name.
_PAST = frozenset(
    [
        "began",
        "blew",
        "broke",
        "brought",
        "came",
        "caught",
        "drank",
        "drew",
        "drove",
        "ate",
        "fell",
        "flew",
        "gave",
        "ran",
        "rode",
        "rose",
        "shook",
        "slid",
        "spun",
        "stood",
        "swam",
        "swept",
        "swung",
        "threw",
        "took",
        "went",
    ]
)


def _is_compound(before: Token) -> bool:
    """Return whether a base form after this word can't be its verb, as in "a bus stop"."""
    if not before.is_content or before.word.endswith("ly"):
        return False
    return before.word not in PLURAL_SUBJECTS and not before.word.endswith("s")


def _extends(text: str, body: list[Token], place: int) -> bool:
    """Return whether the verb describes extent: "the road runs along the coast"."""
    before = neighbor(text, body, place, -1)
    if before is None:
        return False
    if before.stem in _EXTENDING:
        return True
    if before.word not in ("and", "that", "which"):
        return False
    first = place
    while first and "." not in text[body[first - 1].end : body[first].start]:
        first -= 1
    return any(token.stem in _EXTENDING for token in body[first : min(first + 4, place)])


def _is_naming(text: str, token: Token) -> bool:
    return token.word in _NAMING or text[token.start : token.end].endswith(("'s", "’s"))


def neighbor(text: str, body: list[Token], place: int, step: int) -> Token | None:
    """Return the word beside the one at `place`, with nothing but a space or hyphen between."""
    other = place + step
    if not 0 <= other < len(body):
        return None
    first, second = sorted((body[place], body[other]), key=lambda token: token.start)
    return None if text[first.end : second.start].strip(" \u00a0-") else body[other]
