"""Synonyms from the files of a WordNet, and what METEOR makes of them."""

from __future__ import annotations

import pytest

from metrics.overlap.compare import caption_overlap, how_made
from metrics.overlap.synonyms import Synonyms, wordnet_synonyms

# In the format of WordNet 3.0's data files (wndb(5WN)).
LINES = """\
  1 This software and database is being provided to you, the LICENSEE, by
02958343 06 n 05 car 0 auto 0 automobile 0 machine 6 motorcar 0 003 @ 03791235 n 0000 | a vehicle
00976508 00 a 02 quick 0 fast(a) 3 000 | hurried
09136582 15 n 02 New_York 0 Big_Apple 0 000 | a city
00001740 03 n 0a a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 000 | ten words, counted in hexadecimal
"""


def test_words_of_one_set_are_synonyms():
    wordnet = wordnet_synonyms(LINES.splitlines(keepends=True))
    assert wordnet.words["car"] == {"auto", "automobile", "machine", "motorcar"}
    assert wordnet.words["fast"] == {"quick"}
    assert len(wordnet.words["a"]) == 9
    assert "new_york" not in wordnet.words
    assert wordnet.name == "WordNet 3.0"


@pytest.mark.parametrize(
    "line",
    ["car", "02958343 06 n 03 car 0 auto 0", "x 06 n 01 car 0", "1 06 n zz car 0", "1 6 n 00"],
)
def test_a_line_of_another_format_is_named(line):
    with pytest.raises(ValueError, match="line 2 is not of a WordNet data file"):
        wordnet_synonyms(["  1 licence", line])


def test_files_without_a_set_are_refused():
    with pytest.raises(ValueError, match="no set of synonyms was given: pass the lines"):
        wordnet_synonyms(["  1 licence", "\n"])


def test_meteor_alone_matches_synonyms_and_says_so():
    predictions = {"a": "A car drives on a road", "b": "A dog"}
    references = {"a": ["An auto drives on a road"], "b": ["A cat"]}
    synonyms = Synonyms("a test", {"car": {"auto"}})
    without = caption_overlap(predictions, references)
    done = caption_overlap(predictions, references, synonyms=synonyms)
    # "car" goes with "auto", and so do not only 4 but 5 of the 6 words, all in a row.
    assert without.captions[0].meteor == pytest.approx(100 * 4 / 6 * (1 - 0.5 / 4**3))
    assert done.captions[0].meteor == pytest.approx(100 * 5 / 6 * (1 - 0.5 / 5**3))
    assert done.captions[1] == without.captions[1]
    assert [done.bleu4, done.rouge_l, done.cider] == [
        without.bleu4, without.rouge_l, without.cider
    ]  # fmt: skip
    assert done.made == how_made(synonyms)
    assert done.made["meteor"].endswith(",exact+stem+synonyms of a test")
