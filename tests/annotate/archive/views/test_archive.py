"""Archive, restore and delete, from the pages of each kind of thing."""

import pytest
from django.urls import reverse

from annotate.models import (
    Archived,
    AuditEvent,
    Caption,
    Clip,
    Membership,
    Project,
    Video,
    WorkItem,
)
from inference.models import InferenceRun
from review.captions.models import CaptionSet, SetCaption
from review.comparisons.models import Round
from review.releases.services import build_release
from review.rounds.services import end_round
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.hand_work import hold_check
from tests.inference.cast import make_model, start_run
from tests.inference.outcomes import leave
from tests.review.cast import complete, make_short_project, open_clip, take
from tests.review.comparisons.comparing import start_round
from tests.swapped_parts import send_in_place

HOSTILE = "<script>1</script>"


@pytest.fixture
def project(db):
    return make_short_project()


def url_of(project, kind, thing, verb=""):
    name = {"": "archived_thing", "archive": "put_away"}.get(verb, verb)
    return reverse(f"annotate:{name}", args=[project.slug, kind, thing.pk])


def do(person, project, kind, thing, verb, **sent):
    return client_of(person).post(url_of(project, kind, thing, verb), sent, follow=True)


def test_an_archived_video_leaves_the_queue_and_comes_back(project, anna, ada):
    clip = open_clip(project, "dive")
    held = take(project, anna, "write", clip)
    page = do(ada, project, "video", clip.video, "archive", reason=HOSTILE)
    assert "is archived. You can restore it." in page.text
    assert HOSTILE not in page.text
    video = Video.objects.get()
    assert video.excluded_because == f"Archived: {HOSTILE}"
    assert WorkItem.objects.get().state == "waiting"
    held.refresh_from_db()
    assert held.state == "expired"
    assert list(Archived.objects.values_list("kind", "subject")) == [("video", video.pk)]
    page = do(ada, project, "video", video, "restore")
    assert "is restored." in page.text
    video.refresh_from_db()
    assert (video.excluded_because, Archived.objects.count()) == ("", 0)
    assert WorkItem.objects.get().state == "open"
    verbs = list(AuditEvent.objects.filter(object_type="video").values_list("verb", flat=True))
    assert {"archive", "exclude", "restore", "include"} <= set(verbs)


def test_taking_a_clip_back_restores_its_video(project, ada):
    clip = open_clip(project, "dive")
    do(ada, project, "video", clip.video, "archive")
    client_of(ada).post(reverse("annotate:take_back_clip", args=[project.slug, clip.pk]))
    assert not Archived.objects.exists()


def test_checks_of_an_archived_video_wait_too(project, anna, ada):
    video = make_clip(project).video
    held = hold_check(anna, video)
    do(ada, project, "video", video, "archive")
    assert WorkItem.objects.get().state == "waiting"
    do(ada, project, "video", video, "restore")
    held.item.refresh_from_db()
    assert (held.item.state, held.item.open_slots) == ("open", held.item.needed)


def test_a_video_is_deleted_only_if_nothing_depends_on_it(
    project, anna, ada, tmp_path, settings, django_capture_on_commit_callbacks
):
    settings.MEDIA_ROOT = tmp_path
    used, unused = open_clip(project, "used"), open_clip(project, "unused")
    take(project, anna, "write", used)
    page = client_of(ada).get(url_of(project, "video", used.video))
    assert page.context["dependents"] == [("assignment", 1)]
    assert "It can’t be deleted while anything depends on it." in page.text
    assert "Archive it instead." in do(ada, project, "video", used.video, "delete").text
    with django_capture_on_commit_callbacks(execute=True):
        do(ada, project, "video", unused.video, "delete")
    assert list(Clip.objects.values_list("name", flat=True)) == ["used"]
    assert AuditEvent.objects.filter(verb="delete", before__name="unused.mp4").exists()


def test_a_release_keeps_an_archived_clip_as_it_froze_it(
    project, anna, ben, emil, ada, make_playable_clip
):
    clip = open_clip(project, "dive", make=make_playable_clip)
    complete(project, clip, [anna, ben], emil)
    release = build_release(project=project, version="0.1.0", admin=None)
    page = client_of(ada).get(url_of(project, "video", clip.video))
    assert ("released clip", 1) in page.context["dependents"]
    do(ada, project, "video", clip.video, "archive")
    assert [row.file_name for row in release.clips.all()] == ["dive.mp4"]
    assert "Archive it instead." in do(ada, project, "video", clip.video, "delete").text
    assert Clip.objects.count() == 1


def test_an_archived_run_leaves_the_list_and_keeps_its_results(project, ada):
    clip = make_clip(project)
    run = start_run(project=project, kind="caption", model=make_model(project))
    assert "It is in progress." in do(ada, project, "run", run, "archive").text
    leave(run, done=1)
    InferenceRun.objects.filter(pk=run.pk).update(state="done")
    caption = Caption.objects.create(
        project=project, clip=clip, kind="general", source="machine", text="A dive.", word_count=2
    )
    run.items.update(result=caption)
    runs = reverse("inference:runs", args=[project.slug])
    assert f'id="run-{run.pk}"' in client_of(ada).get(runs).text
    do(ada, project, "run", run, "archive", reason="A test.")
    assert f'id="run-{run.pk}"' not in client_of(ada).get(runs).text
    assert run.items.get().result == caption
    archive = client_of(ada).get(reverse("annotate:archive", args=[project.slug]), {"kind": "run"})
    assert [row.archived.reason for row in archive.context["rows"]] == ["A test."]
    assert "Captions that it made" in client_of(ada).get(url_of(project, "run", run)).text
    do(ada, project, "run", run, "delete")
    assert InferenceRun.objects.filter(pk=run.pk).exists()
    do(ada, project, "run", run, "restore")
    assert f'id="run-{run.pk}"' in client_of(ada).get(runs).text


def test_a_run_without_results_can_be_deleted(project, ada):
    make_clip(project)
    run = start_run(project=project, kind="caption", model=make_model(project))
    InferenceRun.objects.filter(pk=run.pk).update(state="cancelled")
    do(ada, project, "run", run, "delete")
    assert not InferenceRun.objects.exists()


def test_a_round_is_archived_once_it_has_ended(project, emil, rita, ada):
    round = start_round(project, [make_clip(project)])
    assert "End it first." in do(ada, project, "round", round, "archive").text
    end_round(round=round, admin=None)
    do(ada, project, "round", round, "archive")
    rounds = client_of(ada).get(reverse("review:comparisons", args=[project.slug]))
    assert rounds.context["earlier"] == []
    do(ada, project, "round", round, "delete")
    assert not Round.objects.exists()


def test_a_set_of_captions_is_archived_and_deleted_with_its_captions(project, ada):
    clip = make_clip(project)
    caption = Caption.objects.create(
        project=project, clip=clip, kind="prediction", source="imported", text="A.", word_count=1
    )
    caption_set = CaptionSet.objects.create(project=project, name="Model", kind="general")
    SetCaption.objects.create(caption_set=caption_set, clip=clip, caption=caption)
    do(ada, project, "caption-set", caption_set, "archive")
    sets = reverse("review:report_page", args=[project.slug, "caption-sets"])
    assert client_of(ada).get(sets).context["sets"] == []
    do(ada, project, "caption-set", caption_set, "restore")
    caption_set.refresh_from_db()
    assert caption_set.is_used
    do(ada, project, "caption-set", caption_set, "delete")
    assert (CaptionSet.objects.count(), Caption.objects.count()) == (0, 0)


def test_an_archived_project_gives_no_new_work_and_leaves_the_lists(project, anna, ada):
    open_clip(project, "dive")
    do(ada, project, "project", project, "archive")
    claim = reverse("annotate:claim", args=[project.slug, "write"])
    assert "no new work is handed out" in client_of(anna).post(claim, follow=True).text
    listed = client_of(ada).get("/")
    assert list(listed.context["rows"]) == []
    archived = client_of(ada).get("/?archived=1").context["rows"]
    assert [row.membership.project for row in archived] == [project]
    assert "Archive it instead." in do(ada, project, "project", project, "delete").text
    do(ada, project, "project", project, "restore")
    assert len(client_of(ada).get("/").context["rows"]) == 1


def test_an_empty_project_can_be_deleted(project, ada):
    do(ada, project, "project", project, "delete")
    assert not Project.objects.exists()
    assert not Membership.objects.exists()


def test_it_is_archived_without_leaving_its_page(project, ada):
    video = open_clip(project, "dive").video
    page, form = url_of(project, "video", video), url_of(project, "video", video, "archive")
    refused = send_in_place(client_of(ada), page, form, {"reason": "x" * 151})
    assert refused.status_code == 422
    shorten = "Shorten the reason to 150 characters."
    assert refused.context["form"].errors == {"reason": [shorten]}
    assert f'value="{"x" * 151}"' in refused.text
    assert not Archived.objects.exists()
    answer = send_in_place(client_of(ada), page, form, {"reason": "Blurred."})
    assert answer.redirect_chain == [(page, 302)]
    assert "Reason: Blurred." in answer.text
    listed = client_of(ada).get(reverse("annotate:archive", args=[project.slug]), {"kind": "video"})
    assert listed.context["query"] == "kind=video"


def test_twice_is_refused_and_changes_nothing(project, ada):
    clip = open_clip(project, "dive")
    assert "It is not archived." in do(ada, project, "video", clip.video, "restore").text
    do(ada, project, "video", clip.video, "archive")
    assert "It is archived already." in do(ada, project, "video", clip.video, "archive").text
    assert Archived.objects.count() == 1


def test_things_of_other_projects_and_kinds_are_not_there(project, ada):
    other = make_clip(make_project("Other")).video
    assert client_of(ada).get(url_of(project, "video", other)).status_code == 404
    assert client_of(ada).get(url_of(project, "caption", other)).status_code == 404
    assert do(ada, project, "video", other, "delete").status_code == 404
    assert Video.objects.count() == 1


def test_the_list_has_constant_queries(project, ada):
    counts = []
    for rows in (1, 3):
        while Archived.objects.count() < rows:
            do(ada, project, "video", make_clip(project).video, "archive")
        with count_queries() as count:
            client_of(ada).get(reverse("annotate:archive", args=[project.slug]))
        counts.append(int(count))
    assert counts[0] == counts[1]
