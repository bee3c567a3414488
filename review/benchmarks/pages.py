"""The page Benchmarks: two models over several projects of one admin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from annotate.models import Membership
from review.benchmarks.forms import BenchmarksForm
from review.benchmarks.gaps import Benchmark, Model, gap_on, read_benchmark
from review.benchmarks.queries import administered
from review.benchmarks.sections import gap_sections
from review.reports.charts import Chart, draw
from review.reports.tables import Section

TOO_FEW_MODELS = (
    "The chosen projects have recall by general captions of fewer than two models with the same "
    "name and frames. Compute it on the page Recall, or import vectors under one name."
)
SAME_MODEL = "Choose two different models."


@dataclass(frozen=True)
class Part:
    section: Section
    chart: Chart | None


@dataclass(frozen=True)
class Comparison:
    """`models`: those of the chosen projects, with the number of projects that have each. `mend`:
    what to do before there are tables, if anything.
    """

    benchmarks: Sequence[Benchmark]
    models: Sequence[tuple[Model, int]]
    own: str
    baseline: str
    sections: Sequence[Section]
    mend: str


def benchmarks_context(membership: Membership, query: QueryDict) -> dict[str, Any]:
    project = membership.project
    candidates = list(administered(membership.user))
    data = query.copy()
    if "project" not in data:
        data["project"] = project.slug
    form = BenchmarksForm(data, candidates)
    comparison = _compare(form.cleaned_data["project"], query) if form.is_valid() else None
    return {
        "membership": membership,
        "project": project,
        "form": form,
        "chosen": set(data.getlist("project")),
        "candidates": candidates,
        "comparison": comparison,
        "parts": [Part(section, draw(section)) for section in comparison.sections]
        if comparison
        else [],
        "query": data.urlencode(),
    }


def _compare(projects: Sequence[Any], query: QueryDict) -> Comparison:
    benchmarks = [read_benchmark(project) for project in projects]
    counts = Counter(key for benchmark in benchmarks for key in benchmark.models)
    by_key = {key: model for benchmark in benchmarks for key, model in benchmark.models.items()}
    keys = sorted(by_key, key=lambda key: (-counts[key], by_key[key].title.casefold()))
    own, baseline = _choice(query.get("own"), keys, 0), _choice(query.get("baseline"), keys, 1)
    mend = TOO_FEW_MODELS if len(keys) < 2 else SAME_MODEL if own == baseline else ""
    sections: list[Section] = []
    if not mend:
        models = by_key[own], by_key[baseline]
        simulated = [
            f"{project.name} is simulated: a program made up its labels."
            for project in projects
            if project.is_simulated
        ]
        sections = [
            replace(section, notes=(*section.notes, *simulated))
            for section in gap_sections(
                [gap_on(benchmark, *models) for benchmark in benchmarks], *models
            )
        ]
    return Comparison(
        benchmarks, [(by_key[key], counts[key]) for key in keys], own, baseline, sections, mend
    )


def _choice(choice: str | None, keys: Sequence[str], place: int) -> str:
    """Return the key that was asked for if the projects have it, else the one at this place."""
    if choice in keys:
        return str(choice)
    return keys[place] if len(keys) > place else ""
