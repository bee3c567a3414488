"""The work page of a label pair, and judging one again."""

import pytest
from django.urls import reverse

from annotate.models import Assignment, WorkItem
from review.pairs.models import LabelPair, PairVerdict
from tests.cast import client_of
from tests.review.capst.judging import judge, pair_item
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture
def labels(project):
    return [make_label(project, key, f"Forward, {key} somersaults") for key in ("2.5", "3.5", "1")]


@pytest.fixture
def pair(labels):
    return make_pair(labels[0], labels[1], "")


def page(person, held) -> str:
    return client_of(person).get(reverse("annotate:work", args=[held.pk])).content.decode()


def submit(person, held, **typed):
    held.refresh_from_db()
    response = client_of(person).post(
        reverse("annotate:submit", args=[held.pk]),
        {"key": "7f2b8a52-3a52-4e0e-9c6b-2b5f0f4f6a11", "base_version": "0", **typed},
    )
    return response


def again(person, held, kind):
    return client_of(person).post(
        reverse("review:judge_pair_again", args=[held.pk]), {"kind": kind}
    )


def test_it_shows_both_labels_their_words_and_up_to_three_clips_of_each(project, pair, emil):
    for _ in range(4):
        labelled_clip(project, pair.first, "train")
    html = page(emil, hold(emil, pair_item(pair)))
    assert 'Forward, <mark class="conflict">2.5</mark> somersaults' in html
    assert html.count("data-loop ") == 4
    assert "Nothing of" not in html


def test_a_plain_form_submits_it_and_brings_the_next(project, labels, pair, emil):
    item = pair_item(pair)
    other = pair_item(make_pair(labels[0], labels[2], "", similarity=0.5))
    response = submit(emil, hold(emil, item), kind="event", then="next")
    pair.refresh_from_db()
    assert pair.kind == "event"
    held = Assignment.objects.get(item=other)
    assert response.headers["Location"] == reverse("annotate:work", args=[held.pk])
    html = page(emil, held)
    assert "Last: <strong>Event change</strong>" in html
    assert "Undo" in html


def test_without_a_choice_nothing_is_stored(pair, emil):
    response = submit(emil, hold(emil, pair_item(pair)))
    assert response.status_code == 422
    assert "Choose temporal change" in response.content.decode()
    assert PairVerdict.objects.count() == 0


def test_texts_that_came_meanwhile_refuse_it(pair, emil):
    held = hold(emil, pair_item(pair))
    modify(pair.first, pair.second)
    response = submit(emil, held, kind="reject")
    assert (response.status_code, PairVerdict.objects.count()) == (400, 0)


class TestAgain:
    def test_the_newest_verdict_counts_and_the_person_goes_on(self, labels, pair, emil):
        done = judge(pair_item(pair), emil, "temporal")
        held = hold(emil, pair_item(make_pair(labels[0], labels[2], "")))
        assert "Change verdict" in page(emil, done)
        response = again(emil, done, "reject")
        assert response.headers["Location"] == reverse("annotate:work", args=[held.pk])
        assert LabelPair.objects.get(pk=pair.pk).kind == "reject"
        assert 'value="reject" data-choice="reject" aria' in page(emil, done)

    def test_it_withdraws_the_modifications_that_it_had_opened(self, pair, emil):
        done = judge(pair_item(pair), emil, "temporal")
        again(emil, done, "reject")
        states = WorkItem.objects.filter(kind="modify").values_list("state", flat=True)
        assert list(states) == ["cancelled", "cancelled"]

    @pytest.mark.parametrize("kind", ["", "maybe"])
    def test_anything_else_changes_nothing(self, pair, emil, kind):
        done = judge(pair_item(pair), emil, "temporal")
        assert again(emil, done, kind).status_code == 302
        assert PairVerdict.objects.count() == 1

    def test_a_pair_with_texts_stays(self, pair, emil):
        done = judge(pair_item(pair), emil, "temporal")
        modify(pair.first, pair.second)
        again(emil, done, "reject")
        assert LabelPair.objects.get(pk=pair.pk).kind == "temporal"

    def test_that_it_stays_is_said_at_once(self, pair, emil):
        done = judge(pair_item(pair), emil, "temporal")
        assert "Change verdict" in page(emil, done)
        modify(pair.first, pair.second)
        html = page(emil, done)
        assert "so your verdict is final: Temporal change." in html
        assert ("Change verdict" in html, 'name="kind"' in html) == (False, False)

    def test_what_is_not_judged_yet_is_not_there(self, pair, emil):
        assert again(emil, hold(emil, pair_item(pair)), "reject").status_code == 404

    def test_it_is_only_posted(self, pair, emil):
        done = judge(pair_item(pair), emil, "temporal")
        url = reverse("review:judge_pair_again", args=[done.pk])
        assert client_of(emil).get(url).status_code == 405


def test_labels_that_share_a_caption_are_told_apart_by_their_keys(project, emil):
    labels = [make_label(project, key, "Round-off") for key in ("180", "216")]
    html = page(emil, hold(emil, pair_item(make_pair(*labels, ""))))
    assert "Labels 180 and 216 share a caption" in html


def test_a_label_that_has_lost_its_clips_is_still_shown(project, pair, emil):
    held = hold(emil, pair_item(pair))
    pair.second.clips.all().delete()
    html = page(emil, held)
    assert html.count("data-loop ") == 1
    assert "No clip" in html


def test_a_verdict_against_the_events_is_allowed_with_a_notice(project, emil):
    beam, floor, other = (
        make_label(project, key, f"({event}) {key}", event=event)
        for key, event in [("leap", "Beam"), ("jump", "Floor"), ("turn", "Beam")]
    )
    notice = "The labels have different events: Beam and Floor."
    across = make_pair(beam, floor, "")
    held = hold(emil, pair_item(across))
    assert page(emil, held).count(notice) == 1
    assert submit(emil, held, kind="temporal").status_code == 302
    across.refresh_from_db()
    assert across.kind == "temporal"
    following = page(emil, hold(emil, pair_item(make_pair(beam, other, ""))))
    # At the last verdict; the event of this pair is the same.
    assert following.count(notice) == 1
    assert following.count("Both labels have the event Beam.") == 1
