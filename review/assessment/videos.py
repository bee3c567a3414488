"""People's check that videos are dynamic (LoVR, appendix B.1)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from annotate.corpus.services.opening import DYNAMICS_JUDGES
from annotate.dynamics.queries import DECIDED_STATIC
from annotate.dynamics.services import NOT_DYNAMIC
from annotate.models import Assignment, Project, Video, WorkItem
from metrics.agreement import krippendorff_alpha, percent_agreement
from review.assessment.quantities import (
    N_BOOTSTRAP,
    SEED,
    Base,
    Quantity,
    Ratio,
    agreement,
    share,
)
from review.pairs.agreement import DYNAMICS

NO_CHECKS = "No video has a dynamics check yet. Segmenting a video opens one."
NOT_JUDGED = "No video has been judged by two people yet."
NO_TIME = "The time of no judgment was counted."


def video_rows(project: Project) -> list[Quantity]:
    """Return how many videos several people judged, what became of them, and how far the people
    agree. Excluded videos count: the check excluded them."""
    rows = DYNAMICS.read(project)
    labels = DYNAMICS.ask(rows).questions[0].labels
    judges = defaultdict(set)
    for video, rater, _ in rows:
        judges[video].add(rater)
    judged = [video for video, people in judges.items() if len(people) >= DYNAMICS_JUDGES]
    people = len({rater for _, rater, _ in rows})
    checked = WorkItem.objects.filter(project=project, kind=WorkItem.Kind.DYNAMICS).count()
    left_out = Video.objects.filter(
        pk__in=judged, excluded_because__in=[NOT_DYNAMIC, DECIDED_STATIC]
    ).count()
    of_judged = Base(len(judged), sum(len(judges[video]) for video in judged), people)
    resampling: dict[str, Any] = {"n_bootstrap": N_BOOTSTRAP, "seed": SEED}
    scale = ["dynamic", "static"]
    return [
        share("videos_judged", len(judged), Base(checked, len(rows), people), NO_CHECKS),
        share("videos_left_out", left_out, of_judged, NOT_JUDGED),
        agreement("videos_equal", percent_agreement(labels, scale=scale, **resampling)),
        agreement("videos_alpha", krippendorff_alpha(labels, scale=scale, **resampling)),
        _seconds(project),
    ]


def _seconds(project: Project) -> Quantity:
    holds = Assignment.objects.filter(
        item__project=project,
        item__kind=WorkItem.Kind.DYNAMICS,
        state=Assignment.State.SUBMITTED,
        active_seconds__gt=0,
    )
    times = list(holds.order_by("pk").values_list("active_seconds", "annotator"))
    people = len({person for _, person in times})
    ratio = Ratio([seconds for seconds, _ in times], [1] * len(times))
    return ratio.quantity("videos_seconds", Base(len(times), len(times), people), NO_TIME)
