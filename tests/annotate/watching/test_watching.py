"""A project asks how much of a clip was watched, and a submit with less changes nothing."""

import json
from math import ceil
from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Assignment, AuditEvent, Caption, WorkItem
from annotate.queue.services.watching import refuse_unwatched, require_watching
from annotate.rules import values_of
from annotate.write.services import submit_write_up
from review.quality.grading import GRADERS
from tests.cast import client_of, make_clip
from tests.work import WRITE_UP, hold, make_work, post_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def asking(project, ada):
    return require_watching(project=project, percents={"write": 80, "merge": 0}, admin=ada)


@pytest.fixture
def held(asking, anna):
    return hold(anna, make_work(make_clip(asking)))


def watch(assignment, share):
    frames = ceil(share * assignment.item.clip.frames)
    Assignment.objects.filter(pk=assignment.pk).update(watched=[[0, frames]])


def submit(assignment):
    return submit_write_up(
        assignment_id=assignment.pk,
        annotator=assignment.annotator,
        key=uuid4(),
        base_version=0,
        content=WRITE_UP,
    )


def test_less_than_the_project_asks_for_is_refused_and_the_hold_is_kept(held):
    watch(held, 0.5)
    with pytest.raises(
        WorkInvalid, match="watched 50 % of this clip, and this project asks for 80"
    ):
        submit(held)
    held.refresh_from_db()
    assert held.state == "held"
    assert not Caption.objects.exists()
    watch(held, 0.8)
    submit(held)
    assert Caption.objects.get().author == held.annotator


def test_the_page_says_how_much_is_missing_and_keeps_what_was_typed(held, anna):
    watch(held, 0.25)
    client = client_of(anna)
    page = client.get(reverse("annotate:work", args=[held.pk]))
    assert (page.context["watching"].percent, page.context["watching"].required) == (25, 80)
    body = {"key": str(uuid4()), "base_version": 0, "content": WRITE_UP, "then": ""}
    answer = post_json(client, "submit", held, body)
    assert answer.status_code == 422
    [problem] = json.loads(answer.content)["problems"]
    assert problem["field"] == "watched"
    sent = WRITE_UP | {"key": str(uuid4()), "base_version": 0}
    page = client.post(reverse("annotate:submit", args=[held.pk]), sent)
    assert page.status_code == 422
    assert "You have watched 25 %" in page.text
    assert WRITE_UP["overview"] in page.text


def test_where_several_clips_loop_each_is_asked_for(project, ada, emil):
    require_watching(project=project, percents={"pair": 50}, admin=ada)
    held = hold(emil, make_work(make_clip(project), kind="pair", needed=1))
    refused = "watched 0 % of each clip, and this project asks for 50 %"
    with pytest.raises(WorkInvalid, match=refused):
        refuse_unwatched(held)
    watch(held, 0.5)
    held.refresh_from_db()
    refuse_unwatched(held)


def test_identification_is_not_asked_because_the_length_is_the_answer(asking, ada):
    with pytest.raises(AnnotateError, match="identify isn't work for which watching is counted"):
        require_watching(project=asking, percents={"identify": 50}, admin=ada)


def test_gold_is_asked_the_same_as_work(held):
    assert "write" in GRADERS
    WorkItem.with_known_answers.filter(pk=held.item_id).update(purpose="gold")
    with pytest.raises(WorkInvalid, match="watched 0 %"):
        submit(Assignment.objects.get(pk=held.pk))


def test_an_admin_sets_it_on_the_page(project, ada):
    client, page = client_of(ada), reverse("annotate:watching", args=[project.slug])
    refused = client.post(page, {"write": "101"})
    assert refused.status_code == 422
    assert "less than or equal to 100" in refused.text
    assert 'value="101"' in refused.text
    assert client.post(page, {"write": "80", "merge": "0", "compare": ""}).status_code == 302
    assert values_of(project, "watched_percent") == {"write": 80}
    assert AuditEvent.objects.get(verb="set watching").after == {"watched_percents": {"write": 80}}
    assert 'value="80"' in client.get(page).text
