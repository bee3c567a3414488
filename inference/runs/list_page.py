"""The list of runs: its filters and its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import QueryDict

from annotate.archive.queries import archived_keys
from annotate.forms import ListForm
from annotate.jobs.parameters import read_parameters
from annotate.jobs.workers import LastBeats, Silence, last_beats
from annotate.lists.columns import Column
from annotate.models import Membership, Project
from annotate.models.jobs import ACTIVE
from inference import words
from inference.models import InferenceRun, ModelSpec, RunParameters
from inference.runs.archiving import ArchiveRun
from inference.runs.progress import RunProgress, progress_of

RUNS_PER_PAGE = 25
ANY = ("", "Any")
STATES = {
    "active": ("In progress", ACTIVE),
    "done": ("Finished", (InferenceRun.State.DONE,)),
    "failed": ("Stopped", (InferenceRun.State.FAILED,)),
    "cancelled": ("Canceled", (InferenceRun.State.CANCELLED,)),
}
COLUMNS = (
    Column("state", "State"),
    Column("progress", "Progress"),
    Column("done", "Done"),
    Column("reused", "Reused"),
    Column("failed", "Failed"),
    Column("speed", "Speed"),
    Column("time", "Time"),
    Column("started", "Started"),
)


@dataclass(frozen=True)
class RunRow:
    run: InferenceRun
    kind: str
    progress: RunProgress
    silence: Silence | None = None

    @property
    def is_elsewhere(self) -> bool:
        return read_parameters(self.run, RunParameters).elsewhere is not None


class RunsForm(ListForm):
    kind = forms.ChoiceField(
        required=False, choices=[ANY, *((key, each.label) for key, each in words.KINDS.items())]
    )
    state = forms.ChoiceField(
        required=False, choices=[ANY, *((key, label) for key, (label, _) in STATES.items())]
    )
    model = forms.ChoiceField(required=False)


def runs_context(membership: Membership, asked: QueryDict) -> dict[str, Any]:
    """Return the page's context. `asked`: the address's parameters."""
    project = membership.project
    models = ModelSpec.objects.filter(project=project).order_by("name", "pk")
    form = RunsForm(asked, model=[ANY, *((str(each.pk), str(each)) for each in models)])
    runs = _runs(project, form.filters)
    page = Paginator(runs, RUNS_PER_PAGE).get_page(asked.get("page"))
    progress = progress_of(page.object_list)
    beats = last_beats()
    rows = [
        RunRow(
            run,
            words.KINDS[run.kind].label,
            progress[run.pk],
            silence_of(run, progress[run.pk], beats),
        )
        for run in page
    ]
    return {
        "membership": membership,
        "project": project,
        "form": form,
        "page": page,
        "rows": rows,
        "going": sum(row.run.is_active for row in rows),
        "is_empty": not rows and not form.filters,
    }


def silence_of(run: InferenceRun, progress: RunProgress, beats: LastBeats) -> Silence | None:
    """Return the silence of the workers that a running run waits for."""
    silence = beats.silence_in(run.queue) if run.is_active else None
    # A worker that has items but never sent a heartbeat has another version.
    return None if silence and silence.since is None and progress.has_worker else silence


def _runs(project: Project, filters: dict[str, Any]) -> QuerySet[InferenceRun]:
    """Return the runs that match and aren't archived, the newest first."""
    runs = InferenceRun.objects.filter(project=project).exclude(
        pk__in=archived_keys(project, ArchiveRun.name)
    )
    if kind := filters.get("kind"):
        runs = runs.filter(kind=kind)
    if state := filters.get("state"):
        runs = runs.filter(state__in=STATES[state][1])
    if model := filters.get("model"):
        runs = runs.filter(model=model)
    return runs.select_related("model", "created_by").defer("recipe").order_by("-id")
