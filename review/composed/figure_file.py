"""A composed query with its ranked clips as a figure (TF-CoVR, Figures 4 and E4)."""

from __future__ import annotations

from annotate.models import Clip
from review.composed.computing import BASELINES
from review.composed.forms import BASELINE_NAMES
from review.composed.ranked import asked_queries, rank_clips
from review.composed.report import ComposedParameters
from review.display.clip_figure import RIGHT, WRONG, Drawing, FigureClip, FigureRow, draw_figure
from review.reports.models import Report
from review.reports.results import parameters_of
from review.triplets.clip_pictures import pictures_of
from review.triplets.figure_file import query_row
from review.triplets.models import ComposedQuery


def ranking_figure(report: Report, composed: ComposedQuery, most: int) -> Drawing:
    """Return the query clip with its text, then the first `most` clips of each baseline (without
    omitted ones), marked right or wrong.
    """
    ranked_query = next(query for query in asked_queries(report) if query.key == composed.pk)
    keys = {clip for ranking in ranked_query.rankings.values() for clip in ranking}
    clips = Clip.objects.select_related("video", "label").in_bulk(keys)
    rows = [query_row(composed, ranked_query.text)]
    model = parameters_of(report, ComposedParameters).model
    for baseline in BASELINES:
        ranking = rank_clips(ranked_query, baseline, clips, composed.modification.target_id)
        counted = [ranked for ranked in ranking.clips if ranked.rank is not None][:most]
        rows.append(
            FigureRow(
                f"{model}: {BASELINE_NAMES[baseline].lower()}",
                [
                    FigureClip(
                        ranked.clip.name,
                        ranked.clip.label.caption if ranked.clip.label else "",
                        pictures_of(ranked.clip, 1),
                        ranked.rank,
                        RIGHT if ranked.is_right else WRONG,
                    )
                    for ranked in counted
                ],
            )
        )
    return draw_figure(rows)
