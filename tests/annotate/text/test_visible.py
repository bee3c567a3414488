import pytest

from annotate.text.visible import has_hidden_characters


@pytest.mark.parametrize(
    "name",
    [
        "Anna Lindqvist",
        "O’Brien-Łukasz",
        "سارا",
        "می\u200cخواهم",  # ZWNJ between Persian letters
        "क्\u200dष",  # ZWJ after a virama
        "👩\u200d💻 lab",
        "❤\ufe0f\u200d🔥",
        "山田\u3000太郎",
        "Jean\u00a0Paul",
    ],
)
def test_names_as_people_write_them_pass(name):
    assert not has_hidden_characters(name)


@pytest.mark.parametrize(
    "character",
    [
        *"\x00\x07\t\n\x7f\x85",
        *"\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
        *"\u00ad\u200b\u200c\u200d\u2028\u2029\u2060\ufeff\u180e\u3164\u115f\u2800",
        "\ue000",
        "\U000e0041",
    ],
    ids=ascii,
)
def test_what_cannot_be_seen_does_not(character):
    assert has_hidden_characters(f"An{character}na")
    assert has_hidden_characters(f"{character}Anna")
