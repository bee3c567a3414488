"""Words, terms and snippets."""

import pytest

from annotate.search.words import MAX_TERMS, Term, composed, make_snippet, read_terms, words_of


def plain(text: str) -> list[str]:
    return [word.text for word in words_of(composed(text))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A Dog, left-handed; don't!", ["a", "dog", "left", "handed", "don", "t"]),
        ("Café cafe\u0301 STRASSE straße", ["cafe", "cafe", "strasse", "strasse"]),
        ("snake_case 2.5 m", ["snake", "case", "2", "5", "m"]),
        ("狗在跑 dog", ["狗", "在", "跑", "dog"]),
        ("!!! …", []),
    ],
)
def test_a_text_is_divided_into_words(text, words):
    assert plain(text) == words


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("Dog runs", [Term(("dog",)), Term(("runs",))]),
        ('"the dog" runs', [Term(("the", "dog")), Term(("runs",))]),
        ('"the dog', [Term(("the", "dog"))]),
        ("run*", [Term(("run",), is_beginning=True)]),
        ("r*", [Term(("r",))]),
        ("left-handed", [Term(("left", "handed"))]),
        ("dog dog", [Term(("dog",))]),
        ("' OR 1=1 --", [Term(("or",)), Term(("1", "1"))]),
        ("& | ! <-> ( ) : * \" ''", []),
        ("", []),
    ],
)
def test_any_text_is_read_as_terms(typed, terms):
    assert read_terms(typed) == terms


def test_only_the_first_terms_are_searched():
    assert len(read_terms(" ".join(f"w{n}" for n in range(50)))) == MAX_TERMS


def highlighted(text: str, typed: str) -> str:
    pieces = make_snippet(text, read_terms(typed))
    return "".join(f"[{each.text}]" if each.is_match else each.text for each in pieces)


def test_a_snippet_marks_every_match():
    text = "A dog runs. The Dog sits, the dogs bark."
    assert highlighted(text, "dog") == "A [dog] runs. The [Dog] sits, the dogs bark."
    assert highlighted(text, "dog*") == "A [dog] runs. The [Dog] sits, the [dogs] bark."
    assert highlighted(text, '"the dog"') == "A dog runs. [The] [Dog] sits, the dogs bark."


def test_a_snippet_of_a_long_text_is_the_part_around_the_match():
    text = "one " * 100 + "needle " + "two " * 100
    snippet = highlighted(text, "needle")
    assert snippet.startswith("… one one")
    assert snippet.endswith("two …")
    assert "[needle]" in snippet
    assert len(snippet) < 220
