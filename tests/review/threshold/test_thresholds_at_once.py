"""Two admins who change what people verify at the same moment, on whichever database."""

import pytest

from annotate.models import WorkItem
from inference.scores.services import adopt_threshold
from review.studies.models import Study
from review.threshold.services import adopt, hand_out_low_captions
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_person, make_project
from tests.review.threshold.studying import scored_captions, start_study

pytestmark = pytest.mark.django_db(transaction=True)


def test_captions_are_handed_out_once_and_counted_once():
    project = make_project()
    scores = scored_captions(project, [n / 40 for n in range(40)])
    adopt_threshold(project=project, scorer=scores[0].scorer, value=0.5, admin=None)
    results = in_threads(lambda _: hand_out_low_captions(project=project), range(4))
    assert sorted(result.opened for result in results) == [0, 0, 0, 20]
    assert WorkItem.objects.filter(kind="verify").count() == 20


def test_a_study_that_starts_while_work_is_withdrawn_keeps_its_own():
    project = make_project()
    make_person("Anna", project, "annotator")
    scores = scored_captions(project, [n / 40 for n in range(40)])
    adopt(project=project, scorer=scores[0].scorer, value=1.0, admin=None, hand_out=True)
    adopt_threshold(project=project, scorer=scores[0].scorer, value=0.0, admin=None)
    at_once = [lambda: start_study(project), lambda: hand_out_low_captions(project=project)]
    in_threads(lambda act: act(), at_once)
    items = Study.objects.get().captions.values_list("item__state", flat=True)
    assert list(items) == ["open"] * 20
