"""Adopting a threshold: for one scorer, by adding a row, and what refine takes after it."""

from __future__ import annotations

import pytest

from annotate.corpus.services.precedence import make_current, settle_captions
from annotate.models import AuditEvent, Caption
from inference.errors import InferenceError
from inference.models import QualityThreshold
from inference.queries import current_threshold
from inference.runs.preview import preview_run
from inference.scores.services import adopt_threshold
from tests.cast import make_project
from tests.hand_work import machine_caption
from tests.inference.cast import make_model
from tests.inference.scored import OTHER, make_clips, score, score_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def encoder(project):
    return make_model(project, "lexical")


@pytest.fixture
def run(project, encoder):
    return score_run(project, encoder)


@pytest.fixture
def scored(project, run):
    """Two newest captions that score 0.1 and 0.5; the scorer is what is returned."""
    low, high = make_clips(project, 2)
    score(low, 0.1, run)
    return score(high, 0.5, run).scorer


def to_refine(project, encoder) -> int:
    make_model(project, "opencv-draft", name="Writer", refine_order=1)
    return preview_run(project=project, kind="refine", model=encoder, options={}).to_do


@pytest.mark.parametrize(("value", "taken"), [(0.05, 0), (0.2, 1), (0.5, 1), (0.51, 2)])
def test_what_is_adopted_decides_what_refine_takes(project, encoder, scored, ada, value, taken):
    adopt_threshold(project=project, scorer=scored, value=value, admin=ada)
    assert to_refine(project, encoder) == taken


def test_refine_leaves_a_caption_that_an_admin_made_current(project, encoder, scored, ada):
    [low] = Caption.objects.filter(quality_scores__value=0.1)
    newer = machine_caption(low.clip, "A newer attempt.")
    settle_captions([newer])
    make_current(caption_id=low.pk, clip=low.clip, admin=ada)
    adopt_threshold(project=project, scorer=scored, value=0.2, admin=ada)
    assert to_refine(project, encoder) == 0


def test_the_threshold_of_another_scorer_changes_nothing(project, encoder, run, scored, ada):
    clip = make_clips(project, 1)[0]
    score(clip, 0.9, run, scorer=OTHER)
    adopt_threshold(project=project, scorer=OTHER, value=0.95, admin=ada)
    assert current_threshold(project, scored) is None
    assert to_refine(project, encoder) == 1


def test_a_row_is_added_and_none_is_changed(project, scored, ada):
    for value in (0.3, 0.4, 0.3):
        adopt_threshold(project=project, scorer=scored, value=value, admin=ada)
    rows = QualityThreshold.objects.order_by("pk")
    assert list(rows.values_list("value", flat=True)) == [0.3, 0.4, 0.3]
    assert current_threshold(project, scored) == rows.last()


def test_the_current_threshold_is_not_adopted_again(project, scored, ada):
    for _ in range(2):
        adopt_threshold(project=project, scorer=scored, value=0.3, admin=ada)
    assert QualityThreshold.objects.count() == 1
    assert AuditEvent.objects.filter(verb="adopt threshold").count() == 1


def test_it_is_audited(project, scored, ada):
    for value in (0.3, 0.4):
        adopt_threshold(project=project, scorer=scored, value=value, admin=ada)
    event = AuditEvent.objects.filter(verb="adopt threshold").latest("pk")
    assert (event.actor, event.before, event.after) == (
        ada,
        {"value": 0.3},
        {"scorer": scored, "value": 0.4},
    )


@pytest.mark.parametrize("value", [-1.01, 1.5, float("nan"), float("inf")])
def test_out_of_bounds_is_refused(project, scored, ada, value):
    with pytest.raises(InferenceError, match="between -1 and 1"):
        adopt_threshold(project=project, scorer=scored, value=value, admin=ada)
    assert not QualityThreshold.objects.exists()


def test_a_scorer_of_another_project_is_refused(scored, ada):
    with pytest.raises(InferenceError, match="no scores from this scorer"):
        adopt_threshold(project=make_project("Other"), scorer=scored, value=0.3, admin=ada)
