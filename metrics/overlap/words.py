"""The words of a caption: the same for all four metrics, so that they are about one text."""

from __future__ import annotations

from sys import intern

from metrics.overlap.treebank import treebank_tokens

VERSION = 2

Words = tuple[str, ...]

# As coco-caption lists them. Brackets are in its list as -LRB- and -RRB-, which the tokens in lower
# case never are, so they stay; "??" and "!!" do too.
PUNCTUATION = frozenset(("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-")).union(
    (".", "?", "!", ",", ":", "-", "--", "...", ";")
)


def words_of(text: str) -> Words:
    """Return the words of `text` as coco-caption makes them: the tokens of Stanford's
    PTBTokenizer 3.4.1 in lower case, less coco-caption's list of punctuation.

    Where a token holds a space (a telephone number, "1 1/2"), it is two words, as in
    coco-caption's BLEU and CIDEr. It expects a language that puts spaces between its words.
    """
    # Interned, because ten thousand captions repeat their words millions of times.
    return tuple(
        intern(word)
        for token in treebank_tokens(text)
        if token not in PUNCTUATION
        for word in token.split()
    )
