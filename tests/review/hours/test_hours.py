"""Hours of devices: what is added up, for which runs, and who may read it."""

import csv
import io

import pytest
from django.urls import reverse

from inference.models import RunItem
from review.hours.queries import DeviceHours, device_hours
from tests.cast import client_of, count_queries, make_project, make_video
from tests.inference.cast import make_model, make_playable_clips, run_through, start_run
from tests.inference.segmented import make_item, make_run

pytestmark = pytest.mark.django_db

PROCESSOR, GPU = "AMD EPYC, 2 cores", "NVIDIA H800"


def finish(run, number: int, device: str, seconds: float | None, **fields) -> None:
    for _ in range(number):
        video = make_video(run.project)
        make_item(run, video, device=device, seconds=seconds, **fields)


@pytest.fixture
def work(project):
    """Two runs of one kind on two devices, a failed item, one of another project, and one result
    that was made elsewhere."""
    first, second = make_run(project), make_run(project)
    finish(first, 3, GPU, 1800, compute_seconds=900, read_seconds=360)
    finish(second, 1, GPU, 5400, compute_seconds=900, read_seconds=360)
    finish(second, 2, PROCESSOR, 900)
    finish(second, 1, "", None)
    finish(second, 1, GPU, 3600, state="failed")
    finish(make_run(make_project("Other")), 1, GPU, 3600)


def test_hours_are_added_by_kind_and_device(project, work):
    assert device_hours(project) == [
        DeviceHours("segment", GPU, 4, 0, 3.0, 1.0, 0.4),
        DeviceHours("segment", PROCESSOR, 2, 0, 0.5, None, None),
        DeviceHours("segment", "", 1, 1, 0.0, None, None),
    ]


def test_a_run_on_this_machine_is_counted(project, rendered_media):
    make_playable_clips(project, rendered_media, 2)
    model = make_model(project)
    run_through(start_run(project=project, kind="caption", model=model, admin=None))
    [row] = device_hours(project)
    items = RunItem.objects.all()
    assert (row.kind, row.device, row.results, row.untimed) == ("caption", items[0].device, 2, 0)
    assert row.hours == pytest.approx(sum(item.seconds for item in items) / 3600)
    # What another run takes over is not worked on again.
    run_through(start_run(project=project, kind="caption", model=model, admin=None))
    assert device_hours(project) == [row]


def test_the_page_and_its_file_have_the_same_numbers(project, work, ada):
    client = client_of(ada)
    with count_queries() as queries:
        page = client.get(reverse("review:device_hours", args=[project.slug]))
    assert [(total.device, total.hours) for total in page.context["totals"]] == [
        (GPU, 3.0),
        (PROCESSOR, 0.5),
    ]
    assert page.context["total"].hours == 3.5
    assert [row.times for row in page.context["rows"]][:2] == [
        [("Time", "3.0 h"), ("Model", "1.0 h"), ("Decoding", "24.0 min")],
        [("Time", "30.0 min"), ("Model", "–"), ("Decoding", "–")],
    ]
    assert "1 result has no time" in page.text
    runs = client.get(reverse("inference:runs", args=[project.slug]))
    assert f'href="{page.request["PATH_INFO"]}"' in runs.text.partition("<main")[2]
    finish(make_run(project), 2, "Another device", 60)
    with count_queries() as more:
        file = client.get(reverse("review:download_device_hours", args=[project.slug]))
        client.get(reverse("review:device_hours", args=[project.slug]))
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert [(row["device"], float(row["hours"])) for row in rows[:2]] == [
        (GPU, 3.0),
        (PROCESSOR, 0.5),
    ]
    assert rows[0]["model_hours"] == "1.0"
    assert int(more) <= 2 * int(queries)


def test_each_run_on_a_server_has_its_tokens_and_its_cost(project, ada):
    """Failed items count, and what a run only took over doesn't list it."""
    priced, unpriced, silent = (make_run(project) for _ in range(3))
    finish(priced, 2, "Server a", 1, tokens_in=1500, tokens_out=10, pictures=8, cost="0.25")
    finish(priced, 1, "Server a", 1, state="failed", tokens_in=1, tokens_out=1, cost="0.01")
    finish(unpriced, 1, "Server b", 1, tokens_in=7, tokens_out=0)
    finish(silent, 1, "Server c", 1, pictures=3)
    finish(make_run(project), 1, "Server a", 1, state="skipped")
    address = reverse("review:device_hours", args=[project.slug])
    with count_queries() as queries:
        page = client_of(ada).get(address)
    rows = [[row.numbers.run, *(words for _, words in row.amounts), row.cost]
            for row in page.context["costs"]]  # fmt: skip
    assert rows == [
        [silent, "–", "–", "3", "The server doesn’t say"],
        [unpriced, "7", "0", "0", "No price set"],
        [priced, "3,001", "21", "16", "$0.51"],
    ]
    assert "Model servers: $0.51" in page.text
    for _ in range(2):
        finish(make_run(project), 1, "Server a", 1, tokens_in=1, tokens_out=1)
    with count_queries() as more:
        client_of(ada).get(address)
    assert int(more) == int(queries)
