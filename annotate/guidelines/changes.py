"""What changed in a guideline since a person last saw it, paragraph by paragraph.

A guideline is compared by the digests of its paragraphs, so that the earlier text need not be kept
for each person, and a changed default counts too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2s

from django.utils.safestring import SafeString, mark_safe
from markdown_it.token import Token

from annotate.guidelines import MARKDOWN, markdown_html

_CODE = ("fence", "code_block")
_CHANGED = '<span class="visually-hidden">Changed: </span>'


@dataclass(frozen=True)
class ShownGuideline:
    """A guideline as a page shows it.

    `version` names the text, for `record_seen`; it is empty if the person has seen this text.
    `changed` counts the marked paragraphs, `is_changed` says that the person saw another text.
    """

    html: SafeString
    version: str = ""
    is_changed: bool = False
    changed: int = 0


def shown_guideline(text: str, *, seen: str | None) -> ShownGuideline:
    """Return the guideline with what is new since the text with the digests `seen` marked; None if
    the person has seen no text yet."""
    digests = paragraph_digests(text)
    if seen == digests:
        return ShownGuideline(markdown_html(text))
    version = version_of(digests)
    if seen is None:
        return ShownGuideline(markdown_html(text), version)
    html, changed = _marked_html(text, seen)
    return ShownGuideline(html, version, is_changed=True, changed=changed)


@lru_cache(maxsize=200)
def paragraph_digests(text: str) -> str:
    """Return the digests of the text's paragraphs in order, separated by spaces."""
    return " ".join(_digest(token) for token, _ in _paragraphs(MARKDOWN.parse(text)))


def version_of(digests: str) -> str:
    return blake2s(digests.encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=200)
def _marked_html(text: str, seen: str) -> tuple[SafeString, int]:
    """Return the text's HTML with `data-changed` on each paragraph that was not seen, and their
    number."""
    tokens, before, changed = MARKDOWN.parse(text), set(seen.split()), 0
    for token, element in _paragraphs(tokens):
        if _digest(token) not in before:
            element.attrSet("data-changed", "")
            if token.children is not None:
                token.children.insert(0, Token("html_inline", "", 0, content=_CHANGED))
            changed += 1
    html: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(html), changed  # the renderer escapes the typed text


def _paragraphs(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    """Yield each paragraph, heading, list item or piece of code with the token of its element."""
    for place, token in enumerate(tokens):
        if token.type in _CODE:
            yield token, token
        elif token.type == "inline":
            # In a tight list the paragraph has no element of its own, so mark its item.
            own = tokens[place - 1]
            yield token, tokens[place - 2] if own.hidden else own


def _digest(token: Token) -> str:
    return blake2s(token.content.encode(), digest_size=6).hexdigest()
