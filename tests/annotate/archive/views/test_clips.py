"""One clip of a video is archived alone; the others and the video stay."""

import pytest

from annotate.corpus.pieces import clips_in_benchmark, left_out, left_out_clips
from annotate.corpus.services.labels import correct_clip_label
from annotate.models import Archived, Assignment, AuditEvent, Caption, Clip, WorkItem
from inference.queries import clips_to_describe
from review.captions.references import has_references
from review.comparisons.models import Vote
from review.comparisons.queries import EXCLUDED, cast_in
from review.statistics.queries import corpus_state
from tests.annotate.archive.views.test_archive import do, url_of
from tests.cast import client_of, make_clip, make_project, make_video
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote
from tests.review.triplets.triplets import make_label
from tests.work import hold, make_work


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


@pytest.fixture
def clips(project):
    """The whole video, then its two halves."""
    video = make_video(project, frames=100)
    whole = make_clip(project, video=video)
    halves = [make_clip(project, video=video, start_frame=at, end_frame=at + 50) for at in (0, 50)]
    return [whole, *halves]


def reload(clip):
    return Clip.objects.select_related("video").get(pk=clip.pk)


def test_its_work_waits_and_the_other_clip_stays(project, clips, anna, ada):
    _, first, second = clips
    held = hold(anna, make_work(first, kind="hand", needed=1))
    Assignment.objects.filter(pk=held.pk).update(draft={"text": "A dive."})
    other = make_work(second, kind="hand", needed=1)
    page = do(ada, project, "clip", first, "archive", reason="Too dark")
    assert "is archived. You can restore it." in page.text
    assert reload(first).left_out_because == "Archived: Too dark"
    assert reload(second).left_out_because == first.video.excluded_because == ""
    states = dict(WorkItem.objects.values_list("pk", "state"))
    assert states == {held.item_id: "waiting", other.pk: "open"}
    held.refresh_from_db()
    assert (held.state, held.draft) == ("expired", {"text": "A dive."})
    do(ada, project, "clip", first, "restore")
    assert (reload(first).left_out_because, Archived.objects.count()) == ("", 0)
    item = WorkItem.objects.get(pk=held.item_id)
    assert (item.state, item.open_slots) == ("open", 1)
    verbs = set(AuditEvent.objects.filter(object_type="clip").values_list("verb", flat=True))
    assert {"archive", "exclude", "restore", "include"} <= verbs


def test_counts_runs_and_reports_leave_it_out(project, clips, ada):
    _, first, second = clips
    before = corpus_state(project)
    for clip in (first, second):
        Caption.objects.create(
            project=project, clip=clip, kind="general", source="published", text="A.", word_count=1
        )
    do(ada, project, "clip", first, "archive")
    assert list(clips_in_benchmark(project)) == list(clips_to_describe(project)) == [second]
    assert list(left_out_clips(project)) == [first]
    assert left_out(project).clips == 1
    assert has_references(project, "general")
    assert corpus_state(project).excluded == before.excluded + first.pk
    do(ada, project, "clip", second, "archive")
    assert not has_references(project, "general")
    listed = client_of(ada).get(f"/p/{project.slug}/corpus/", {"stage": "left-out"})
    assert {row.clip.pk for row in listed.context["page"].object_list} == {first.pk, second.pk}


def test_votes_about_it_no_longer_count(project, clips, rita, ada):
    _, first, second = clips
    round = start_round(project, [first, second])
    for _ in range(2):
        held, _ = next_caption_pair(project, rita)
        vote(held)
    do(ada, project, "clip", first, "archive")
    reasons = [cast.why for cast in cast_in(round, Vote.objects.all())]
    assert reasons.count(EXCLUDED) == 1


def test_it_waits_as_long_as_its_video_is_left_out(project, clips, ada):
    _, first, second = clips
    items = [make_work(clip, kind="hand", needed=1) for clip in (first, second)]
    do(ada, project, "clip", first, "archive")
    do(ada, project, "video", first.video, "archive")
    do(ada, project, "video", first.video, "restore")
    assert [WorkItem.objects.get(pk=item.pk).state for item in items] == ["waiting", "open"]
    do(ada, project, "video", first.video, "archive")
    do(ada, project, "clip", first, "restore")
    assert {WorkItem.objects.get(pk=item.pk).state for item in items} == {"waiting"}
    do(ada, project, "video", first.video, "restore")
    assert {WorkItem.objects.get(pk=item.pk).state for item in items} == {"open"}


def test_a_clip_that_is_its_video_goes_with_it_and_an_unused_one_is_deleted(
    project, clips, anna, ada
):
    whole, first, second = clips
    assert "Archive or delete the video." in do(ada, project, "clip", whole, "archive").text
    assert not Archived.objects.exists()
    hold(anna, make_work(first, kind="hand", needed=1))
    make_work(second, kind="hand", needed=1)
    correct_clip_label(clip=second, label=make_label(project, "1"), admin=ada)
    assert client_of(ada).get(url_of(project, "clip", first)).context["dependents"] == [
        ("assignment", 1)
    ]
    assert "Archive it instead." in do(ada, project, "clip", first, "delete").text
    do(ada, project, "clip", second, "delete")
    assert list(Clip.objects.order_by("pk")) == [whole, first]
    page = client_of(ada).get(f"/p/{project.slug}/clips/{first.pk}/").text
    assert url_of(project, "clip", first) in page
    assert (
        url_of(project, "clip", whole)
        not in client_of(ada).get(f"/p/{project.slug}/clips/{whole.pk}/").text
    )
