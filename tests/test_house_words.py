"""Comments and docstrings of the product are plain English."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_house import existing, path_from_root

PRODUCT = ("annotate", "bench", "clients", "config", "fixtures", "inference", "metrics", "review")
PYTHON = existing(*(f"{folder}/*.py" for folder in (*PRODUCT, "scripts")))
SCRIPTS = existing("static/js/*.js", "static/css/*.css")

COMPARED = "earlier|fewer|larger|later|less|longer|more|shorter|smaller"
NOT_PLAIN = re.compile(
    r"\b(?:[Ww]hoever|[Bb]e it|[Uu]nasked|[Ii]n force|[Gg]o(?:es)? on|stands?(?! up\b)"
    r"|[Tt]here (?:is|are) none|[Ww]hich there (?:is|are)|[Tt]hat (?:is|are) none"
    rf"|(?<!there )(?<!There )(?:is|are) no (?!(?:{COMPARED})\b))\b"
)
# A text in quotes or between ` is an example or a name.
QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|`[^`\n]*`')
BETWEEN_LINES = re.compile(r"\s*\n[\s#]*|\s+")  # of a comment or a docstring
# Strings come first, so that a // in an address begins no comment.
SCRIPT_COMMENT = re.compile(
    r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
    r"|(?P<comment>/\*.*?\*/|//[^\n]*(?:\n\s*//[^\n]*)*)",
    re.DOTALL,
)


def texts_in_python(source: str) -> Iterator[str]:
    """Yield the docstrings, including those of attributes, and the comments.

    A module without words that aren't plain has none there, so it is neither parsed nor tokenized.
    """
    if not NOT_PLAIN.search(BETWEEN_LINES.sub(" ", source)):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text
    comments = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments += f" {token.string.lstrip('# ')}"
        elif token.type != tokenize.NL and comments:
            yield comments
            comments = ""


def texts_in_script(source: str) -> Iterator[str]:
    """Yield the comments of JavaScript or CSS, with those of neighboring lines joined."""
    for match in SCRIPT_COMMENT.finditer(source):
        if comment := match["comment"]:
            yield re.sub(r"\n\s*(?://|\*)?", " ", comment)


def unplain(texts: Iterator[str]) -> list[str]:
    joined = (re.sub(r"\s+", " ", QUOTED.sub('""', text)) for text in texts)
    return [
        f"…{text[max(0, match.start() - 30) : match.end() + 30]}…"
        for text in joined
        for match in NOT_PLAIN.finditer(text)
    ]


def test_a_comment_of_the_product_is_plain_english():
    texts: dict[Path, Iterator[str]] = {
        **{path: texts_in_python(path.read_text()) for path in PYTHON},
        **{path: texts_in_script(path.read_text()) for path in SCRIPTS},
    }
    assert {
        path_from_root(path): phrases
        for path, in_file in texts.items()
        if (phrases := unplain(in_file))
    } == {}


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [
        ("Whoever finds nothing left marks the run finished.", False),
        ("Return the number, if there is none.", False),
        ("A caption that is no query.", False),
        ("The rule in\n    force.", False),
        ("There is no caption.", True),
        ("The gallery is no larger than K.", True),
        ('It says "stands" of a figure.', True),
    ],
)
def test_it_tells_plain_english(text, is_plain):
    assert (unplain(iter([text])) == []) is is_plain
    assert (unplain(texts_in_python(f"'''{text}'''")) == []) is is_plain
    assert (unplain(texts_in_script(f"/* {text} */")) == []) is is_plain
