"""Work whose caption, pair or query is gone: its page and its task say what to do."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.errors import AnnotateError
from annotate.queue.work_kinds import work_kind
from review.elements.models import Extraction
from tests.cast import client_of, make_clip
from tests.hand_work import machine_caption
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db
GONE = {
    "signoff": "These texts no longer exist. Skip this clip and tell an admin.",
    "pair": "These labels no longer exist. Skip this pair and tell an admin.",
    "modify": "This clip no longer has a label of the pair. Skip this direction and tell an admin.",
    "triplet": "This query no longer exists. Skip it and tell an admin.",
    "elements": "This work names no caption of its clip. Skip it, and tell an admin.",
    "identify": "This text no longer exists. Skip it and tell an admin.",
}


@pytest.mark.parametrize("kind", GONE)
def test_it_says_what_to_do_instead_of_showing_the_work(project, emil, kind):
    held = hold(emil, make_work(make_clip(project), kind, subject=0))
    with pytest.raises(AnnotateError) as refused:
        work_kind(kind).task(held)
    assert str(refused.value) == GONE[kind]
    assert GONE[kind] in client_of(emil).get(reverse("annotate:work", args=[held.pk])).text


def test_a_caption_without_elements_has_no_list_to_check(project, emil):
    caption = machine_caption(make_clip(project), "A man jumps.")
    held = hold(emil, make_work(caption.clip, "elements", subject=caption.pk))
    sentence = "No model has found elements in this caption. Skip it."
    assert sentence in client_of(emil).get(reverse("annotate:work", args=[held.pk])).text
    with pytest.raises(AnnotateError) as refused:
        work_kind("elements").submit(
            assignment_id=held.pk, annotator=emil, key=uuid4(), base_version=0,
            content={"events": "A man jumps"},
        )  # fmt: skip
    assert str(refused.value) == sentence
    assert not Extraction.objects.exists()
