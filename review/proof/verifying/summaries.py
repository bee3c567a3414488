"""How the numbers of overlap, unified scores and LoVR's appendix B are computed from the files of a
release."""

from __future__ import annotations

from metrics.overlap.result import CaptionCounts, Counted, PairCounts
from review.assessment.captions import CaptionChecks, Judged
from review.assessment.computing import Assessment, Judgments, assess
from review.assessment.quantities import Timed
from review.assessment.ratings import StudyRatings
from review.assessment.videos import VideoChecks
from review.captions.computing import Overlap, overlap_of
from review.proof.verifying.tables import Parameters, Tables
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


def overlap(parameters: Parameters, tables: Tables) -> Overlap:
    captions = [
        CaptionCounts(**{**row, "pairs": [PairCounts(*pair) for pair in row["pairs"]]})
        for row in tables.rows("captions")
    ]
    without: dict[str, list[int]] = {"caption": [], "reference": []}
    for row in tables.rows("without"):
        without[row["without"]].append(row["clip"])
    return overlap_of(
        Counted(tuple(captions), tuple(without["caption"]), tuple(without["reference"]))
    )


def unified(parameters: Parameters, tables: Tables) -> UnifiedScores | Gaps:
    recalls = {row["recall"]: GeneralRecall(**row) for row in tables.rows("recalls")}
    if "categories" in tables:
        [baseline] = tables.rows("baseline")
        rows = tables.rows("categories")
        categories = {row.pop("category"): CategoryMeans(**row) for row in rows}
        return compare_models(
            GeneralRecall(**baseline), list(recalls.values()), categories, elements_from=None
        )
    captions = {row["capst"]: JudgedCaptions(**row) for row in tables.rows("captions")}
    return score_models(
        [
            (
                None if row["recall"] is None else recalls[row["recall"]],
                None if row["capst"] is None else captions[row["capst"]],
            )
            for row in tables.rows("rows")
        ]
    )


def assessment(parameters: Parameters, tables: Tables) -> Assessment:
    [facts] = tables.rows("facts")
    sentences = [
        (row["rater"], (row["caption"], row["start"], row["end"]), row["types"])
        for row in tables.rows("sentences")
    ]
    return assess(
        Judgments(
            VideoChecks(
                opened=facts["opened"],
                judges=facts["judges"],
                verdicts=[
                    (row["rater"], row["video"], row["label"]) for row in tables.rows("verdicts")
                ],
                left_out=[row["video"] for row in tables.rows("left_out")],
                times=[Timed(**row) for row in tables.rows("verdict_times")],
            ),
            CaptionChecks(
                current=facts["current"],
                judged=[Judged(**row) for row in tables.rows("verifications")],
                sentences=sentences,
                people_per_caption={
                    row["caption"]: row["people"] for row in tables.rows("people_per_caption")
                },
            ),
            StudyRatings(
                study=facts["study"],
                rated=[Rated(**row) for row in tables.rows("ratings")],
                times=[Timed(**row) for row in tables.rows("rating_times")],
            ),
        )
    )
