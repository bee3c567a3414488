import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.align import Pair, align_sentences
from annotate.text.content import content_words, similarity, stem
from annotate.text.sentences import split_sentences
from tests.annotate.text.samples import ANNA, BEN

SENTENCES = st.lists(
    st.text(max_size=20)
    | st.sampled_from(["He runs.", "A man runs fast.", "The dog barks.", "It is.", "A red car."]),
    max_size=7,
)


@pytest.mark.parametrize(
    "forms",
    [
        "slice slices sliced slicing",
        "run runs ran running",
        "carry carries carried carrying",
        "box boxes",
        "woman women",
        "tie tied tying",
        "two 2",
        "quick quickly",
        "clothes clothing",
    ],
)
def test_inflections_share_a_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("words", ["king", "string", "red", "need", "family", "bus"])
def test_a_word_that_only_looks_inflected_is_left_whole(words):
    assert stem(words) == {"family": "famili"}.get(words, words)


def test_content_words_know_their_place():
    text = "😀 The T-shirt’s blue."
    assert [(text[t.start : t.end], t.word) for t in content_words(text)] == [
        ("T", "t"),
        ("shirt’s", "shirt"),
        ("blue", "blue"),
    ]


def test_similarity_by_hand():
    # stems {man, slic, melon} and {man, cut, melon}
    assert similarity("The man slices a melon.", "A man cut the melons.") == 2 / 4
    assert similarity("It is.", " It  is. ".strip()) == 1
    assert similarity("It is.", "They were.") == 0


def test_two_write_ups_are_aligned_as_a_reader_would():
    def indexes(part):
        a, b = ([s.text for s in split_sentences(text[part])] for text in (ANNA, BEN))
        return [(pair.a, pair.b) for pair in align_sentences(a, b)]

    assert indexes("overview") == [(0, 0)]
    assert indexes("objects") == [(0, 0), (1, 1), (2, 2), (3, 3), (4, None)]
    assert indexes("actions") == [(0, 0), (1, 1), (2, 2), (3, 3), (4, None), (None, 4)]


def test_an_empty_side_leaves_all_alone():
    assert align_sentences([], ["One.", "Two."]) == [Pair(None, 0, 0.0), Pair(None, 1, 0.0)]
    assert align_sentences([], []) == []


@given(SENTENCES)
def test_identical_texts_align_one_to_one(sentences):
    expected = [Pair(i, i, 1.0) for i in range(len(sentences))]
    assert align_sentences(sentences, sentences) == expected


@given(SENTENCES, SENTENCES)
def test_each_index_occurs_once_and_in_order(a, b):
    pairs = align_sentences(a, b)
    assert [pair.a for pair in pairs if pair.a is not None] == list(range(len(a)))
    assert [pair.b for pair in pairs if pair.b is not None] == list(range(len(b)))
    assert all(pair.a is not None or pair.b is not None for pair in pairs)
    assert all((pair.similarity > 0) == (None not in (pair.a, pair.b)) for pair in pairs)
