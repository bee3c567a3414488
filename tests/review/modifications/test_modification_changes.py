"""Accepted modifications are changed and withdrawn, also once there are triplets."""

import pytest

from annotate.models import AuditEvent, WorkItem
from review.errors import ReviewError
from review.modifications.changes import change_modification, withdraw_modification
from review.modifications.models import Modification, ModificationPrompt
from review.modifications.prompt_changes import save_prompt
from review.triplets.models import ComposedQuery, TripletSet
from review.triplets.sets import generate, start_triplet_set
from tests.review.capst.judging import modify_item
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify

pytestmark = pytest.mark.django_db
TEXT = "show with one more turn"


@pytest.fixture
def labels(project):
    return [make_label(project, key) for key in ("107b", "109b", "307c")]


@pytest.fixture
def accepted(labels):
    return modify(labels[0], labels[1])


def states() -> list[tuple[str, str]]:
    return list(Modification.objects.values_list("text", "state"))


class TestChanging:
    def test_the_new_text_is_a_child_of_the_old_one(self, accepted, emil):
        new = change_modification(modification=accepted, text=f" {TEXT}  ", person=emil)
        assert states() == [(accepted.text, "edited"), (TEXT, "accepted")]
        assert (new.parent, new.author, new.assignment) == (accepted, emil, None)
        event = AuditEvent.objects.get(verb="change modification")
        assert (event.actor, event.after) == (emil, {"text": TEXT})

    def test_two_texts_that_read_the_same_no_longer_block_the_triplets(
        self, project, labels, accepted, emil
    ):
        for label in labels:
            labelled_clip(project, label, "train")
        modify(labels[0], labels[2], accepted.text)
        with pytest.raises(ReviewError, match="leads from 107b to 109b and 307c"):
            start_triplet_set(project=project, seed=0, most_targets=10, admin=emil)
        change_modification(modification=accepted, text=TEXT, person=emil)
        made = start_triplet_set(project=project, seed=0, most_targets=10, admin=emil)
        assert generate(triplets=made).triplet_count == 2

    def test_a_set_keeps_the_text_that_it_was_made_with(self, project, labels, accepted, emil):
        for label in labels[:2]:
            labelled_clip(project, label, "train")
        generate(triplets=start_triplet_set(project=project, seed=0, most_targets=1, admin=None))
        change_modification(modification=accepted, text=TEXT, person=emil)
        assert ComposedQuery.objects.get().modification == accepted

    @pytest.mark.parametrize("text", ["show with 2 somersaults", "twist", "turn " * 20])
    def test_an_invalid_text_is_refused(self, accepted, emil, text):
        with pytest.raises(ReviewError):
            change_modification(modification=accepted, text=text, person=emil)
        assert states() == [(accepted.text, "accepted")]

    def test_what_reads_like_another_text_of_the_source_is_refused(self, labels, accepted, emil):
        modify(labels[0], labels[2], "Show with two twists")
        with pytest.raises(ReviewError, match="reads the same and leads to Dive 307c"):
            change_modification(modification=accepted, text="show with 2 twists", person=emil)

    def test_what_is_no_longer_in_use_is_refused(self, accepted, emil):
        change_modification(modification=accepted, text=TEXT, person=emil)
        with pytest.raises(ReviewError, match="no longer in use"):
            change_modification(modification=accepted, text="show two turns", person=emil)

    def test_nothing_changes_while_triplets_are_generated(self, project, accepted, emil):
        TripletSet.objects.create(project=project, number=1)
        with pytest.raises(ReviewError, match="being generated"):
            withdraw_modification(modification=accepted, person=emil)


class TestWithdrawing:
    def test_somebody_else_is_asked(self, labels, accepted, emil):
        item = modify_item(accepted.pair)
        WorkItem.objects.filter(pk=item.pk).update(state="done", open_slots=0)
        withdraw_modification(modification=accepted, person=emil)
        item.refresh_from_db()
        assert (item.state, item.needed, item.open_slots) == ("open", 2, 1)
        assert states() == [(accepted.text, "rejected")]
        assert AuditEvent.objects.get(verb="withdraw modification").actor == emil

    def test_an_imported_text_is_asked_for_again(self, project, labels, accepted, emil):
        clip = labelled_clip(project, labels[0], "train")
        withdraw_modification(modification=accepted, person=emil)
        assert WorkItem.objects.get().clip == clip

    def test_nobody_is_asked_about_a_rejected_pair(self, project, labels, emil):
        labelled_clip(project, labels[0], "train")
        make_pair(labels[0], labels[2], "reject")
        withdraw_modification(modification=modify(labels[0], labels[2]), person=emil)
        assert not WorkItem.objects.exists()


def test_an_unchanged_prompt_makes_no_version(project):
    prompt = {"project": project, "domain": "diving", "instruction": "Be brief.", "examples": []}
    save_prompt(**prompt, author=None)
    with pytest.raises(ReviewError, match="Nothing was saved"):
        save_prompt(**prompt, author=None)
    assert ModificationPrompt.objects.count() == 1
