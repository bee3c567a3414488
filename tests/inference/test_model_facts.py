"""Numbers of parameters, read and written as papers print them."""

import pytest

from inference.model_facts import read_size, size_words


@pytest.mark.parametrize(
    ("text", "count", "words"),
    [
        ("7B", 7_000_000_000, "7B"),
        (" 1.5 b", 1_500_000_000, "1.5B"),
        ("427m", 427_000_000, "427M"),
        ("149,620,737", 149_620_737, "149.621M"),
        ("1T", 10**12, "1T"),
        ("12", 12, "12"),
        ("", None, ""),
    ],
)
def test_a_size_is_read_and_written_as_papers_print_it(text, count, words):
    assert read_size(text) == count
    assert size_words(count) == words


@pytest.mark.parametrize("text", ["seven", "7 GB", "-7B", "7B!", "1e9", "7.B", "0", "9999T"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(ValueError, match="Write"):
        read_size(text)
