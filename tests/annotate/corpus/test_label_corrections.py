"""Corrections of labels, and labels that count as one."""

import pytest

from annotate.corpus.labels import equal_labels, label_history, labels_as_one
from annotate.corpus.services.labels import (
    correct_clip_label,
    correct_label,
    count_apart,
    count_as_one,
)
from annotate.errors import AnnotateError
from annotate.models import ActionLabel, Clip
from tests.review.triplets.triplets import labelled_clip, make_label

pytestmark = pytest.mark.django_db


@pytest.fixture
def label(project):
    return make_label(project, "7", "(Vault) tsukahara", event="Vault")


def stored(label) -> tuple[str, str]:
    return ActionLabel.objects.values_list("caption", "event").get(pk=label.pk)


@pytest.mark.parametrize(
    ("caption", "event", "after"),
    [
        ("(Vault) tsukahara tucked", "Vault", ("(Vault) tsukahara tucked", "Vault")),
        ("(Beam) tsukahara", "Vault", ("(Beam) tsukahara", "Beam")),
        ("(Beam) tsukahara", "Floor", ("(Beam) tsukahara", "Floor")),
        ("(Vault) tsukahara", "", ("(Vault) tsukahara", "")),
    ],
)
def test_a_correction_is_kept_with_who_and_what_it_was(label, ada, caption, event, after):
    correct_label(label=label, caption=caption, event=event, admin=ada)
    assert stored(label) == after
    [event] = label_history(label)
    assert (event.actor, event.before["caption"], event.before["event"]) == (
        ada, "(Vault) tsukahara", "Vault",
    )  # fmt: skip
    assert (event.after["caption"], event.after["event"]) == after


def test_a_correction_that_changes_nothing_is_refused(label, ada):
    with pytest.raises(AnnotateError, match="Nothing has changed"):
        correct_label(label=label, caption=label.caption, event=label.event, admin=ada)
    assert label_history(label) == []


def test_a_clip_gets_another_label(project, label, ada):
    clip = labelled_clip(project, label, "train")
    other = make_label(project, "8", "handspring")
    correct_clip_label(clip=clip, label=other, admin=ada)
    assert Clip.objects.get(pk=clip.pk).label == other
    [event] = label_history(clip)
    assert (event.before["label"], event.after["label"]) == ("7", "8")
    with pytest.raises(AnnotateError, match="label 8 already"):
        correct_clip_label(clip=clip, label=other, admin=ada)


class TestCountingAsOne:
    @pytest.fixture
    def equal(self, project, label):
        return [label, *(make_label(project, key, label.caption, event="Vault") for key in "89")]

    def test_labels_with_equal_captions_count_as_one_and_apart_again(self, project, equal, ada):
        make_label(project, "5", equal[0].caption, event="Beam")
        keys = [each.pk for each in equal]
        count_as_one(label=equal[2], admin=ada)
        assert [labels_as_one(project)[key] for key in keys] == [keys] * 3
        [group] = equal_labels(project)
        assert (group.labels, group.count_as_one) == (equal, True)
        count_apart(label=equal[1], admin=ada)
        assert [labels_as_one(project)[key] for key in keys] == [[key] for key in keys]
        assert not equal_labels(project)[0].count_as_one

    @pytest.mark.parametrize("corrected", [0, 2])
    def test_a_corrected_label_leaves_the_others(self, project, equal, ada, corrected):
        count_as_one(label=equal[0], admin=ada)
        correct_label(label=equal[corrected], caption="Else", event="", admin=ada)
        rest = [each.pk for each in equal if each != equal[corrected]]
        as_one = labels_as_one(project)
        assert as_one[equal[corrected].pk] == [equal[corrected].pk]
        assert [as_one[key] for key in rest] == [rest, rest]

    def test_a_label_with_a_caption_of_its_own_is_refused(self, label, ada):
        with pytest.raises(AnnotateError, match="No other label has the caption of 7"):
            count_as_one(label=label, admin=ada)
