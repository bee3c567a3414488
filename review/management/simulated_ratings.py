"""Have the demo's people rate captions of the simulated study: the higher the score, the better."""

from __future__ import annotations

import random
from collections.abc import Sequence

from annotate.models import Caption, Project, User
from inference.models import QualityScore
from review.management.hand_work import do_work, spread
from review.management.past import days_ago
from review.ratings.models import Rating, RatingExample
from review.ratings.services import submit_rating
from review.ratings.studies import open_rating_study
from review.ratings.training_set import add_example, answer_example
from review.studies.models import Study

SEED = 6
DRAWN, UNRATED = 24, 3  # the last ones are left for people who try the demo
REMARK = "Simulated for the demo."
EXAMPLES = (
    (1, "Simulated: of all captions of this study, this one has the lowest score."),
    (3, "Simulated: half of the captions of this study have a lower score."),
    (5, "Simulated: of all captions of this study, this one has the highest score."),
)
# The lowest score of each rating from 1 to 5.
LEAST = (0.0, 0.14, 0.2, 0.26, 0.32)


def rate_simulated(*, project: Project, raters: Sequence[User], admin: User) -> None:
    """Have most of DRAWN captions rated twice, after a training, unless there are ratings."""
    if Rating.objects.filter(study__project=project).exists():
        return
    by_score = QualityScore.objects.filter(project=project).order_by("value", "pk")
    study = _open(project, raters, admin, list(by_score.values_list("caption", flat=True)))
    scores = dict(by_score.values_list("clip", "value"))
    chance = random.Random(SEED)
    items = [sampled.item for sampled in study.captions.select_related("item").order_by("pk")]
    works = [
        (item, raters[(place + turn) % len(raters)])
        for place, item in enumerate(items[:-UNRATED])
        for turn in range(study.people)
        if item is not None
    ]
    for (item, rater), ago in zip(works, spread(len(works), first=9, last=0.3), strict=True):
        value = _value(scores[item.clip_id], chance)
        content = {"value": str(value), "remark": REMARK}
        do_work(item, rater, submit_rating, content, days=ago, minutes=chance.uniform(0.4, 1.4))


def _open(project: Project, raters: Sequence[User], admin: User, by_score: Sequence[int]) -> Study:
    """Open the study. `by_score`: the keys of the scored captions, lowest score first."""
    chosen = by_score[0], by_score[len(by_score) // 2], by_score[-1]
    with days_ago(9.5):
        for key, (value, explanation) in zip(chosen, EXAMPLES, strict=True):
            add_example(
                project=project,
                caption=Caption.objects.get(pk=key),
                value=value,
                explanation=explanation,
                person=admin,
            )
        for example in RatingExample.objects.filter(project=project).order_by("place"):
            for rater in raters:
                answer_example(example=example, rater=rater, value=example.value)
        return open_rating_study(
            project=project,
            admin=admin,
            clips=DRAWN,
            videos=0,
            people=2,
            per_rater=DRAWN,
            seed=SEED,
        )


def _value(score: float, chance: random.Random) -> int:
    """Return the rating of a caption with this score, sometimes one more or less."""
    value = sum(score >= least for least in LEAST)
    return max(0, min(5, value + chance.choice((0, 0, 0, 1, -1))))
