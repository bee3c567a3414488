"""The pipeline board, the home of a project for its admins."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Project, WorkerBeat
from annotate.protocols import protocol_choices
from inference.models import InferenceRun
from inference.runs import new_run_page
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import hold_check, open_hand
from tests.inference.cast import make_model, start_run
from tests.inference.outcomes import BROKEN, leave
from tests.inference.scored import score, score_run
from tests.inference.scored import write as write_caption
from tests.markup import squeezed
from tests.review.cast import merge, open_clip, take, write

PROTOCOLS = [key for key, _ in protocol_choices()]


def page_of(project, person, part="overview", **query):
    return client_of(person).get(reverse(f"review:{part}", args=[project.slug]), query)


def rows_of(response):
    return {row.step.key: row for lane in response.context["lanes"] for row in lane.rows}


def counts_of(row):
    return dict(row.counts)


def test_it_counts_the_clips_at_each_step(project, anna, ben, emil, ada, make_complete):
    make_complete("done")
    open_clip(project, "nothing")
    write(project, open_clip(project, "half"), anna)
    written = open_clip(project, "written")
    write(project, written, anna, ben)
    merged = open_clip(project, "merged")
    write(project, merged, anna, ben)
    merge(project, merged, emil)
    take(project, anna, "write", open_clip(project, "held"))
    response = page_of(project, ada)
    rows = rows_of(response)
    assert counts_of(rows["write"]) == {"done": 3, "in progress": 1, "ready": 2}
    assert counts_of(rows["merge"]) == {"done": 2, "ready": 1, "later": 3}
    assert counts_of(rows["split"]) == {"done": 1, "ready": 1, "later": 4}
    assert counts_of(rows["release"]) == {"ready": 1}
    assert rows["write"].step.places == 2 + 1 + 2
    assert response.context["next"].step.key == "write"


def test_the_next_step_is_one_button(project, ada, anna):
    empty = page_of(project, ada)
    assert empty.context["next"].button.label == "Upload videos"
    assert f'href="{reverse("annotate:upload", args=[project.slug])}"' in empty.text
    open_clip(project, "dive")
    alone = page_of(project, ada).context["next"]
    assert alone.step.reasons == (
        "Each needs 2 people, and 1 member may do it, by the role annotator.",
    )
    assert alone.button.url == reverse("annotate:members", args=[project.slug])


def test_a_missing_run_opens_set_up(project, ada):
    Project.objects.update(protocol="lovr")
    make_model(project)
    make_clip(project)
    write_caption(make_clip(project))
    page = page_of(project, ada)
    row = page.context["next"]
    assert (row.step.key, counts_of(row)) == ("caption", {"done": 1, "ready": 1})
    assert "1 clip done · 1 ready" in squeezed(page.text)
    assert (
        row.button.url == reverse("inference:new_run", args=[project.slug]) + "?kind=caption&next=1"
    )


def test_a_run_that_is_stuck_says_why(project, ada):
    Project.objects.update(protocol="lovr")
    project.refresh_from_db()
    clips = [make_clip(project) for _ in range(3)]
    write_caption(clips[0])
    model = make_model(project)
    run = start_run(project=project, kind="caption", model=model)
    row = rows_of(page_of(project, ada))["caption"]
    assert row.step.reasons == ("No worker has responded yet.",)
    WorkerBeat.objects.create(queue="cpu", worker="a", at=timezone.now())
    row = rows_of(page_of(project, ada))["caption"]
    assert counts_of(row) == {"done": 1, "in progress": 2}
    leave(run, failed=(BROKEN,), state=InferenceRun.State.DONE)
    InferenceRun.objects.filter(pk=run.pk).update(counts={"failed": 1}, state="done")
    row = rows_of(page_of(project, ada))["caption"]
    assert row.step.reasons == (f"Run {run.pk} failed for 1 clip.",)
    assert row.button.url == reverse("inference:run", args=[project.slug, run.pk])


def test_the_forecast_is_from_finished_days(project, anna, ben, ada, make_complete):
    for name in ("a", "b", "c"):
        open_clip(project, name)
    refused = page_of(project, ada)
    assert "Write: No finished day with work yet." in refused.context["finish"]["reasons"]
    assert refused.context["finish"]["sentence"] == "No forecast yet"
    assert rows_of(refused)["write"].forecast == "No forecast yet"


def test_a_steady_pace_gives_a_day(project, anna, rita, ada):
    """Six checks of videos, one on each of six days, and three videos open for two people."""
    Project.objects.update(protocol="lovr")
    for back in range(1, 7):
        held = hold_check(anna, make_clip(project).video)
        at = timezone.now() - timedelta(days=back)
        Assignment.objects.filter(pk=held.pk).update(
            state="submitted", submitted_at=at, active_seconds=600
        )
        held.item.state = "done"
        held.item.save()
    for _ in range(3):
        held = hold_check(rita, make_clip(project).video)
        Assignment.objects.filter(pk=held.pk).update(state="expired")
        held.item.open_slots = 2
        held.item.save()
    response = page_of(project, ada)
    row = rows_of(response)["dynamics"]
    day = timezone.now().date() + timedelta(days=6)
    assert row.step.places == 6
    assert row.forecast == f"Done on {day.day}\xa0{day:%b}\xa0{day:%Y}"
    assert row.hours == "about 1.0 h of work"
    assert response.context["left"].people_spent == "1.0 h"


def test_it_refreshes_itself(project, ada, rita):
    page = page_of(project, ada)
    url = reverse("review:overview_live", args=[project.slug])
    assert f'hx-get="{url}"' in page.text
    part = page_of(project, rita, "overview_live").text
    assert part.count('id="board"') == 1
    assert "<html" not in part


def test_others_than_admins_get_no_button_that_they_may_not_use(project, rita, ada):
    page = page_of(project, rita)
    assert page.context["next"].button is None
    assert "An admin does this." in page.text
    assert reverse("annotate:upload", args=[project.slug]) not in page.text
    sets = reverse("review:report_page", args=[project.slug, "caption-sets"])
    assert sets not in page.text
    assert sets in page_of(project, ada).text


def test_a_large_project_keeps_its_counts_until_the_page_asks_for_new_ones(
    project, anna, ben, ada, monkeypatch
):
    cache.clear()
    monkeypatch.setattr(new_run_page, "MAX_COUNTED_AT_ONCE", 0)
    open_clip(project, "first")
    assert counts_of(rows_of(page_of(project, ada))["write"]) == {"ready": 1}
    open_clip(project, "second")
    kept = page_of(project, ada)
    assert counts_of(rows_of(kept)["write"]) == {"ready": 1}
    assert 'hx-trigger="load, every' in kept.text
    # A moment later, another page counts again.
    monkeypatch.setattr("review.overview.counts.LIVE", timedelta(0))
    live = page_of(project, ada, "overview_live")
    assert counts_of(rows_of(live)["write"]) == {"ready": 2}
    assert "load, every" not in live.text
    assert counts_of(rows_of(page_of(project, ada))["write"]) == {"ready": 2}
    open_clip(project, "third")
    assert counts_of(rows_of(page_of(project, ada, count="1"))["write"]) == {"ready": 3}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_its_queries_dont_grow(project, anna, ben, ada, protocol):
    Project.objects.update(protocol=protocol)
    make_model(project)
    counts = []
    for rows in (1, 3):
        while project.clips.count() < rows:
            clip = open_clip(project, f"dive-{project.clips.count()}")
            write_caption(clip)
            open_hand(clip)
        client = client_of(ada)
        with count_queries() as count:
            client.get(reverse("review:overview", args=[project.slug]))
        counts.append(int(count))
    assert counts[0] == counts[1]
    assert counts[0] <= 37, counts


def test_hostile_names_are_text(project, ada, anna):
    Project.objects.update(protocol="lovr")
    encoder = make_model(project, "lexical")
    score(make_clip(project), 0.5, score_run(project, encoder), scorer_name="<script>1</script>")
    assert "<script>1" not in page_of(project, ada).text
