"""The lists of keys: no chord does two things, and the names that people read."""

from collections import Counter

import pytest

from annotate.keys.lists import AT_ONCE, LOOPS, PLAYER, Key, KeyGroup, chord_words, markdown_table
from annotate.kinds import all_kinds
from annotate.queue.work_kinds import work_kind

GROUPS = {kind: work_kind(kind).key_groups() for kind in all_kinds()}


@pytest.mark.parametrize("kind", GROUPS)
def test_no_chord_does_two_things_on_a_page(kind):
    own = [group for group in GROUPS[kind] if group not in (PLAYER, LOOPS)]
    chords = Counter(chord for group in own for key in group.keys for chord in key.chords)
    assert [chord for chord, count in chords.items() if count > 1] == []


@pytest.mark.parametrize("kind", GROUPS)
def test_no_key_that_works_while_writing_is_one_of_the_video(kind):
    """Without Alt the work's own keys win; with Alt nothing would tell which is meant."""
    *own, media, _ = GROUPS[kind]
    taken = {chord for key in media.keys for chord in key.anywhere}
    assert [chord for group in own for key in group.keys for chord in key.anywhere
            if chord in taken] == []  # fmt: skip


def test_chords_are_named_as_people_read_them():
    assert chord_words("Alt+KeyK") == ["Alt", "K"]
    assert chord_words("BracketLeft") == ["["]
    assert chord_words("Shift+") == ["Shift", "the key"]


def test_the_table_of_the_docs_shows_numbered_keys_as_a_range():
    digits = Key("choose", "Rate", ("Digit0", "Digit1", "Digit2"), numbered=True)
    assert markdown_table(KeyGroup("rate", "The rating", (digits, AT_ONCE))).splitlines()[2:] == [
        "| Rate |  | 0 to 2 |",
        "| Choose, submit and next |  | Shift the key |",
    ]
