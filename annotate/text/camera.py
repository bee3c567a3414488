"""Details of a sentence about the camera. Precise rather than complete: a sentence about it can
lack every word of the list, and a "pan" can be one to fry in."""

from __future__ import annotations

from annotate.text.conflicts import Detail
from annotate.text.content import stem, stems_of, tokens
from annotate.text.lexicon import CAMERA, CAMERA_FACTS

_CAMERA = stems_of(CAMERA)
_FACTS = {stem(word): fact for word, fact in CAMERA_FACTS.items()}
_THE_CAMERA = frozenset({"camera"})


def camera_details(sentence: str) -> list[Detail]:
    """Return one detail, the whole sentence, if it is about the camera. Its values are what the
    camera does or shows, or only that there is one."""
    stems = [token.stem for token in tokens(sentence)]
    if _CAMERA.isdisjoint(stems):
        return []
    values = frozenset(_FACTS[word] for word in stems if word in _FACTS)
    return [Detail(values or _THE_CAMERA, _THE_CAMERA, sentence.strip())]
