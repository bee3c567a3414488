"""How often people identify a clip by a text alone (CaReBench, section 3.2.2 and appendix G)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotate.models import Clip, Project
from review.identification import NAME
from review.identification.computing import Identification, Pick, count_picks
from review.identification.models import IdentificationTest
from review.identification.queries import last_test, picks_of
from review.reports.inputs import Inputs
from review.reports.plain import AnyTable, Table
from review.reports.registry import ReportKind

RUNNING = "The test is still running."
METHOD = "identification 1"


@dataclass(frozen=True)
class PickParameters:
    """`options`: clips to choose from; `people`: how many pick for each text."""

    test: int
    options: int
    people: int


def identification_inputs(project: Project) -> Iterator[Inputs]:
    """Yield one report, of the newest test, once a person has picked a clip."""
    test = last_test(project)
    picks = list(picks_of(project, test)) if test else []
    if test is None or not picks:
        return
    yield Inputs(
        subject="",
        method=METHOD,
        parameters=PickParameters(test.pk, test.options, test.people),
        labels=[list(pick) for pick in picks],
        count=len(picks),
        compute=lambda: count_picks(test.pk, test.texts.count(), picks, _names(picks)),
        tables=lambda: _tables(test, picks),
        withheld=lambda: "" if test.ended_at else RUNNING,
    )


def _names(picks: Sequence[Pick]) -> dict[int, str]:
    keys = {clip for pick in picks for clip in (pick.clip, pick.picked)}
    return dict(Clip.objects.filter(pk__in=keys).order_by("pk").values_list("pk", "name"))


def _tables(test: IdentificationTest, picks: Sequence[Pick]) -> dict[str, AnyTable]:
    return {
        "picks": Table(Pick._fields, picks),
        "clips": Table(("clip", "name"), list(_names(picks).items())),
        "texts": Table(("texts",), [[test.texts.count()]]),
    }


KIND = ReportKind(
    NAME,
    "Identification",
    identification_inputs,
    Identification,
    of_people=True,
    about=lambda parameters: f"test with {parameters.options} choices",
)
