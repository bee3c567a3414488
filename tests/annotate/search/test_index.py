"""The index of the captions' words, on the database of the tests."""

import pytest

from annotate.models import Caption, SearchableCaption
from annotate.search.queries import count_waiting, with_terms
from annotate.search.services import index_batch, index_for_a_minute
from annotate.search.words import read_terms
from tests.cast import make_clip

pytestmark = pytest.mark.django_db

TEXTS = {
    "dog": "A dog runs, and the cat sleeps.",
    "dogs": "Two dogs run after the left-handed man.",
    "cafe": "The café isn’t open. A DOG sleeps there; the cat runs.",
    "cjk": "狗在跑",
}


@pytest.fixture
def captions(project):
    clip = make_clip(project)
    rows = {
        name: Caption.objects.create(
            project=project, clip=clip, kind="general", source="machine", text=text, word_count=1
        )
        for name, text in TEXTS.items()
    }
    index_for_a_minute()
    return rows


def matches(typed: str) -> list[str]:
    names = {text: name for name, text in TEXTS.items()}
    rows = with_terms(Caption.objects.all(), read_terms(typed)).order_by("pk")
    return [names[row.text] for row in rows]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("dog", ["dog", "cafe"]),
        ("DOG sleeps", ["dog", "cafe"]),
        ('"cat sleeps"', ["dog"]),
        ('"sleeps cat"', []),
        ("dog*", ["dog", "dogs", "cafe"]),
        ("cafe", ["cafe"]),
        ("CAFÉ", ["cafe"]),
        ("left-handed", ["dogs"]),
        ("handed left", ["dogs"]),
        ("isn't", ["cafe"]),
        ("在跑", ["cjk"]),
        ("跑在", []),
        ("' & | \" * :", []),
    ],
)
def test_both_databases_find_the_same(captions, typed, names):
    assert matches(typed) == names


def test_a_caption_waits_until_a_worker_indexes_it(captions, project):
    clip = captions["dog"].clip
    Caption.objects.create(
        project=project, clip=clip, kind="general", source="machine", text="A newt", word_count=2
    )
    assert count_waiting(project) == 1
    assert with_terms(Caption.objects.all(), read_terms("newt")).count() == 0
    index_for_a_minute()
    assert count_waiting(project) == 0
    assert with_terms(Caption.objects.all(), read_terms("newt")).count() == 1
    assert index_batch(after=0) is None


def test_a_deleted_caption_leaves_the_index(captions):
    captions["dog"].delete()
    assert matches("dog") == ["cafe"]
    assert SearchableCaption.objects.count() == len(TEXTS) - 1


def test_a_word_may_occur_thousands_of_times(project):
    text = "spam " * 20_000 + "needle"
    Caption.objects.create(
        project=project,
        clip=make_clip(project),
        kind="general",
        source="machine",
        text=text,
        word_count=20_001,
    )
    index_for_a_minute()
    assert with_terms(Caption.objects.all(), read_terms("needle spam")).count() == 1
