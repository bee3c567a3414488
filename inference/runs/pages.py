"""The page of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count

from annotate.jobs.parameters import read_parameters
from annotate.jobs.queries import failure_groups
from annotate.jobs.workers import last_beats
from annotate.models import Project
from annotate.paging import CountedRows
from inference import words
from inference.models import InferenceRun, RunItem, RunParameters
from inference.queries import excluded_items, items_with_replaced_parts, lineage
from inference.recipes import (
    ModelRecipe,
    Recipe,
    RefineRecipe,
    ScoreRecipe,
    try_recipe,
    try_stated,
)
from inference.registry import BACKENDS
from inference.runs.list_page import silence_of
from inference.runs.progress import RunProgress, progress_of
from inference.runs.usage import used_by
from inference.sampling import Sampling

State = RunItem.State
RunState = InferenceRun.State
ITEMS_PER_PAGE = 50
OF_VIDEOS = {InferenceRun.Kind.SEGMENT, InferenceRun.Kind.THEME, InferenceRun.Kind.FUSE}
# The tabs of a run's items; "all" isn't a state.
TABS: Mapping[str, str] = {
    "": "All",
    State.DONE: "Done",
    State.SKIPPED: "Reused",
    State.FAILED: "Failed",
    State.RUNNING: "In progress",
    State.WAITING: "Waiting",
    State.CANCELLED: "Canceled",
}


class ItemRow(NamedTuple):
    """A row of an item; `made` is the item that gave the result, an earlier one if reused."""

    item: RunItem
    made: RunItem
    is_outdated: bool
    is_excluded: bool


def run_context(
    project: Project, run: InferenceRun, tab: str, page_number: str | None
) -> dict[str, Any]:
    """Return the context of the run's page and of its live part."""
    progress = progress_of([run])[run.pk]
    tab = tab if tab in TABS else ""
    page = _items(run, tab, page_number, progress)
    stale = outdated_results(run)
    return {
        "project": project,
        "run": run,
        "kind": words.KINDS[run.kind],
        "progress": progress,
        "silence": silence_of(run, progress, last_beats()),
        "used": used_by(run) if progress.ended else None,
        "tab": tab,
        "tabs": [
            (key, label, progress.counts[key] if key else run.total)
            for key, label in TABS.items()
            if not key or progress.counts[key] or key == tab
        ],
        "page": page,
        "excluded_because": _excluded_because(run) if progress.is_all_excluded else "",
        "reasons": failure_groups(run) if progress.counts[State.FAILED] else [],
        "stale": stale,
        "newest": _newest(run) if stale else None,
        "stale_count": sum(number for number, _ in stale),
        "is_of_videos": run.kind in OF_VIDEOS or try_stated(run.recipe).of == "full_video",
        "is_going": run.is_active,
        "may_cancel": run.is_active or run.state == RunState.FAILED,
        "may_retry_all": bool(progress.counts[State.FAILED])
        or (run.state == RunState.CANCELLED and progress.counts[State.CANCELLED]),
    }


def run_details(run: InferenceRun) -> dict[str, Any]:
    """Return the unchanging details of a run, only for its page."""
    recipe, fault = try_recipe(run.recipe)
    options = recipe.options if recipe else {}
    parameters = read_parameters(run, RunParameters)
    return {
        "texts": [
            (words.label_of(name, run.kind), options[name])
            for name in ("prompt", "system")
            if name in options
        ],
        "recipe": recipe_words(recipe) if recipe else [],
        "recipe_fault": fault,
        "elsewhere": parameters.elsewhere,
        "works_on": words.scope_label(run.kind, parameters.scope),
        "recipe_json": json.dumps(run.recipe, indent=2, ensure_ascii=False),
    }


def _newest(run: InferenceRun) -> int | None:
    """Return the run whose settings a new run copies; None if the recipe can't be read."""
    recipe, _ = try_recipe(run.recipe)
    if recipe is None:
        return None
    runs = lineage(run.project_id, run.model_id, recipe)
    return runs.order_by("-id").values_list("pk", flat=True)[0]


def recipe_words(recipe: Recipe) -> list[tuple[str, str]]:
    """Return the recipe without its long texts, as pairs of name and value."""
    pairs = []
    for name, model in _models(recipe):
        backend = BACKENDS.get(model.backend)
        pairs.append((name, model.model_id or (backend.label if backend else model.backend)))
        if model.revision:
            pairs.append((f"{name}, revision", model.revision))
    for name, value in recipe.options.items():
        if name not in {"keyword_model", "detector", "prompt", "system"}:
            pairs.append((words.label_of(name, recipe.kind), _value(name, value)))
    if isinstance(recipe, RefineRecipe):
        pairs.append(("Threshold", f"{recipe.threshold:z.3f}"))
    return [*pairs, ("Code version", str(recipe.code))]


def _models(recipe: Recipe) -> list[tuple[str, ModelRecipe]]:
    models = [("Model", recipe.model)] if recipe.model else []
    if isinstance(recipe, ScoreRecipe) and recipe.keyword_model:
        models.append(("Keywords by", recipe.keyword_model))
    if isinstance(recipe, ScoreRecipe) and recipe.detector:
        models.append(("Regions by", recipe.detector))
    if isinstance(recipe, RefineRecipe):
        models += [(f"Writes, place {n}", model) for n, model in enumerate(recipe.chain, 1)]
    return models


def _value(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return str(Sampling.parse(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in words.CHOICES:
        return words.CHOICES[name].get(value, value)
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)


def _items(
    run: InferenceRun, tab: str, page_number: str | None, progress: RunProgress
) -> Page[ItemRow]:
    items = run.items.select_related(
        *("video", "clip", "caption__clip", "result__clip", "segmentation"),
        *("reused__result__clip", "reused__segmentation"),
    ).only(
        *("run", "position", "state", "step", "code", "reason", "note", "seconds", "stale_because"),
        *("reasoning", "reused__reasoning"),
        *("video__original_name", "clip__name", "caption__clip__name", "result__clip__name"),
        *("segmentation__is_kept", "reused__segmentation__is_kept"),
        *("reused__run", "reused__note", "reused__result__clip__name"),
    )
    if tab:
        items = items.filter(state=tab)
    number = progress.counts[tab] if tab else sum(progress.counts.values())
    ordered = items.order_by("position", "id")
    rows = CountedRows(number, lambda start, stop: _item_rows(run, list(ordered[start:stop])))
    return Paginator(rows, ITEMS_PER_PAGE).get_page(page_number)


def _item_rows(run: InferenceRun, items: Sequence[RunItem]) -> list[ItemRow]:
    replaced = items_with_replaced_parts(run).filter(pk__in=[item.pk for item in items])
    outdated = set(replaced.values_list("pk", flat=True))
    rows = []
    for item in items:
        made = item.reused or item
        segmentation = getattr(made, "segmentation", None)
        is_excluded = segmentation is not None and not segmentation.is_kept
        is_outdated = bool(item.stale_because) or item.pk in outdated
        rows.append(ItemRow(item, made, is_outdated, is_excluded))
    return rows


def _excluded_because(run: InferenceRun) -> str:
    """Return why the first video was left out."""
    item = excluded_items([run]).select_related("segmentation", "reused__segmentation").first()
    return (item.reused or item).segmentation.excluded_because if item else ""


def outdated_results(run: InferenceRun) -> list[tuple[int, str]]:
    """Return the numbers of outdated results by reason, most first."""
    stale = run.items.filter(state=State.DONE).exclude(stale_because="").order_by()
    counts = stale.values_list("stale_because").annotate(n=Count("pk"))
    results = [(number, words.WHY_STALE.get(why, why)) for why, number in counts]
    if replaced := items_with_replaced_parts(run).filter(stale_because="").count():
        results.append((replaced, words.PARTS_REPLACED))
    return sorted(results, key=lambda pair: (-pair[0], pair[1]))
