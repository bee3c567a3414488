"""Videos that look alike: found, listed, kept, and settled by archiving one."""

import pytest
from django.urls import reverse

from annotate.archive.services import archive_thing
from annotate.corpus.archiving import ArchiveVideo
from annotate.corpus.near_duplicates import open_pairs, settled_pairs
from annotate.corpus.services.near_duplicates import (
    keep_both,
    record_near_duplicates,
    undo_keep_both,
)
from annotate.errors import AnnotateError
from annotate.models import AuditEvent, NearDuplicate
from tests.cast import client_of, count_queries, make_project, make_video

HASH = "00000000ffffffff" * 8
NEAR = "00000000fffffff0" * 8
FAR = "ffffffff00000000" * 8


@pytest.fixture
def pair(project):
    make_video(project, frame_hashes=HASH)
    record_near_duplicates(make_video(project, frame_hashes=NEAR))
    return NearDuplicate.objects.get()


def test_a_video_is_paired_with_those_that_look_like_it(project):
    near = make_video(project, frame_hashes=NEAR)
    make_video(project, frame_hashes=FAR)
    make_video(project)
    make_video(make_project("Others"), frame_hashes=HASH)
    video = make_video(project, frame_hashes=HASH)
    record_near_duplicates(video)
    record_near_duplicates(video)
    pairs = NearDuplicate.objects.values_list("first", "second", "distance")
    assert list(pairs) == [(near.pk, video.pk, 4.0)]


def test_parts_of_one_long_video_are_not_paired(project):
    make_video(project, frame_hashes=HASH, cut_from="match")
    assert record_near_duplicates(make_video(project, frame_hashes=HASH, cut_from="match")) == 0


def test_keeping_both_settles_the_pair_until_it_is_undone(project, pair, ada):
    keep_both(pair=pair, admin=ada)
    assert (list(open_pairs(project)), list(settled_pairs(project))) == ([], [pair])
    with pytest.raises(AnnotateError, match="kept already"):
        keep_both(pair=pair, admin=ada)
    undo_keep_both(pair=pair, admin=ada)
    assert list(open_pairs(project)) == [pair]
    with pytest.raises(AnnotateError, match="open already"):
        undo_keep_both(pair=pair, admin=ada)
    verbs = AuditEvent.objects.filter(object_type="nearduplicate").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == ["keep both", "undo keep both"]


def test_archiving_one_settles_the_pair(project, pair, ada):
    archive_thing(project=project, kind=ArchiveVideo(), thing=pair.second, reason="", admin=ada)
    assert (list(open_pairs(project)), list(settled_pairs(project))) == ([], [pair])


def test_the_page_lists_pairs_and_keeps_both(project, pair, ada):
    client = client_of(ada)
    page = reverse("annotate:near_duplicates", args=[project.slug])
    text = client.get(page).text
    assert all(video.original_name in text for video in (pair.first, pair.second))
    assert "Distance 4 of 64 bits" in " ".join(text.split())
    answer = client.post(reverse("annotate:keep_both", args=[project.slug, pair.pk]), follow=True)
    assert "No open pairs" in answer.text
    assert "Undo" in client.get(page, {"state": "settled"}).text
    client.post(reverse("annotate:undo_keep_both", args=[project.slug, pair.pk]))
    assert list(open_pairs(project)) == [pair]


def test_the_page_takes_the_same_queries_for_one_pair_and_three(project, pair, ada):
    client = client_of(ada)
    page = reverse("annotate:near_duplicates", args=[project.slug])
    client.get(page)
    with count_queries() as few:
        client.get(page)
    record_near_duplicates(make_video(project, frame_hashes=HASH))
    with count_queries() as many:
        client.get(page)
    assert open_pairs(project).count() == 3
    assert int(many) == int(few)
