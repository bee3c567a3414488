"""Take the demo's LoVR project from its videos to fused captions, ratings and recall.

Its models need no weights, and its people wrote the texts of the fixtures. Only the dates of their
work are made up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotate.dynamics.decisions import decide_dynamics
from annotate.dynamics.queries import undecided_videos
from annotate.dynamics.services import submit_dynamics_check
from annotate.handwrite.services import submit_hand_writing
from annotate.jobs.services.working import work_on
from annotate.models import Assignment, Caption, Clip, Project, User, Video, WorkItem
from annotate.models.jobs import ACTIVE, Job
from annotate.queue.content import Content
from annotate.text.sentences import split_sentences
from fixtures.demo_content import Demo
from inference.models import InferenceRun, ModelSpec, QualityScore
from inference.recipes import read_recipe
from inference.runs.services import start_run
from inference.scores.services import adopt_threshold
from inference.themes.services import correct_theme
from review.errors import ReviewError
from review.management.hand_work import do_work, spread
from review.management.past import days_ago
from review.ratings.models import RatingExample
from review.ratings.services import submit_rating
from review.ratings.studies import open_rating_study
from review.ratings.training_set import add_example, answer_example
from review.verification.content import sentences_key
from review.verification.queueing import open_verifications
from review.verification.services import submit_verification

Kind = WorkItem.Kind
Run = InferenceRun.Kind
SHORT_CLIPS = {"min_video_seconds": 0, "threshold": 27, "min_scene_seconds": 0.5, "min_clips": 1}
SHORTEST = 0.3  # seconds: the last of the six shots has eight frames
BY_HAND = 3  # clips whose drafts score too low to keep
REDUNDANT = "The picture is"  # beginning of the sentence about brightness, which says little
TURNS = 20
A_MOMENT, AN_HOUR, A_DAY = timedelta(seconds=6), timedelta(hours=1), timedelta(days=1)
DISPUTED = "drawn_day.mp4"  # the video that the second annotator finds not dynamic
DOUBT = "The background never moves, and the same things happen twice."
REASON = "Grippers sort balls and divers leap in every scene, so there is much to tell."
EXAMPLES = (
    (1, "It names colors and motion, but neither who is seen nor what happens."),
    (1, "Every number is right. Still nobody could tell what the clip shows."),
    (2, "The way the picture moves is told well, and so is the change of light. The rest is not."),
)


def finish_lovr(*, project: Project, demo: Demo, people: Mapping[str, User], admin: User) -> None:
    """Do every step of LoVR's pipeline with the videos that the demo has texts for, unless that is
    done. Raises ReviewError if a model can't do its part.
    """
    if project.studies.exists():
        return
    models = {spec.backend: spec for spec in project.model_specs.all()}
    Project.objects.filter(pk=project.pk).update(min_clip_seconds=SHORTEST)
    project.refresh_from_db()
    annotators = people["anna"], people["ben"]
    raters = people["rita"], admin
    with days_ago(12.9):
        run(project, admin, Run.SEGMENT, options=SHORT_CLIPS)
    for video in project.videos.filter(themes=None).order_by("pk"):
        correct_theme(video=video, text=demo.themes[video.original_name], person=admin)
    _check_dynamics(project, annotators, admin)
    with days_ago(11):
        run(project, admin, Run.CAPTION, models["opencv-draft"])
        run(project, admin, Run.SCORE, models["lexical"])
        _adopt(project, admin)
        run(project, admin, Run.REFINE, models["lexical"], options={"attempts": 1})
    _write_by_hand(project, demo, annotators)
    _verify(project, annotators)
    with days_ago(3):
        run(project, admin, Run.FUSE, models["plain-joiner"])
        for of in ("clips", "captions", "videos", "full_video"):
            run(project, admin, Run.EMBED, models["lexical"], options={"of": of})
        run(project, admin, Run.SCORE, models["lexical"], options={"of": "full_video"})
    _rate(project, raters, admin)


def run(
    project: Project,
    admin: User,
    kind: str,
    model: ModelSpec | None = None,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Run a model over the project in this process, unless that is done. Raises ReviewError if it
    doesn't finish."""
    done = InferenceRun.objects.filter(
        project=project, kind=kind, model=model, state=InferenceRun.State.DONE
    )
    if any((options or {}).items() <= read_recipe(row.recipe).options.items() for row in done):
        return
    started = start_run(project=project, kind=kind, model=model, options=options, admin=admin)
    finish_job(started)


def finish_job(job: Job) -> None:
    """Work on a job until it has ended. Raises ReviewError if it isn't done then."""
    for _ in range(TURNS):
        if not Job.objects.filter(pk=job.pk, state__in=ACTIVE).exists():
            break
        work_on(job_id=job.pk)
    job.refresh_from_db()
    if job.state != Job.State.DONE:
        raise ReviewError(f"{job} ended as {job.state}: {job.reason}")


def finish_past_jobs(project: Project) -> None:
    """Finish the jobs that wait since earlier days a few seconds after they were requested. A
    worker would finish them now, as if they had taken days. Jobs that they request in turn wait
    from now on."""
    now = timezone.now()
    waiting = Job.objects.filter(project=project, state=Job.State.WAITING).order_by("pk")
    for job in list(waiting):
        ago = now - job.created_at
        if ago > AN_HOUR:
            with days_ago((ago - A_MOMENT) / A_DAY):
                finish_job(job)
    waiting.update(created_at=now, queued_at=now, resumed_at=now)


def _check_dynamics(project: Project, annotators: Sequence[User], admin: User) -> None:
    """Have both annotators judge each video. They disagree about one, and the admin decides."""
    items = project.work_items.filter(kind=Kind.DYNAMICS).order_by("pk")
    works = [(item, person) for item in items for person in annotators]
    for (item, person), days in zip(works, spread(len(works), first=12.6, last=11.5), strict=True):
        is_doubted = person == annotators[-1] and item.clip.video.original_name == DISPUTED
        verdict = {"verdict": "static", "remark": DOUBT} if is_doubted else {"verdict": "dynamic"}
        do_work(item, person, submit_dynamics_check, verdict, days=days, minutes=1)
    with days_ago(11.2):
        for video in undecided_videos(project):
            decide_dynamics(video=video, is_dynamic=True, reason=REASON, admin=admin)


def _adopt(project: Project, admin: User) -> None:
    """Adopt a threshold that the lowest BY_HAND captions miss."""
    scores = list(QualityScore.objects.filter(project=project).order_by("value", "pk"))
    low, high = scores[BY_HAND - 1], scores[BY_HAND]
    value = round((low.value + high.value) / 2, 4)
    adopt_threshold(project=project, scorer=low.scorer, value=value, admin=admin)


def _write_by_hand(project: Project, demo: Demo, annotators: Sequence[User]) -> None:
    items = list(project.work_items.filter(kind=Kind.HAND).order_by("pk"))
    days = spread(len(items), first=10.2, last=7)
    for place, (item, ago) in enumerate(zip(items, days, strict=True)):
        text = _text_about(item.clip, demo)
        person = annotators[place % len(annotators)]
        do_work(item, person, submit_hand_writing, {"text": text}, days=ago, minutes=6)


def _text_about(clip: Clip, demo: Demo) -> str:
    """Return the fixtures' text about a scene, by its place in the video."""
    whole = {"start_frame": 0, "end_frame": clip.video.frames}
    scenes = clip.video.clips.exclude(**whole).order_by("start_frame")
    place = list(scenes.values_list("pk", flat=True)).index(clip.pk)
    return demo.scenes[clip.video.original_name][place]


def _verify(project: Project, annotators: Sequence[User]) -> None:
    """Have the kept drafts verified: everything is right, but one sentence of each says nothing."""
    by_hand = project.work_items.filter(kind=Kind.HAND).values("clip")
    kept = QualityScore.objects.filter(project=project).exclude(clip__in=by_hand)
    priorities = dict(kept.order_by("pk").values_list("caption", "value"))
    open_verifications(project=project, priorities=priorities)
    items = list(project.work_items.filter(kind=Kind.VERIFY).order_by("pk"))
    for place, (item, ago) in enumerate(
        zip(items, spread(len(items), first=7, last=3.4), strict=True)
    ):
        do_work(item, annotators[place % 2], submit_verification, _judgment, days=ago, minutes=3)


def _judgment(assignment: Assignment) -> Content:
    text = Caption.objects.get(pk=assignment.item.subject).text
    content = {"sentences": sentences_key(assignment.item.subject), "theme": "ok"}
    for number, sentence in enumerate(split_sentences(text)):
        is_redundant = sentence.text.startswith(REDUNDANT)
        content[f"verdict-{number}"] = "B" if is_redundant else "ok"
        if is_redundant:
            content[f"delete-{number}"] = "1"
    return content


def _rate(project: Project, raters: Sequence[User], admin: User) -> None:
    """Have the captions rated from 0 to 5, after training on newly written drafts."""
    replaced = Caption.objects.filter(
        project=project, clip__work_items__kind=Kind.HAND, source=Caption.Source.MACHINE
    )
    firsts = {caption.clip_id: caption for caption in replaced.order_by("-pk")}
    with days_ago(2.8):
        for caption, (value, explanation) in zip(firsts.values(), EXAMPLES, strict=False):
            add_example(
                project=project, caption=caption, value=value, explanation=explanation, person=admin
            )
        for example in RatingExample.objects.filter(project=project).order_by("place"):
            for rater in raters:
                answer_example(example=example, rater=rater, value=example.value)
        clips = len(clips_with_text(project))
        wholes = Video.objects.filter(project=project).count()
        study = open_rating_study(
            project=project, admin=admin, clips=clips, videos=wholes, people=len(raters),
            per_rater=clips + wholes,
        )  # fmt: skip
    sampled = list(study.captions.select_related("item", "caption").order_by("pk"))
    works = [(sample, place) for sample in sampled for place in range(len(raters))]
    for (sample, place), ago in zip(works, spread(len(works), first=2.6, last=0.2), strict=True):
        value = _rating(sample.caption, sample.pk, place)
        rating = {"value": str(value)}
        assert sample.item is not None  # an open study hands out every caption
        do_work(sample.item, raters[place], submit_rating, rating, days=ago, minutes=1)


def clips_with_text(project: Project) -> set[int]:
    """Return the clips that are parts of videos."""
    clips = Clip.objects.filter(project=project).exclude(captions=None).select_related("video")
    return {
        clip.pk for clip in clips if (clip.start_frame, clip.end_frame) != (0, clip.video.frames)
    }


def _rating(caption: Caption, key: int, place: int) -> int:
    """Return a plausible rating: texts by people are good, measured ones are poor. The second rater
    sometimes differs by one."""
    if caption.kind == Caption.Kind.FULL_VIDEO:
        value = 3
    elif caption.source == Caption.Source.HUMAN:
        value = 5
    else:
        value = 2
    return value - (place == 1 and key % 3 == 0)
