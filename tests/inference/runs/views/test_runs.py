"""The list of runs."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.jobs.services.workers import record_beat
from annotate.models import WorkerBeat
from inference.models import InferenceRun
from tests.cast import client_of, count_queries, make_clip
from tests.inference.cast import make_model, start_run
from tests.inference.outcomes import EMPTY, hold, leave
from tests.inference.segmented import make_run
from tests.markup import shows

RUNS = "/p/dives/runs/"


@pytest.fixture
def model(project):
    for _ in range(4):
        make_clip(project)
    return make_model(project, name="Draft")


def start(project, model, seed=0, admin=None):
    options = {"seed": seed}
    return start_run(project=project, kind="caption", model=model, options=options, admin=admin)


def test_a_project_without_a_run_says_what_one_is(project, ada):
    assert shows(client_of(ada).get(RUNS).text, "No run yet")


def test_a_run_is_listed_with_how_far_it_is(project, ada, model):
    run = leave(start(project, model, admin=ada), done=2, failed=(EMPTY,))
    hold(run)
    page = client_of(ada).get(RUNS).text
    assert shows(page, f'Caption <span class="number">{run.pk}</span>')
    assert shows(page, '<progress value="3" max="4"')
    assert shows(page, "3 of 4")
    assert shows(page, '<span class="badge warn">Running, 1 failed</span>')
    assert shows(page, '<span class="badge danger">1</span>')


def test_the_newest_comes_first_and_the_rest_on_further_pages(project, ada, model):
    runs = [start(project, model, seed) for seed in range(27)]
    first = client_of(ada).get(RUNS).text
    second = client_of(ada).get(f"{RUNS}?page=2").text
    assert first.index(f'id="run-{runs[26].pk}"') < first.index(f'id="run-{runs[25].pk}"')
    assert f'id="run-{runs[0].pk}"' not in first
    assert shows(second, f'id="run-{runs[0].pk}"')


def test_runs_are_found_by_kind_state_and_model(project, ada, model):
    ended = leave(start(project, model), done=4, state="done")
    running = start(project, model, seed=1)
    cut = make_run(project)

    def listed(query: str) -> list[int]:
        return [row.run.pk for row in client_of(ada).get(f"{RUNS}?{query}").context["rows"]]

    assert listed("kind=caption&state=&model=") == [running.pk, ended.pk]
    assert listed("state=done") == [ended.pk]
    assert listed("kind=segment&state=active") == [cut.pk]
    assert listed(f"model={model.pk}&state=active&columns=state") == [running.pk]
    assert listed("model=0&page=1") == [cut.pk, running.pk, ended.pk]
    page = client_of(ada).get(f"{RUNS}?state=failed").text
    assert shows(page, "No matching runs")


@pytest.mark.parametrize(("state", "asks"), [("running", True), ("done", False)])
def test_the_list_asks_again_only_while_a_run_is_in_progress(project, ada, model, state, asks):
    leave(start(project, model), done=4, state=state)
    for url in (RUNS, f"{RUNS}live/"):
        assert ('hx-trigger="every 2s"' in client_of(ada).get(url).text) == asks


def test_the_live_part_is_the_part_of_the_page(project, ada, model):
    leave(start(project, model), done=4, state="done")
    client = client_of(ada)
    live = client.get(f"{RUNS}live/").text
    assert live.split("#}")[-1].strip() in client.get(RUNS).text
    assert "<html" not in live


def test_a_run_that_no_worker_has_taken_says_so(project, ada, model):
    run = start(project, model)
    assert shows(client_of(ada).get(RUNS).text, "Waiting for a worker")
    then = run.queued_at.replace(year=2020)
    InferenceRun.objects.filter(pk=run.pk).update(queued_at=then)
    assert shows(client_of(ada).get(RUNS).text, '<span class="badge warn">No worker</span>')


@pytest.mark.parametrize("number", [1, 3])
def test_the_list_costs_the_same_at_any_number(project, ada, model, number):
    for seed in range(number):
        start(project, model, seed)
    client = client_of(ada)
    client.get(RUNS)
    with count_queries() as count:
        client.get(RUNS)
    assert count == 12


def test_a_run_without_a_worker_has_no_time_left(project, ada, model):
    hold(leave(start(project, model), done=2))
    record_beat(worker="w1@here", queues=["cpu"])
    assert shows(client_of(ada).get(RUNS).text, " left</td>")
    WorkerBeat.objects.update(at=timezone.now() - timedelta(minutes=1))
    page = client_of(ada).get(RUNS).text
    assert " left</td>" not in page
    assert shows(page, '<td class="num" data-label="Time">no worker responds</td>')
