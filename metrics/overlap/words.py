"""The words of a caption: the same for all four metrics, so that they are about one text."""

from __future__ import annotations

from sys import intern

from metrics.overlap.treebank import treebank_tokens

VERSION = 2

Words = tuple[str, ...]

# From coco-caption. Its list has brackets as -LRB- and -RRB-, which lower-case tokens never match,
# so brackets stay; "??" and "!!" do too.
PUNCTUATION = frozenset(("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-")).union(
    (".", "?", "!", ",", ":", "-", "--", "...", ";")
)


def words_of(text: str) -> Words:
    """Return the words of `text` as in coco-caption: the tokens of Stanford's PTBTokenizer 3.4.1 in
    lower case, without coco-caption's list of punctuation.

    A token with a space (a telephone number, "1 1/2") is two words, as in coco-caption's BLEU and
    CIDEr. The language must put spaces between words.
    """
    # Interned to save memory: ten thousand captions repeat the same words millions of times.
    return tuple(
        intern(word)
        for token in treebank_tokens(text)
        if token not in PUNCTUATION
        for word in token.split()
    )
