"""The words of a caption: the same for all four metrics, so that they are about one text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from sys import intern
from typing import Any

import regex

from metrics.overlap import treebank

VERSION = 3

Words = tuple[str, ...]
PTB, ZH, CHAR = "ptb", "zh", "char"
# From this share of letters on, spaces don't separate the words.
MIN_UNSPACED_SHARE = 1 / 20

# From coco-caption. Its list has brackets as -LRB- and -RRB-, which lower-case tokens never match,
# so brackets stay; "??" and "!!" do too.
PUNCTUATION = frozenset(("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-")).union(
    (".", "?", "!", ",", ":", "-", "--", "...", ";")
)
_LETTER = regex.compile(r"\p{L}")
_HAN = regex.compile(r"\p{Han}")
_OTHER_UNSPACED = regex.compile(
    r"[\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
)
_NEITHER_WORD_NOR_SYMBOL = regex.compile(r"[\p{P}\p{Cf}]+")


def tokenizer_for(texts: Iterable[str]) -> str:
    """Return the tokenizer for captions like these: CHAR or ZH where at least MIN_UNSPACED_SHARE
    of the letters are in a script without spaces between words (ZH where nearly all of these are
    Chinese characters), otherwise PTB.
    """
    letters = han = other = 0
    for text in texts:
        letters += len(_LETTER.findall(text))
        han += len(_HAN.findall(text))
        other += len(_OTHER_UNSPACED.findall(text))
    if not letters or han + other < MIN_UNSPACED_SHARE * letters:
        return PTB
    return ZH if other < MIN_UNSPACED_SHARE * (han + other) else CHAR


def tokenizer_signature(tokenizer: str) -> str:
    """Return the tokenizer with its version for a signature, without | or :."""
    if tokenizer == PTB:
        return f"PTBTokenizer {treebank.VERSION},rules {VERSION},no punctuation"
    return f"sacrebleu {version('sacrebleu')} {tokenizer},rules {VERSION},no punctuation"


def words_of(text: str, tokenizer: str = PTB) -> Words:
    """Return the words of `text` in lower case, without punctuation.

    PTB: as in coco-caption, the tokens of Stanford's PTBTokenizer 3.4.1 without coco-caption's
    list of punctuation. A token with a space (a telephone number, "1 1/2") is two words, as in
    coco-caption's BLEU and CIDEr. ZH and CHAR: the tokens of sacrebleu's tokenizers of these
    names, which make each Chinese character, or each character of any script, a word.
    """
    # Interned to save memory: ten thousand captions repeat the same words millions of times.
    if tokenizer != PTB:
        tokens = _sacrebleu_tokenizer(tokenizer)(text.lower()).split()
        return tuple(
            intern(token) for token in tokens if not _NEITHER_WORD_NOR_SYMBOL.fullmatch(token)
        )
    return tuple(
        intern(word)
        for token in treebank.treebank_tokens(text)
        if token not in PUNCTUATION
        for word in token.split()
    )


@cache
def _sacrebleu_tokenizer(name: str) -> Callable[[str], str]:
    # Imported here: web processes import this package only for its names.
    from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    tokenizers: dict[str, type[Any]] = {ZH: TokenizerZh, CHAR: TokenizerChar}
    tokenizer: Callable[[str], str] = tokenizers[name]()
    return tokenizer
