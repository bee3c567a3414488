"""Models and runs that the tests of this app are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotate.jobs.services.planning import plan_job
from annotate.jobs.services.working import work_on
from annotate.models import Clip, Project, Video
from inference.models import InferenceRun, ModelSpec, RunItem, VideoTheme
from inference.runs import services as starting
from inference.themes.services import record_theme
from tests.cast import make_clip, make_video
from tests.media import FPS, FRAMES, HEIGHT, WIDTH, attach_media


def make_model(project: Project, backend: str = "opencv-draft", **fields: Any) -> ModelSpec:
    return ModelSpec.objects.create(
        project=project, **{"name": f"{backend} of {project.slug}", "backend": backend, **fields}
    )


def bare_recipe(kind: str, **parts: Any) -> dict[str, Any]:
    """Return the stored recipe of a run without a model and options."""
    return {"kind": kind, "code": 1, "model": None, "options": {}, **parts}


def make_playable_clips(project: Project, folder, number: int) -> list[Clip]:
    """`number` clips of equal length, cut from one real video of FRAMES frames; the project takes
    clips as short and as small as these."""
    allow_small_clips(project)
    video = make_video(project, frames=FRAMES, fps_num=FPS, fps_den=1, width=WIDTH, height=HEIGHT)
    attach_media(video, folder)
    step = FRAMES // number
    return [
        make_clip(project, video=video, start_frame=n * step, end_frame=(n + 1) * step)
        for n in range(number)
    ]


def allow_small_clips(project: Project) -> None:
    project.min_clip_seconds, project.min_frame_side = 0, 1
    project.save(update_fields=["min_clip_seconds", "min_frame_side"])


def start_run(**arguments: Any) -> InferenceRun:
    """Start a run and plan it, as the first worker would; its items wait."""
    run = starting.start_run(**arguments)
    plan_job(run)
    run.refresh_from_db()
    return run


def run_through(run: InferenceRun) -> InferenceRun:
    """Do the run's work here, as a worker would, and read its row again."""
    work_on(job_id=run.pk)
    run.refresh_from_db()
    return run


def name_theme(video: Video, text: str) -> VideoTheme:
    """Return the theme that a model has named in a run of its own."""
    project = video.project
    model = project.model_specs.first() or make_model(project)
    run = InferenceRun.objects.create(
        project=project,
        kind="theme",
        model=model,
        recipe=bare_recipe("theme"),
        recipe_hash="",
        queue="cpu",
    )
    item = RunItem.objects.create(run=run, video=video, position=1, key="", state="done")
    return record_theme(item=item, text=text)


def states(run: InferenceRun) -> list[str]:
    return list(run.items.values_list("state", flat=True))


__all__: Sequence[str] = [
    "allow_small_clips",
    "make_model",
    "make_playable_clips",
    "name_theme",
    "run_through",
    "start_run",
    "states",
]
