"""Markup without the line breaks that only its writer sees."""

from __future__ import annotations

import re


def squeezed(markup: str) -> str:
    """Return the markup with each run of white space as one space, and none beside a tag."""
    return re.sub(r"\s*([<>])\s*", r"\1", re.sub(r"\s+", " ", markup))


def shows(markup: str, fragment: str) -> bool:
    """Return whether the markup holds the fragment, wherever its writer broke the lines."""
    return squeezed(fragment) in squeezed(markup)


BLOCKS = (
    "html|body|head|header|footer|main|nav|section|article|aside|div|p|ul|ol|li|dl|dt|dd|table|thead|"
    "tbody|tfoot|tr|td|th|caption|form|fieldset|legend|h[1-6]|figure|figcaption|details|summary|"
    "dialog|option|optgroup|svg|g|path|rect|line|circle|polyline|link|meta|title|label|button"
)
KEPT = re.compile(r"(<(pre|textarea|script)\b.*?</\2>)", re.DOTALL)
# A tag that `_tag_in_one_line` may change: few do, and looking at each takes longer than a page.
TAG = re.compile(r'<[^<>]*?(?:[\t\n\r\f\v]|  |=" | "| (?=>))[^<>]*>')
IN_TAG = re.compile(r'class="[^"]*"|"[^"]*"|\s*\n\s*')
BREAK = re.compile(r"\n\s*")
BLOCK_BEFORE = re.compile(rf'</?(?:{BLOCKS})\b|<a class="button')
BLOCK_AFTER = re.compile(rf"</?(?:{BLOCKS})\b|</a>")
ANGLE = re.compile(r"[<>]")


def as_read(markup: str) -> str:
    """Return the markup as a browser reads it: a line break counts nothing beside a block and as a
    space elsewhere, but for the texts in which it is kept."""
    pieces = KEPT.split(markup)
    return "".join(
        piece if place % 3 == 1 else _without_breaks(piece)
        for place, piece in enumerate(pieces)
        if place % 3 != 2  # the name of the element that is kept
    )


def _without_breaks(markup: str) -> str:
    """Leave line breaks in attributes alone, but for classes: a value may hold some."""
    markup = TAG.sub(_tag_in_one_line, markup)
    pieces: list[str] = []
    end = 0
    for line_break in BREAK.finditer(markup):
        start, after = end + len(markup[end : line_break.start()].rstrip()), line_break.end()
        if _is_after_block(markup, start) or BLOCK_AFTER.match(markup, after):
            space = ""
        elif (angle := ANGLE.search(markup, after)) and angle[0] == ">":
            continue  # in a tag
        else:
            space = " "
        pieces += markup[end:start], space
        end = after
    return "".join([*pieces, markup[end:]])


def _is_after_block(markup: str, place: int) -> bool:
    last = markup[place - 1 : place]
    return last == ">" and bool(BLOCK_BEFORE.match(markup, markup.rfind("<", 0, place)))


def _tag_in_one_line(tag: re.Match[str]) -> str:
    def in_one_line(part: re.Match[str]) -> str:
        if part[0].startswith('"'):
            return part[0]
        if part[0].startswith("class"):
            return f'class="{" ".join(part[0][7:-1].split())}"'
        return " "

    return IN_TAG.sub(in_one_line, tag[0]).replace(" >", ">")
