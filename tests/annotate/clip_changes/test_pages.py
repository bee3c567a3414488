"""Changing many clips: what the pages show, do and undo, for whom."""

import pytest
from django.urls import reverse

from annotate.clip_changes import services
from annotate.corpus.services.opening import open_writing
from annotate.errors import AnnotateError
from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent, Caption, Clip, ClipChange, Tag, WorkItem
from annotate.queue.services.claims import claim_next
from annotate.search.services import index_for_a_minute
from tests.cast import client_of, count_queries, make_clip, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    rows = [make_clip(project, original_name=f"{name}.mp4") for name in ("bikes", "boats", "cats")]
    open_writing(clips=rows, writers=2)
    return rows


def url(name: str, project, *args) -> str:
    return reverse(f"annotate:{name}", args=[project.slug, *args])


def preview(member, project, clips, **values):
    data = {"clip": [clip.pk for clip in clips], **values}
    return client_of(member).get(url("change_clips", project), data)


def make(member, project, clips, **values) -> ClipChange:
    data = {"clip": [clip.pk for clip in clips], **values}
    response = client_of(member).post(url("make_clip_change", project), data)
    assert response.status_code == 302, response.context["form"].errors
    return ClipChange.objects.get(pk=int(response.url.rstrip("/").rpartition("/")[2]))


def undo(member, project, change) -> None:
    response = client_of(member).post(url("undo_clip_change", project, change.pk))
    assert response.status_code == 302
    change.refresh_from_db()
    assert change.undone_at


def test_the_page_says_what_an_action_changes_before_it_does(ada, project, clips):
    first, unchosen = preview(ada, project, clips[:2]), preview(ada, project, clips, action="")
    assert (first.status_code, unchosen.status_code) == (200, 422)
    assert [page.text.count("Choose what to do.") for page in (first, unchosen)] == [0, 1]
    page = preview(ada, project, clips[:2], action="tag", tag="good")
    assert (page.context["affected"], page.context["noun"]) == (2, "clips")
    assert not Tag.objects.exists()
    make(ada, project, clips[:1], action="tag", tag="good")
    page = preview(ada, project, clips[:2], action="tag", tag="GOOD")
    assert (page.context["affected"], page.context["noun"]) == (1, "clip")


def test_all_clips_that_match_the_filters_can_be_chosen(ada, project, clips):
    make(ada, project, [], action="tag", tag="b", all="1", q="b")
    assert sorted(tagged("b")) == ["bikes", "boats"]
    listed = client_of(ada).get(url("corpus", project), {"tagged": "b"}).context["page"].object_list
    assert sorted(row.clip.name[:5] for row in listed) == ["bikes", "boats"]
    assert [row.tags for row in listed] == [["b"], ["b"]]


def test_clips_with_one_tag_get_another(ada, project, clips):
    make(ada, project, clips[:2], action="tag", tag="first")
    make(ada, project, [], action="tag", tag="second", all="1", tagged="first")
    assert tagged("second") == ["bikes", "boats"]


def tagged(name: str) -> list[str]:
    return [clip.video.original_name[:-4] for clip in Clip.objects.filter(tags__name=name)]


def test_tags_are_added_removed_and_undone(ada, project, clips):
    first = make(ada, project, clips[:1], action="tag", tag="good")
    both = make(ada, project, clips[:2], action="tag", tag="good")
    assert (first.changed, both.changed) == (1, 1)
    undo(ada, project, both)
    assert tagged("good") == ["bikes"]
    removed = make(ada, project, clips, action="untag", tag="good")
    assert not Tag.objects.exists()
    undo(ada, project, removed)
    assert tagged("good") == ["bikes"]
    verbs = AuditEvent.objects.filter(object_type="clipchange").values_list("verb", flat=True)
    assert sorted(verbs) == ["change clips"] * 3 + ["undo change of clips"] * 2


def test_work_is_prioritized_and_put_back(ada, project, clips):
    WorkItem.objects.filter(clip=clips[0]).update(priority=3)
    change = make(ada, project, clips[:2], action="prioritize", priority="7", kind="")
    priorities = WorkItem.objects.order_by("clip").values_list("priority", flat=True)
    assert list(priorities) == [7, 7, 0]
    WorkItem.objects.filter(clip=clips[1]).update(priority=9)
    undo(ada, project, change)
    assert list(priorities.all()) == [3, 9, 0]


def test_assigned_work_is_offered_to_one_person_until_they_take_it(ada, anna, ben, project, clips):
    change = make(ada, project, clips, action="assign", kind="write", person=str(ben.pk))
    assert change.changed == 3
    of_anna = anna.memberships.get(project=project)
    assert claim_next(membership=of_anna, kind="write") is None
    claim_next(membership=ben.memberships.get(project=project), kind="write")
    hold = claim_next(membership=of_anna, kind="write")
    assert hold is not None
    assert hold.item.clip == clips[0]
    undo(ada, project, change)
    assert not WorkItem.objects.filter(reserved_for__isnull=False).exists()


def test_work_is_not_assigned_to_who_may_not_do_it(ada, emil, ben, project, clips):
    def affected(person) -> int:
        values = {"action": "assign", "kind": "write", "person": str(person.pk)}
        return preview(ada, project, clips, **values).context["affected"]

    assert affected(emil) == 0
    claim_next(membership=ben.memberships.get(project=project), kind="write")
    assert affected(ben) == 2


def left_out(project) -> list[str]:
    videos = project.videos.exclude(excluded_because="").order_by("pk")
    return [f"{video.original_name}: {video.excluded_because}" for video in videos]


def test_clips_are_withdrawn_and_taken_back(ada, project, clips):
    change = make(ada, project, clips[:2], action="exclude", reason="Only titles")
    assert left_out(project) == ["bikes.mp4: Only titles", "boats.mp4: Only titles"]
    back = make(ada, project, clips, action="include")
    assert (back.changed, left_out(project)) == (2, [])
    undo(ada, project, back)
    assert left_out(project) == ["bikes.mp4: Only titles", "boats.mp4: Only titles"]
    undo(ada, project, change)
    assert left_out(project) == []


def test_videos_are_archived_and_restored(ada, project, clips):
    change = make(ada, project, clips[:2], action="archive", scope="videos", note="")
    assert left_out(project) == ["bikes.mp4: Archived", "boats.mp4: Archived"]
    restored = make(ada, project, clips, action="restore", scope="videos")
    assert (restored.changed, left_out(project)) == (2, [])
    undo(ada, project, restored)
    assert len(left_out(project)) == 2
    with pytest.raises(AnnotateError, match="undone already"):
        services.undo_change(change=restored, actor=ada)
    undo(ada, project, change)
    assert left_out(project) == []


def test_clips_are_archived_without_their_videos(ada, project, clips):
    halves = [
        make_clip(project, video=clips[0].video, start_frame=start, end_frame=start + 50)
        for start in (0, 50)
    ]
    chosen = [clips[0], halves[0], clips[1]]
    values = {"action": "archive", "scope": "clips", "note": "Blurred"}
    page = preview(ada, project, chosen, **values)
    assert (page.context["affected"], page.context["noun"]) == (1, "clip")
    assert "A clip that is its whole video is left out" in page.text
    change = make(ada, project, chosen, **values)
    assert (archived_clips(project), left_out(project)) == ([halves[0].pk], [])
    assert make(ada, project, chosen, action="restore", scope="videos").changed == 0
    restored = make(ada, project, chosen, action="restore", scope="clips")
    assert (restored.changed, archived_clips(project)) == (1, [])
    undo(ada, project, restored)
    assert archived_clips(project) == [halves[0].pk]
    undo(ada, project, change)
    assert archived_clips(project) == []


def archived_clips(project) -> list[int]:
    clips = project.clips.filter(excluded_because__startswith="Archived")
    return list(clips.values_list("pk", flat=True))


def test_experts_change_work_and_tags_alone(emil, rita, project, clips):
    make(emil, project, clips, action="tag", tag="good")
    data = {"clip": [clips[0].pk], "action": "archive", "note": ""}
    response = client_of(emil).post(url("make_clip_change", project), data)
    assert response.status_code == 422
    assert left_out(project) == []
    assert client_of(rita).post(url("make_clip_change", project), data).status_code == 403


def test_clips_of_other_projects_are_left_out(ada, project, clips):
    other = make_clip(make_project(slug="other"))
    assert preview(ada, project, [other]).context["selection"].total == 0
    data = {"clip": [other.pk], "action": "tag", "tag": "good"}
    response = client_of(ada).post(url("make_clip_change", project), data)
    assert response.status_code == 422
    assert not Tag.objects.exists()


def test_a_wrong_value_changes_nothing_and_says_what_to_fix(ada, project, clips):
    for values, error in [
        ({"action": "tag", "tag": " "}, "Type the tag."),
        ({"action": "prioritize", "priority": "high", "kind": ""}, "Enter a number."),
        ({"action": "assign", "person": "", "kind": ""}, "Choose who gets the work."),
        ({"action": "exclude", "reason": ""}, "Say why the clips are withdrawn."),
    ]:
        data = {"clip": [clips[0].pk], **values}
        response = client_of(ada).post(url("make_clip_change", project), data)
        assert response.status_code == 422
        assert error in response.text
    assert not ClipChange.objects.exists()


def test_the_page_of_a_change_names_its_person_and_what_was_archived(ada, ben, project, clips):
    for values, words in (
        ({"action": "assign", "kind": "write", "person": str(ben.pk)}, "Ben"),
        ({"action": "assign", "kind": "write", "person": "nobody"}, "Nobody"),
        ({"action": "archive", "scope": "clips", "note": ""}, "clips"),
    ):
        change = make(ada, project, clips, **values)
        assert words in client_of(ada).get(url("clip_change", project, change.pk)).text


def test_experts_do_not_undo_what_only_admins_do(ada, emil, project, clips):
    change = make(ada, project, clips, action="archive", scope="videos", note="")
    refused = client_of(emil).post(url("undo_clip_change", project, change.pk))
    assert refused.status_code == 403
    change.refresh_from_db()
    assert change.undone_at is None


def test_a_worker_changes_many_clips(ada, project, clips, monkeypatch):
    monkeypatch.setattr(services, "MAX_IN_A_REQUEST", 2)
    change = make(ada, project, clips, action="tag", tag="good")
    with pytest.raises(AnnotateError) as refused:
        services.undo_change(change=change, actor=ada)
    assert str(refused.value) == "A worker still makes this change. Undo it when it is done."
    assert change.changed is None
    assert not Tag.objects.exists()
    work_on(job_id=change.job_id)
    change.refresh_from_db()
    assert (change.changed, len(tagged("good"))) == (3, 3)
    client_of(ada).post(url("undo_clip_change", project, change.pk))
    change.refresh_from_db()
    work_on(job_id=change.job_id)
    assert tagged("good") == []


def test_only_readable_captions_choose_clips(emil, ben, project, clips):
    Caption.objects.create(
        project=project,
        clip=clips[0],
        kind="general",
        source="machine",
        text="A newt",
        word_count=2,
    )
    index_for_a_minute()
    page = client_of(emil).get(url("change_clips", project), {"all": "1", "text": "newt"})
    assert page.context["selection"].total == 1


def test_the_list_takes_the_same_number_of_queries_with_tags_and_work(ada, project, clips):
    def count() -> int:
        with count_queries() as queries:
            client_of(ada).get(url("corpus", project))
        return len(queries.statements)

    make(ada, project, clips[:1], action="tag", tag="good")
    before = count()
    make(ada, project, clips, action="tag", tag="good")
    make(ada, project, clips, action="tag", tag="short")
    assert count() == before
