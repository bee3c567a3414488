"""The Penn Treebank tokens of a line of text, as Stanford's PTBTokenizer 3.4.1 makes them.

This is an independent lexer, written from that program's documented behavior and its output. At
each position the rule with the longest match, including lookahead, decides; ties go to the earlier
rule. `tests/metrics/golden/treebank_tokens.tsv` holds the program's own output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache

import regex

from metrics.overlap.treebank_words import (
    BEFORE_NUMBERS,
    CLOSING,
    FILE_ENDINGS,
    LEADING,
    STARTERS,
)

VERSION = "3.4.1"
SOFT_HYPHEN = "\u00ad"

LETTER = r"[\p{L}\u00AD\u0237-\u024F\u02C2-\u02C5\u02D2-\u02DF\u02E5-\u036F\u0483-\u0487]"
LATER = rf"(?:{LETTER}|\p{{Nd}})"
WORD = rf"{LETTER}{LATER}*(?:[.!?]{LETTER}{LATER}*)*"
PART = r"[\p{L}\p{Nd}]"
PLAIN = "[A-Za-z0-9]"
APOSTROPHE = r"(?:['\u0092\u2019]|(?i:&apos;))"
ANY_APOSTROPHE = rf"(?:{APOSTROPHE}|[`\u0091\u2018\u201B])"
CLITIC = rf"{APOSTROPHE}(?i:[msd]|re|ve|ll)"
NOT = rf"[nN]{ANY_APOSTROPHE}[tT]"
NUM = r"(?:\p{Nd}*(?:[.:,\u00AD\u066B\u066C]\p{Nd}+)+|\p{Nd}+)"
DECIMAL = r"\p{Nd}+(?:[.:,]\p{Nd}+)*"
SPACE = r"[ \u00A0]"
END = r"\Z"
TAG = r"</?[A-Za-z!?][^>]{0,500}>"
ACRONYM = (
    r"[A-Za-z](?:\.[A-Za-z])+|(?i:canada|sino|korean|eu|japan|non)-[uU]\.[sS]"
    r"|[uU]\.[sS]\.-[uU]\.(?:[kK]|[sS]\.[sS]\.[rR])"
)
STARTER = "|".join(f"{word[0]}(?i:{regex.escape(word[1:])})" for word in STARTERS)
IN_ADDRESS = r"[^\s\"<>|(){}]"
IN_SITE = r"[^\s\"'`<>|!?(){}$,-@\[-_]"
ADDRESS_END = r"[^\s\"<>|(){}.!?,-]"
# Bounds keep the time linear for text without spaces; no real word is longer.
HYPHENATED = (
    rf"{PART}[\p{{L}}\p{{Nd}}.,\u00AD]{{0,200}}(?:-(?:[\p{{L}}\p{{Nd}}\u00AD]+|(?:{ACRONYM})\.))+"
)
UNDERSCORED = rf"{PART}{{1,200}}(?:_{PART}+)+(?:-{PART}+)*"
BEFORE_D = rf"(?:[dDoOlL]{ANY_APOSTROPHE}{PLAIN})?"
JOINED = rf"{BEFORE_D}(?:{PART}+|{DECIMAL})(?:[-\u2010\u2011]{BEFORE_D}(?:{PART}+|{DECIMAL}))*"

BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
FRACTIONS = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
MONEY = {"¢": "cents", "£": "#", "€": "$", "¤": "$", "\u0080": "$", "\u20a0": "$"}
QUOTES = {
    **{"\u2018": "`", "\u201b": "`", "\u2039": "`", "\u0091": "`"},
    **{"\u2019": "'", "\u203a": "'", "\u0092": "'"},
    **{"\u201c": "``", "\u00ab": "``", "\u0093": "``"},
    **{"\u201d": "''", "\u00bb": "''", "\u0094": "''"},
}
_IN_ASCII = str.maketrans(QUOTES)
_ROUND = str.maketrans({"(": "-lrb-", ")": "-rrb-"})


class Rule:
    """`pattern` matches a token and its lookahead. The last `back` characters of the token are read
    again. `written` returns the token's output. `needs`: text without it can't match.
    """

    def __init__(
        self, expression: str, back: int, written: Callable[[str], str] | None, needs: str
    ) -> None:
        self.expression, self.back, self.written, self.needs = expression, back, written, needs

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        """Compiled when a text first needs it: every process loads the rules, few use them."""
        return regex.compile(self.expression, regex.POSIX)


def _rule(
    token: str,
    follows: str = "",
    *,
    back: int = 0,
    written: Callable[[str], str] | dict[str, str] | str | None = None,
    needs: str = "",
) -> Rule:
    expression = f"(?P<token>{token})(?:{follows})"
    if isinstance(written, dict):
        texts = written
        return Rule(expression, back, lambda token: texts.get(token, token), needs)
    if isinstance(written, str):
        text = written
        return Rule(expression, back, lambda token: text, needs)
    return Rule(expression, back, written, needs)


def _in_ascii(token: str) -> str:
    return token.translate(_IN_ASCII)


def _with_brackets(token: str) -> str:
    return token.translate(_ROUND)


def _hyphens(token: str) -> str:
    return "--" if 1 < len(token) < 5 else token


NOT_A_LETTER = rf"[^A-Za-z]|{END}"
NOT_PLAIN = rf"[^A-Za-z0-9]|{END}"
NOT_A_WORD = rf"[^\p{{L}}\p{{Nd}}.+]|{END}"

_RULES = (
    _rule("(?i:cannot|'twas)", back=3),
    _rule("(?i:gonna|gotta|lemme|gimme|wanna|more'n|'tis)", NOT_PLAIN, back=2),
    _rule(TAG, needs="<"),
    _rule("(?i:&(?:md|mdash|ndash);)", written="--", needs="&"),
    _rule("[\u0096\u0097\u2013-\u2015]", written="--"),
    _rule("(?i:&amp;)", written="&", needs="&"),
    _rule("(?i:&(?:HT|TL|UR|LR|QC|QL|QR|odq|cdq|#[0-9]+);)", needs="&"),
    _rule(WORD, CLITIC),
    _rule(r"[A-Za-z\u00AD]{0,200}[A-MO-Za-mo-z\u00AD]", NOT),
    _rule(WORD),
    _rule(
        rf"{APOSTROPHE}[nN]{APOSTROPHE}?|[lLdDjJ]{APOSTROPHE}|(?i:dunkin|somethin|ol){APOSTROPHE}"
        rf"|{APOSTROPHE}(?i:em|till?|cause|[2-9]0s)"
        r"|(?i:c'mon|c'est|cap'n|o'clock|ma'am)"
        rf"|(?i:nat{APOSTROPHE}l|e{APOSTROPHE}er)|[A-HJ-XZn]{ANY_APOSTROPHE}{LETTER}{{2,}}"
        rf"|{LETTER}{{1,200}}[aeiouyAEIOUY]{ANY_APOSTROPHE}[aeiouA-Z]{LETTER}*"
    ),
    _rule(rf"[yY]{APOSTROPHE}", LETTER),
    _rule(rf"(?i:https?://){IN_ADDRESS}{{1,2000}}{ADDRESS_END}", needs="://"),
    _rule(
        rf"(?:(?i:www\.)(?:{IN_SITE}{{1,100}}\.){{1,10}}[a-zA-Z]{{2,4}}"
        rf"|(?:{IN_SITE}{{1,100}}\.){{1,10}}(?i:com|net|org|edu))"
        rf"(?:/[^\s\"<>|()]{{1,2000}}{ADDRESS_END})?",
        NOT_A_LETTER,
        needs=".",
    ),
    _rule(
        r"(?:<|(?i:&lt;))?[a-zA-Z0-9][^\s\"<>|(){}]{0,100}@(?:[^\s\"<>|(){}.]{1,100}\.){0,10}"
        r"[^\s\"<>|(){}.]{1,100}(?:>|(?i:&gt;))?",
        needs="@",
    ),
    _rule(rf"@[A-Za-z_][A-Za-z0-9_]*|#{LETTER}+"),
    _rule(CLITIC, NOT_A_LETTER, written=_in_ascii),
    _rule(NOT, NOT_A_LETTER, written=_in_ascii),
    _rule(r"\p{Nd}{1,2}[-/]\p{Nd}{1,2}[-/]\p{Nd}{2,4}"),
    _rule(rf"[-+]?{NUM}"),
    _rule(
        "[\u207a\u207b\u208a\u208b]?(?:[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+|[\u2080-\u2089]+)"
    ),
    _rule(r"(?:\p{Nd}{1,4}[- \u00A0])?\p{Nd}{1,4}(?:\\?/|\u2044)\p{Nd}{1,4}"),
    _rule("[\u00bc-\u00be\u2153-\u215e]", written=FRACTIONS),
    _rule(
        rf"{PLAIN}{{1,200}}(?:-[A-Za-z]+){{0,2}}(?:\\?/{PLAIN}+(?:-[A-Za-z]+){{0,2}}){{1,2}}",
        needs="/",
    ),
    _rule(r"[A-Z]{0,200}\$|\#"),
    _rule("[\u00a2-\u00a5\u0080\u20a0\u20ac]", written=MONEY),
    # "Vitamin C. The": a letter's full stop is the sentence's own.
    _rule(r"[A-Za-z]\.", rf"{SPACE}{{1,100}}(?:{STARTER}|{TAG})(?:\s|{END})", back=1, needs="."),
    _rule(rf"(?i:{BEFORE_NUMBERS})\.", rf"{SPACE}?\p{{Nd}}", needs="."),
    _rule(rf"(?i:{CLOSING})\.", r"[\s\S]{0,2}", needs="."),
    _rule(rf"(?:(?i:{LEADING}|a\.k\.a)|[A-Za-z]|{ACRONYM})\.", needs="."),
    _rule(rf"{APOSTROPHE}[0-9][0-9]", rf"\s|{END}"),
    _rule(
        rf"{LATER}{{1,100}}(?:\.{LATER}{{1,100}}){{0,10}}\.(?i:{FILE_ENDINGS})",
        rf"\s|{END}|[.?!,]",
        needs=".",
    ),
    _rule(rf"{WORD}\.", "[,;:\u3001]", needs="."),
    _rule(
        r"(?:\([0-9]{2,3}\)[ \u00A0]?|(?:\+\+?)?(?:[0-9]{2,4}[- \u00A0])?[0-9]{2,4}[- \u00A0])"
        r"[0-9]{3,4}[- \u00A0]?[0-9]{3,5}"
        r"|(?:(?:\+\+?)?[0-9]{2,4}\.)?[0-9]{2,4}\.[0-9]{3,4}\.[0-9]{3,5}",
        written=_with_brackets,
    ),
    _rule(r"\"|(?i:&quot;)", "[A-Za-z0-9$]", written="``"),
    _rule(r"\"|(?i:&quot;)", written="''"),
    _rule("<|(?i:&lt;)", written="<"),
    _rule(">|(?i:&gt;)", written=">"),
    _rule(r"[<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]]", NOT_PLAIN, written=_with_brackets),
    _rule(
        r"[\^x=~<>]\.\[\^x=~<>]|[-\^x=~<>']_[-\^x=~<>']|\([-\^x=~<>'][_.]?[-\^x=~<>']\)"
        r"|\([\^x=~<>']-[\^x=~<>'`]\)",
        written=_with_brackets,
    ),
    _rule(r"[\[\](){}]", written=BRACKETS),
    _rule("-+", written=_hyphens),
    _rule(r"\.{3,5}|(?:\.[ \u00A0]){2,4}\.|[\u0085\u2026]", written="..."),
    _rule(r"@+|\#+|_+"),
    _rule(r"\*+|(?:\\\*){1,3}"),
    _rule("[,;:\u3001]"),
    _rule("[?!]+"),
    _rule("[.\u00a1\u00bf\u037e\u0589\u061f\u06d4\u0700-\u0702\u07fa\u3002]"),
    _rule("[=/]"),
    _rule(HYPHENATED, NOT_A_WORD, needs="-"),
    _rule(HYPHENATED + r"\.", "[,;:\u3001]", needs="-"),
    _rule(UNDERSCORED, needs="_"),
    _rule(UNDERSCORED + r"\.", "[,;:\u3001]", needs="_"),
    _rule(JOINED),
    _rule(JOINED + r"\.", "[,;:\u3001]", needs="."),
    _rule(r"[A-Z]{1,200}(?:(?:[+&]|(?i:&amp;))[A-Z]+)+"),
    _rule(r"(?i:c\+\+|[cf]\#)"),
    _rule("'", r"[A-Za-z][^ \t\u00A0]", written="`"),
    _rule(CLITIC, written=_in_ascii),
    _rule(APOSTROPHE, written="'"),
    _rule("[`\u2018-\u201f\u0091-\u0094\u2039\u203a\u00ab\u00bb]{1,2}", written=_in_ascii),
    _rule("''"),
    _rule(
        "[+%&~\\^|\\\\\u00a6-\u00a9\u00ac\u00ae-\u00ba\u00d7\u00f7\u0387\u2016\u2017\u2020-\u2023\u2030-"
        "\u2038\u203b\u203e-\u2042\u2044\u207a-\u207f\u208a-\u208e\u2100-\u214f\u2190-\u21ff\u2200-\u2bff"
        "\u3001\u3002\u3005\u3006\u3012\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]"
    ),
)
# The usual case: a word between spaces, with at most a comma after it, which no rule changes.
_USUAL = regex.compile(r"([A-Za-z]+)[,;:]?(?=\s|\Z)")
_FULL_STOP = regex.compile(r"([A-Za-z]{2,})\.(?=\s+[^.\s]|\s*\Z)")
# No rule looks beyond a space here, so the tokens of such a run can be cached.
_ALONE = regex.compile(r"[^\s.\p{Nd}(<]+(?=\s|\Z)")
_SPLIT = frozenset(["cannot", "gonna", "gotta", "lemme", "gimme", "wanna"])
_ABBREVIATED = regex.compile(rf"(?i:{CLOSING}|{LEADING}|{BEFORE_NUMBERS})", regex.IGNORECASE)


def treebank_tokens(text: str) -> Iterator[str]:
    """Yield the tokens of one line of text in lower case, including punctuation. Characters that
    the program drops, such as emoji, are dropped.
    """
    rules = _rules_for(text)
    place, end = 0, len(text)
    while place < end:
        if text[place].isspace():
            place += 1
            continue
        usual = _USUAL.match(text, place) or _FULL_STOP.match(text, place)
        if usual and not _is_special(usual):
            yield usual[1].lower()
            yield from text[usual.end(1) : usual.end()]
            place = usual.end()
            continue
        alone = _ALONE.match(text, place)
        if alone:
            yield from _tokens_alone(alone[0])
            place = alone.end()
            continue
        token, place = _longest(rules, text, place)
        yield token.lower()


@lru_cache(maxsize=1 << 16)
def _tokens_alone(run: str) -> tuple[str, ...]:
    rules, tokens, place = _rules_for(run), [], 0
    while place < len(run):
        token, place = _longest(rules, run, place)
        tokens.append(token.lower())
    return tuple(tokens)


def _rules_for(text: str) -> list[Rule]:
    return [rule for rule in _RULES if rule.needs in text]


def _is_special(usual: regex.Match[str]) -> bool:
    if usual[0].endswith("."):
        return _ABBREVIATED.fullmatch(usual[1]) is not None or usual[1].lower() in _SPLIT
    return usual[1].lower() in _SPLIT


def _longest(rules: list[Rule], text: str, place: int) -> tuple[str, int]:
    """Return the token at `place`, "" for a character that no rule matches, and the
    next position.
    """
    match, best = None, None
    for rule in rules:
        other = rule.pattern.match(text, place)
        if other and (match is None or other.end() > match.end()):
            match, best = other, rule
    if match is None or best is None:
        return "", place + 1
    end = match.end("token") - best.back
    token = text[place:end]
    return _without_soft_hyphens(best.written(token) if best.written else token), end


def _without_soft_hyphens(token: str) -> str:
    """Return the token as the program does: only addresses and hashtags keep soft hyphens, and a
    token of nothing else is a hyphen.
    """
    if SOFT_HYPHEN not in token or any(sign in token for sign in ("://", "@", "#")):
        return token
    return token.replace(SOFT_HYPHEN, "") or "-"
