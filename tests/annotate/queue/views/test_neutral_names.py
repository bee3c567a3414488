"""No page of an item shows a file name, which may be the answer: clips have short names there."""

import pytest
from django.urls import reverse

from annotate.models import ActionLabel, Clip, Video
from tests.cast import client_of
from tests.hand_work import attempt, hold_check, machine_caption, open_hand
from tests.merge_work import hold_merge
from tests.review.capst.judging import modify_item, pair_item
from tests.review.comparisons.comparing import next_caption_pair, start_round
from tests.review.identification.identifying import make_complete, take
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair
from tests.review.triplets.verifying_triplets import hold_query, make_query
from tests.review.verification.verifying import hold_verification
from tests.split_work import hold_split
from tests.work import hold, make_work

SECRET = "somersault-of-anna"
pytestmark = pytest.mark.django_db


def name_all() -> None:
    """Every file says what it shows."""
    for clip in Clip.objects.all():
        Clip.objects.filter(pk=clip.pk).update(name=f"{SECRET}-{clip.pk}")
    Video.objects.update(original_name=f"{SECRET}.mp4")
    ActionLabel.objects.update(event="")


def write(project, person, anna, ben, make_clip):
    return hold(person, make_work(make_clip(project)))


def merge(project, person, anna, ben, make_clip):
    return hold_merge(make_clip(project), person, anna, ben)


def split(project, person, anna, ben, make_clip):
    return hold_split(make_clip(project), person)


def dynamics(project, person, anna, ben, make_clip):
    return hold_check(person, make_clip(project).video)


def hand(project, person, anna, ben, make_clip):
    tried = machine_caption(make_clip(project), "A dog barks.")
    return hold(person, open_hand(tried.clip, attempt(tried)))


def verify(project, person, anna, ben, make_clip):
    return hold_verification(person, machine_caption(make_clip(project), "A dog barks."))


def rate(project, person, anna, ben, make_clip):
    rated = machine_caption(make_clip(project), "A dog barks.")
    return hold(person, make_work(rated.clip, "rate", needed=1, subject=rated.pk))


def compare(project, person, anna, ben, make_clip):
    start_round(project, [make_clip(project)])
    return next_caption_pair(project, person)[0]


def pair(project, person, anna, ben, make_clip):
    labels = [make_label(project, key) for key in ("1", "2")]
    for label in labels:
        labelled_clip(project, label, "train")
    return hold(person, pair_item(make_pair(*labels, "")))


def modify(project, person, anna, ben, make_clip):
    labels = [make_label(project, key) for key in ("1", "2")]
    return hold(person, modify_item(make_pair(*labels)))


def triplet(project, person, anna, ben, make_clip):
    return hold_query(person, make_query(project))


def identify(project, person, anna, ben, make_clip):
    from review.identification.services import start_test

    for word in ("boat", "horse", "kettle", "ladder"):
        make_complete(project, ben, word)
    start_test(project=project, admin=anna, kinds=["spatial"], options=4, people=1)
    return take(person, project)


KINDS = [
    write, merge, split, dynamics, hand, verify, rate, compare, pair, modify, triplet, identify,
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_page_of_an_item_and_of_the_next_names_no_file(kind, project, anna, ben):
    from tests.cast import make_clip, make_person

    person = make_person("Kim", project, "annotator", "expert", "reviewer")
    held = kind(project, person, anna, ben, make_clip)
    name_all()
    client = client_of(person)
    page = client.get(reverse("annotate:work", args=[held.pk]))
    assert page.status_code == 200
    assert SECRET not in page.text
    skipped = client.post(
        reverse("annotate:skip", args=[held.pk]), {"skip_reason": "Too dark to see"}, follow=True
    )
    [message, *_] = skipped.context["messages"]
    assert SECRET not in str(message)
