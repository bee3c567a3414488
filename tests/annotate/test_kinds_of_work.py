"""Every kind of work has its code, whichever app it is in."""

import pytest
from django.template.loader import get_template

from annotate.access import ROLES_FOR_KIND
from annotate.kinds_of_work import fields, kind_of_work, register, why_nothing
from annotate.models import WorkItem
from annotate.services import stages

Kind = WorkItem.Kind
OF_THIS_APP = [Kind.WRITE, Kind.MERGE, Kind.SPLIT, Kind.DYNAMICS, Kind.HAND]


@pytest.mark.parametrize("kind", OF_THIS_APP)
def test_a_kind_has_a_page_and_a_template(kind):
    work = kind_of_work(kind)
    assert callable(work.context)
    assert get_template(work.template).origin.template_name == f"annotate/work_{kind}.html"


def test_a_kind_is_submitted_by_its_own_service():
    assert [kind_of_work(kind).submit for kind in OF_THIS_APP] == [
        stages.submit_write_up,
        stages.submit_merge,
        stages.submit_split,
        stages.submit_dynamics_check,
        stages.submit_hand_writing,
    ]


def test_somebody_may_take_every_kind():
    assert set(ROLES_FOR_KIND) == set(Kind)


def test_a_kind_is_registered_once():
    with pytest.raises(ValueError, match="The work write is registered twice"):
        register(
            Kind.WRITE,
            context=lambda held, draft: {},
            submit=stages.submit_split,
            template="",
            texts=fields("text"),
            nothing=why_nothing("", "", ""),
        )
