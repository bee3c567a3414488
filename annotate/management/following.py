"""Follow a job in a terminal, and do its work there if no worker responds."""

from __future__ import annotations

import sys
import time

from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper

from annotate.datasets.faults import Fault
from annotate.errors import Refused
from annotate.jobs.file_imports import MAX_SHOWN
from annotate.jobs.services.control import cancel_job
from annotate.jobs.workers import last_beats
from annotate.models.jobs import Job, JobItem

EVERY_SECONDS = 1.0
INTERRUPTED = 130  # the exit status that shells expect after Ctrl-C


class ProgressLine:
    """A line that is overwritten in a terminal; elsewhere each change is a new line."""

    def __init__(self, out: OutputWrapper) -> None:
        self.out, self.is_terminal, self.line = out, out.isatty(), ""

    def show(self, text: str) -> None:
        if text != self.line:
            if self.is_terminal:
                self.out.write("\r" + text.ljust(len(self.line)), ending="")
                self.out.flush()
            else:
                self.out.write(text)
            self.line = text

    def end(self) -> None:
        if self.is_terminal and self.line:
            self.out.write("")
            self.line = ""


def add_here_option(parser: CommandParser) -> None:
    parser.add_argument(
        "--here",
        action="store_true",
        help="do the work in this process, as it does if no worker responds",
    )


class JobFollower:
    """Follows the jobs of a command, one after the other.

    The work is done in this process if `is_here`, or as soon as no worker responds. Ctrl-C cancels
    the work here, but leaves a worker's alone.
    """

    def __init__(self, command: BaseCommand, *, is_here: bool) -> None:
        self.command, self.is_here = command, is_here

    def finish(self, job: Job) -> JobItem | None:
        """Wait until a job of one item has ended; return the item."""
        line = ProgressLine(self.command.stdout)
        try:
            while job.is_active:
                if not self.is_here and (silence := last_beats().silence_in(job.queue)):
                    line.end()
                    self.command.stderr.write(f"{silence} This command does the work itself.")
                    self.is_here = True
                if self.is_here:
                    # Import here: only a process that does the work needs it.
                    from annotate.jobs.services.working import work_on

                    work_on(job_id=job.pk)
                    job.refresh_from_db()
                if job.is_active:
                    line.show(_step(job))
                    time.sleep(EVERY_SECONDS)
                    job.refresh_from_db()
        except KeyboardInterrupt:
            line.end()
            self.command.stderr.write(_leave(job, self.is_here))
            sys.exit(INTERRUPTED)
        line.end()
        return job.job_items.first()


def show_faults(command: BaseCommand, step: JobItem | None) -> None:
    """Write what to fix in a file before the job can import it, one fault per line."""
    faults = step.details.get("faults", []) if step else []
    for fault in faults[:MAX_SHOWN]:
        command.stderr.write(str(Fault(**fault)))


def refuse_unfinished(job: Job) -> None:
    """Raise CommandError with the reason if the job ended without being done."""
    if job.state == Job.State.CANCELLED:
        raise CommandError("The job was canceled.")
    if job.state == Job.State.FAILED:
        raise CommandError(job.reason)


def _step(job: Job) -> str:
    item = job.job_items.first()
    return (item.step if item else "") or "Waiting for a worker"


def _leave(job: Job, is_here: bool) -> str:
    if is_here:
        try:
            cancel_job(job=job, admin=None)
        except Refused as error:
            return str(error)
        return "Canceled."
    return "The job continues without this command. The page Jobs shows it."
