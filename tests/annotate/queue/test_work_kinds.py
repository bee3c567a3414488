"""Every kind of work has its code, whichever app it is in."""

import pytest
from django.template.loader import get_template

from annotate.dynamics.services import submit_dynamics_check
from annotate.handwrite.services import submit_hand_writing
from annotate.kinds import all_kinds
from annotate.merge.services import submit_merge
from annotate.models import WorkItem
from annotate.queue.work_kinds import register_work, work_kind
from annotate.split.services import submit_split
from annotate.split.work import Split
from annotate.write.services import submit_write_up

Kind = WorkItem.Kind
FOLDERS = {
    Kind.WRITE: "write",
    Kind.MERGE: "merge",
    Kind.SPLIT: "split",
    Kind.DYNAMICS: "dynamics",
    Kind.HAND: "handwrite",
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
    assert [facts.kind for facts in all_kinds() if facts.roles and facts.submitted] == Kind.values


def test_a_kind_is_registered_once():
    with pytest.raises(ValueError, match="The work split is registered twice"):
        register_work(Split())
