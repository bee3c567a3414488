"""Count the objects that spatial and temporal captions name (CaReBench, appendix E)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from annotate.models import Caption, Project
from metrics.leakage import VERSION, Leakage, ObjectCounts
from review.elements.models import Extraction
from review.elements.queries import current_extractions, human_captions
from review.leakage import NAME
from review.leakage.computing import N_BOOTSTRAP, SEED, count_leakage
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import Table
from review.reports.registry import ReportKind
from review.reports.subjects import named_subject

KINDS = (Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL)
MAX_NAME_LENGTH = 60


@dataclass(frozen=True)
class LeakageParameters:
    """`checked`: how many of the lists a person has checked, of how many."""

    extractor: str
    clips: int
    checked: str
    bootstrap: int


def leakage_inputs(project: Project) -> Iterator[Inputs]:
    """Return the number of objects in the newest captions of each clip, for each recipe by which
    models found objects in human captions. Lists checked by people count for every recipe. The
    subject is the recipe.
    """
    captions = _captions(project)
    for recipe, method in _methods(project):
        yield _inputs(captions, recipe, method)


def is_old(project: Project, report: Report) -> bool:
    """Return whether captions or their objects have changed since a current report."""
    return any(
        _inputs(_captions(project), recipe, method).hash != report.inputs_hash
        for recipe, method in _methods(project)
        if recipe == report.subject
    )


def _captions(project: Project) -> dict[int, dict[str, int]]:
    return dict(sorted(human_captions(project, KINDS).items()))


def _methods(project: Project) -> list[tuple[str, str]]:
    """Return (recipe, method) of the objects found without a limit in spatial and temporal
    captions.
    """
    rows = (
        Extraction.objects.filter(
            caption__project=project,
            caption__kind__in=KINDS,
            kind=Extraction.Kind.OBJECTS,
            most_elements=None,
            author=None,
        )
        .order_by("recipe", "method")
        .values_list("recipe", "method")
        .distinct()
    )
    return list(dict(rows).items())


def _inputs(captions: dict[int, dict[str, int]], recipe: str, method: str) -> Inputs:
    keys = [caption[kind] for caption in captions.values() for kind in KINDS if kind in caption]
    lists = current_extractions(keys, "objects", None, recipe)
    counts = [
        ObjectCounts(
            clip,
            *(
                len(lists[of_kinds[kind]].elements) if of_kinds.get(kind) in lists else None
                for kind in KINDS
            ),
        )
        for clip, of_kinds in captions.items()
    ]
    checked = sum(elements.is_checked for elements in lists.values())
    labels = [[count.clip, count.spatial, count.temporal] for count in counts]
    return Inputs(
        subject=recipe,
        method=f"metrics.leakage {VERSION}",
        parameters=LeakageParameters(
            extractor=method[:MAX_NAME_LENGTH],
            clips=len(counts),
            checked=f"{checked}/{len(lists)}",
            bootstrap=N_BOOTSTRAP,
        ),
        labels=labels,
        count=len(lists),
        compute=lambda: count_leakage(counts),
        seed=SEED,
        tables=lambda: {"clips": Table([f.name for f in fields(ObjectCounts)], labels)},
    )


KIND = ReportKind(
    NAME,
    "Leakage",
    leakage_inputs,
    Leakage,
    subject=named_subject,
    about=lambda parameters: f"objects found by {parameters.extractor}",
    clip_counts=lambda result: [result.n_both],
)
