"""From segments to candidates, decisions, and clips of their own."""

from __future__ import annotations

import av
import pytest

from annotate import file_store
from annotate.candidates import decisions
from annotate.candidates.queries import needs_of, next_undecided, tab_counts
from annotate.candidates.services import SOURCE_BECAUSE
from annotate.corpus.pieces import clips_in_benchmark
from annotate.errors import AnnotateError
from annotate.jobs.services.planning import plan_job
from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent, Candidate, Clip, Job, Video, WorkItem
from tests.annotate.candidates.cast import annotated, bring_in, candidate
from tests.cast import make_project, make_video
from tests.media import FPS
from tests.review.cast import write

State = Candidate.State


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def project(db):
    return make_project(min_words=5, max_words=400, quota_min=2, quota_max=3)


@pytest.fixture
def film(project, make_playable_clip):
    """A long video of two seconds, in which three segments are annotated."""
    clip = make_playable_clip(project, original_name="v_00000044.mp4", category="Household")
    bring_in(
        project,
        annotated(
            v_00000044=[("dig_hole", 0.4, 0.8), ("dig_hole", 0.79, 1.5), ("plant_tree", 0.4, 0.8)]
        ),
    )
    return clip.video


def cut_selected() -> Job:
    """What a worker does with the newest job."""
    job = Job.objects.filter(kind="cut_candidates").order_by("-pk").first()
    assert job is not None
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def select(name, admin):
    chosen = candidate(name)
    return decisions.select_candidates(project=chosen.project, keys=[chosen.pk], admin=admin)


def test_segments_become_candidates_and_nothing_else(project, film):
    rows = Candidate.objects.order_by("number").values_list(
        "number", "start_frame", "end_frame", "category", "subcategory", "state"
    )
    assert list(rows) == [
        (1, 10, 20, "Household", "dig_hole", "undecided"),
        (2, 20, 38, "Household", "dig_hole", "undecided"),
        (3, 10, 20, "Household", "plant_tree", "undecided"),
    ]
    assert Clip.objects.get().video == film, "a candidate is no clip"
    assert not clips_in_benchmark(project).exists()
    film.refresh_from_db()
    assert film.excluded_because == SOURCE_BECAUSE
    assert not WorkItem.objects.filter(state="open").exists()


def test_the_file_is_imported_again_when_more_videos_are_there(project, film):
    data = annotated(v_00000044=[("dig_hole", 0.4, 0.8)], v_2=[("swim", 0, 5)], gone=[("a", 1, 2)])
    assert bring_in(project, data) == (
        "0 new candidates. 1 candidate existed already. 2 segments of videos not in the project."
    )
    make_video(project, original_name="v_2.mp4")
    assert bring_in(project, data).startswith("1 new candidate. 1 candidate existed")
    assert candidate("v_2_1").category == "Sports"


def test_segments_outside_the_video_and_other_versions_are_left_out(project):
    make_video(project, original_name="v_1.mp4")  # 10 s
    make_video(project, original_name="v_2.mp4")
    data = annotated(v_1=[("a", 0, 2), ("b", 9, 12), ("c", 10, 11), ("d", 3, 3)], v_2=[("e", 0, 1)])
    data["database"]["v_1"]["duration"] = 10.9
    data["database"]["v_2"]["duration"] = 11.1
    assert bring_in(project, data) == (
        "2 new candidates. 2 segments without a frame of the video. "
        "Left out, of another length than stated: v_2."
    )
    rows = Candidate.objects.order_by("number").values_list("start_frame", "end_frame")
    assert list(rows) == [(0, 50), (225, 250)]


def test_a_video_that_people_work_on_stays_a_clip(project, anna, ben):
    clip = make_video(project, original_name="v_1.mp4").clips.get()
    WorkItem.objects.create(project=project, clip=clip, kind="write", needed=2, open_slots=2)
    write(project, clip, anna)
    note = bring_in(project, annotated(v_1=[("a", 0, 1)]))
    assert note == "1 new candidate. Still clips themselves, as people work on them: v_1.mp4."
    assert list(clips_in_benchmark(project)) == [clip]


def test_without_a_video_of_the_project_nothing_is_imported(project):
    with pytest.raises(AnnotateError, match="Import the videos first"):
        bring_in(project, annotated(v_1=[("a", 0, 1)]))
    project.protocol = "lovr"
    project.save()
    with pytest.raises(AnnotateError, match="CaReBench"):
        bring_in(project, annotated(v_1=[("a", 0, 1)]))


def test_a_selected_candidate_becomes_a_clip_of_exactly_its_frames(project, film, ada):
    assert select("v_00000044_2", ada) == 1
    assert not Video.objects.exclude(pk=film.pk).exists(), "a worker cuts it"
    job = cut_selected()
    assert (job.state, job.counts["done"], job.total) == ("done", 1, 1)
    made = candidate("v_00000044_2")
    cut = made.cut
    assert (cut.original_name, cut.cut_from) == ("v_00000044_2.mp4", "v_00000044")
    assert (cut.category, cut.subcategory, cut.frames, cut.fps) == (
        "Household",
        "dig_hole",
        18,
        FPS,
    )
    with av.open(str(file_store.local_file(cut.playback_file))) as container:
        pictures = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    with av.open(str(file_store.local_file(film.playback_file))) as container:
        source = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(pictures) == 18
    for place, picture in enumerate(pictures):
        nearest = min(range(len(source)), key=lambda n: abs(source[n] * 1.0 - picture).mean())
        assert nearest == 20 + place
    clip = cut.clips.get()
    assert (clip.name, clip.spans_its_video) == ("v_00000044_2", True)
    assert list(clips_in_benchmark(project)) == [clip]
    item = WorkItem.objects.get(state="open")
    assert (item.clip, item.kind, item.needed) == (clip, "write", 2)


def test_what_is_undone_before_it_is_cut_is_not_cut(project, film, ada):
    select("v_00000044_2", ada)
    decisions.undo_decision(candidate=candidate("v_00000044_2"), admin=ada)
    job = cut_selected()
    assert (job.state, job.total, Video.objects.count()) == ("done", 0, 1)
    assert candidate("v_00000044_2").state == State.UNDECIDED
    events = AuditEvent.objects.filter(object_type="candidate", actor=ada)
    assert [event.after["state"] for event in events] == ["undecided", "selected"]


def test_what_is_undone_or_gone_when_a_worker_comes_to_it_is_not_cut(project, film, ada):
    select("v_00000044_1", ada), select("v_00000044_2", ada)
    job = Job.objects.get(kind="cut_candidates")
    plan_job(job)
    decisions.undo_decision(candidate=candidate("v_00000044_1"), admin=ada)
    candidate("v_00000044_2").delete()
    job = cut_selected()
    assert Video.objects.count() == 1
    assert list(job.job_items.order_by("pk").values_list("state", "reason")) == [
        ("skipped", ""), ("failed", "The candidate is gone, with its video."),
    ]  # fmt: skip


def test_what_is_selected_already_stays_and_what_is_undecided_is_not_undone(project, film, ada):
    assert [select("v_00000044_1", ada) for _ in range(2)] == [1, 0]
    undecided = candidate("v_00000044_2")
    with pytest.raises(AnnotateError) as refused:
        decisions.undo_decision(candidate=undecided, admin=ada)
    assert str(refused.value) == "v_00000044_2 is undecided already. Nothing was changed."


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        (" ", "Give a reason, so that others can follow the decision."),
        ("x" * 201, "Shorten the reason to 200 characters."),
    ],
)
def test_a_rejection_needs_a_short_reason(project, film, ada, reason, message):
    keys = [candidate("v_00000044_1").pk]
    with pytest.raises(AnnotateError) as refused:
        decisions.reject_candidates(project=project, keys=keys, reason=reason, admin=ada)
    assert str(refused.value) == message
    assert candidate("v_00000044_1").state == State.UNDECIDED


def test_what_is_selected_while_a_worker_cuts_gets_the_next_job(project, film, ada):
    select("v_00000044_1", ada)
    first = Job.objects.get(kind="cut_candidates")
    plan_job(first)
    select("v_00000044_2", ada)
    assert Job.objects.filter(kind="cut_candidates").count() == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.transaction.on_commit", lambda do, **how: do())
        work_on(job_id=first.pk)
    assert candidate("v_00000044_2").cut is None
    assert cut_selected().pk != first.pk
    assert candidate("v_00000044_2").cut is not None


def test_the_same_frames_are_selected_under_one_subcategory(project, film, ada):
    select("v_00000044_1", ada)
    with pytest.raises(AnnotateError, match="has the frames of v_00000044_1"):
        select("v_00000044_3", ada)
    keys = list(Candidate.objects.order_by("-pk").values_list("pk", flat=True))
    decisions.undo_decision(candidate=candidate("v_00000044_1"), admin=ada)
    with pytest.raises(AnnotateError):
        decisions.select_candidates(project=project, keys=keys, admin=ada)
    assert tab_counts(project)["selected"] == 0, "all or none"


def test_a_candidate_shorter_than_the_projects_clips_is_not_selected(project, film, ada):
    project.min_clip_seconds = 0.5
    project.save()
    with pytest.raises(AnnotateError, match=r"at least 0\.5 s"):
        select("v_00000044_1", ada)


def test_a_clip_is_withdrawn_with_its_reason_and_taken_back(project, film, ada, anna):
    select("v_00000044_2", ada)
    cut_selected()
    made = candidate("v_00000044_2")
    for refused in (
        lambda: decisions.undo_decision(candidate=made, admin=ada),
        lambda: decisions.reject_candidates(
            project=project, keys=[made.pk], reason="Dark.", admin=ada
        ),
    ):
        with pytest.raises(AnnotateError, match=r"is a clip already\. Withdraw it"):
            refused()
    decisions.withdraw_candidate(candidate=made, reason="Too  dark.", admin=ada)
    assert Video.objects.get(pk=made.cut_id).excluded_because == "Too dark."
    assert tab_counts(project) == {"undecided": 2, "selected": 0, "rejected": 0, "withdrawn": 1}
    assert not clips_in_benchmark(project).exists()
    decisions.take_back_candidate(candidate=made, admin=ada)
    assert tab_counts(project)["selected"] == 1
    assert WorkItem.objects.get(state="open").clip.name == "v_00000044_2"


def test_only_clips_are_withdrawn(film, ada):
    select("v_00000044_1", ada)
    with pytest.raises(AnnotateError, match=r"isn't a clip yet\. Undo"):
        decisions.withdraw_candidate(candidate=candidate("v_00000044_1"), reason="x", admin=ada)


def test_what_a_subcategory_needs_counts_clips_and_what_is_being_cut(project, film, ada):
    make_video(project, category="Household", subcategory="dig_hole")
    select("v_00000044_2", ada)
    decisions.reject_candidates(
        project=project, keys=[candidate("v_00000044_1").pk], reason="Hidden.", admin=ada
    )
    plant, dig = needs_of(project)
    assert (plant.subcategory, plant.clips, plant.missing, plant.verdict) == (
        "plant_tree", 0, 2, "few",
    )  # fmt: skip
    assert (dig.clips, dig.missing, dig.undecided, dig.rejected, dig.verdict) == (
        2, 0, 0, 1, "within",
    )  # fmt: skip
    cut_selected()
    assert needs_of(project)[1].clips == 2, "counted once"


def test_the_next_is_of_the_same_subcategory_and_else_of_the_neediest(project, film):
    first, second, third = Candidate.objects.order_by("number")
    assert next_undecided(project, first) == second
    assert next_undecided(project, second) == first
    Candidate.objects.filter(pk=second.pk).update(state="rejected")
    assert next_undecided(project, first) == third
    Candidate.objects.update(state="rejected")
    assert next_undecided(project) is None


def test_candidates_of_another_project_are_never_decided(film, ada):
    other = make_project("Other")
    with pytest.raises(AnnotateError, match="Choose candidates first"):
        decisions.select_candidates(
            project=other, keys=list(Candidate.objects.values_list("pk", flat=True)), admin=ada
        )
    assert Candidate.objects.filter(state="undecided").count() == 3
