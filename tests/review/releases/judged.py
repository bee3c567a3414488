"""Judgments of captions and videos, stored as the work pages leave them."""

from __future__ import annotations

from annotate.models import (
    Assignment,
    Caption,
    Clip,
    DynamicsVerdict,
    FinalTexts,
    Project,
    SignOff,
    User,
    Video,
    WorkItem,
)
from inference.models import InferenceRun
from inference.planning.options import CaptionOptions
from inference.planning.recipes import hash_of, make_recipe
from inference.recipes import as_json
from review.identification.models import (
    IdentificationTask,
    IdentificationTest,
    IdentifiedClip,
    TestedText,
)
from review.ratings.models import Rating
from review.studies.models import Study
from review.verification.models import Verification
from tests.inference.cast import make_model
from tests.work import hold, make_work


def submitted(person: User, clip: Clip, kind: str, *, subject: int = 0) -> Assignment:
    item = WorkItem.objects.filter(clip=clip, kind=kind, subject=subject).first()
    held = hold(person, item or make_work(clip, kind, needed=3, subject=subject))
    Assignment.objects.filter(pk=held.pk).update(state="submitted")
    return held


def sign_off(expert: User, clip: Clip, verdict: str = "agree") -> SignOff:
    """The expert's verdict on the texts of the clip."""
    kinds = ("general", "spatial", "temporal")
    captions = {kind: clip.captions.filter(kind=kind).latest("pk") for kind in kinds}
    texts, _ = FinalTexts.objects.get_or_create(clip=clip, **captions)
    held = submitted(expert, clip, "signoff", subject=texts.pk)
    return SignOff.objects.create(
        texts=texts, assignment=held, expert=expert, verdict=verdict, comment="Dear Ada"
    )


def make_test(project: Project, clips: list[Clip], *, kind: str = "spatial", ended=True):
    """A test of one kind of text of these clips."""
    test = IdentificationTest.objects.create(project=project, options=4, people=2)
    for clip in clips:
        caption = clip.captions.filter(kind=kind).latest("pk")
        TestedText.objects.create(test=test, clip=clip, caption=caption, group=0)
    if ended:
        IdentificationTest.objects.filter(pk=test.pk).update(ended_at=test.created_at)
    return test


def pick(person: User, test: IdentificationTest, clip: Clip, picked: Clip) -> None:
    text = test.texts.get(clip=clip)
    keys = list(test.texts.values_list("clip", flat=True))
    task = IdentificationTask.objects.create(text=text, person=person, clips=keys)
    held = submitted(person, clip, "identify", subject=task.pk)
    IdentifiedClip.objects.create(task=task, assignment=held, clip=picked)


def rate(person: User, caption: Caption, value: int) -> Rating:
    study, _ = Study.objects.get_or_create(
        project=caption.project, kind="rating", people=2, per_rater=9
    )
    held = submitted(person, caption.clip, "rate", subject=caption.pk)
    return Rating.objects.create(
        caption=caption, study=study, rater=person, assignment=held, value=value, remark="Dear Ada"
    )


def find_dynamic(person: User, video: Video, *, is_dynamic: bool = True) -> None:
    clip = video.clips.get(start_frame=0, end_frame=video.frames)
    DynamicsVerdict.objects.create(
        video=video, assignment=submitted(person, clip, "dynamics"), is_dynamic=is_dynamic
    )


def import_verdict(label: str, caption: Caption) -> Verification:
    """A verification from an imported annotation table, without an error."""
    return Verification.objects.create(
        project=caption.project, caption=caption, label=label, splitter="lines", fits_theme=True,
        sentences=0, errors_a=0, errors_b=0, errors_c=0, content_errors=0,
        content_error_sentences=0, topic_errors=0,
    )  # fmt: skip


def caption_run(project: Project) -> InferenceRun:
    """A finished run of a captioner with an id and a revision."""
    model = make_model(project, "openai-compatible", model_id="Qwen/Qwen2-VL", revision="abc123")
    options = CaptionOptions.parse({"prompt": "Describe the clip."})
    recipe = make_recipe("caption", options, model=model)
    return InferenceRun.objects.create(
        project=project, kind="caption", model=model, recipe=as_json(recipe),
        recipe_hash=hash_of(recipe),
        queue="cpu", state="done",
    )  # fmt: skip


def made_by(run: InferenceRun) -> list[dict[str, object]]:
    """Return the provenance of a caption that the run made."""
    return [{"model": run.model.name, "spec": run.model.pk, "run": run.pk}]
