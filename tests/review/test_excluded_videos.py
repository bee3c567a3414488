"""An excluded video counts nowhere: no count, run, statistic, study or release has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from annotate.corpus.pieces import clips_in_benchmark
from annotate.models import Caption, Membership, Project, Role, User, Video, WorkItem
from annotate.queue.caption_work import caption_work
from inference.models import InferenceRun
from inference.queries import (
    clips_to_describe,
    current_captions_of,
    cut_videos,
    scorers_of,
    whole_videos,
)
from inference.runs.preview import preview_run
from review.activity.pages import activity_context
from review.captions.models import CaptionSet, SetCaption
from review.captions.references import human_references
from review.frozen.scene_names import scene_numbers
from review.pairs.agreement import RATINGS
from review.ratings.models import Rating
from review.ratings.queries import progress_of, rater_progress
from review.ratings.report import ratings_inputs
from review.ratings.sample import captions_to_draw
from review.releases.scenes import full_captions, scenes_of
from review.retrieval.queries import settings_of
from review.rounds.entries import entries_of
from review.statistics.report import count_statistics
from review.studies.models import Study, StudyCaption
from review.threshold.queries import current_values, stock_of, studies_of, verify_work
from review.threshold.report import threshold_inputs
from review.threshold.services import low_captions
from review.threshold.studies import captions_to_sample
from review.verification.agreement import SENTENCES, THEME
from review.verification.judgment import Judgment, Verdict
from review.verification.queries import list_verifications
from review.verification.recording import record_verification
from tests.cast import make_person, make_project
from tests.inference.cast import make_model
from tests.inference.scored import make_clips, score, score_run
from tests.review.ratings.rating import whole_caption
from tests.review.retrieval.vectors import embed, write
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db
KINDS = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)
OK = Judgment((Verdict(frozenset()),), (), True)


@dataclass
class World:
    """A project whose videos have been through every step."""

    project: Project
    rater: User
    admin: Membership
    scoring: InferenceRun
    caption_set: CaptionSet
    threshold: Study
    rating: Study


def make_world(name: str, videos: int) -> tuple[World, list[Video]]:
    project = make_project(name, protocol="lovr")
    rater = make_person(f"Rita of {name}", project, Role.REVIEWER)
    ada = make_person(f"Ada of {name}", project, Role.ADMIN)
    scoring = score_run(project, make_model(project, "lexical", name="Lexical"))
    make_model(project, "opencv-draft", name="Draft", refine_order=1)
    make_model(project, "plain-joiner", name="Joiner")
    world = World(
        project,
        rater,
        ada.memberships.select_related("project", "user").get(project=project),
        scoring,
        CaptionSet.objects.create(project=project, name="Models", created_by=ada),
        Study.objects.create(
            project=project, kind="threshold", people=1, scorer="f" * 64, strata=1
        ),
        Study.objects.create(project=project, kind="rating", people=2, per_rater=9),
    )
    return world, [work_through(world, world.project) for _ in range(videos)]


def work_through(world: World, project: Project) -> Video:
    """Store a video of four clips, with all work of models and people on it and on its clips."""
    clips = make_clips(project, 4)
    video = clips[0].video
    whole = video.clips.get(start_frame=0, end_frame=video.frames)
    texts = [write(clip, f"{clip.pk} dives.") for clip in clips]
    full = whole_caption(whole, f"{video.pk} has dives.")
    for picture in (*clips, whole):
        embed(picture, 1.0, 0.0)
    for text in (*texts, full):
        embed(text, 1.0, 0.0)
    scores = [score(text.clip, 0.1, world.scoring, caption=text) for text in texts]
    Caption.objects.create(
        project=project, clip=clips[3], kind="general", source="corrected", text="He dives.",
        word_count=2,
    )  # fmt: skip
    StudyCaption.objects.create(study=world.threshold, caption=texts[0], score=scores[0])
    record_verification(caption=texts[0], judgment=OK, label="1")
    make_work(clips[1], "verify", subject=texts[1].pk)
    make_work(clips[2], "hand")
    item = make_work(clips[0], "rate", subject=texts[0].pk, needed=2)
    StudyCaption.objects.create(study=world.rating, caption=texts[0], item=item)
    Rating.objects.create(
        caption=texts[0], study=world.rating, rater=world.rater, value=4,
        assignment=hold(world.rater, item),
    )  # fmt: skip
    SetCaption.objects.create(caption_set=world.caption_set, clip=clips[0], caption=texts[0])
    return video


def counts(world: World) -> dict[str, Any]:
    """Return everything that the pages, runs, studies and releases of the project count."""
    project = world.project
    statistics = count_statistics(project)
    funnel = activity_context(world.admin)["funnel"]
    keys, totals = list_verifications(world.admin, {})
    work = verify_work(project)
    scorer = scorers_of(project)[0]["scorer"]
    return {
        "clips": clips_to_describe(project).count(),
        "benchmark": clips_in_benchmark(project).count(),
        "whole videos": (whole_videos(project).count(), cut_videos(project).count()),
        "captions": {
            kind: current_captions_of(project, kind).count() for kind in KINDS
        },
        "scores": [scorer["count"] for scorer in scorers_of(project)],
        "runs": {run: preview.total for run, preview in previews(project).items()},
        "statistics": (statistics.clips, statistics.videos),
        "overview": [stage for stage in funnel if not stage.label.startswith("Videos")],
        "verifications": (len(keys), totals),
        "agreement": [len(task.read(project)) for task in (SENTENCES, THEME, RATINGS)],
        "work": [len(group) for group in (caption_work(project).clips, work.in_study)],
        "threshold": (
            stock_of(project, KINDS[0]),
            [len(values) for values in current_values(project).values()],
            [(inputs.count, len(inputs.labels)) for inputs in threshold_inputs(project)],
            [(study.due, study.done) for [study] in studies_of(project).values()],
            len(captions_to_sample(project, scorer)),
            low_captions(project, scorer, 0.2).count(),
        ),
        "ratings": (
            [inputs.count for inputs in ratings_inputs(project)],
            list(progress_of([world.rating]).values()),
            sum(rater.done for rater in rater_progress(world.rating)),
            [captions_to_draw(project, kind).count() for kind in KINDS],
        ),
        "recall": [
            {part: vectors.things for part, vectors in setting.parts.items()}
            for setting in settings_of(project)
        ],
        "references": len(human_references(project, "general")),
        "rounds": len(entries_of([world.caption_set])[world.caption_set.pk]),
        "release": (
            len(scenes_of(project)), len(scene_numbers(project)), len(full_captions(project))
        ),
    }  # fmt: skip


def previews(project: Project) -> dict[str, Any]:
    lexical, draft, joiner = project.model_specs.exclude(name="CARE").order_by("pk")
    planned_runs = [
        ("caption", draft, {}),
        ("score", lexical, {}),
        ("refine", lexical, {}),
        ("fuse", joiner, {}),
        *(("embed", lexical, {"of": of}) for of in ("clips", "videos", "captions", "full_video")),
    ]
    return {
        f"{kind} {options}": preview_run(project=project, kind=kind, model=model, options=options)
        for kind, model, options in planned_runs
    }


def test_an_excluded_video_counts_nowhere() -> None:
    alone, _ = make_world("Alone", 1)
    both, (_, excluded) = make_world("Both", 2)
    expected, with_both = counts(alone), counts(both)
    unmoved = [name for name, count in with_both.items() if count == expected[name]]
    assert unmoved == []  # each is a count of something that the second video has, too
    Video.objects.filter(pk=excluded.pk).update(excluded_because="Two people found it not dynamic.")
    WorkItem.objects.filter(clip__video=excluded, state="open").update(state="waiting")
    assert counts(both) == expected
