"""The search in captions on the page Clips."""

import pytest
from django.urls import reverse

from annotate.corpus.caption_hits import find_captions
from annotate.models import Caption, Membership, WorkItem
from annotate.search.services import index_for_a_minute
from annotate.search.words import read_terms
from tests.cast import client_of, count_queries, make_clip


@pytest.fixture
def url(project):
    return reverse("annotate:corpus", args=[project.slug])


def describe(project, name: str, text: str, **fields) -> Caption:
    clip = make_clip(project, original_name=f"{name}.mp4", **fields)
    return Caption.objects.create(
        project=project, clip=clip, kind="general", source="imported", text=text, word_count=1
    )


def search(person, url, text: str, **filters):
    return client_of(person).get(url, {"text": text, **filters})


def names(response) -> list[str]:
    return [row.clip.video.original_name for row in response.context["page"].object_list]


@pytest.fixture
def dogs(project):
    describe(project, "beach", "A <b>dog</b> runs along the beach.", category="Pets")
    describe(project, "park", "The man throws a ball to the Dog.", category="Sports")
    describe(project, "sea", "Waves break on the shore.", category="Sports")
    index_for_a_minute()


def test_it_lists_clips_whose_captions_have_the_words(url, ada, dogs):
    assert names(search(ada, url, "dog")) == ["park.mp4", "beach.mp4"]
    assert names(search(ada, url, '"the beach" dog')) == ["beach.mp4"]
    assert names(search(ada, url, "dog", category="Sports")) == ["park.mp4"]
    assert names(search(ada, url, "dog", category="Sports", sort="name")) == ["park.mp4"]
    assert names(search(ada, url, "newt")) == []
    assert len(names(search(ada, url, '" & ! ( *'))) == 3  # no word, so no filter


def test_it_marks_the_match_and_escapes_the_caption(url, ada, dogs):
    page = search(ada, url, "dog beach").content.decode()
    marked = "A &lt;b&gt;<mark>dog</mark>&lt;/b&gt; runs along the <mark>beach</mark>."
    assert marked in page


def test_it_says_how_many_captions_it_does_not_know_yet(url, ada, project, dogs):
    describe(project, "pond", "A newt swims.")
    page = search(ada, url, "newt").content.decode()
    assert "1 caption isn’t searchable yet" in " ".join(page.split())
    index_for_a_minute()
    assert names(search(ada, url, "newt")) == ["pond.mp4"]


def test_a_caption_that_the_member_may_not_read_is_not_found(url, anna, ben, emil, project):
    clip = make_clip(project)
    WorkItem.objects.create(project=project, clip=clip, kind="write", needed=2, open_slots=2)
    Caption.objects.create(
        project=project,
        clip=clip,
        kind="general",
        source="human",
        text="A secret newt",
        word_count=3,
        author=ben,
    )
    index_for_a_minute()
    response = search(anna, url, "newt")
    assert names(response) == []
    assert b"secret" not in response.content
    assert len(names(search(ben, url, "newt"))) == 1
    assert len(names(search(emil, url, "newt"))) == 1


def test_it_takes_the_same_number_of_queries_at_1_and_3_clips(url, ada, project):
    def count() -> int:
        index_for_a_minute()
        client = client_of(ada)
        with count_queries() as queries:
            client.get(url, {"text": "dog"})
        return len(queries.statements)

    describe(project, "one", "dog")
    before = count()
    for name in ("two", "three"):
        describe(project, name, "dog")
    assert count() == before


def test_a_search_for_a_common_word_ends_at_the_newest_captions(ada, project, dogs):
    membership = Membership.objects.get(user=ada, project=project)
    hits = find_captions(membership, read_terms("dog"), most=1)
    assert list(hits.caption_of.values()) == [Caption.objects.get(text__contains="ball").pk]
    assert hits.is_cut
    assert not find_captions(membership, read_terms("dog"), most=2).is_cut
