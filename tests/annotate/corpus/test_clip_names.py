"""Clip names are safe as file names, and one project has each only once, in whatever case."""

import pytest

from annotate.corpus.clip_names import free_names, safe_stem
from tests.cast import count_queries, make_clip, make_project


@pytest.mark.parametrize(
    ("file_name", "stem"),
    [
        ("dive.mp4", "dive"),
        ("city walk (1).mp4", "city_walk_1_"),
        ("v1.2.mp4", "v1.2"),
        ("..mp4", "clip"),
        ("aux.mp4", "_aux"),
        ("Nul.tar.mp4", "_Nul.tar"),
        ("a" * 179 + ".b.mp4", "a" * 179),
        ("ü" * 120 + ".mp4", "ü" * 90),
    ],
)
def test_a_stem_is_safe_everywhere(file_name, stem):
    assert safe_stem(file_name) == stem


@pytest.mark.django_db
def test_a_taken_name_gets_a_number(project):
    make_clip(project, original_name="dive.mp4")
    make_clip(project, original_name="Dive-2.mp4")
    make_clip(make_project("Other"), original_name="dive-3.mp4")
    assert free_names(project, ["dive"]) == ["dive-3"]
    make_clip(project, original_name="Ü1.mp4")
    assert free_names(project, ["ü1"]) == ["ü1-2"]


@pytest.mark.django_db
def test_names_that_are_wanted_together_differ_too(project):
    assert free_names(project, ["a", "A", "b"]) == ["a", "A-2", "b"]


@pytest.mark.django_db
def test_many_names_take_one_query(project):
    with count_queries() as count:
        names = free_names(project, [f"talk-Scene-{n:03}" for n in range(1, 101)])
    assert (len(names), int(count)) == (100, 1)


@pytest.mark.django_db
def test_no_name_takes_no_query(project):
    with count_queries() as count:
        assert free_names(project, []) == []
    assert int(count) == 0
