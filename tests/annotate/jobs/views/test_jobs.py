"""All jobs of a project on one page: what each does, its progress, what failed, and what to do."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.errors import ItemFailed
from annotate.jobs.services.workers import record_beat
from annotate.models.jobs import Job
from tests.annotate.jobs.cast import start_counting, states, work_through
from tests.cast import client_of, count_queries, make_project
from tests.markup import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def living_worker(db):
    record_beat(worker="w", queues=["cpu"])


def url(name: str, *keys: int) -> str:
    return reverse(f"annotate:{name}", args=["dives", *keys])


def test_an_empty_list_says_what_appears_here(project, ada):
    assert "No jobs yet" in client_of(ada).get(url("jobs")).text


def test_each_job_says_what_it_does_to_what_and_how_far_it_is(project, ada, counting):
    job = work_through(start_counting(project))
    page = client_of(ada).get(url("jobs")).text
    assert f'Count<span class="number">{job.pk}</span>' in squeezed(page)
    assert "to five" in page
    assert "5 of 5" in page
    assert '<span class="badge ok">Done</span>' in squeezed(page)
    assert 'hx-trigger="every' not in page


def test_the_list_asks_again_while_a_job_is_active(project, ada, counting):
    start_counting(project)
    page = client_of(ada).get(url("jobs")).text
    assert "Waiting for a worker" in page
    assert 'hx-trigger="every 2s"' in page
    assert "Waiting for a worker" in client_of(ada).get(url("jobs_live")).text


def test_it_is_narrowed_down_by_state_and_kind(project, ada, counting, batches):
    done = work_through(start_counting(project))
    active = start_counting(project, kind="count_batches")

    def listed(query):
        rows = client_of(ada).get(url("jobs") + query).context["jobs"].rows
        return [row.job.pk for row in rows]

    assert listed("") == [active.pk, done.pk]
    assert listed("?show=active") == [active.pk]
    assert listed("?show=ended") == [done.pk]
    assert listed("?show=failed") == []
    assert listed("?kind=count") == [done.pk]
    assert listed("?kind=nonsense&show=nonsense&page=99") == [active.pk, done.pk]


def test_jobs_of_another_project_are_not_listed(project, ada, counting):
    start_counting(make_project("Other"))
    assert "No jobs yet" in client_of(ada).get(url("jobs")).text


def test_three_jobs_cost_the_queries_of_one(project, ada, counting):
    client = client_of(ada)
    counts = []
    for _ in range(2):
        with count_queries() as count:
            client.get(url("jobs"))
        counts.append(int(count))
        start_counting(project)
        work_through(start_counting(project))
        start_counting(project)
    start_counting(project)
    with count_queries() as count:
        client.get(url("jobs"))
    assert counts[1] == int(count)


def test_a_job_lists_why_items_failed_most_first_and_retries_one_reason(project, ada, counting):
    def refuse(number):
        if number > 1:
            raise ItemFailed("odd" if number % 2 else "even", f"{number} can't be counted.")

    counting.on_item = refuse
    job = work_through(start_counting(project, numbers=6))
    page = client_of(ada).get(url("job", job.pk)).text
    assert "5 failed" in page
    assert page.index("2 can&#x27;t be counted.") < page.index("3 can&#x27;t be counted.")
    assert "And 2 other reasons like it." in page
    response = client_of(ada).post(url("retry_job", job.pk), {"code": "odd"}, follow=True)
    assert "Retrying 2." in response.text
    assert states(job) == ["done", "failed", "waiting", "failed", "waiting", "failed"]


def test_a_stopped_job_says_why_and_is_resumed(project, ada, counting):
    job = work_through(start_counting(project, numbers=0))
    page = client_of(ada).get(url("job", job.pk)).text
    assert "There is nothing to count. Choose a number." in page
    job.parameters = {"numbers": 2}
    job.save()
    assert "Resumed." in client_of(ada).post(url("retry_job", job.pk), follow=True).text
    assert work_through(job).state == "done"


def test_a_job_is_cancelled_and_resumed(project, ada, counting):
    job = start_counting(project)
    client = client_of(ada)
    assert "Canceled." in client.post(url("cancel_job", job.pk), follow=True).text
    assert "has already ended" in client.post(url("cancel_job", job.pk), follow=True).text
    client.post(url("retry_job", job.pk))
    assert work_through(job).state == "done"


def test_a_retry_of_nothing_says_so(project, ada, counting):
    job = work_through(start_counting(project))
    response = client_of(ada).post(url("retry_job", job.pk), follow=True)
    assert "Nothing to retry." in response.text


def test_a_job_that_nobody_works_on_is_queued_again(project, ada, counting):
    job = start_counting(project)
    client = client_of(ada)
    assert "The job was queued again." in client.post(url("requeue_job", job.pk), follow=True).text
    work_through(job)
    assert "Nothing was changed." in client.post(url("requeue_job", job.pk), follow=True).text


def test_the_items_are_listed_under_tabs(project, ada, counting):
    job = work_through(start_counting(project))
    page = client_of(ada).get(url("job", job.pk) + "?state=done")
    assert [row.name for row in page.context["job_page"].items] == [
        f"number {n}" for n in range(1, 6)
    ]
    assert "counted 3" in page.text
    live = client_of(ada).get(url("job_live", job.pk)).text
    assert 'id="job-items" hx-swap-oob="true"' in live


def test_many_items_cost_the_queries_of_one(project, ada, counting):
    counts = []
    for numbers in (1, 3):
        job = work_through(start_counting(project, numbers=numbers))
        with count_queries() as count:
            client_of(ada).get(url("job", job.pk))
        counts.append(int(count))
    assert counts[0] == counts[1]


def failed_job(project, counting) -> Job:
    def refuse(number):
        raise ItemFailed("odd", "It quotes a caption.")

    counting.on_item = refuse
    return work_through(start_counting(project, numbers=1))


def test_what_a_retry_can_not_help_has_no_button(project, ada, counting, monkeypatch):
    job = failed_job(project, counting)
    assert "Retry all failed" in client_of(ada).get(url("job", job.pk)).text
    monkeypatch.setattr(counting, "may_retry", lambda code: False)
    page = client_of(ada).get(url("job", job.pk)).text
    assert ("It quotes a caption." in page, "Retry" in page) == (True, False)


def test_reasons_are_hidden_from_who_may_not_read_what_they_quote(
    project, ada, counting, monkeypatch
):
    job = failed_job(project, counting)
    monkeypatch.setattr(counting, "hides_reasons", lambda membership, job: True)
    for name in ("job", "job_live"):
        page = client_of(ada).get(url(name, job.pk)).text
        assert "It quotes a caption." not in page
        assert "Hidden from you" in page
