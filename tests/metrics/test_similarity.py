import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.similarity import jaccard, shingle_similarity

TOKENS = st.lists(st.sampled_from("abcd"), max_size=12)


def test_jaccard_by_hand():
    assert jaccard(["man", "red", "shirt"], ["man", "blue", "shirt"]) == 2 / 4
    assert jaccard(["a", "a", "b"], ["b", "a"]) == 1
    assert jaccard(["a"], ["b"]) == 0
    assert jaccard(["a"], []) == 0


def test_two_empty_collections_have_no_jaccard_index():
    assert jaccard([], set()) is None


def test_a_bare_string_is_refused():
    with pytest.raises(TypeError, match="not the letters"):
        jaccard("man", ["man"])


def test_shingles_by_hand():
    a = ["he", "cuts", "the", "red", "melon"]  # 3 runs of three
    b = ["he", "cuts", "the", "green", "melon"]  # 3 runs, of which "he cuts the" is shared
    assert shingle_similarity(a, b) == 1 / 5
    assert shingle_similarity(a, b, n=1) == 4 / 6
    assert shingle_similarity(a, a) == 1


def test_a_text_shorter_than_a_shingle_has_no_similarity():
    assert shingle_similarity(["he", "runs"], ["he", "runs", "fast"]) is None
    assert shingle_similarity([], []) is None


def test_a_shingle_needs_a_token():
    with pytest.raises(ValueError, match="n is 0"):
        shingle_similarity(["a"], ["a"], n=0)


@given(TOKENS, TOKENS)
def test_both_are_symmetric_and_between_0_and_1(a, b):
    for value, swapped in [
        (jaccard(a, b), jaccard(b, a)),
        (shingle_similarity(a, b), shingle_similarity(b, a)),
    ]:
        assert value == swapped
        assert value is None or 0 <= value <= 1


@given(TOKENS, TOKENS)
def test_shingles_of_one_token_are_the_jaccard_index(a, b):
    expected = jaccard(a, b) if a and b else None
    assert shingle_similarity(a, b, n=1) == expected


@given(TOKENS.filter(lambda tokens: len(tokens) >= 3))
def test_a_text_is_the_same_as_itself(tokens):
    assert jaccard(tokens, tokens) == shingle_similarity(tokens, tokens) == 1
