"""Work handed out by subcategory: a member's own first, or alone."""

import pytest

from annotate.models import AuditEvent, Project
from annotate.projects.services.members import assign_subcategories
from annotate.queue.services import claim_next, claimable_by
from tests.cast import client_of, make_clip
from tests.work import make_work

FIRST, ONLY, OFF = Project.AssignedWork.FIRST, Project.AssignedWork.ONLY, Project.AssignedWork.OFF


@pytest.fixture
def clips(project):
    """Three clips in the order of the queue."""
    names = [("Sports", "Diving"), ("Home", "Cooking"), ("Home", "Ironing")]
    made = [
        make_clip(project, category=category, subcategory=subcategory)
        for category, subcategory in names
    ]
    for clip in made:
        make_work(clip, needed=1)
    return made


def assign(person, ada, *shares, rule):
    membership = person.memberships.select_related("project", "user").get()
    Project.objects.filter(pk=membership.project_id).update(assigned_work=rule)
    assign_subcategories(membership=membership, admin=ada, shares=list(shares))


def handed_out(person):
    """Return the subcategories that the queue hands out to the person, in the announced order."""
    membership = person.memberships.select_related("project", "user").get()
    expected = [
        item.clip.video.subcategory for item in claimable_by(person, membership.project, "write")
    ]
    taken = []
    while assignment := claim_next(membership=membership, kind="write"):
        taken.append(assignment.item.clip.video.subcategory)
        type(assignment).objects.filter(pk=assignment.pk).update(state="submitted")
    assert taken == expected
    return taken


@pytest.mark.parametrize(
    ("rule", "shares", "order"),
    [
        (OFF, [("Home", "Ironing")], ["Diving", "Cooking", "Ironing"]),
        (FIRST, [("Home", "Ironing")], ["Ironing", "Diving", "Cooking"]),
        (FIRST, [("Home", "")], ["Cooking", "Ironing", "Diving"]),
        (FIRST, [], ["Diving", "Cooking", "Ironing"]),
        (ONLY, [("Home", "Ironing"), ("Sports", "Diving")], ["Diving", "Ironing"]),
        (ONLY, [("Home", "")], ["Cooking", "Ironing"]),
        (ONLY, [("Sports", "Ironing")], []),
        (ONLY, [], ["Diving", "Cooking", "Ironing"]),
    ],
)
def test_the_rule_decides_what_a_member_gets(clips, anna, ada, rule, shares, order):
    assign(anna, ada, *shares, rule=rule)
    assert handed_out(anna) == order


def test_what_is_assigned_to_one_member_changes_nothing_for_another(clips, anna, ben, ada):
    assign(anna, ada, ("Home", "Ironing"), rule=ONLY)
    assert handed_out(ben) == ["Diving", "Cooking", "Ironing"]


def test_my_work_says_what_is_assigned_and_why_nothing_waits(project, clips, anna, ada):
    assign(anna, ada, ("Sports", "Ironing"), rule=ONLY)
    page = client_of(anna).get("/p/dives/").text
    assert "Assigned to you: Ironing." in page
    assert "Nothing waits for you in the subcategories assigned to you: Ironing." in page


def test_a_new_choice_replaces_the_old_one_and_is_audited(clips, anna, ada):
    assign(anna, ada, ("Home", ""), rule=ONLY)
    assign(anna, ada, ("Sports", "Diving"), ("Sports", "Diving"), rule=ONLY)
    assert [str(subcategory) for subcategory in anna.memberships.get().assigned.all()] == [
        "Sports: Diving"
    ]
    event = AuditEvent.objects.filter(verb="assign subcategories").latest("pk")
    assert (event.before, event.after) == (
        {"shares": [["Home", ""]]},
        {"shares": [["Sports", "Diving"]]},
    )
