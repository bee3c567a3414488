"""Joining two paragraphs by a rule, for machines without a language model.

It drops a repeated opening and puts a connective before the rest. It can't answer a prompt, reorder
or shorten.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import regex

from annotate.text.content import tokens
from annotate.text.lexicon import FUNCTION_WORDS, NUMBERS
from annotate.text.sentences import split_sentences
from inference.backends.protocols import BackendError, Generation, ModelSettings

CONNECTIVES = ("Then,", "Next,", "After that,")

# "Next to the door" is a place, not a step.
_HAS_CONNECTIVE = regex.compile(
    r"(?:and\s+)?(?:then|next(?!\s+to\b)|after(?:wards?)?|later|finally|lastly|subsequently"
    r"|meanwhile|eventually|soon|shortly|now|suddenly|following\s+th(?:is|at)"
    r"|(?:at|in)\s+the\s+end|at\s+(?:first|last)|at\s+the\s+same\s+time|first|initially)\b",
    regex.IGNORECASE,
)
_FIRST_WORD = regex.compile(r"[A-Z][a-z]*(?=\s)")
# Words that are capitalized only at the start of a sentence. Names and "I" keep their capital.
_NO_NAMES = (FUNCTION_WORDS | NUMBERS.keys()) - {"i", "may", "will"}


def load(settings: ModelSettings) -> PlainJoiner:
    """Return the joiner; it has no settings."""
    if settings.parameters:
        raise BackendError(
            "bad_setting",
            f"The plain joiner has no setting {', '.join(sorted(settings.parameters))}: "
            "remove them.",
        )
    return PlainJoiner()


class PlainJoiner:
    """A text model that can only `join`."""

    def join(self, first: str, second: str) -> tuple[str, str]:
        """Return two non-empty paragraphs made from `first` and `second`.

        `first` stays unchanged. Sentences at the start of `second` that `first` has too, ignoring
        case and punctuation, are removed. The rest begins with a connective, chosen by a hash of
        the pair, unless it has one. If all of `second` is repeated, it stays unchanged. Raises
        BackendError "empty_paragraph" if either has no words.
        """
        first, second = first.strip(), second.strip()
        if not tokens(first) or not tokens(second):
            raise BackendError(
                "empty_paragraph",
                "One of the two paragraphs has no words: write its caption first.",
            )
        sentences = {_words(sentence.text) for sentence in split_sentences(first)}
        for sentence in split_sentences(second):
            if _words(sentence.text) not in sentences:
                return first, _connected(second[sentence.start :], _connective(first, second))
        return first, second

    def complete(
        self, prompts: Sequence[str], generation: Generation, *, system: str = ""
    ) -> list[str | BackendError]:
        raise BackendError(
            "not_a_language_model",
            "The plain joiner only joins paragraphs and answers no prompt: choose a language "
            "model for this run.",
        )


def _words(sentence: str) -> tuple[str, ...]:
    return tuple(token.word for token in tokens(sentence))


def _connective(first: str, second: str) -> str:
    pair = hashlib.blake2b(f"{first}\n\n{second}".encode(), digest_size=8).digest()
    return CONNECTIVES[int.from_bytes(pair) % len(CONNECTIVES)]


def _connected(paragraph: str, connective: str) -> str:
    if _HAS_CONNECTIVE.match(paragraph):
        return paragraph
    opening = _FIRST_WORD.match(paragraph)
    if opening and opening[0].lower() in _NO_NAMES:
        paragraph = paragraph[0].lower() + paragraph[1:]
    return f"{connective} {paragraph}"
