"""Every kind of work has its code, whichever app it is in."""

import pytest
from django.template.loader import get_template

from annotate.access import ROLES_FOR_KIND
from annotate.models import WorkItem
from annotate.services import stages
from annotate.work_kinds import register_work, work_kind
from annotate.work_pages import Split

Kind = WorkItem.Kind
OF_THIS_APP = [Kind.WRITE, Kind.MERGE, Kind.SPLIT, Kind.DYNAMICS, Kind.HAND]


@pytest.mark.parametrize("kind", OF_THIS_APP)
def test_a_kind_has_a_page_and_a_template(kind):
    work = work_kind(kind)
    assert callable(work.context)
    assert get_template(work.template).origin.template_name == f"annotate/work_{kind}.html"


def test_a_kind_is_submitted_by_its_own_service():
    assert [work_kind(kind).submit for kind in OF_THIS_APP] == [
        stages.submit_write_up,
        stages.submit_merge,
        stages.submit_split,
        stages.submit_dynamics_check,
        stages.submit_hand_writing,
    ]


def test_somebody_may_take_every_kind():
    assert set(ROLES_FOR_KIND) == set(Kind)


def test_a_kind_is_registered_once():
    with pytest.raises(ValueError, match="The work split is registered twice"):
        register_work(Split())
