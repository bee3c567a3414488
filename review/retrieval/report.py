"""Text-to-video and video-to-text recall from stored vectors (CaReBench, section 5.2; LoVR, section
4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from django.db.models import Count

from annotate.models import Caption, Project
from inference.devices import processor_name
from metrics.retrieval.curve import MAX_K
from metrics.retrieval.recall import TIE_TOLERANCE, VERSION
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import AnyTable, Table, Vectors
from review.reports.registry import ReportKind
from review.reports.subjects import named_subject
from review.retrieval import NAME
from review.retrieval.computing import (
    N_BOOTSTRAP,
    SEED,
    FullBothWays,
    FullWay,
    curve_of,
    seconds_of,
    way_of,
)
from review.retrieval.counts import count_again
from review.retrieval.directions import (
    KS,
    T2V,
    Direction,
    directions_of,
    nearest_keys,
    search,
)
from review.retrieval.making import making_of
from review.retrieval.matrix import read_matrix
from review.retrieval.models import RecallRanking
from review.retrieval.queries import (
    GALLERY_OF,
    Setting,
    clips_with_categories,
    retired_vectors,
    rows_of,
)
from review.retrieval.results import (
    RecallResult,
    VectorParameters,
    recall_clip_counts,
    vectors_in_words,
)
from review.retrieval.searching import pairs_of
from review.retrieval.services import keep_rankings

# Versions of the `sources` in the result (2: each source of captions separately) and of the curve.
METHOD = f"metrics.recall {VERSION}, sources 2, curve 1"
# LoVR's appendix A.1: "we run each quantitative experiment three times and take the average".
TIMED_RUNS = 3
# As many items at the head of each query's gallery are stored.
SHOWN = 10


def recall_inputs(project: Project) -> Iterator[Inputs]:
    """Return an input for each model with vectors of clips and captions, or of whole videos and
    their captions; one for each sampling of frames, and one for each vector file.

    Cheap: only `compute` reads vectors.
    """
    counted = count_again(project)
    for setting in counted.settings:
        if setting.kinds:
            yield recall_input(project, setting, counted.categories)


def recall_input(project: Project, setting: Setting, categories: list[Any]) -> Inputs:
    """Return the input for a setting that has `kinds`. `categories`: the project's
    `category_marks`.
    """
    work = RecallWork(project, setting)
    return vector_inputs(
        project,
        setting,
        setting.kinds,
        method=METHOD,
        labels=categories,
        curve=MAX_K,
        compute=work.compute,
        keep=work.keep,
        seed=SEED,
    )


def vector_inputs(
    project: Project,
    setting: Setting,
    kinds: Iterable[str],
    *,
    method: str,
    labels: list[Any],
    curve: int | None = None,
    **fields: Any,
) -> Inputs:
    """Return the inputs of a report over the setting's vectors of these kinds of captions and of
    their galleries.
    """
    used = used_parts(kinds)
    is_of_run = bool(setting.space)
    return Inputs(
        subject=setting.subject,
        method=method,
        parameters=VectorParameters(
            model=setting.model,
            space=setting.space[:8] if is_of_run else None,
            frames=setting.frames if is_of_run else None,
            stale=setting.stale if is_of_run else None,
            file=None if is_of_run else setting.file_sha256[:8],
            newer=None if is_of_run else setting.newer,
            captions=setting.captions_from(kinds),
            **{part: setting.count(part) for part in used},
            k=",".join(map(str, KS)),
            ties=TIE_TOLERANCE,
            curve=curve,
            bootstrap=N_BOOTSTRAP,
        ),
        labels=[
            setting.space,
            setting.sampling,
            setting.file_sha256,
            [[part, *setting.parts[part]] for part in used],
            labels,
        ],
        count=sum(setting.count(part) for part in used),
        tables=partial(_tables, project, setting, used),
        **fields,
    )


def _tables(project: Project, setting: Setting, used: Sequence[str]) -> dict[str, AnyTable]:
    """Return for each part the keys and the vectors, one a row in the same order."""
    tables: dict[str, AnyTable] = {}
    clips: set[int] = set()
    for part in used:
        matrix = read_matrix(project, setting, part)
        clips.update(matrix.clips.tolist())
        rows = list(zip(matrix.keys.tolist(), matrix.clips.tolist(), strict=True))
        tables[part] = Table(("key", "clip"), rows)
        tables[f"{part}_vectors"] = partial(_vectors, project, setting, part)
    about = sorted(clips_with_categories(project).items())
    tables["about"] = Table(
        ("clip", "video", "category"),
        [(clip, *video_and_category) for clip, video_and_category in about if clip in clips],
    )
    return tables


def _vectors(project: Project, setting: Setting, part: str) -> Vectors:
    return read_matrix(project, setting, part).rows


def used_parts(kinds: Iterable[str]) -> list[str]:
    """Return the parts that these kinds of captions need: their galleries, then they themselves."""
    kinds = list(kinds)
    return [*dict.fromkeys(GALLERY_OF[kind] for kind in kinds), *kinds]


class RecallWork:
    """Computes a setting's result, and keeps the rank of each query beside its report."""

    def __init__(self, project: Project, setting: Setting) -> None:
        self.project, self.setting = project, setting
        self.rankings: list[RecallRanking] = []

    def compute(self) -> RecallResult:
        about = clips_with_categories(self.project)
        digest = sha256()
        dimension = 0
        kinds: dict[str, FullBothWays] = {}
        without: dict[str, int] = {}
        by_source: dict[str, Mapping[str, int]] = {}
        pairs = pairs_of(self.project, self.setting, self.setting.kinds, runs=TIMED_RUNS)
        for kind, texts, gallery in pairs:
            digest.update(f"{kind} {texts.sha256} {gallery.sha256} ".encode())
            reading = [sum(both) for both in zip(texts.seconds, gallery.seconds, strict=True)]
            dimension = gallery.rows.shape[1]
            directions = directions_of(texts, gallery)
            kinds[kind] = FullBothWays(
                **{
                    name: self._numbers(kind, name, direction, about, reading)
                    for name, direction in directions.items()
                }
            )
            without[kind] = len(texts) - len(directions[T2V].keys)
            by_source[kind] = captions_by_source(self.project, self.setting, kind)
        return RecallResult(
            space=self.setting.space,
            sampling=self.setting.sampling,
            dimension=dimension,
            kinds=kinds,
            without=without,
            by_source=by_source,
            sha256=digest.hexdigest(),
            made={
                part: making_of(self.project, self.setting, part)
                for part in used_parts(self.setting.kinds)
            },
            searched_on=processor_name(),
        )

    def keep(self, report: Report) -> None:
        keep_rankings(report=report, rankings=self.rankings)

    def _numbers(
        self,
        kind: str,
        name: str,
        direction: Direction,
        about: Mapping[int, tuple[int, str]],
        reading: Sequence[float],
    ) -> FullWay:
        """Search `TIMED_RUNS` times; the ranks of all are the same. `reading`: of each run."""
        searches = [search(direction, about) for _ in range(TIMED_RUNS)]
        result = searches[0]
        self.rankings.append(
            RecallRanking.of(
                kind,
                name,
                result.recall.n_gallery,
                queries=direction.keys,
                clips=direction.clips,
                ranks=result.recall.ranks,
                nearest=nearest_keys(direction, SHOWN),
            )
        )
        return way_of(result, curve_of(result, about), seconds_of(searches, reading))


def captions_by_source(project: Project, setting: Setting, kind: str) -> dict[str, int]:
    """Count the captions with a vector by source."""
    of_kind = rows_of(project, setting, kind).order_by()
    rows = of_kind.values_list("caption__source").annotate(n=Count("caption", distinct=True))
    return dict(rows)


def _covered(report: Report, inputs: Inputs) -> set[int] | None:
    rankings = RecallRanking.objects.filter(report=report, way=T2V)
    rankings = rankings.exclude(kind=Caption.Kind.FULL_VIDEO)
    clips = [set(ranking.array("clips").tolist()) for ranking in rankings]
    return set.intersection(*clips) if clips else None


KIND = ReportKind(
    NAME,
    "Recall@K",
    recall_inputs,
    RecallResult,
    page="metrics",
    subject=named_subject,
    about=vectors_in_words,
    retired=retired_vectors,
    clip_counts=recall_clip_counts,
    has_intervals=False,
    covered=_covered,
)
