"""Starting the demo's running round of comparisons: what two people wrote about its clips and what
the draft without a model measured in them. Nothing of it is made up, and nobody has voted yet."""

from __future__ import annotations

from collections import defaultdict

from django.db import transaction

from annotate.models import Clip, Project, User
from annotate.queries import write_ups
from inference.models import InferenceRun, ModelSpec
from inference.services.specs import add_built_in_models
from inference.services.starting import start_run
from review.errors import ReviewError
from review.services.caption_sets import add_set, make_set_of_run
from review.services.comparison_rounds import open_round

DRAFT = "Measured draft"
WRITE_UPS = ("People, first write-up", "People, second write-up")
BACKEND = "opencv-draft"
# So that three people find something to compare.
VOTES_PER_PAIR = 18
TURNS = 20


def start_first_round(*, project: Project, admin: User) -> None:
    """Have the write-ups compared with the measured draft and with each other, unless there is a
    round. Raises ReviewError when the draft can't be made."""
    if project.comparison_rounds.exists():
        return
    run = _drafted(project, admin)
    with transaction.atomic():
        sets = [make_set_of_run(run=run, name=DRAFT, admin=admin)]
        sets += [
            add_set(project=project, name=name, kind="general", captions=captions, admin=admin)
            for name, captions in _written(project).items()
        ]
        open_round(
            project=project,
            admin=admin,
            sets=sets,
            votes_per_pair=VOTES_PER_PAIR,
            shared_percent=50,
        )


def _written(project: Project) -> dict[str, dict[int, int]]:
    """Of each clip its write-ups in the order in which they were taken, whoever wrote them."""
    captions: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for clip in Clip.objects.filter(project=project).order_by("pk"):
        for name, caption in zip(WRITE_UPS, write_ups(clip), strict=False):
            captions[name][clip.pk] = caption.pk
    return dict(captions)


def _drafted(project: Project, admin: User) -> InferenceRun:
    """The run of the draft over the project's clips, done here and now: it needs no weights."""
    # Imported here: it loads the video libraries, which checks of this module have no use for.
    from inference.services.working import work_on

    run = InferenceRun.objects.filter(project=project, model__backend=BACKEND).first()
    if run is None:
        model = ModelSpec.objects.filter(project=project, backend=BACKEND).first()
        if model is None:
            specs = add_built_in_models(project=project, admin=admin)
            model = next(spec for spec in specs if spec.backend == BACKEND)
        run = start_run(project=project, kind=InferenceRun.Kind.CAPTION, model=model, admin=admin)
    for _ in range(TURNS):
        if run.state != InferenceRun.State.RUNNING:
            break
        work_on(run_id=run.pk)
        run.refresh_from_db()
    if run.state != InferenceRun.State.FINISHED:
        raise ReviewError(f"Run {run.pk} of the measured draft did not finish: {run.reason}")
    return run
