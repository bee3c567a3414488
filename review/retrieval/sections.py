"""Tables of recall and ReBias, as CaReBench (4 and 5) and LoVR (2 and 3) print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from annotate.models import Caption, Project
from annotate.protocols.protocol import Text
from inference.queries import outdated_videos
from review.reports.cells import HIGH, LOW, Cell, Column, Row, percent
from review.reports.models import Report
from review.reports.small_samples import is_few, too_few_reason
from review.reports.stored import Stored, StoredReports
from review.reports.tables import Section, Table
from review.retrieval.computing import HALVES, Curve, RebiasNumbers, Shares, Way
from review.retrieval.directions import DIRECTIONS, KS, T2V
from review.retrieval.report_rebias import REBIAS
from review.retrieval.results import RECALL, StoredRecall, StoredVectors, VectorParameters

Kind = Caption.Kind
WAY_NAMES = dict(zip(DIRECTIONS, ("Text to video", "Video to text"), strict=True))
SIZE = "Queries / gallery"
FORMS = {"table5": "S/T", "equation1": "T/S"}
# Of captions in a project whose protocol writes none.
GENERAL = Text("general", (), title="General captions", table="Table 4")
NO_BIAS = "ReBias isn't computed yet."


def retrieval_sections(project: Project, loaded: StoredReports) -> Iterator[Section]:
    text = project.pipeline.text(Kind.GENERAL) or GENERAL
    yield from _recall(project, loaded, Kind.GENERAL, text.title, text.table)
    yield from _halves(loaded)
    yield from _recall(project, loaded, Kind.FULL_VIDEO, "Whole videos", "LoVR, Table 3")


def _recall(
    project: Project, loaded: StoredReports, kind: str, title: str, paper: str
) -> Iterator[Section]:
    having = [stored for stored in loaded.of(RECALL) if kind in stored.numbers.kinds]
    if having:
        table = Table(
            tuple(way_columns(WAY_NAMES, is_drawn=True)),
            tuple(
                Row(
                    stored.parameters.model,
                    stored.parameters.frames_in_words,
                    tuple(way_cells(stored, kind)),
                    stored.report.pk in loaded.old,
                )
                for stored in having
            ),
        )
        yield Section(
            key=str(kind),
            title=title,
            paper=paper,
            unit="Percent of captions that find their video among the first K results, and of "
            "videos that find one of their captions.",
            lead="t2v_1",
            table=table,
            notes=(*_outdated(project, kind), *table.notes, *_captions_from(having, [kind])),
        )


FROM = {
    "human": "Only human captions count.",
    "all": "The current caption of each clip counts, written by a person or a model.",
}


def _captions_from(reports: Sequence[StoredVectors], kinds: Iterable[str]) -> Iterator[str]:
    """Yield whose captions of these kinds count, and where rows differ in that."""
    of_kind = {kind: {_whose(report, kind) for report in reports} for kind in kinds}
    if any(len(sources) > 1 for sources in of_kind.values()):
        yield (
            "Some rows count human captions only and others all of them, so don’t compare them. "
            "Recompute them."
        )
    elif len(set(map(min, of_kind.values()))) == 1:
        yield FROM[min(next(iter(of_kind.values())))]
    else:
        for kind, [source] in of_kind.items():
            yield f"{kind.capitalize()} captions: {FROM[source]}"


def _whose(stored: StoredVectors, kind: str) -> str:
    """Return "human" or "all"."""
    for part in stored.parameters.captions.split(", "):
        source, _, kinds = part.partition(" ")
        if not kinds or kind in kinds.split("+"):
            return source
    return "all"


def _outdated(project: Project, kind: str) -> Iterator[str]:
    if kind == Kind.FULL_VIDEO and (number := outdated_videos(project)):
        captions = (
            "caption of a whole video was" if number == 1 else "captions of whole videos were"
        )
        yield (
            f"{number:,} {captions} made from captions that have since been replaced. Start a "
            "fuse run, then embed the new captions."
        )


def way_columns(
    names: Mapping[str, str], prefix: str = "", *, best: str = HIGH, is_drawn: bool = False
) -> Iterator[Column]:
    """Yield the columns of both directions, under their `names`; R@1 `is_drawn` or not."""
    for way, name in names.items():
        for k in KS:
            style = "first" if way == T2V else "second"
            drawn = style if is_drawn and k == KS[0] else ""
            yield Column(f"{prefix}{way}_{k}", f"R@{k}", name, best=best, drawn=drawn, k=k)
        yield Column(f"{prefix}{way}", SIZE, name, digits=0, best="", is_size=True)


def _half_columns(kind: str) -> Iterator[Column]:
    names = {way: f"{kind.capitalize()}: {name.lower()}" for way, name in WAY_NAMES.items()}
    return way_columns(names, f"{kind}_")


def way_cells(recall: StoredRecall | None, kind: str) -> Iterator[Cell]:
    """Yield the cells of `way_columns`."""
    ways = recall.numbers.kinds.get(kind) if recall else None
    for name in DIRECTIONS:
        if recall is None or ways is None:
            empty = Cell(reason=f"Recall by {kind} captions isn't computed yet.")
            yield from [empty] * (len(KS) + 1)
            continue
        way = ways.way(name)
        yield from share_cells(way, way.n_gallery, recall.report, way.reason)


def share_cells(
    shares: Shares, n_gallery: int, report: Report | None = None, reason: str = ""
) -> Iterator[Cell]:
    """Yield the cells of one direction."""
    over = shares.n_queries, n_gallery
    for k in KS:
        value = percent(shares.recall[k])
        if isinstance(shares, Way):
            yield curve_cell(shares, k, value, report, reason)
        else:
            yield Cell(value, report, reason=reason, over=over)
    yield Cell(over[0], report, over=over)


def shown_curve(way: Way) -> Curve | None:
    """Return recall over K as pages and files show it: without intervals of too few videos. None
    without queries.
    """
    curve = way.curve
    if not way.n_queries:
        return None
    few = min(way.n_queries, curve.n_videos)
    if not curve.low or not is_few(few):
        return curve
    return replace(curve, low=(), high=(), reason=too_few_reason(few, "video"))


def curve_cell(
    way: Way, k: int, value: float | None, report: Report | None = None, reason: str = ""
) -> Cell:
    """Return the cell of a recall in percent with its interval over videos, if there is one."""
    over = way.n_queries, way.n_gallery
    curve = way.curve
    if not curve.low:
        return Cell(value, report, reason=reason or curve.reason, over=over)
    place = min(k, len(curve.low)) - 1
    return Cell(
        value,
        report,
        percent(curve.low[place]),
        percent(curve.high[place]),
        reason,
        over,
        curve.n_videos,
        "video",
    )


def _halves(loaded: StoredReports) -> Iterator[Section]:
    """Return a row for each model with numbers for either kind of caption; ReBias needs both."""
    recalls, biases = loaded.of_subject(RECALL), loaded.of_subject(REBIAS)
    having: list[StoredVectors] = [
        stored for stored in recalls.values() if set(HALVES) & stored.numbers.kinds.keys()
    ]
    having += [stored for subject, stored in biases.items() if subject not in recalls]
    if not having:
        return
    columns = (
        *(column for kind in HALVES for column in _half_columns(str(kind))),
        Column("table5", FORMS["table5"], "ReBias", digits=2, best=LOW, drawn="first"),
        Column("equation1", FORMS["equation1"], "ReBias", digits=2, best=LOW),
        Column("videos", "Videos", "ReBias", digits=0, best=""),
    )
    rows = []
    for stored in having:
        subject = stored.report.subject
        recall, bias = recalls.get(subject), biases.get(subject)
        cells = [
            *(cell for kind in HALVES for cell in way_cells(recall, kind)),
            *(_bias(bias, form, _over(recall)) for form in FORMS),
            Cell(bias.numbers.n_videos, bias.report) if bias else Cell(reason=NO_BIAS),
        ]
        is_old = any(source.report.pk in loaded.old for source in (recall, bias) if source)
        used = stored.parameters
        rows.append(Row(used.model, used.frames_in_words, tuple(cells), is_old))
    table = Table(columns, tuple(rows))
    yield Section(
        key="halves",
        title="Spatial and temporal captions, ReBias",
        paper="Table 5",
        unit="Recall and ReBias in percent. Table 5 divides S by T, Equation 1 divides T by S. "
        "Lower is more balanced. The intervals are over videos.",
        lead="spatial_t2v_1",
        table=table,
        notes=(*table.notes, *_captions_from(having, HALVES)),
    )


def _over(recall: StoredRecall | None) -> tuple[int, ...]:
    """Return the numbers of queries and the sizes of the galleries, of both halves
    and directions.
    """
    kinds = recall.numbers.kinds if recall else {}
    ways = [kinds[kind].way(name) for kind in HALVES if kind in kinds for name in DIRECTIONS]
    return tuple(n for way in ways for n in (way.n_queries, way.n_gallery))


def _bias(
    bias: Stored[RebiasNumbers, VectorParameters] | None, form: str, over: tuple[int, ...]
) -> Cell:
    if bias is None:
        return Cell(reason=NO_BIAS)
    numbers = bias.numbers
    interval = numbers.intervals.of(form) if numbers.intervals else None
    return Cell(
        numbers.form(form),
        bias.report,
        interval.low if interval else None,
        interval.high if interval else None,
        numbers.reason,
        over,
        numbers.n_videos,
        "video",
    )
