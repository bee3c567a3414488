"""One model's recalls in percent and its ReBias, for the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotate.models import Caption
from review.reports.cells import percent
from review.reports.models import Report
from review.reports.results import parameters_of, result_of
from review.reports.small_samples import shown_estimate
from review.reports.stored import Numbers, Stored
from review.retrieval.computing import BothWays, RebiasNumbers
from review.retrieval.directions import KS
from review.retrieval.queries import GALLERY_OF
from review.retrieval.results import VectorInfo, VectorParameters

KIND_NAMES: Mapping[str, str] = {
    Caption.Kind.GENERAL: "General captions",
    Caption.Kind.SPATIAL: "Spatial captions",
    Caption.Kind.TEMPORAL: "Temporal captions",
    Caption.Kind.FULL_VIDEO: "Captions of whole videos",
}

FORM_NAMES = {"table5": "Table 5: 100·|1 − S/T|", "equation1": "Equation 1: 100·|1 − T/S|"}


@dataclass(frozen=True)
class Recalls:
    """Percent by K, of both directions; None without queries. `sizes`: the queries and the gallery
    size of each direction.
    """

    t2v: dict[int, float | None]
    v2t: dict[int, float | None]
    sizes: tuple[tuple[int, int], tuple[int, int]]

    @property
    def clips(self) -> int:
        """Return the number of clips with a caption; each is one video-to-text query."""
        return self.sizes[1][0]

    @property
    def all(self) -> list[float]:
        """Return all recalls that aren't None, text to video first."""
        return [recall for recall in (*self.t2v.values(), *self.v2t.values()) if recall is not None]


@dataclass(frozen=True)
class Bias:
    """One form of ReBias in percent with its 95 % interval; None if undefined. `reason`: why there
    is no interval.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    reason: str


@dataclass(frozen=True)
class ModelRow:
    """One setting. `report` is None until something is computed. `is_old`: captions, vectors or
    categories have changed since.
    """

    subject: str
    model: str
    frames: str
    report: Report | None
    rebias_report: Report | None
    is_old: bool
    vectors: VectorInfo = field(default_factory=VectorInfo)
    rebias: RebiasNumbers = field(default_factory=RebiasNumbers)
    recalls: dict[str, Recalls] = field(default_factory=dict)
    table5: Bias | None = None
    equation1: Bias | None = None

    @property
    def space(self) -> str:
        return self.vectors.space

    @property
    def sources(self) -> dict[str, str]:
        """Return the sources of each kind of caption, such as "3 human, 9 machine"."""
        return {
            kind: ", ".join(
                f"{n[value]:,} {value}" for value in Caption.Source.values if value in n
            )
            for kind, n in self.vectors.by_source.items()
        }

    @property
    def short_frames(self) -> str:
        """Return the sampling in a word or two; tables have all of it."""
        match self.vectors.sampling:
            case {"kind": "middle", "count": count}:
                return f"{count}"
            case {"kind": "every", "step": step}:
                return f"1 in {step}"
            case {"kind": "pairs", "count": count}:
                return f"{count} pairs"
            case {"kind": "seconds", "low": low, "high": high}:
                return f"{low}–{high}"
        return self.frames

    @property
    def biases(self) -> list[Bias]:
        return [bias for bias in (self.table5, self.equation1) if bias]


def row_of(
    subject: str,
    model: str,
    frames: str,
    report: Report | None,
    rebias: Report | None,
    is_old: bool,
) -> ModelRow:
    vectors = result_of(report, VectorInfo) if report else VectorInfo()
    bias = result_of(rebias, RebiasNumbers) if rebias else RebiasNumbers()
    return ModelRow(
        subject=subject,
        model=model,
        frames=frames,
        report=report,
        rebias_report=rebias,
        is_old=is_old,
        vectors=vectors,
        rebias=bias,
        # Sort: PostgreSQL doesn't keep the order of JSON keys.
        recalls={
            kind: _recalls(vectors.kinds[kind]) for kind in GALLERY_OF if kind in vectors.kinds
        },
        table5=_bias(bias, "table5"),
        equation1=_bias(bias, "equation1"),
    )


def stored_of(report: Report, numbers: Numbers) -> Stored[Numbers, VectorParameters]:
    return Stored(report, numbers, parameters_of(report, VectorParameters))


def stored_row(report: Report, rebias: Report | None, is_old: bool) -> ModelRow:
    """Return the row of a report alone."""
    used = parameters_of(report, VectorParameters)
    return row_of(report.subject, used.model, used.frames_in_words, report, rebias, is_old)


def _recalls(ways: BothWays) -> Recalls:
    both = ways.t2v, ways.v2t
    t2v, v2t = ({k: percent(way.recall[k]) for k in KS} for way in both)
    first, second = ((way.n_queries, way.n_gallery) for way in both)
    return Recalls(t2v, v2t, (first, second))


def _bias(bias: RebiasNumbers, form: str) -> Bias | None:
    if bias.intervals is None:
        return None
    interval = shown_estimate(bias.intervals.of(form), bias.n_videos, "video")
    return Bias(FORM_NAMES[form], bias.form(form), interval.low, interval.high, interval.reason)
