"""Every kind of work has its code, whichever app it is in."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.template.loader import get_template

from annotate.dynamics.services import submit_dynamics_check
from annotate.handwrite.services import submit_hand_writing
from annotate.kinds import _REGISTERED, all_facts
from annotate.merge.services import submit_merge
from annotate.models import Assignment
from annotate.protocols import _REGISTERED as PROTOCOLS
from annotate.protocols import register_protocol
from annotate.protocols.carebench import CAREBENCH
from annotate.protocols.protocol import PEOPLE, Lane, Step
from annotate.queue.fields import DraftField
from annotate.queue.services import Submission, submits
from annotate.queue.work_kinds import WorkKind, register_work, work_kind
from annotate.split.services import submit_split
from annotate.split.work import Split
from annotate.write.services import submit_write_up
from review.overview.lanes import lanes_of
from review.overview.queries import facts_of
from tests.cast import client_of, make_clip, make_person, make_project
from tests.work import make_work

FOLDERS = {
    "write": "write",
    "merge": "merge",
    "split": "split",
    "dynamics": "dynamics",
    "hand": "handwrite",
}
OF_THIS_APP = list(FOLDERS)


@pytest.mark.parametrize("kind", OF_THIS_APP)
def test_a_kind_has_a_page_and_a_template(kind):
    work = work_kind(kind)
    assert callable(work.context)
    assert get_template(work.template).origin.template_name == f"annotate/{FOLDERS[kind]}/work.html"


def test_a_kind_is_submitted_by_its_own_service():
    assert [work_kind(kind).submit for kind in OF_THIS_APP] == [
        submit_write_up,
        submit_merge,
        submit_split,
        submit_dynamics_check,
        submit_hand_writing,
    ]


def test_somebody_may_take_every_kind():
    assert all(facts.roles and facts.submitted for facts in all_facts())


def test_a_kind_is_registered_once():
    with pytest.raises(ValueError, match="The work split is registered twice"):
        register_work(Split())


class Doodle(WorkKind):
    kind = "doodle"
    label = "Doodle"
    roles = ("annotator",)
    submitted = "Doodle submitted"
    template = "annotate/queue/work_base.html"
    fields = (DraftField("text", "What it shows."),)
    guideline = "Draw what you see."

    @staticmethod
    @submits()
    def submit(submission: Submission) -> None:
        submission.complete()
        submission.record()

    def context(self, assignment, draft):
        return {}


def test_a_new_kind_is_one_class_and_a_step_of_a_protocol(db, monkeypatch):
    monkeypatch.setattr("annotate.kinds._REGISTERED", dict(_REGISTERED))
    monkeypatch.setattr("annotate.protocols._REGISTERED", dict(PROTOCOLS))
    register_work(Doodle())
    lane = Lane("Doodles", (Step("doodle", PEOPLE),))
    register_protocol(replace(CAREBENCH, key="doodles", lanes=(lane,)))
    project = make_project(protocol="doodles")
    anna = make_person("Anna", project, "annotator", "admin")
    make_work(make_clip(project), "doodle", needed=1)
    client, home = client_of(anna), f"/p/{project.slug}/"
    assert "Doodle next" in client.get(home).text
    address = client.post(f"{home}claim/doodle/").url
    assert "Draw what you see." in client.get(address).text
    held = Assignment.objects.get()
    content = {"text": "A cat."}
    submitted = client.post(f"{address}submit/", {"key": uuid4(), "base_version": 0, **content})
    assert submitted.status_code == 302
    held.refresh_from_db()
    assert (held.state, held.draft) == ("submitted", content)
    [[step]] = (lane.steps for lane in lanes_of(facts_of(project)))
    assert (step.title, step.done, step.state) == ("Doodle", 1, "done")
