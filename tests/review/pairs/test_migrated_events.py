"""What the migrations make of labels and pairs that were stored before labels had events."""

from importlib import import_module

import pytest
from django.apps import apps

from annotate.models import ActionLabel
from review.pairs.models import LabelPair
from tests.review.triplets.triplets import make_label, make_pair

pytestmark = pytest.mark.django_db


def test_labels_get_the_event_of_their_caption(project):
    for key, caption in (("1", "(Vault) tsukahara"), ("2", "Forward"), ("3", "(Beam) turn")):
        make_label(project, key, caption)
    ActionLabel.objects.filter(key="3").update(event="Given")
    import_module("annotate.migrations.0009_fill_label_events").fill(apps, None)
    events = dict(ActionLabel.objects.values_list("key", "event"))
    assert events == {"1": "Vault", "2": "", "3": "Given"}


def test_pairs_of_different_events_are_to_be_compared_again(project):
    vault, beam, other, dive = (
        make_label(project, str(number), event=event)
        for number, event in enumerate(["Vault", "Beam", "Vault", ""])
    )
    across = make_pair(vault, beam)
    for second in (other, dive):
        make_pair(vault, second)
    import_module("review.migrations.0020_mark_event_candidates").mark(apps, None)
    assert list(LabelPair.objects.filter(candidate="event", is_outdated=True)) == [across]
    assert LabelPair.objects.filter(candidate="temporal", is_outdated=False).count() == 2
