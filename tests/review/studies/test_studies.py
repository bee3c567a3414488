"""Starting and stopping the study that a threshold is estimated from."""

from collections import Counter

import pytest

from annotate.models import AuditEvent, WorkItem
from annotate.queue.services import claim_next, expire_leases
from review.errors import ReviewError
from review.reports.services import recompute
from review.studies.models import Study, StudyCaption
from review.studies.services import stop_study
from review.threshold.queries import studies_of
from review.threshold.studies import TooFewPeopleError, captions_to_sample, start_threshold_study
from review.verification.models import Verification
from tests.review.threshold.studying import judge_sample, scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, open_verification, verify
from tests.work import hold

pytestmark = pytest.mark.django_db
VALUES = [n / 30 for n in range(30)]


def test_it_draws_across_the_scores_and_asks_three_people_of_each(project, ada):
    scored_captions(project, VALUES)
    study = start_study(project, people=3, admin=ada)
    drawn = list(study.captions.select_related("item", "score"))
    assert Counter(sampled.stratum for sampled in drawn) == dict.fromkeys(range(5), 4)
    assert {(s.item.kind, s.item.needed, s.item.open_slots) for s in drawn} == {("verify", 3, 3)}
    assert [s.item.subject for s in drawn] == [s.caption_id for s in drawn]
    assert (study.people, study.strata, study.scorer_name) == (3, 5, "EVQAScore v3, lexical")
    event = AuditEvent.objects.get(verb="start study")
    assert (event.actor, event.after["captions"]) == (ada, 20)


def test_nobody_is_asked_where_the_labels_come_from_elsewhere(project):
    scored_captions(project, VALUES)
    study = start_study(project, hands_out=False)
    assert set(study.captions.values_list("item", flat=True)) == {None}
    assert not WorkItem.objects.exists()
    assert stop_study(study=study, admin=None).stopped_at


def test_people_get_the_captions_in_the_order_they_were_drawn(project, anna):
    scored_captions(project, VALUES)
    study = start_study(project)
    order = list(study.captions.order_by("pk").values_list("caption", flat=True))
    taken = claim_next(membership=anna.memberships.get(), kind="verify")
    assert taken.item.subject == order[0]
    by_priority = WorkItem.objects.order_by("-priority").values_list("subject", flat=True)
    assert list(by_priority) == order != sorted(order)


def test_only_machine_captions_that_are_the_newest_and_in_no_study_are_drawn(project, anna):
    scores = scored_captions(project, VALUES)
    low = scores[0].caption
    verify(hold(anna, open_verification(low)), low, ALL_OK | {"verdict-0": "B", "delete-0": "1"})
    first = start_study(project)
    assert low.pk not in first.captions.values_list("caption", flat=True)
    with pytest.raises(ReviewError, match="9 captions can be drawn, and 20 are asked for"):
        start_study(project)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"captions": 19}, "needs at least 20 captions"),
        ({"captions": 31}, "30 captions can be drawn, and 31"),
        ({"people": 0}, "Choose 1 to 20 people"),
        ({"people": 21}, "Choose 1 to 20 people"),
        ({"strata": 0}, "1 to 50 ranges"),
    ],
)
def test_a_sample_that_can_not_be_drawn_is_refused_with_what_to_do(project, changes, message):
    scored_captions(project, VALUES)
    with pytest.raises(ReviewError, match=message):
        start_study(project, **changes)
    assert (Study.objects.count(), WorkItem.objects.count()) == (0, 0)


def test_more_people_than_may_verify_are_refused_before_anything_is_drawn(project, anna, rita, ada):
    scorer = scored_captions(project, VALUES)[0].scorer
    options = {"project": project, "scorer": scorer, "captions": 20, "strata": 5, "seed": 0}
    with pytest.raises(TooFewPeopleError) as refused:
        start_threshold_study(**options, people=3, admin=ada)
    assert str(refused.value) == (
        "2 members can verify captions, and 3 are asked for each. "
        "Give 1 more the role annotator or reviewer first, or ask for fewer people."
    )
    assert (Study.objects.count(), WorkItem.objects.count()) == (0, 0)
    assert start_threshold_study(**options, people=2, admin=ada).people == 2


def test_a_stopped_study_asks_nobody_any_more(project, anna, ben, ada):
    scored_captions(project, VALUES)
    study = start_study(project, people=2)
    judged, begun, *_ = study.captions.order_by("pk").select_related("item", "caption")
    verify(hold(anna, judged.item), judged.caption, ALL_OK)
    held = hold(ben, begun.item)
    stop_study(study=study, admin=ada)
    assert Counter(WorkItem.objects.values_list("state", flat=True)) == {
        "cancelled": 19,
        "done": 1,
    }
    assert claim_next(membership=anna.memberships.get(), kind="verify") is None
    verify(held, begun.caption, ALL_OK)
    assert WorkItem.objects.get(pk=begun.item_id).state == "done"
    with pytest.raises(ReviewError, match="already stopped"):
        stop_study(study=study, admin=ada)


def test_a_hold_that_runs_out_after_the_stop_is_offered_to_nobody(project, anna, ben):
    scored_captions(project, VALUES)
    study = start_study(project, people=2)
    begun = study.captions.select_related("item", "caption").first()
    hold(ben, begun.item, minutes=-1)
    stop_study(study=study, admin=None)
    assert expire_leases() == 1
    assert claim_next(membership=anna.memberships.get(), kind="verify") is None
    item = open_verification(begun.caption)
    assert (item.state, item.needed, item.open_slots) == ("open", 1, 1)


def test_captions_that_a_stopped_study_left_can_be_handed_out_again(project, anna):
    scored_captions(project, VALUES)
    study = start_study(project, people=2)
    stop_study(study=study, admin=None)
    left = StudyCaption.objects.select_related("caption").first()
    item = open_verification(left.caption)
    assert (item.state, item.needed, item.open_slots) == ("open", 1, 1)


def test_captions_that_nobody_verified_before_the_stop_can_be_drawn_again(project, anna):
    scores = scored_captions(project, VALUES[:20])
    stopped = start_study(project, people=3)
    judge_sample(stopped, anna, below=0, most=2)
    judged = set(Verification.objects.values_list("caption", flat=True))
    with pytest.raises(ReviewError, match="0 captions can be drawn"):
        start_study(project)
    stop_study(study=stopped, admin=None)
    free = {caption for caption, *_ in captions_to_sample(project, scores[0].scorer)}
    assert free == {score.caption_id for score in scores} - judged


def test_a_caption_drawn_again_counts_once_and_as_its_last_study_asks(project, anna):
    scorer = scored_captions(project, VALUES[:20])[0].scorer
    stopped = start_study(project, people=3)
    stop_study(study=stopped, admin=None)
    again = start_study(project, people=1)
    judge_sample(again, anna, below=0.4)
    report = recompute(project=project, name="threshold")[0]
    assert (report.parameters["captions"], report.parameters["people"]) == (20, 1)
    assert report.inputs == 20
    progress = {row.study: row for row in studies_of(project)[scorer]}
    assert (progress[again].done, progress[again].complete) == (20, 20)
    assert (progress[stopped].done, progress[stopped].complete) == (0, 0)
