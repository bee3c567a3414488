import time
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.parts import join_parts
from annotate.text.sentences import SPLITTER, split_sentences
from tests.annotate.text.samples import ANNA

PIECES = "He walks|Mr. Lee|approx. 3 sec|. |! |…|\n|\r\n\r\n| |_|- |“Go!” |(It is. |) "
PIECES += "|\u200b|\u200f|שלום|👨\u200d👩\u200d👧|。|؟ |2.5"
PROSE = st.lists(st.sampled_from(PIECES.split("|"))).map("".join)


def sentences(text):
    return [sentence.text for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("no punctuation at all", ["no punctuation at all"]),
        ("He walks. She runs!", ["He walks.", "She runs!"]),
        ("He walks.She runs.", ["He walks.", "She runs."]),
        (
            "The turn takes approx. 3 sec. in all. Mr. Lee nods.",
            ["The turn takes approx. 3 sec. in all.", "Mr. Lee nods."],
        ),
        ("She adjusts her cap. She turns.", ["She adjusts her cap.", "She turns."]),
        ("He shows a work of art. He bows.", ["He shows a work of art.", "He bows."]),
        ("As art. 5 says, cap. 3 holds.", ["As art. 5 says, cap. 3 holds."]),
        ("He turns 2.5 times. Then he stops.", ["He turns 2.5 times.", "Then he stops."]),
        ("At 9 a.m. he runs.", ["At 9 a.m. he runs."]),
        ("“Stop.” She nods.", ["“Stop.”", "She nods."]),
        ("He runs; she walks.", ["He runs; she walks."]),
        ("one line\nanother line", ["one line", "another line"]),
        ("one line\r\n\r\n  another line  ", ["one line", "another line"]),
        ("He smiles. 😀", ["He smiles. 😀"]),
        ("😀", ["😀"]),
        ("First\u200b. Next_ one", ["First\u200b.", "Next_ one"]),
        ("One\n\u200b\u200f\nTwo", ["One", "Two"]),
        ("他走了。她来了！", ["他走了。", "她来了！"]),
        ("“他走了。”她说。", ["“他走了。”", "她说。"]),
        ("هل هو هنا؟ نعم.", ["هل هو هنا؟", "نعم."]),
        ("वह चलता है। वह रुकता है।", ["वह चलता है।", "वह रुकता है।"]),
    ],
)
def test_it_splits(text, expected):
    assert sentences(text) == expected


def test_a_whole_write_up_has_the_sentences_of_its_parts():
    whole = join_parts(ANNA)
    assert sentences(whole) == [s for part in ANNA.values() for s in sentences(part)]
    assert [len(sentences(part)) for part in ANNA.values()] == [1, 5, 5, 3]


@given(st.text() | PROSE)
def test_only_white_space_and_the_invisible_lie_between(text):
    spans = split_sentences(text)
    places = [0, *(place for s in spans for place in (s.start, s.end)), len(text)]
    assert places == sorted(places)
    assert all(text[s.start : s.end] == s.text == s.text.strip() for s in spans)
    gaps = [text[left:right] for left, right in list(pairwise(places))[::2]]
    assert regex.fullmatch(r"[\s\p{Default_Ignorable_Code_Point}\x1c-\x1f]*", "".join(gaps))


@given(st.text() | PROSE)
def test_no_visible_character_is_lost(text):
    def visible(value):
        return regex.sub(r"[\s\p{Default_Ignorable_Code_Point}\x1c-\x1f]", "", value)

    assert visible("".join(sentences(text))) == visible(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>A man</b> runs. <i>He</i> stops.", ["<b>A man</b> runs.", "<i>He</i> stops."]),
        ("<p>A man runs.\n<br>He stops.", ["<p>A man runs.", "<br>He stops."]),
        ("One < two & three. They stop.", ["One < two & three.", "They stop."]),
    ],
)
def test_markup_is_text_like_any_other(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("word " * 50_000, 1),
        ("He runs. 😀 " * 10_000, 10_000),
        ("First\u200b runs.\u200b " * 10_000, 10_000),
        ("הוא הולך. " * 10_000, 10_000),
        ("他走了。" * 10_000, 10_000),
        ("<b>A man</b> runs.\n" * 10_000, 10_000),
        ("..." * 20_000, 1),
    ],
    ids=["no punctuation", "emoji", "zero-width", "right to left", "no spaces", "markup", "stops"],
)
def test_any_script_takes_seconds_not_minutes(text, count):
    started = time.process_time()
    spans = split_sentences(text)
    assert time.process_time() - started < 20
    assert len(spans) == count
    assert all(text[s.start : s.end] == s.text for s in spans)


@pytest.mark.parametrize("end", [" ", "\n"])
def test_ten_thousand_sentences_take_seconds_not_minutes(end):
    text = end.join(["The man walks to the left and stops there."] * 10_000)
    started = time.process_time()
    assert len(split_sentences(text)) == 10_000
    assert time.process_time() - started < 20


def test_the_splitter_is_named_with_its_version():
    assert SPLITTER == "syntok 1.4.4, lines 2"
