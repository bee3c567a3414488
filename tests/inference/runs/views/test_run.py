"""One run: how far it is, what failed, what is out of date, and what to do about it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.jobs.services.workers import record_beat
from annotate.models import AuditEvent, Caption, WorkerBeat
from inference.models import InferenceRun, RunItem, Segmentation
from inference.planning.staleness import make_run_current
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import machine_caption
from tests.inference.cast import make_model, run_through, start_run, states
from tests.inference.outcomes import BROKEN, EMPTY, SLOW, hold, leave
from tests.markup import shows, squeezed


@pytest.fixture
def model(project):
    for number in range(6):
        make_clip(project, original_name=f"dive-{number}.mp4")
    return make_model(project, name="Draft")


@pytest.fixture
def run(project, ada, model):
    return start_run(project=project, kind="caption", model=model, admin=ada)


def url(run, part="") -> str:
    return f"/p/dives/runs/{run.pk}/{part}"


def page(ada, run, query="") -> str:
    return client_of(ada).get(url(run) + query).text


def test_it_says_who_started_what_and_how_far_it_is(run, ada):
    hold(leave(run, done=2, failed=(EMPTY,)))
    html = page(ada, run)
    assert shows(html, f"Caption run {run.pk}")
    assert shows(html, '<strong class="number">3 of 6</strong>')
    assert shows(html, "Ada")
    assert run.recipe_hash[:12] in html
    assert shows(html, "120 pairs, 2 frames apart")
    assert shows(html, "Describe the video in detail.")


@pytest.mark.parametrize(
    ("done", "failed", "badge"),
    [
        (6, 0, '<span class="badge ok">Finished</span>'),
        (4, 2, '<span class="badge warn">Finished, 2 failed</span>'),
        (0, 6, '<span class="badge danger">Failed, all 6</span>'),
    ],
)
def test_a_finished_run_says_how_many_failed(run, ada, done, failed, badge):
    leave(run, done=done, failed=(EMPTY,) * failed, state="done")
    assert shows(page(ada, run), badge)


def test_the_page_of_its_job_names_videos_clips_and_the_clips_of_captions(run, ada, project):
    caption = machine_caption(make_clip(project), "A dive.")
    video, clip = make_clip(project).video, make_clip(project)
    run.items.all().delete()
    for place, subject in enumerate(({"video": video}, {"clip": clip}, {"caption": caption}), 1):
        RunItem.objects.create(run=run, position=place, key=str(place), **subject)
    job_page = client_of(ada).get(reverse("annotate:job", args=[project.slug, run.pk]))
    assert [row.name for row in job_page.context["job_page"].items] == [
        video.original_name, clip.name, caption.clip.name,
    ]  # fmt: skip


def test_failures_are_grouped_by_reason_most_first(run, ada):
    leave(run, failed=(EMPTY, SLOW, SLOW), state="done")
    html = page(ada, run)
    assert shows(html, "3 failed")
    assert html.index(SLOW[1]) < html.index(EMPTY[1].replace("'", "&#x27;"))
    assert shows(html, 'value="timeout"')


def test_one_reason_is_retried_alone(run, ada):
    leave(run, done=3, failed=(EMPTY, SLOW, SLOW), state="done")
    client_of(ada).post(url(run, "retry/"), {"code": "timeout"})
    assert states(run) == ["done", "done", "done", "failed", "waiting", "waiting"]
    run.refresh_from_db()
    assert run.state == "waiting"


def test_all_that_failed_is_retried(run, ada):
    leave(run, done=4, failed=(EMPTY, SLOW), state="done")
    response = client_of(ada).post(url(run, "retry/"), follow=True)
    assert shows(response.text, "2 tried again.")
    assert states(run).count("waiting") == 2


def test_a_retry_of_nothing_says_so(run, ada):
    leave(run, done=6, state="done")
    response = client_of(ada).post(url(run, "retry/"), follow=True)
    assert shows(response.text, "Nothing to retry.")


def test_a_run_is_cancelled_and_resumed(run, ada):
    leave(run, done=2)
    client = client_of(ada)
    assert "Canceled. 4 left out" in client.post(url(run, "cancel/"), follow=True).text
    assert states(run).count("cancelled") == 4
    assert "Resume what was left out" in page(ada, run)
    client.post(url(run, "retry/"))
    assert states(run).count("waiting") == 4
    assert AuditEvent.objects.filter(verb="cancel job", actor=ada).exists()


def test_a_run_that_has_ended_can_not_be_cancelled(run, ada):
    leave(run, done=6, state="done")
    assert "Cancel the run…" not in page(ada, run)
    response = client_of(ada).post(url(run, "cancel/"), follow=True)
    assert shows(response.text, "This has already ended.")


def test_a_stopped_run_says_why_and_can_be_resumed(run, ada):
    leave(run, done=2, state="failed")
    InferenceRun.objects.filter(pk=run.pk).update(reason="No GPU is here. Start a GPU worker.")
    html = page(ada, run)
    assert shows(html, "No GPU is here. Start a GPU worker.")
    assert shows(html, "4 wait.")
    client_of(ada).post(url(run, "retry/"))
    run.refresh_from_db()
    assert (run.state, run.reason) == ("waiting", "")


def test_a_run_that_nobody_works_on_is_handed_on(run, ada):
    assert "No worker is working on this run" not in page(ada, run)
    long_ago = timezone.now() - timedelta(minutes=5)
    InferenceRun.objects.filter(pk=run.pk).update(queued_at=long_ago)
    assert shows(page(ada, run), "It is queued again within a few minutes")
    client_of(ada).post(url(run, "requeue/"))
    run.refresh_from_db()
    assert run.queued_at > long_ago
    assert "No worker is working on this run" not in page(ada, run)


def test_a_run_in_living_hands_is_not_handed_on(run, ada):
    hold(run)
    run.refresh_from_db()
    before = run.queued_at
    response = client_of(ada).post(url(run, "requeue/"), follow=True)
    assert shows(response.text, "Nothing was changed.")
    run.refresh_from_db()
    assert run.queued_at == before


def test_results_out_of_date_lead_to_a_run_with_the_newest_settings(project, run, ada, model):
    leave(run, done=6, state="done")
    newer = start_run(
        project=project, kind="caption", model=model, options={"prompt": "Say what moves."}
    )
    assert "out of date" not in page(ada, run)
    make_run_current(newer)
    html = page(ada, run)
    assert shows(html, "6 results are out of date: the prompt was changed.")
    newest = f"?kind=caption&amp;like={newer.pk}&amp;model={model.pk}"
    assert newest in html
    assert newest in client_of(ada).get(url(run, "live/")).text
    assert "out of date" not in page(ada, newer)


def test_items_are_listed_under_tabs_by_state(run, ada):
    leave(run, done=2, failed=(BROKEN,))
    html = page(ada, run, "?state=failed")
    assert shows(html, "dive-2")
    assert "dive-0" not in html
    assert shows(html, 'id="tab-waiting"')
    assert 'id="tab-reused"' not in html


def test_an_item_leads_to_its_clip_and_to_the_caption_it_made(project, run, ada):
    item = run.items.first()
    caption = Caption.objects.create(
        project=project, clip=item.clip, kind="general", source="machine", text="A.", word_count=1
    )
    leave(run, done=1)
    RunItem.objects.filter(pk=item.pk).update(result=caption)
    html = page(ada, run)
    assert shows(html, f'<a href="/p/dives/clips/{item.clip_id}/">dive-0</a>')
    assert shows(html, f"/p/dives/clips/{item.clip_id}/#caption-{caption.pk}")


def test_a_reused_item_shows_what_the_earlier_one_made_and_its_run(project, run, ada, model):
    leave(run, done=6, state="done")
    item = run.items.first()
    caption = Caption.objects.create(
        project=project, clip=item.clip, kind="general", source="machine", text="A.", word_count=1
    )
    RunItem.objects.filter(pk=item.pk).update(result=caption, note="7 words, told by Draft")
    again = start_run(project=project, kind="caption", model=model)
    html = page(ada, again)
    assert states(again) == ["skipped"] * 6
    assert shows(html, "7 words, told by Draft")
    assert shows(html, f"/p/dives/clips/{item.clip_id}/#caption-{caption.pk}")
    assert squeezed(html).count(f'From<a href="/p/dives/runs/{run.pk}/">run {run.pk}</a>') == 6


def segmented(project, *reasons):
    """A finished run over videos that were left out for these reasons, kept where one is empty."""
    run = leave(start_run(project=project, kind="segment"), done=len(reasons), state="done")
    for item, reason in zip(run.items.order_by("video"), reasons, strict=True):
        Segmentation.objects.create(
            project=project, video=item.video, item=item, cuts=[], threshold=34, curve=b"",
            absolute_curve=b"", means_curve=b"",
            is_kept=not reason, excluded_because=reason,
        )  # fmt: skip
        RunItem.objects.filter(pk=item.pk).update(note=f"Left out: {reason}." if reason else "")
    return run


def test_a_video_that_segmentation_excluded_is_not_simply_done(project, ada):
    for name in ("short.mp4", "long.mp4"):
        make_clip(project, original_name=name)
    html = page(ada, segmented(project, "2 s long", ""))
    assert html.count('<span class="badge warn">Left out</span>') == 1
    assert html.count('<span class="badge ok">Done</span>') == 1
    assert shows(html, "Left out: 2 s long.")
    assert shows(html, '<span class="badge ok">Finished</span>')


def test_a_run_that_left_every_video_out_says_so_with_the_reason(project, ada):
    for _ in range(2):
        make_clip(project)
    run = segmented(project, "2 s long; at least 15 min are asked for", "3 s long")
    again = start_run(project=project, kind="segment")
    assert states(run_through(again)) == ["skipped"] * 2
    for each in (run, again):
        html = page(ada, each)
        assert shows(html, '<span class="badge warn">Finished, all left out</span>')
        assert shows(
            html, "<strong>Every video was left out.</strong> The first: 2 s long; at least"
        )
        assert shows(html, f"?kind=segment&amp;like={each.pk}")
    assert client_of(ada).get("/p/dives/runs/").text.count("Finished, all left out") == 2


def test_videos_lead_to_their_page(project, ada):
    clip = make_clip(project, original_name="whole.mp4")
    run = start_run(project=project, kind="segment")
    assert f'<a href="/p/dives/videos/{clip.video_id}/">whole.mp4</a>' in page(ada, run)


def test_captions_lead_to_their_clip(project, ada):
    clip = make_clip(project, original_name="told.mp4")
    Caption.objects.create(
        project=project, clip=clip, kind="general", source="human", text="A.", word_count=1
    )
    scorer = make_model(project, "lexical")
    run = start_run(project=project, kind="score", model=scorer)
    assert f'<a href="/p/dives/clips/{clip.pk}/">told</a>' in page(ada, run)


def test_the_live_part_ends_the_asking_and_takes_the_cancel_button_away(run, ada):
    client = client_of(ada)
    going = client.get(url(run, "live/")).text
    assert shows(going, 'hx-trigger="every 2s"')
    assert 'id="run-actions"' not in going
    leave(run, done=6, state="done")
    ended = client.get(url(run, "live/")).text
    assert "every 2s" not in ended
    assert shows(ended, '<div class="actions" id="run-actions" hx-swap-oob="true">')
    assert "Cancel the run…" not in ended


def test_the_live_part_keeps_the_tab_and_the_page(run, ada):
    leave(run, done=2)
    live = client_of(ada).get(url(run, "live/") + "?state=done").text
    assert shows(live, "?state=done&amp;page=1")
    assert "dive-5" not in live


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"code": "two"}, "Expected `int`, got `str` - at `$.code`."),
        (
            {"options": {"sampling": {"kind": 5}}},
            "Expected `str`, got `int` - at `$.sampling.kind`.",
        ),
    ],
)
def test_a_recipe_that_can_not_be_read_hides_nothing_else(run, ada, change, fault):
    make_run_current(leave(run, done=5, failed=(EMPTY,), state="done"))
    RunItem.objects.filter(state="done").update(stale_because="model")
    InferenceRun.objects.filter(pk=run.pk).update(recipe=run.recipe | change)
    html = page(ada, run)
    assert shows(html, f"The stored recipe can’t be read: {fault}")
    assert shows(html, '<strong class="number">6 of 6</strong>')
    assert shows(html, "5 results are out of date")
    assert "dive-5" in html
    others = ("runs/", f"runs/new/?kind=caption&like={run.pk}", "jobs/", "overview/")
    for address in (*others, f"runs/{run.pk}/live/", f"models/{run.model_id}/"):
        assert client_of(ada).get(f"/p/dives/{address}").status_code == 200, address


def test_a_made_up_tab_shows_all(run, ada):
    assert "dive-5" in page(ada, run, "?state=nonsense&page=x")


@pytest.mark.parametrize("number", [1, 3])
def test_the_page_costs_the_same_at_any_number_of_items(project, ada, number):
    for _ in range(number):
        make_clip(project)
    run = start_run(project=project, kind="caption", model=make_model(project))
    leave(run, done=number - 1, failed=(EMPTY,))
    client = client_of(ada)
    client.get(url(run))
    with count_queries() as count:
        client.get(url(run))
    assert count == 12


def test_a_run_whose_worker_died_has_no_time_left(run, ada):
    hold(leave(run, done=2))
    record_beat(worker="w1@here", queues=["cpu"])
    html = page(ada, run, "live/")
    assert shows(html, " left · ")
    assert "No worker has responded" not in html
    WorkerBeat.objects.update(at=datetime(2026, 3, 1, 9, 30, 5, tzinfo=UTC))
    html = page(ada, run, "live/")
    assert " left · " not in html
    assert shows(html, "<strong>No worker has responded since 1 Mar 2026 09:30:05 UTC.</strong>")
    assert (
        'data-announce="At least 30 % done. '
        'No worker has responded since 1 Mar 2026 09:30:05 UTC."' in html
    )


def test_a_finished_run_waits_for_no_worker(run, ada):
    leave(run, done=6, state="done")
    record_beat(worker="w1@here", queues=["cpu"])
    WorkerBeat.objects.update(at=timezone.now() - timedelta(hours=1))
    assert "No worker has responded" not in page(ada, run)
