"""States of projects, each with its one right next step and the states of its first lane.

A state is made of rows, as the queue and the workers leave them.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.models import (
    Caption,
    CaptionRank,
    ImportBatch,
    ImportItem,
    Job,
    Project,
    Video,
    WorkerBeat,
    WorkItem,
)
from inference.models import InferenceRun, RunItem, VideoTheme
from inference.runs.next_run import runs_ahead
from review.overview.lanes import lanes_of
from review.overview.queries import facts_of
from review.overview.steps import next_step, stuck_steps
from tests.cast import make_cast, make_clip, make_person, make_project, make_video
from tests.hand_work import open_hand
from tests.inference.cast import bare_recipe, make_model
from tests.inference.scored import score, score_run
from tests.inference.scored import write as write_caption
from tests.inference.segmented import segment
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify


def work(clip, kind, state="open", **fields) -> WorkItem:
    fields = {"needed": 1, "open_slots": int(state == "open"), **fields}
    return WorkItem.objects.create(
        project_id=clip.project_id, clip=clip, kind=kind, state=state, **fields
    )


def add_file(project, name, state, **fields) -> ImportItem:
    batch = ImportBatch.objects.filter(project=project).first()
    batch = batch or ImportBatch.objects.create(project=project, kind="import", is_planned=True)
    return ImportItem.objects.create(
        batch=batch, position=batch.items.count() + 1, name=name, size=5, state=state, **fields
    )


def cut(project, parts=2) -> list:
    """The clips of a video that a segment run has cut, and that two people found dynamic."""
    video = make_video(project, frames=250 * parts)
    segment(video, [250 * part for part in range(parts)])
    InferenceRun.objects.update(state="done")
    WorkItem.objects.filter(kind="dynamics").update(state="done", open_slots=0)
    return list(video.clips.exclude(end_frame=video.frames, start_frame=0).order_by("start_frame"))


def caption_all(project, clips, **run) -> list[Caption]:
    """A machine caption of each clip, by one run that told the theme."""
    model = make_model(project)
    options = {"use_theme": True}
    recipe = bare_recipe("caption", options=options)
    made = InferenceRun.objects.create(
        project=project, kind="caption", model=model, recipe=recipe, recipe_hash="c",
        queue="cpu", state="done", **run,
    )  # fmt: skip
    captions = [write_caption(clip) for clip in clips]
    for place, caption in enumerate(captions, 1):
        RunItem.objects.create(
            run=made, clip=caption.clip, position=place, key=f"c{caption.pk}", state="done",
            result=caption,
        )  # fmt: skip
    return captions


def score_all(project, captions, *values) -> InferenceRun:
    run = score_run(project, make_model(project, "lexical"))
    for caption, value in zip(captions, values or [0.5] * len(captions), strict=True):
        score(caption.clip, value, run, caption=caption)
    return run


def verify_one(captions, state="done") -> None:
    work(captions[0].clip, "verify", state, subject=captions[0].pk)


def adopt(project, value=0.3) -> None:
    scorer, name = project.quality_scores.values_list("scorer", "scorer_name")[0]
    project.thresholds.create(scorer=scorer, scorer_name=name, value=value)


def fuse(clips) -> Caption:
    video = clips[0].video
    whole = video.clips.get(start_frame=0, end_frame=video.frames)
    caption = write_caption(whole, kind="full_video")
    caption.parents.add(*Caption.objects.filter(clip__in=clips, kind="general"))
    return caption


def scored_and_adopted(project, *values) -> list:
    """Clips with captions of these scores, one verified, and a threshold of 0.3."""
    values = values or (0.5, 0.5)
    clips = cut(project, len(values))
    captions = caption_all(project, clips)
    score_all(project, captions, *values)
    verify_one(captions)
    adopt(project)
    return clips


def empty(project):
    pass


def refused_file(project):
    make_clip(project)
    add_file(project, "b.txt", "failed", code="bad_name", reason="No video.")


def refused_file_dismissed(project):
    clip = make_clip(project)
    add_file(project, "b.txt", "failed", code="dismissed", reason="No video.")
    work(clip, "write", needed=2, open_slots=2)


def refused_file_imported_again(project):
    clip = make_clip(project)
    add_file(project, "b.mp4", "failed", code="unreadable", reason="Cut short.")
    add_file(project, "b.mp4", "done")
    work(clip, "write", needed=2, open_slots=2)


def copy_of_a_file(project):
    clip = make_clip(project)
    add_file(project, "copy.mp4", "failed", code="duplicate", reason="Nothing to do.")
    work(clip, "write", needed=2, open_slots=2)


def upload_that_stopped(project):
    item = add_file(project, "b.mp4", "uploading")
    ImportItem.objects.filter(pk=item.pk).update(received_at=timezone.now() - timedelta(hours=1))


def all_clips_too_small(project):
    Project.objects.filter(pk=project.pk).update(min_clip_seconds=60)
    project.refresh_from_db()
    make_clip(project)


def sign_off_without_experts(project):
    """Both experts may merge, and each clip needs two who didn't."""
    Project.objects.filter(pk=project.pk).update(sign_offs=2)
    project.refresh_from_db()
    make_person("Eva", project, "expert")
    work(make_clip(project), "write", needed=2, open_slots=2)


def waits_for_a_sign_off(project):
    Project.objects.filter(pk=project.pk).update(sign_offs=1)
    project.refresh_from_db()
    make_person("Eva", project, "expert")
    clip = make_clip(project)
    for kind in ("write", "merge", "split"):
        work(clip, kind, "done")
    general = write_caption(clip, source="merged")
    for kind in ("spatial", "temporal"):
        write_caption(clip, kind=kind, source="human").parents.add(general)
    work(clip, "signoff")


def cut_out(project):
    """The paper's segment run leaves out both videos, which are too short for it."""
    for _ in range(2):
        because = "10 s long; at least 15 min are asked for"
        segment(make_video(project), [], excluded_because=because)
    InferenceRun.objects.update(state="done")


def all_found_static(project):
    clips = cut(project)
    Video.objects.filter(pk=clips[0].video_id).update(excluded_because="Two people: not dynamic.")


def dynamics_open(project):
    cut(project)
    WorkItem.objects.filter(kind="dynamics").update(state="open", open_slots=2)


def some_without_caption(project):
    clips = cut(project, 3)
    caption_all(project, clips[:2])


def score_runs(project):
    clips = cut(project)
    captions = caption_all(project, clips)
    run = score_all(project, captions[:1])
    InferenceRun.objects.filter(pk=run.pk).update(state="running", is_planned=True)
    RunItem.objects.create(run=run, caption=captions[1], position=2, key="s2", state="waiting")
    WorkerBeat.objects.create(queue="cpu", worker="a", at=timezone.now())


def nobody_verified(project):
    clips = cut(project)
    score_all(project, caption_all(project, clips))
    adopt(project)
    fuse(clips)


def no_threshold(project):
    captions = caption_all(project, cut(project))
    score_all(project, captions)
    verify_one(captions)


def below_the_threshold(project):
    scored_and_adopted(project, 0.1, 0.1)


def refined_and_four_by_hand(project):
    """A refine run gave four clips to people, and the other captions reached the threshold."""
    clips = scored_and_adopted(project, 0.1, 0.1, 0.1, 0.1, 0.4, 0.4)
    for clip in clips[:4]:
        open_hand(clip)
    for caption in Caption.objects.filter(clip__in=clips[4:]):
        CaptionRank.objects.create(caption=caption, rank=2, because="refined")


def all_but_the_release(project):
    fuse(scored_and_adopted(project))


def theme_after_captions(project):
    clips = scored_and_adopted(project)
    fuse(clips)
    tea = make_person("Tea", project)
    VideoTheme.objects.create(project=project, video=clips[0].video, text="diving", author=tea)
    RunItem.objects.filter(run__kind="caption").update(stale_because="theme")


def part_replaced(project):
    clips = scored_and_adopted(project)
    fuse(clips)
    new = write_caption(clips[0], source="human")
    new.parents.add(Caption.objects.filter(clip=clips[0], source="machine").get())


def labeled(project):
    return [make_label(project, key) for key in ("107B", "205B")]


def videos_without_labels(project):
    make_video(project)


def labels_compared_never(project):
    for label in labeled(project):
        labelled_clip(project, label, "train")


def labels_being_compared(project):
    labels_compared_never(project)
    Job.objects.create(project=project, kind="labels", state="running")


def import_runs(project):
    make_clip(project)
    add_file(project, "b.mp4", "running")


def triplets_unverified(project):
    first, second = labeled(project)
    query, target = (labelled_clip(project, label, "test") for label in (first, second))
    make_triplet(query, modify(first, second), target)
    project.triplet_sets.update(triplet_count=1)
    pair = project.label_pairs.get()
    work(query, "pair", "done", subject=pair.pk)
    work(query, "modify", "done", subject=pair.pk)


DONE_UP_TO_SCORES = "done done done skipped done done"
SENT = "Nobody has been given a {} to verify yet."
# Each state with the next step, its button, its first reason, and the states of the steps of the
# first lane, without those that are "later" at its end.
STATES = [
    ("carebench", empty, "import", "Upload videos",
     "No video is here yet. Upload files, or import them from addresses.", "ready"),
    ("lovr", empty, "import", "Upload videos",
     "No video is here yet. Upload files, or import them from addresses.", "ready"),
    ("tfcovr", empty, "import", "Upload videos",
     "No video is here yet. Upload files, or import them from addresses.", "ready"),
    ("carebench", refused_file, "import", "See the imports",
     "1 file failed to import. Import it again, or dismiss it.", "stuck"),
    ("carebench", refused_file_dismissed, "write", "Open work", "", "done ready"),
    ("carebench", refused_file_imported_again, "write", "Open work", "", "done ready"),
    ("carebench", copy_of_a_file, "write", "Open work", "", "done ready"),
    ("carebench", upload_that_stopped, "import", "See the imports",
     "1 upload stopped. Choose the same file again, or cancel the upload.", "stuck"),
    ("carebench", all_clips_too_small, "write", "Change the limits",
     "1 clip left out by the limits: 1 shorter than 60 s.", "done left-out"),
    ("carebench", sign_off_without_experts, "write", "Open work", "",
     "done ready later later stuck"),
    ("carebench", waits_for_a_sign_off, "signoff", "Open work", "", "done done done done ready"),
    ("lovr", import_runs, "import", "See the imports", "", "in-progress"),
    ("lovr", cut_out, "segment", "New segment run",
     "2 videos are left out. The first: 10 s long; at least 15 min are asked for.",
     "done left-out"),
    ("lovr", all_found_static, "import", "Upload videos",
     "Every video is left out. Take one back on its page, or import others.",
     "left-out done done"),
    ("lovr", dynamics_open, "dynamics", "Open work", "", "done done ready stuck"),
    ("lovr", some_without_caption, "caption", "New caption run", "",
     "done done done skipped ready"),
    ("lovr", score_runs, "score", "See run", "", "done done done skipped done in-progress"),
    ("lovr", nobody_verified, "verify", "Start a study", SENT.format("caption"),
     f"{DONE_UP_TO_SCORES} ready done skipped skipped done"),
    ("lovr", no_threshold, "threshold", "Adopt a threshold",
     "No threshold is adopted. Refine would use 0.2.", f"{DONE_UP_TO_SCORES} done ready"),
    ("lovr", below_the_threshold, "refine", "New refine run", "",
     f"{DONE_UP_TO_SCORES} done done ready"),
    ("lovr", refined_and_four_by_hand, "hand", "Open work", "",
     f"{DONE_UP_TO_SCORES} done done done ready"),
    ("lovr", all_but_the_release, "release", "Build a release", "",
     f"{DONE_UP_TO_SCORES} done done skipped skipped done ready"),
    ("lovr", theme_after_captions, "caption", "New caption run",
     "2 captions are out of date: the theme of the video was changed.",
     "done done done done out-of-date done done done skipped skipped done"),
    ("lovr", part_replaced, "fuse", "New fuse run",
     "1 caption is out of date: the caption of a clip has been replaced since they were joined.",
     f"{DONE_UP_TO_SCORES} done done skipped skipped out-of-date"),
    ("tfcovr", videos_without_labels, "labels", "Import labeled clips", "No clip has a label yet.",
     "done ready"),
    ("tfcovr", labels_compared_never, "compare-labels", "Compare labels", "",
     "done done done ready"),
    ("tfcovr", labels_being_compared, "compare-labels", "See the job", "",
     "done done done in-progress"),
    ("tfcovr", triplets_unverified, "triplet", "Hand out queries", SENT.format("query"),
     "done done done done done done done done ready"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("protocol", "build", "key", "button", "reason", "states"),
    STATES,
    ids=[f"{protocol}-{build.__name__}" for protocol, build, *_ in STATES],
)
def test_each_state_has_one_right_next_step(db, protocol, build, key, button, reason, states):
    project = make_project(protocol=protocol)
    make_cast(project)
    build(project)
    lanes = lanes_of(facts_of(project))
    following = next_step(lanes)
    assert (following.key, following.action.label.rstrip(" 0123456789")) == (key, button)
    assert following.reasons[:1] == ((reason,) if reason else ())
    actual = [step.state.replace(" ", "-") for step in lanes[0].steps]
    expected = states.split()
    assert actual == expected + ["later"] * (len(actual) - len(expected))


def test_missing_experts_of_a_sign_off_show_at_once(project, ada, anna, ben, emil):
    sign_off_without_experts(project)
    lanes = lanes_of(facts_of(project))
    [stuck] = stuck_steps(lanes, next_step(lanes))
    assert (stuck.key, stuck.action.page, stuck.reasons) == (
        "signoff",
        "annotate:members",
        ("Each needs 2 people with the role expert who did no earlier step of it, so 3 in all. "
         "There are 2.",),
    )  # fmt: skip


def test_clips_to_be_written_by_hand_are_not_proposed_for_a_run(project, ada):
    Project.objects.update(protocol="lovr")
    project.refresh_from_db()
    refined_and_four_by_hand(project)
    ahead = runs_ahead(project)
    assert [run.need.key for run in ahead.due] == ["embed-clips", "theme"]
    assert ahead.waits == "Fuse: 4 captions wait for people."
