"""Work by program: the same services as on the pages."""

from __future__ import annotations

from uuid import uuid4

import pytest

from annotate.consent.services import write_consent_text
from annotate.models import Assignment, Caption, WorkItem
from review.comparisons.models import Vote
from review.modifications.services import open_modifications
from tests.api.asking import problem, program_of
from tests.cast import join, make_clip, make_project
from tests.hand_work import machine_caption
from tests.review.comparisons.comparing import start_round
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair
from tests.review.verification.verifying import hold_verification
from tests.split_work import hold_split
from tests.work import WRITE_UP, hold, make_work

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def program(anna, project):
    return program_of(anna, project)


def take(program, kind="write"):
    answer = program.ask("post", f"work/take/{kind}/")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_write_up_is_taken_saved_and_submitted_once(program, project):
    clip = make_clip(project)
    make_work(clip)
    work = take(program)
    assert (work["kind"], work["clip"], work["state"]) == ("write", clip.pk, "held")
    assert take(program)["id"] == work["id"]

    address = f"work/{work['id']}/"
    content = dict(WRITE_UP)
    saved = program.ask("put", f"{address}draft/", {"base_version": 0, "content": content})
    assert (saved.json()["version"], saved.json()["holds_lease"]) == (1, True)
    stale = program.ask("put", f"{address}draft/", {"base_version": 0, "content": {"misc": "No."}})
    assert problem(stale) == (409, "draft-conflict")
    assert (stale.json()["version"], stale.json()["content"]) == (1, content)
    assert "lease_expires_at" in program.ask("post", f"{address}heartbeat/", {}).json()

    request = {"base_version": 1, "content": content, "key": str(uuid4())}
    for _ in range(2):
        answer = program.ask("post", f"{address}submit/", request)
        assert (answer.status_code, answer.json()["state"]) == (200, "submitted")
    assert Caption.objects.filter(clip=clip).count() == 1
    again = program.ask("post", f"{address}submit/", request | {"key": str(uuid4())})
    assert problem(again) == (410, "lease-lost")
    assert program.ask("post", "work/take/write/").status_code == 204
    assert [row["state"] for row in program.rows("work/?kind=write")] == ["submitted"]


def test_an_incomplete_submit_names_each_field_and_stores_nothing(program, project):
    make_work(make_clip(project))
    work = take(program)
    request = {"base_version": 0, "content": {"overview": "A dive."}, "key": str(uuid4())}
    refused = program.ask("post", f"work/{work['id']}/submit/", request)
    assert problem(refused) == (422, "invalid")
    assert refused.json()["errors"][0].keys() == {"field", "detail"}
    assert not Caption.objects.exists()


def test_skipped_work_is_kept_and_can_be_taken_again(program, project):
    make_work(make_clip(project))
    work = take(program)
    assert program.ask("post", f"work/{work['id']}/skip/", {"reason": "Dark"}).status_code == 204
    assert Assignment.objects.get(pk=work["id"]).skip_reason == "Dark"
    again = program.ask("post", f"work/{work['id']}/take-again/")
    assert again.json()["state"] == "held"


def test_one_agrees_to_the_consent_text_on_its_page_first(program, project, ada):
    make_work(make_clip(project))
    write_consent_text(project=project, admin=ada, text="Agree.", asks_again=True, base_number=0)
    assert problem(program.ask("post", "work/take/write/")) == (403, "consent-missing")
    assert not Assignment.objects.exists()


def test_work_is_of_the_tokens_project(program, project, anna):
    make_work(make_clip(project))
    work = take(program)
    other = make_project("Other")
    join(other, anna, "annotator")
    elsewhere = program_of(anna, other)
    assert problem(elsewhere.get(f"work/{work['id']}/")) == (404, "not-found")
    assert problem(elsewhere.ask("post", f"work/{work['id']}/heartbeat/", {})) == (404, "not-found")
    assert problem(program.ask("post", f"work/{2**70}/heartbeat/", {})) == (404, "not-found")


def test_a_caption_is_verified_with_what_the_task_says(program, project, anna):
    caption = machine_caption(make_clip(project), "A man opens a door. He waits.")
    held = hold_verification(anna, caption)
    task = program.get(f"work/{held.pk}/").json()["task"]
    assert (task["sentences"], task["theme"]) == (["A man opens a door.", "He waits."], "")
    content = {"sentences": task["sentences_key"], "verdict-0": "ok", "verdict-1": "B"}
    content |= {"delete-1": "1", "theme": "ok"}
    request = {"base_version": 0, "content": content, "key": str(uuid4())}
    assert program.ask("post", f"work/{held.pk}/submit/", request).status_code == 200
    assert Caption.objects.get(source="corrected").text == "A man opens a door."
    assert program.get(f"work/{held.pk}/").json()["task"] == {}


def test_the_task_of_a_split_has_the_merged_sentences(program, project, anna):
    held = hold_split(make_clip(project), anna, misc="The camera stays still.")
    task = program.get(f"work/{held.pk}/").json()["task"]
    assert task["merged"] == str(Caption.objects.get(source="merged").pk)
    assert task["sentences"][-1] == "The camera stays still."


def test_the_task_of_labels_has_both_and_the_proposed_text(project, emil):
    first, second = make_label(project, "a", "2 turns"), make_label(project, "b", "3 turns")
    clip, _ = (labelled_clip(project, label, "train") for label in (first, second))
    pair, program = make_pair(first, second), program_of(emil, project)
    open_modifications(pair)
    work = WorkItem.objects.get(kind="modify", clip=clip)
    address = f"work/{hold(emil, work).pk}/"
    expected = {"source": "2 turns", "target": "3 turns", "proposal": None}
    assert program.get(address).json()["task"] == expected
    judged = hold(emil, make_work(clip, "pair", subject=pair.pk))
    assert program.get(f"work/{judged.pk}/").json()["task"] == {
        "first": "2 turns",
        "second": "3 turns",
    }
    gone = hold(emil, make_work(make_clip(project), "pair", subject=2**40))
    assert problem(program.get(f"work/{gone.pk}/")) == (409, "refused")


def test_a_vote_is_blind_and_of_what_was_shown(project, rita, ada):
    start_round(project, [make_clip(project)])
    program = program_of(rita, project)
    work = take(program, "compare")
    assert set(work["task"]) == {"left", "right", "shown"}
    assert "Egret" not in str(work)
    address = f"work/{work['id']}/submit/"
    vote = {"outcome": "left", "shown": "something else"}
    request = {"base_version": 0, "content": vote, "key": str(uuid4())}
    assert problem(program.ask("post", address, request)) == (409, "refused")
    vote["shown"] = work["task"]["shown"]
    assert program.ask("post", address, request).status_code == 200
    [own] = program.rows("votes/")
    assert own["outcome"] == "left"
    changed = program.ask("put", f"votes/{own['caption_pair']}/", {"outcome": "tie"})
    assert changed.json()["outcome"] == "tie"
    assert Vote.objects.count() == 2
