"""Open the demo's round of comparisons, without votes.

It compares two people's write-ups of its clips, the draft that was measured without a model, and
the first sentences of this draft. Nothing is made up.
"""

from __future__ import annotations

import json
from collections import defaultdict
from io import BytesIO

from django.db import transaction

from annotate.models import Clip, Project, User
from annotate.text.sentences import split_sentences
from annotate.write.queries import write_ups
from inference.models import InferenceRun, ModelSpec
from inference.runs.services import start_run
from inference.specs.services import add_built_in_models
from review.captions.exchange import import_predictions
from review.captions.models import CaptionSet, SetCaption
from review.captions.services import add_set, make_set_of_run
from review.errors import ReviewError
from review.rounds.services import open_round

DRAFT, OPENING = "Measured draft", "Opening of the measured draft"
SENTENCES = 3
WRITE_UPS = ("People, first write-up", "People, second write-up")
BACKEND = "opencv-draft"
# Enough for three people to compare everything.
VOTES_PER_PAIR = 27
TURNS = 20


def start_first_round(*, project: Project, admin: User) -> None:
    """Open a round of the write-ups, the measured draft and its opening, unless there is a round.

    Raises ReviewError if the draft can't be made.
    """
    if project.rounds.exists():
        return
    run = _run_draft(project, admin)
    with transaction.atomic():
        draft = make_set_of_run(run=run, name=DRAFT, admin=admin)
        sets = [draft, _opening(draft, admin)]
        sets += [
            add_set(
                project=project,
                name=name,
                kind="general",
                captions=captions,
                admin=admin,
                theme=CaptionSet.Theme.NO_MODEL,
            )
            for name, captions in _write_ups_by_name(project).items()
        ]
        open_round(
            project=project,
            admin=admin,
            sets=sets,
            votes_per_pair=VOTES_PER_PAIR,
            shared_percent=50,
        )


def _opening(draft: CaptionSet, admin: User) -> CaptionSet:
    """Import the first sentences of each draft as the captions of another model."""
    rows = [
        {"clip": clip, "caption": text[: split_sentences(text)[:SENTENCES][-1].end]}
        for clip, text in SetCaption.objects.filter(caption_set=draft)
        .order_by("clip")
        .values_list("clip__name", "caption__text")
    ]
    return import_predictions(
        project=draft.project,
        file=BytesIO("\n".join(map(json.dumps, rows)).encode()),
        file_name="opening.jsonl",
        name=OPENING,
        theme=CaptionSet.Theme.NO_MODEL,
        admin=admin,
    )


def _write_ups_by_name(project: Project) -> dict[str, dict[int, int]]:
    """Return the write-ups of each clip, in the order of submission: name -> clip -> caption."""
    captions: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for clip in Clip.objects.filter(project=project).order_by("pk"):
        for name, caption in zip(WRITE_UPS, write_ups(clip), strict=False):
            captions[name][clip.pk] = caption.pk
    return dict(captions)


def _run_draft(project: Project, admin: User) -> InferenceRun:
    """Run the draft, which needs no weights, over the project's clips in this process."""
    # Import here, because it loads the video libraries.
    from annotate.jobs.services.working import work_on

    run = InferenceRun.objects.filter(project=project, model__backend=BACKEND).first()
    if run is None:
        model = ModelSpec.objects.filter(project=project, backend=BACKEND).first()
        if model is None:
            specs = add_built_in_models(project=project, admin=admin)
            model = next(spec for spec in specs if spec.backend == BACKEND)
        run = start_run(project=project, kind=InferenceRun.Kind.CAPTION, model=model, admin=admin)
    for _ in range(TURNS):
        if not run.is_active:
            break
        work_on(job_id=run.pk)
        run.refresh_from_db()
    if run.state != InferenceRun.State.DONE:
        raise ReviewError(f"Run {run.pk} of the measured draft did not finish: {run.reason}")
    return run
