"""Modifications: asked for both ways, accepted, edited, rejected."""

from uuid import uuid4

import pytest

from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import AuditEvent, Clip, WorkItem
from annotate.queue.services import claim_next, skip
from review.errors import ReviewError
from review.modifications.models import Modification
from review.modifications.services import ask_again, open_modifications, submit_modification
from review.pairs.services import hand_out_pairs, record_pair_verdict, submit_pair_verdict
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify
from tests.work import hold

pytestmark = pytest.mark.django_db
TEXT = "show with 3.5 somersaults"


@pytest.fixture
def labels(project):
    return [
        make_label(project, "a", "Forward, 2.5 somersaults"),
        make_label(project, "b", "Forward, 3.5 somersaults"),
    ]


@pytest.fixture
def clips(project, labels):
    return [labelled_clip(project, label, "train") for label in labels]


@pytest.fixture
def pair(labels, clips):
    return make_pair(*labels)


@pytest.fixture
def work(pair):
    """The work of the direction from the first label to the second."""
    open_modifications(pair)
    return WorkItem.objects.get(kind="modify", clip__label=pair.first)


def submit(held, key=None, **content):
    return submit_modification(
        assignment_id=held.pk,
        annotator=held.annotator,
        key=key or uuid4(),
        base_version=0,
        content={"decision": "edit", "proposal": "", **content},
    )


def texts() -> list[tuple[str, str]]:
    return list(Modification.objects.values_list("text", "state"))


def judged(project, person, kind):
    hand_out_pairs(project=project, least=0, people=1, admin=None)
    item = WorkItem.objects.get(kind="pair")
    return submit_pair_verdict(
        assignment_id=hold(person, item).pk,
        annotator=person,
        key=uuid4(),
        base_version=0,
        content={"kind": kind},
    )


def modify_states() -> list[str]:
    return list(WorkItem.objects.filter(kind="modify").values_list("state", flat=True))


class TestOpening:
    @pytest.mark.parametrize("kind", ["temporal", "event"])
    def test_a_decided_pair_asks_for_both_directions(self, project, labels, clips, emil, kind):
        pair = make_pair(*labels, kind="")
        judged(project, emil, kind)
        items = WorkItem.objects.filter(kind="modify").order_by("clip")
        assert [(item.clip, item.subject) for item in items] == [(clip, pair.pk) for clip in clips]

    def test_a_rejected_pair_asks_for_nothing(self, project, labels, clips, emil):
        make_pair(*labels, kind="")
        judged(project, emil, "reject")
        assert modify_states() == []

    def test_thinking_again_withdraws_and_asks_anew(self, project, labels, clips, emil):
        make_pair(*labels, kind="")
        done = judged(project, emil, "temporal")
        states = []
        for kind in ("event", "reject", "event"):
            record_pair_verdict(assignment=done, kind=kind)
            states.append(modify_states())
        assert states == [["open"] * 2, ["cancelled"] * 2, ["open"] * 2]

    def test_what_is_begun_may_be_finished(self, project, labels, clips, emil, rita):
        make_pair(*labels, kind="")
        done = judged(project, emil, "temporal")
        held = claim_next(membership=rita.memberships.get(), kind="modify")
        record_pair_verdict(assignment=done, kind="reject")
        assert claim_next(membership=emil.memberships.get(), kind="modify") is None
        held.annotator = rita
        submit(held, text=TEXT)
        assert texts() == [(TEXT, "accepted")]

    def test_what_is_begun_and_skipped_goes_to_nobody(self, project, labels, clips, emil, rita):
        make_pair(*labels, kind="")
        done = judged(project, emil, "temporal")
        held = claim_next(membership=rita.memberships.get(), kind="modify")
        record_pair_verdict(assignment=done, kind="reject")
        skip(assignment_id=held.pk, annotator=rita, reason="No pair.")
        assert claim_next(membership=emil.memberships.get(), kind="modify") is None


class TestSubmitting:
    def test_a_person_writes_the_text(self, pair, work, emil):
        submit(hold(emil, work), text=f"  {TEXT} ")
        made = Modification.objects.get()
        assert (made.text, made.state, made.author, made.parent) == (TEXT, "accepted", emil, None)
        assert (made.source, made.target) == (pair.first, pair.second)
        work.refresh_from_db()
        assert work.state == "done"

    def test_a_proposed_text_is_accepted(self, pair, work, emil):
        proposal = modify(pair.first, pair.second, TEXT, state="waiting")
        held = hold(emil, work)
        submit(held, decision="accept", proposal=str(proposal.pk), text="something else")
        assert texts() == [(TEXT, "accepted")]
        proposal.refresh_from_db()
        assert proposal.assignment == held

    def test_an_edit_is_a_child_of_what_was_proposed(self, pair, work, emil):
        proposal = modify(pair.first, pair.second, "do more", state="waiting")
        submit(hold(emil, work), proposal=str(proposal.pk), text=TEXT)
        assert texts() == [("do more", "edited"), (TEXT, "accepted")]
        assert Modification.objects.last().parent == proposal

    def test_an_edit_that_changes_nothing_accepts(self, pair, work, emil):
        proposal = modify(pair.first, pair.second, TEXT, state="waiting")
        submit(hold(emil, work), proposal=str(proposal.pk), text=f"{TEXT} ")
        assert texts() == [(TEXT, "accepted")]

    def test_a_rejection_keeps_its_reason(self, pair, work, emil):
        proposal = modify(pair.first, pair.second, TEXT, state="waiting")
        submit(hold(emil, work), decision="reject", proposal=str(proposal.pk), reason="The same.")
        assert texts() == [(TEXT, "rejected")]
        assert AuditEvent.objects.latest("id").after["reason"] == "The same."

    def test_twice_is_once(self, work, emil):
        held, key = hold(emil, work), uuid4()
        submit(held, key, text=TEXT)
        submit(held, key, text=TEXT)
        assert texts() == [(TEXT, "accepted")]

    @pytest.mark.parametrize(
        ("content", "field"),
        [
            ({"decision": "accept"}, "decision"),
            ({"decision": ""}, "decision"),
            ({"decision": "delete"}, "decision"),
            ({"decision": "edit", "text": "once"}, "text"),
            ({"decision": "edit", "text": "turn " * 20}, "text"),
            ({"decision": "edit", "text": "a" * 299 + " b"}, "text"),
            ({"decision": "reject", "reason": " "}, "reason"),
            ({"decision": "reject", "reason": "x" * 501}, "reason"),
            ({"decision": "edit", "text": TEXT, "proposal": "7"}, "decision"),
        ],
    )
    def test_what_is_not_complete_is_refused(self, work, emil, content, field):
        held = hold(emil, work)
        with pytest.raises(WorkInvalid) as refused:
            submit(held, **content)
        assert [problem.field for problem in refused.value.problems] == [field]
        assert texts() == []

    def test_a_text_that_the_person_has_not_seen_stands_in_the_way(self, pair, work, emil):
        modify(pair.first, pair.second, "do more", state="waiting")
        with pytest.raises(WorkInvalid, match="Reload"):
            submit(hold(emil, work), text=TEXT)

    def test_a_text_that_reads_the_same_is_asked_about_once(self, project, pair, work, emil):
        modify(pair.first, make_label(project, "c"), "Show with three and a half somersaults")
        held = hold(emil, work)
        with pytest.raises(WorkInvalid, match="reads the same and leads to Dive c") as caught:
            submit(held, text=TEXT)
        assert [problem.field for problem in caught.value.problems] == ["keeps_same"]
        submit(held, text=TEXT, keeps_same="1")
        assert (TEXT, "accepted") in texts()

    def test_there_is_one_accepted_text_a_direction(self, pair, work, emil):
        modify(pair.first, pair.second, TEXT)
        with pytest.raises(AnnotateError, match="already has an accepted text"):
            submit(hold(emil, work), text="show one more turn")

    def test_a_clip_that_has_lost_its_label_is_refused(self, project, clips, work, emil):
        Clip.objects.filter(pk=work.clip_id).update(label=None)
        with pytest.raises(AnnotateError, match="no longer has a label"):
            submit(hold(emil, work), text=TEXT)


class TestAskingAgain:
    def test_a_rejected_direction_is_offered_to_somebody_else(self, work, emil, rita, ada):
        submit(hold(emil, work), decision="reject", reason="Unclear.")
        ask_again(item_id=work.pk, admin=ada)
        assert claim_next(membership=emil.memberships.get(), kind="modify").item_id != work.pk
        other = claim_next(membership=rita.memberships.get(), kind="modify")
        assert other.item_id == work.pk

    def test_what_waits_or_has_a_text_is_refused(self, pair, work, emil, ada):
        with pytest.raises(ReviewError, match="is still open"):
            ask_again(item_id=work.pk, admin=ada)
        submit(hold(emil, work), text=TEXT)
        with pytest.raises(ReviewError, match="it already has a text"):
            ask_again(item_id=work.pk, admin=ada)
