"""Commands that start a job: followed while a worker responds, done in their process otherwise."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.datasets import jobs
from annotate.jobs.services.control import cancel_job
from annotate.jobs.services.workers import record_beat
from annotate.jobs.services.working import work_on
from annotate.management import following
from annotate.models import ActionLabel, WorkerBeat
from annotate.models.jobs import Job, JobItem
from tests.cast import make_project

pytestmark = pytest.mark.django_db
LABELS = json.dumps([{"label": "103b", "caption": "Forward", "source": "FineDiving"}])
DONE = "0 new clips and 1 new label.\n"


@pytest.fixture
def project():
    return make_project(protocol="tfcovr")


@pytest.fixture
def meanwhile(monkeypatch):
    """What happens in each second that the command waits; nobody may wait longer."""
    steps = []
    monkeypatch.setattr(following.time, "sleep", lambda seconds: steps.pop(0)())
    return steps


@pytest.fixture
def worker(project):
    record_beat(worker="w", queues=["cpu"])


def run(tmp_path, *arguments) -> tuple[str, str]:
    labels = tmp_path / "labels.json"
    labels.write_text(LABELS)
    out, errors = io.StringIO(), io.StringIO()
    try:
        call_command(
            "import_dataset", "dives", *arguments, labels=labels, stdout=out, stderr=errors
        )
    except SystemExit as error:
        return f"{out.getvalue()}exit status {error.code}", errors.getvalue()
    return out.getvalue(), errors.getvalue()


def test_it_shows_what_the_worker_does_and_the_result(tmp_path, worker, meanwhile):
    def finish():
        JobItem.objects.all().delete()
        work_on(job_id=Job.objects.get().pk)

    meanwhile += [
        lambda: JobItem.objects.create(job=Job.objects.get(), step="Reading the files"),
        finish,
    ]
    out, errors = run(tmp_path)
    assert (out, errors) == (f"Waiting for a worker\nReading the files\n{DONE}", "")


def test_without_a_worker_it_does_the_work_and_says_so(tmp_path, project, meanwhile):
    message = "No worker has responded yet. This command does the work itself.\n"
    assert run(tmp_path) == (DONE, message)


def test_a_worker_that_ends_meanwhile_leaves_the_work_to_it(tmp_path, worker, meanwhile):
    meanwhile.append(WorkerBeat.objects.all().delete)
    out, errors = run(tmp_path)
    assert out == f"Waiting for a worker\n{DONE}"
    assert "does the work itself" in errors


def test_here_it_asks_for_no_worker(tmp_path, worker, meanwhile):
    assert run(tmp_path, "--here") == (DONE, "")


def test_ctrl_c_leaves_the_job_to_the_worker(tmp_path, worker, meanwhile):
    meanwhile.append(interrupt)
    out, errors = run(tmp_path)
    assert out.endswith("exit status 130")
    assert errors == "The job continues without this command. The page Jobs shows it.\n"
    assert Job.objects.get().state == "waiting"


def test_ctrl_c_cancels_the_work_of_the_command(tmp_path, project, monkeypatch):
    monkeypatch.setattr(jobs, "import_dataset", interrupt)
    assert run(tmp_path, "--here") == ("exit status 130", "Canceled.\n")
    assert (Job.objects.get().state, ActionLabel.objects.count()) == ("cancelled", 0)


def test_a_canceled_job_is_an_exit_status(tmp_path, worker, meanwhile):
    meanwhile.append(lambda: cancel_job(job=Job.objects.get(), admin=None))
    with pytest.raises(CommandError, match=r"The job was canceled\.") as refusal:
        run(tmp_path)
    assert refusal.value.returncode == 1


def test_a_second_of_the_kind_is_refused(tmp_path, project):
    Job.objects.create(project=project, kind="dataset", lane="all")
    with pytest.raises(CommandError, match="are being imported"):
        run(tmp_path)


def interrupt(**how):
    raise KeyboardInterrupt
