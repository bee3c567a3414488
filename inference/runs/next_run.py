"""The run that the protocol needs next, with the model and the settings to begin with.

What a large project needs is kept for a minute, because the pages that lead to a run all ask for
it: for 40,804 clips counting takes 0.4 s of the processor on SQLite and 0.7 s on PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache

from annotate.models import Project
from inference import words
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec
from inference.planning.need import Need
from inference.planning.needs import needs_of, next_need
from inference.planning.presets import options_for
from inference.recipes import try_recipe, try_stated
from inference.runs.new_run_page import takes_long_to_count
from inference.runs.services import fits_kind

Kind = InferenceRun.Kind
KEPT_SECONDS = 60
_MISSING: Mapping[str, tuple[str, str]] = {
    Kind.SEGMENT: ("isn’t cut into clips yet", "aren’t cut into clips yet"),
    Kind.THEME: ("has no theme yet", "have no theme yet"),
    Kind.CAPTION: ("has no caption yet", "have no caption yet"),
    Kind.SCORE: ("has no score yet", "have no score yet"),
    Kind.REFINE: ("below the threshold isn’t refined", "below the threshold aren’t refined"),
    Kind.FUSE: ("has no caption of the whole video yet", "have no caption of the whole video yet"),
    Kind.EMBED: ("has no vector yet", "have no vector yet"),
}
_EMBEDDED = {"spatial": "spatial ", "temporal": "temporal "}


@dataclass(frozen=True)
class NextRun:
    """A run that can start, with the reason why it is needed."""

    need: Need
    reason: str

    @property
    def because(self) -> str:
        return f"{self.reason}."

    @property
    def kind(self) -> words.KindWords:
        return words.KINDS[self.need.kind]

    @property
    def query(self) -> str:
        """Return the query of the form that is set up for this run."""
        return urlencode({"kind": self.need.kind, **self.need.options, "next": 1})


@dataclass(frozen=True)
class Setup:
    """The form's initial values: a model's key, options, and their origin."""

    model: int | None
    options: Mapping[str, Any] | None
    because: str


def due_runs(project: Project) -> list[NextRun]:
    """Return the runs that can start now, the next one first; of a large project as counted at most
    a minute ago.
    """
    return _due_of(_needs(project))


def _due_of(needs: Sequence[Need]) -> list[NextRun]:
    first = next_need(needs)
    due = [need for need in needs if need.is_due and need is not first]
    return [NextRun(need, reason_of(need)) for need in ([first] if first else []) + due]


@dataclass(frozen=True)
class RunsAhead:
    """`in_progress`: required runs that work now. `due`: runs that can start, the next one first.
    `waits`: why the protocol's next run can't start, "" if it can or none is left.
    """

    in_progress: list[NextRun]
    due: list[NextRun]
    waits: str


def runs_ahead(project: Project) -> RunsAhead:
    needs = _needs(project)
    required = [need for need in needs if need.is_unfinished and not need.is_optional]
    waiting = next((need for need in required if not need.run), None)
    return RunsAhead(
        in_progress=[NextRun(need, reason_of(need)) for need in required if need.run],
        due=_due_of(needs),
        waits=f"{words.KINDS[waiting.kind].label}: {waiting.waits_for}"
        if waiting and waiting.waits_for
        else "",
    )


def due_run(project: Project, kind: str, of: str) -> NextRun | None:
    """Return the due run of this kind; of several the one over `of`, else the first."""
    due = [run for run in due_runs(project) if run.need.kind == kind]
    same = (run for run in due if run.need.options.get("of", "") == of)
    return next(same, due[0] if due and not of else None)


def reason_of(need: Need) -> str:
    """Return why the run is needed, such as "3 of 9 clips have no caption yet"."""
    if not need.left:
        return " ".join(need.notes).rstrip(".")
    noun = _EMBEDDED.get(need.options.get("of", ""), "") + need.noun[need.total != 1]
    missing = _MISSING[need.kind][need.left != 1]
    of_all = "" if need.left == need.total else f" of {need.total:,}"
    return f"{need.left:,}{of_all} {noun} {missing}"


def set_up(project: Project, run: NextRun, models: list[ModelSpec]) -> Setup:
    """Return the model and settings of the newest run of the kind over the same subjects. A refine
    run without one uses those of the newest score run, because thresholds depend on them.
    """
    kind, of = run.need.kind, run.need.options.get("of")
    earlier = InferenceRun.objects.filter(project=project).exclude(
        state=InferenceRun.State.CANCELLED
    )
    kinds = [kind, Kind.SCORE] if kind == Kind.REFINE else [kind]
    newest = [
        made
        for each in kinds
        for made in earlier.filter(kind=each).select_related("model").order_by("-pk")[:20]
    ]
    same = [made for made in newest if of is None or try_stated(made.recipe).of == of]
    source = next(iter([*same, *newest]), None)
    usable = {spec.pk for spec in models if kind != Kind.SEGMENT and fits_kind(spec, kind)}
    if source is None:
        return Setup(None, _options(project, kind, run.need.options), "")
    model = source.model_id if source.model_id in usable else None
    recipe, _ = try_recipe(source.recipe)
    earlier_options = recipe.options if recipe else {}
    options = _options(project, kind, {**earlier_options, **run.need.options})
    return Setup(model, options, _origin(source, model))


def _origin(source: InferenceRun, model: int | None) -> str:
    label = f"{words.KINDS[source.kind].label.lower()} run {source.pk}"
    if source.model_id and model is None:
        return f"Settings are those of {label}. Its model is no longer in use: choose another."
    return f"{'Model and settings' if model else 'Settings'} are those of {label}."


def _options(project: Project, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the kind's options with these values; None for options of old runs that are no longer
    accepted.
    """
    own = options_for(project, kind).as_dict()
    try:
        chosen = {name: value for name, value in values.items() if name in own}
        return options_for(project, kind, chosen).as_dict()
    except InferenceError:
        return None


def _needs(project: Project) -> list[Need]:
    if not takes_long_to_count(project):
        return needs_of(project)
    key = f"needs-2-{project.pk}"
    kept: list[Need] | None = cache.get(key)
    if kept is None:
        kept = needs_of(project)
        cache.set(key, kept, KEPT_SECONDS)
    return kept
