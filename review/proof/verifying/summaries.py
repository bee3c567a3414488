"""How the numbers of overlap, unified scores and LoVR's appendix B are computed from the files of a
release."""

from __future__ import annotations

from metrics.overlap.result import CaptionCounts, Counted
from review.assessment.captions import CaptionChecks, Judged
from review.assessment.computing import Assessment, Judgments, assess
from review.assessment.quantities import Timed
from review.assessment.ratings import StudyRatings
from review.assessment.videos import VideoChecks
from review.captions.computing import Overlap, overlap_of
from review.proof.verifying.tables import ReportInputs
from review.ratings.computing import Rated
from review.summary.computing import (
    CategoryMeans,
    Gaps,
    GeneralRecall,
    JudgedCaptions,
    UnifiedScores,
    compare_models,
    score_models,
)


def overlap(inputs: ReportInputs) -> Overlap:
    without: dict[str, list[int]] = {"caption": [], "reference": []}
    for lacks, clip in inputs.values("without", without=str, clip=int):
        without[lacks].append(clip)
    captions = tuple(inputs.rows("captions", CaptionCounts))
    return overlap_of(Counted(captions, tuple(without["caption"]), tuple(without["reference"])))


def unified(inputs: ReportInputs) -> UnifiedScores | Gaps:
    recalls = {row.recall: row for row in inputs.rows("recalls", GeneralRecall)}
    if "categories" in inputs:
        [baseline] = inputs.rows("baseline", GeneralRecall)
        means = inputs.rows("categories", CategoryMeans)
        names = inputs.values("categories", category=str)
        categories = {name: row for (name,), row in zip(names, means, strict=True)}
        return compare_models(baseline, list(recalls.values()), categories, elements_from=None)
    captions = {row.capst: row for row in inputs.rows("captions", JudgedCaptions)}
    return score_models(
        [
            (
                None if recall is None else recalls[recall],
                None if capst is None else captions[capst],
            )
            for recall, capst in inputs.values("rows", recall=int | None, capst=int | None)
        ]
    )


def assessment(inputs: ReportInputs) -> Assessment:
    whole_number = {"opened": int, "judges": int, "current": int}
    [(opened, judges, current, study)] = inputs.values("facts", **whole_number, study=int | None)
    sentences = inputs.values("sentences", rater=str, caption=int, start=int, end=int, types=str)
    return assess(
        Judgments(
            VideoChecks(
                opened=opened,
                judges=judges,
                verdicts=list(inputs.values("verdicts", rater=str, video=int, label=str)),
                left_out=inputs.column("left_out", video=int),
                times=list(inputs.rows("verdict_times", Timed)),
            ),
            CaptionChecks(
                current=current,
                judged=list(inputs.rows("verifications", Judged)),
                sentences=[(rater, tuple(unit), types) for rater, *unit, types in sentences],
                people_per_caption=dict(
                    inputs.values("people_per_caption", caption=int, people=int)
                ),
            ),
            StudyRatings(
                study=study,
                rated=list(inputs.rows("ratings", Rated)),
                times=list(inputs.rows("rating_times", Timed)),
            ),
        )
    )
