"""A program's tags, beside people's own verdicts, on half of the captions and off by default."""

import pytest
from django.urls import reverse

from annotate.models import Membership, WorkItem
from review.programs.pages import ProgramsPage
from review.reports.services import recompute
from review.studies.models import Study, StudyCaption
from review.verification import pre_tags
from review.verification.content import read_judgment
from review.verification.models import Verification
from tests.cast import client_of, make_clip
from tests.hand_work import machine_caption
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    form_data,
    open_verification,
    verify,
)
from tests.work import hold

pytestmark = pytest.mark.django_db
TAGS = ALL_OK | {"verdict-1": "A", "correction-1": "His cap is orange."}
DECIDED = {"verdict-0": "ok", "verdict-1": "ok"}


@pytest.fixture(autouse=True)
def half(monkeypatch):
    """The draw, by the number of the item."""
    monkeypatch.setattr(pre_tags, "_is_drawn", lambda item: item.pk % 2 == 0)


@pytest.fixture
def tagged(project, ben, anna):
    """A function that makes a caption with a program's verification, and returns it with the work
    that another person holds. `drawn`: whether they see the tags."""
    Membership.objects.filter(user=ben).update(program="Judge 7B")

    def make(when, *, drawn=True, person=anna):
        project.pre_tags = when
        project.save()
        caption = machine_caption(make_clip(project), CAPTION)
        item = open_verification(caption, 2)
        if (item.pk % 2 == 0) != drawn:
            return make(when, drawn=drawn, person=person)
        verify(hold(ben, item), caption, TAGS)
        return caption, hold(person, item)

    return make


def seen(held, caption, content=DECIDED):
    """Return the tags that the answer to these verdicts shows: number, types and own."""
    answer = client_of(held.annotator).post(
        reverse("review:verify_changes", args=[held.pk]),
        {"content": form_data(caption, content)},
        content_type="application/json",
    )
    assert answer.status_code == 200
    verdicts = read_judgment(form_data(caption, content), 4)[0].verdicts
    tags = pre_tags.pre_tags(held.item, held.annotator, caption, verdicts)
    assert ("Judge 7B" in answer.json()["html"]) is (tags is not None)
    return [(tag.number, tag.types, tag.own) for tag in tags.tags] if tags else None


AFTER = [(1, "", ""), (2, "A", "")]


@pytest.mark.parametrize(
    ("when", "drawn", "expected"),
    [
        ("off", True, None),
        ("after", False, None),
        ("after", True, AFTER),
        ("before", False, None),
        ("before", True, [*AFTER, (3, "", ""), (4, "", "")]),
    ],
)
def test_when_tags_are_shown(tagged, when, drawn, expected):
    caption, held = tagged(when, drawn=drawn)
    assert seen(held, caption) == expected
    assert seen(held, caption, {}) == (expected if when == "before" else None)
    page = client_of(held.annotator).get(reverse("annotate:work", args=[held.pk])).text
    assert ("Judge 7B" in page) is (when == "before" and drawn)
    verify(held, caption, ALL_OK)
    assert Verification.objects.latest("pk").saw_pre_tags is (None if when == "off" else drawn)


def test_gold_studies_programs_and_verdicts_of_people_have_no_tags(tagged, project):
    caption, held = tagged("before")
    WorkItem.objects.filter(pk=held.item_id).update(purpose="gold")
    held.item.refresh_from_db()
    assert seen(held, caption) is None

    caption, held = tagged("before")
    study = Study.objects.create(project=project, kind="threshold", people=1, scorer="f" * 64)
    StudyCaption.objects.create(study=study, caption=caption)
    assert seen(held, caption) is None

    caption, held = tagged("before")
    Membership.objects.filter(user=held.annotator).update(program="Another")
    held.item.project = type(project).objects.get()
    assert seen(held, caption) is None
    Membership.objects.filter(user=held.annotator).update(program="")

    caption, held = tagged("before")
    Membership.objects.update(program="")  # then the verdicts are a person's
    held.item.project = type(project).objects.get()
    assert seen(held, caption) is None


def test_the_difference_that_tags_make_is_measured_and_does_not_flatter_the_program(
    tagged, project, ada
):
    for drawn, content in ((True, TAGS), (False, ALL_OK)):
        caption, held = tagged("after", drawn=drawn)
        verify(held, caption, content)
    recompute(project=type(project).objects.get(), name="programs")
    membership = project.memberships.select_related("project", "user").get(user=ada)
    [section] = ProgramsPage().context(membership, {}, None)["sections"]
    compared = section.parts[0].compared
    assert (compared.with_tags.count, compared.with_tags.of) == (4, 4)
    assert (compared.without_tags.count, compared.without_tags.of) == (3, 4)
    assert compared.shared == 4  # of the caption on which the tags were withheld
