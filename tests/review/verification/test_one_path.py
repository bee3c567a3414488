"""A LoVR caption follows one path at a time, and every page counts the same work."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.corpus.services.precedence import settle_captions
from annotate.models import CaptionRank, Project, WorkItem
from annotate.queue.caption_work import caption_work
from annotate.queue.services import claimable_by
from review.releases.queries import described_clips
from review.threshold.queries import current_values, split_below, verify_work
from review.threshold.services import adopt, hand_out_low_captions
from tests.cast import client_of
from tests.hand_work import attempt, open_hand
from tests.inference.scored import score, write
from tests.review.threshold.studying import scored_captions

pytestmark = pytest.mark.django_db

THRESHOLD = 0.6


@pytest.fixture
def refined(project):
    """Ten captions, seven of them below the adopted threshold; then a refine run that brings two
    above it and hands five to people."""
    Project.objects.update(protocol="lovr")
    scores = scored_captions(project, [0.1, 0.2, 0.3, 0.4, 0.5, 0.51, 0.52, 0.7, 0.8, 0.9])
    scorer = scores[0].scorer
    adopt(project=project, scorer=scorer, value=THRESHOLD, admin=None, hand_out=True)
    for place, each in enumerate(scores[:7]):
        value, because = (0.65, CaptionRank.Because.REFINED) if place < 2 else (0.3, "")
        newer = write(each.clip, "Another model writes.")
        settle_captions([newer], because)
        score(each.clip, value, each.item.run, caption=newer)
        if not because:
            open_hand(each.clip, attempt(newer))
    return scores


def test_no_clip_waits_to_be_verified_and_written(project, refined):
    work = caption_work(project)
    assert (len(work.to_write), dict(work.to_verify)) == (5, {})
    assert list(WorkItem.objects.values_list("kind", flat=True)) == ["hand"] * 5


def test_handing_out_again_leaves_the_clips_to_be_written(project, refined):
    assert hand_out_low_captions(project=project).opened == 0
    assert not WorkItem.objects.filter(kind="verify").exists()


def test_every_page_counts_the_same(project, refined, anna, ada):
    values = current_values(project)[refined[0].scorer]
    below = split_below(values, verify_work(project), THRESHOLD)
    assert (below.to_write, below.handed_out, below.left, below.total) == (5, 0, 0, 5)
    assert claimable_by(anna, project, "hand").count() == 5
    assert claimable_by(anna, project, "verify").count() == 0
    assert described_clips(project) == (5, 10)
    overview = client_of(ada).get(reverse("review:activity", args=[project.slug]))
    stages = {stage.label: (stage.clips, stage.of) for stage in overview.context["funnel"]}
    assert stages["Clips waiting to be written by hand"] == (5, 10)
    assert stages["Described"] == (5, 10)
    assert "Captions waiting to be verified" not in stages
    corpus = reverse("annotate:corpus", args=[project.slug])
    for stage, count in (("hand", 5), ("verify", 0), ("described", 5)):
        page = client_of(ada).get(corpus, {"stage": stage})
        assert page.context["page"].paginator.count == count, stage
