"""The list of imports, one import's rows, and resuming what was left behind."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.corpus.services.near_duplicates import keep_both
from annotate.imports.services import add_item, append_chunk, open_batch
from annotate.models import ImportItem, NearDuplicate
from annotate.models.jobs import Job
from tests.cast import client_of, count_queries, make_clip


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def batch(project, ada):
    return open_batch(project=project, admin=ada)


@pytest.fixture
def client(ada):
    return client_of(ada)


@pytest.fixture
def url(project, batch):
    return reverse("annotate:import_batch", args=[project.slug, batch.pk])


@pytest.fixture
def rows_url(project, batch):
    return reverse("annotate:import_rows", args=[project.slug, batch.pk])


def add(batch, name="dive.mp4", **changes) -> ImportItem:
    item = add_item(batch=batch, name=name, size=3)
    if changes.get("state") != "uploading":
        append_chunk(item=item, offset=0, data=b"abc")
    ImportItem.objects.filter(pk=item.pk).update(**changes)
    return item


def test_the_list_says_that_no_worker_takes_what_waits(client, project, batch):
    imports = reverse("annotate:imports", args=[project.slug])
    item = add(batch, state="done")
    assert "No worker" not in client.get(imports).text
    ImportItem.objects.filter(pk=item.pk).update(state="waiting")
    assert "No worker has responded yet." in client.get(imports).text


def test_it_shows_each_file_with_its_state_and_reason(client, url, batch, project):
    clip = make_clip(project)
    add(batch, "done.mp4", state="done", video=clip.video)
    add(batch, "bad.mp4", state="failed", code="truncated", reason="The file ends too early.")
    add(batch, "full.mp4", state="failed", code="disk_full", reason="The disk is full.")
    add(batch, "now.mp4", state="running", step="Converting", progress=40)
    page = client.get(url).content.decode()
    assert reverse("annotate:clip", args=[project.slug, clip.pk]) in page
    for text in ("The file ends too early.", "Converting", '<progress value="40"', "1 imported"):
        assert text in page
    assert page.count("Try again") == 1


def test_a_file_that_was_dismissed_or_imported_again_is_not_refused(
    client, url, batch, project, ada
):
    later = open_batch(project=project, admin=ada)
    add(batch, "done.mp4", state="done")
    for name in ("bad.mp4", "again.mp4"):
        add(batch, name, state="failed", code="truncated", reason="It ends too early.")
    add(batch, "gone.mp4", state="failed", code="dismissed", reason="It ends too early.")
    add(later, "again.mp4", state="done")
    page = " ".join(client.get(url).text.split())
    assert "4 of 4 finished: 1 imported, 1 refused, 1 dismissed, 1 replaced." in page
    replaced_by = reverse("annotate:import_batch", args=[project.slug, later.pk])
    assert f'Replaced by <a href="{replaced_by}">a later import</a>.' in page
    assert page.count(">Refused<") == len(re.findall(r">\s*Dismiss\b", page)) == 1


def test_an_imported_file_names_the_video_that_it_looks_like_until_that_is_settled(
    client, url, batch, project, ada
):
    earlier, clip = make_clip(project, original_name="<b>.mp4"), make_clip(project)
    add(batch, state="done", video=clip.video)
    assert "Looks like" not in client.get(url).text
    pair = NearDuplicate.objects.create(
        project=project, first=earlier.video, second=clip.video, distance=2
    )
    page = client.get(url).text
    assert reverse("annotate:near_duplicates", args=[project.slug]) in page
    assert re.search(r"Looks like <a [^>]+>&lt;b&gt;.mp4</a>", page)
    keep_both(pair=pair, admin=ada)
    assert "Looks like" not in client.get(url).text


def test_a_row_says_that_its_clip_has_another_name_than_the_file(client, url, batch, project):
    for name in ("clipone", "clipone-2"):
        clip = make_clip(project, original_name=f"{name}.mp4")
        add(batch, "clipone.mp4", state="done", video=clip.video)
    page = " ".join(client.get(url).text.split())
    assert re.findall(r"Its clip is [^<]+", page) == [
        "Its clip is clipone-2, because the project already had a clip clipone."
    ]


def test_the_rows_ask_again_only_while_something_moves(client, rows_url, batch):
    item = add(batch, state="running")
    assert "every 2s" in client.get(rows_url).content.decode()
    ImportItem.objects.filter(pk=item.pk).update(state="failed", code="empty")
    assert "every 2s" not in client.get(rows_url).content.decode()


def test_an_upload_that_fell_silent_is_not_waited_for(client, rows_url, batch):
    item = add(batch, state="uploading")
    assert "every 2s" in client.get(rows_url).content.decode()
    ImportItem.objects.filter(pk=item.pk).update(received_at=timezone.now() - timedelta(hours=1))
    assert "every 2s" not in client.get(rows_url).content.decode()


def test_the_upload_page_leaves_out_what_it_shows_itself(client, rows_url, batch):
    add(batch, "coming.mp4", state="uploading")
    add(batch, "here.mp4", state="waiting")
    page = client.get(rows_url + "?uploaded=1").content.decode()
    assert ("coming.mp4" in page, "here.mp4" in page) == (False, True)


def leave(batch) -> None:
    """As if its worker had died a while ago, and no message were left."""
    past = timezone.now() - timedelta(minutes=10)
    batch.items.update(lease_until=past)
    Job.objects.filter(pk=batch.pk).update(queued_at=past)


def test_what_a_dead_worker_left_is_queued_again(
    client, url, batch, project, django_capture_on_commit_callbacks
):
    in_an_hour = timezone.now() + timedelta(hours=1)
    add(batch, state="running", attempts=1, lease_until=in_an_hour)
    assert "Queue again" not in client.get(url).content.decode()
    leave(batch)
    assert "Queue again" in client.get(url).content.decode()
    with django_capture_on_commit_callbacks() as queued:
        response = client.post(
            reverse("annotate:requeue_imports", args=[project.slug, batch.pk]), follow=True
        )
    assert "The import was queued again." in response.content.decode()
    assert [callback.keywords["args"] for callback in queued] == [(batch.pk,)]


def test_requeueing_one_batch_leaves_the_others(
    client, batch, project, ada, django_capture_on_commit_callbacks
):
    other = open_batch(project=project, admin=ada)
    add(other, state="running", attempts=1)
    leave(other)
    with django_capture_on_commit_callbacks() as queued:
        client.post(reverse("annotate:requeue_imports", args=[project.slug, batch.pk]))
    assert (other.pk,) not in [callback.keywords["args"] for callback in queued]


def test_a_refused_file_is_tried_again(client, batch, project):
    item = add(batch, state="failed", code="disk_full", reason="The disk is full.")
    client.post(reverse("annotate:retry_import", args=[project.slug, item.pk]))
    item.refresh_from_db()
    assert (item.state, item.reason) == ("waiting", "")


def test_cancelling_answers_a_script_and_a_form(client, batch, project):
    first, second = add(batch, state="uploading"), add(batch, state="uploading")
    form = client.post(reverse("annotate:cancel_import", args=[project.slug, first.pk]))
    script = client.post(
        reverse("annotate:cancel_import", args=[project.slug, second.pk]),
        headers={"Accept": "application/json"},
    )
    assert (form.status_code, script.status_code) == (302, 200)
    assert set(ImportItem.objects.values_list("code", flat=True)) == {"cancelled"}


def test_a_file_that_can_no_longer_be_canceled_says_so(client, batch, project):
    item = add(batch, state="done")
    url = reverse("annotate:cancel_import", args=[project.slug, item.pk])
    sentence = "This file can no longer be canceled. Reload the page."
    assert sentence in client.post(url, follow=True).text
    script = client.post(url, headers={"Accept": "application/json"})
    assert (script.status_code, script.json()["message"]) == (400, sentence)


def test_hostile_file_names_are_escaped(client, url, batch):
    add_item(batch=batch, name="<script>alert(1)<x>.mp4", size=3)
    assert "<script>alert(1)" not in client.get(url).content.decode()


def test_the_list_shows_what_came_of_each_import(client, url, batch, project):
    add(batch, state="done")
    add(batch, state="failed", code="empty")
    add(batch, state="waiting")
    copy = add(batch, state="failed", code="duplicate", reason="The project already has this file.")
    response = client.get(reverse("annotate:imports", args=[project.slug]))
    (row,) = response.context["page"].object_list
    assert (row.files, row.done, row.copies, row.refused, row.under_way) == (4, 1, 1, 1, 1)
    page = " ".join(client.get(url).text.split())
    assert "3 of 4 finished: 1 imported, 1 already here, 0 refused, 1 replaced." in page
    assert '<span class="badge">Already here</span> <span>The project already has' in page
    assert f'id="cancel-{copy.pk}"' not in page


@pytest.mark.parametrize("name", ["imports", "import_batch", "import_rows"])
def test_it_costs_the_same_queries_at_one_file_and_at_three(client, batch, project, name):
    url = reverse(
        f"annotate:{name}", args=[project.slug, *([] if name == "imports" else [batch.pk])]
    )

    def queries() -> int:
        client.get(url)
        with count_queries() as count:
            assert client.get(url).status_code == 200
        return int(count)

    add(batch, state="done", video=make_clip(project).video)
    queries_for_one = queries()
    for _ in range(2):
        add(batch, state="done", video=make_clip(project).video)
    assert queries() == queries_for_one
