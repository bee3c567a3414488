"""Load the demo's simulated study: the results of a captioner, a scorer and three people.

`fixtures.simulated_study` makes up all of them, and their names say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.corpus.clip_names import free_names
from annotate.corpus.services.precedence import settle_captions
from annotate.models import Caption, Clip, Project, User, Video
from annotate.text.words import count_words
from fixtures.simulated_study import NOTICES, SEED, SimulatedCaption, simulate
from inference.models import InferenceRun, QualityScore, RunItem
from inference.planning.recipes import hash_of, item_key
from inference.segmentation import scene_names
from review.corrections.models import CorrectionDecision
from review.reports.models import Report
from review.reports.services import recompute
from review.threshold.studies import start_threshold_study
from review.verification.models import Verification
from review.verification.recording import Judged, record_verifications

# Captions whose proposed corrections stay undecided, to try the page Study corrections.
UNDECIDED = 12
CAPTIONER, SCORER = "Simulated captioner", "Simulated score"
JUDGED, TO_JUDGE, UNSAMPLED = 500, 20, 60
AT_ONCE = 500


@transaction.atomic
def load_simulated_study(*, project: Project, admin: User) -> None:
    """Make up the captions of the project's only video, unless that is done.

    Three people have judged JUDGED of them, and the threshold is computed. TO_JUDGE more are
    assigned to one person, so that each of them changes the report at once; the rest waits until a
    threshold is adopted. The people are labels, like those of an imported table: nobody judged
    anything, and they can't sign in.
    """
    if project.studies.exists():
        return
    video = project.videos.get()
    simulated = simulate(JUDGED + TO_JUDGE + UNSAMPLED)
    captions = _write_captions(project, _cut(project, video, simulated), simulated)
    scorer = _score(project, captions, simulated)
    settings: dict[str, Any] = {"project": project, "scorer": scorer, "admin": admin}
    judged = start_threshold_study(
        **settings, captions=JUDGED, people=len(NOTICES), strata=10, seed=SEED, hands_out=False
    )
    sampled = set(judged.captions.values_list("caption", flat=True))
    # Draw it before the captions are judged: a corrected caption would become the current one.
    start_threshold_study(**settings, captions=TO_JUDGE, people=1, strata=5, seed=SEED)
    record_verifications(
        [
            Judged(caption, judgement, label=person)
            for caption, made_up in zip(captions, simulated, strict=True)
            if caption.pk in sampled
            for person, judgement in made_up.judgements.items()
        ]
    )
    recompute(project=project, name=Report.Name.THRESHOLD)


@transaction.atomic
def accept_study_corrections(*, project: Project, admin: User) -> None:
    """Accept the first proposed correction of each caption of the simulated study.

    The last UNDECIDED stay undecided. Models are compared with the accepted texts.
    """
    if CorrectionDecision.objects.filter(caption__project=project).exists():
        return
    proposed = Verification.objects.filter(
        project=project, corrected__kind=Caption.Kind.PROPOSAL
    ).select_related("corrected")
    by_caption: dict[int, Verification] = {}
    for verification in proposed.order_by("caption", "pk"):
        by_caption.setdefault(verification.caption_id, verification)
    accepted = list(by_caption.values())[:-UNDECIDED]
    corrected = Caption.objects.bulk_create(
        [
            Caption(
                project=project,
                clip_id=proposal.clip_id,
                kind=Caption.Kind.GENERAL,
                source=Caption.Source.CORRECTED,
                text=proposal.text,
                word_count=proposal.word_count,
                author=proposal.author,
                provenance=proposal.provenance,
            )
            for verification in accepted
            if (proposal := verification.corrected)
        ],
        batch_size=AT_ONCE,
    )
    Parent = Caption.parents.through
    Parent.objects.bulk_create(
        Parent(from_caption=caption, to_caption_id=parent)
        for caption, verification in zip(corrected, accepted, strict=True)
        for parent in (verification.caption_id, verification.corrected_id)
    )
    settle_captions(corrected)
    CorrectionDecision.objects.bulk_create(
        CorrectionDecision(
            caption_id=verification.caption_id,
            accepted=verification,
            result=caption,
            decided_by=admin,
        )
        for caption, verification in zip(corrected, accepted, strict=True)
    )


def _cut(project: Project, video: Video, simulated: Sequence[SimulatedCaption]) -> list[Clip]:
    whole = video.clips.get()
    names = free_names(project, scene_names(whole.name, len(simulated)))
    return Clip.objects.bulk_create(
        [
            Clip(
                project=project,
                video=video,
                name=name,
                start_frame=scene.start_frame,
                end_frame=scene.end_frame,
                duration_ms=round((scene.end_frame - scene.start_frame) / video.fps * 1000),
            )
            for scene, name in zip(simulated, names, strict=True)
        ],
        batch_size=AT_ONCE,
    )


def _write_captions(
    project: Project, clips: Sequence[Clip], simulated: Sequence[SimulatedCaption]
) -> list[Caption]:
    run = _run(project, InferenceRun.Kind.CAPTION, CAPTIONER, len(clips))
    captions = Caption.objects.bulk_create(
        [
            Caption(
                project=project,
                clip=clip,
                kind=Caption.Kind.GENERAL,
                source=Caption.Source.MACHINE,
                text=caption.text,
                word_count=count_words(caption.text),
                # The captioner isn't a model of the project, so it has no key.
                provenance=[{"model": CAPTIONER, "spec": 0, "run": run.pk}],
            )
            for clip, caption in zip(clips, simulated, strict=True)
        ],
        batch_size=AT_ONCE,
    )
    _items(run, [{"clip": caption.clip, "result": caption} for caption in captions])
    return captions


def _score(
    project: Project, captions: Sequence[Caption], simulated: Sequence[SimulatedCaption]
) -> str:
    run = _run(project, InferenceRun.Kind.SCORE, SCORER, len(captions))
    items = _items(run, [{"caption": caption} for caption in captions])
    scores = [made_up.score for made_up in simulated]
    QualityScore.objects.bulk_create(
        [
            QualityScore(
                project=project,
                item=item,
                caption=caption,
                clip=caption.clip,
                scorer=run.recipe_hash,
                scorer_name=SCORER,
                value=score,
            )
            for item, caption, score in zip(items, captions, scores, strict=True)
        ],
        batch_size=AT_ONCE,
    )
    return run.recipe_hash


def _run(project: Project, kind: InferenceRun.Kind, name: str, total: int) -> InferenceRun:
    """Create a finished run that no model has done."""
    recipe = {"kind": kind, "code": 0, "model": None, "options": {"made_up_by": name, "seed": SEED}}
    return InferenceRun.objects.create(
        project=project,
        kind=kind,
        recipe=recipe,
        recipe_hash=hash_of(recipe),
        queue="cpu",
        state=InferenceRun.State.DONE,
        reason=f"{name}: made up for the demo. No model has run.",
        is_planned=True,
        total=total,
        has_results=True,
        finished_at=timezone.now(),
    )


def _items(run: InferenceRun, subjects: Sequence[dict[str, Any]]) -> list[RunItem]:
    return RunItem.objects.bulk_create(
        [
            RunItem(
                run=run,
                position=position,
                key=item_key(run.recipe_hash, position),
                state=RunItem.State.DONE,
                note="Simulated",
                finished_at=run.finished_at,
                **subject,
            )
            for position, subject in enumerate(subjects, 1)
        ],
        batch_size=AT_ONCE,
    )
