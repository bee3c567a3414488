"""What a corrected label means for the pairs, texts, work and sets that rest on it."""

import pytest
from django.urls import reverse

from annotate.corpus.services.labels import correct_clip_label, correct_label
from annotate.errors import AnnotateError
from annotate.models import WorkItem
from review.errors import ReviewError
from review.modifications.changes import change_modification, keep_modification
from review.modifications.models import Modification
from review.pairs.models import LabelPair, PairVerdict
from review.triplets.corrections import Corrections, corrections_since
from review.triplets.models import TripletSet
from tests.cast import client_of
from tests.review.capst.judging import judge, pair_item
from tests.review.triplets.triplets import (
    labelled_clip,
    make_label,
    make_pair,
    make_triplet,
    modify,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def labels(project):
    return [make_label(project, key) for key in ("107b", "109b", "307c")]


@pytest.fixture
def text(labels):
    return modify(labels[0], labels[1])


def correct(label, ada, caption="Corrected"):
    return correct_label(label=label, caption=caption, event="", admin=ada)


def test_texts_and_similarities_are_outdated_and_verdicts_stay(labels, text, ada, emil):
    untouched = modify(labels[1], labels[2])
    judged = make_pair(labels[0], labels[2], "")
    judge(pair_item(judged), emil, "temporal")
    correct(labels[0], ada)
    assert set(Modification.objects.filter(is_outdated=True)) == {text}
    assert set(LabelPair.objects.filter(is_outdated=True)) == {text.pair, judged}
    assert PairVerdict.objects.count() == 1
    judged.refresh_from_db()
    assert (judged.kind, untouched.state) == ("temporal", "accepted")


def test_an_outdated_text_is_kept_or_changed(labels, text, ada, emil):
    correct(labels[0], ada)
    keep_modification(modification=text, person=emil)
    assert not Modification.objects.filter(is_outdated=True).exists()
    with pytest.raises(ReviewError, match="nothing to keep"):
        keep_modification(modification=text, person=emil)
    correct(labels[0], ada, "Corrected again")
    new = change_modification(modification=text, text="show with 3 somersaults", person=emil)
    assert (new.is_outdated, new.parent.is_outdated) == (False, True)


def test_the_page_of_an_outdated_text_offers_to_keep_it(project, labels, text, ada, emil):
    correct(labels[0], ada)
    client = client_of(emil)
    listing = client.get(
        reverse("review:modifications", args=[project.slug]), {"state": "outdated"}
    )
    assert list(listing.context["page"].object_list) == [text]
    arguments = [project.slug, text.pk]
    page = client.get(reverse("review:modification", args=arguments)).text
    assert "A label has been corrected since this text was accepted." in page
    client.post(reverse("review:keep_modification", args=arguments))
    assert "Outdated" not in client.get(listing.wsgi_request.path).text


def test_labels_stay_while_triplets_are_generated(project, labels, ada):
    TripletSet.objects.create(project=project, number=1, state="running")
    with pytest.raises(AnnotateError, match="Triplets are being generated now"):
        correct(labels[0], ada)


class TestWork:
    @pytest.fixture
    def clip(self, project, labels):
        return labelled_clip(project, labels[0], "train")

    def item(self, clip, pair) -> WorkItem:
        return WorkItem.objects.create(
            project=clip.project, clip=clip, kind="modify", subject=pair.pk
        )

    def test_another_clip_of_the_label_stands_for_it(self, project, labels, text, clip, ada):
        other = labelled_clip(project, labels[0], "train")
        item = self.item(clip, text.pair)
        correct_clip_label(clip=clip, label=labels[2], admin=ada)
        item.refresh_from_db()
        assert (item.clip, item.state) == (other, "open")

    def test_without_another_clip_open_work_is_withdrawn(self, labels, text, clip, ada):
        item = self.item(clip, text.pair)
        correct_clip_label(clip=clip, label=labels[2], admin=ada)
        item.refresh_from_db()
        assert (item.clip, item.state) == (clip, "cancelled")


class TestSets:
    @pytest.fixture
    def triplets(self, project, labels, text):
        query = labelled_clip(project, labels[0], "test")
        for label in (labels[1], labels[1]):
            make_triplet(query, text, labelled_clip(project, label, "test"))
        return TripletSet.objects.get()

    def test_a_set_says_what_rests_on_old_labels(self, project, labels, triplets, ada, rita):
        assert corrections_since(triplets) is None
        target = triplets.queries.get().targets.first().target
        correct_clip_label(clip=target, label=labels[2], admin=ada)
        assert corrections_since(triplets) == Corrections(0, 1, 0, 1)
        correct(labels[0], ada)
        assert corrections_since(triplets) == Corrections(1, 1, 1, 2)
        page = client_of(rita).get(
            reverse("review:triplet_set", args=[project.slug, triplets.number])
        )
        assert "This set is outdated." in page.text

    def test_what_was_taken_back_does_not_count(self, labels, triplets, ada):
        correct(labels[0], ada)
        correct(labels[0], ada, labels[0].caption)
        assert corrections_since(triplets) is None

    def test_labels_that_it_does_not_use_do_not_count(self, labels, triplets, ada):
        correct(labels[2], ada)
        assert corrections_since(triplets) is None
