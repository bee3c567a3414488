"""Cut selected candidates into files of their own, which become videos. Runs in a worker."""

from __future__ import annotations

from contextlib import ExitStack

from annotate import file_store
from annotate.errors import ItemFailed
from annotate.imports.services.recording import FinishedFiles, Origin, record_video
from annotate.imports.services.running import make_files
from annotate.jobs.kinds import Lease, Outcome, SingleWork
from annotate.media.cutting import cut_frames
from annotate.models import Candidate
from annotate.models.jobs import AbstractJobItem, Job, JobItem

UNDONE = Outcome("Its selection was undone.", state=AbstractJobItem.State.SKIPPED)
EVERY = 100  # frames


class CutWork(SingleWork[JobItem, FinishedFiles | None]):
    """Cuts one candidate after the other; an attempt's files are kept until its video is stored."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._folder = ExitStack()

    def do(self, item: JobItem, lease: Lease) -> FinishedFiles | None:
        candidate = _selected(item)
        if candidate is None:
            return None
        video = candidate.video
        folder = self._folder.enter_context(file_store.job_scratch_folder(self._job.pk))
        source = folder / "cut.mp4"
        frames = candidate.end_frame - candidate.start_frame

        def show(done: int) -> None:
            if done % EVERY == 0:
                lease.step(f"Frame {done:,} of {frames:,}")

        lease.step("Cutting")
        cut_frames(
            file_store.local_file(video.playback_file),
            source,
            candidate.start_frame,
            candidate.end_frame,
            video.fps,
            on_frame=show,
        )
        return make_files(
            source, folder, candidate.project, on_step=lambda step, done: lease.step(step)
        )

    def finish(self, item: JobItem, result: FinishedFiles | None) -> Outcome:
        candidate = _selected(item, lock=True)
        if candidate is None or result is None:
            return UNDONE
        video = candidate.video
        candidate.cut = record_video(
            Origin(
                project_id=candidate.project_id,
                name=f"{candidate.name}.mp4",
                category=candidate.category,
                subcategory=candidate.subcategory,
                license=video.license,
                source_url=video.source_url,
                imported_by=candidate.decided_by,
                cut_from=candidate.source,
            ),
            result,
        )
        candidate.save(update_fields=["cut"])
        return Outcome(f"{candidate.seconds:.1f} s, {candidate.subcategory}"[:300])

    def attempted(self, item: JobItem) -> None:
        self._folder.close()


def _selected(item: JobItem, *, lock: bool = False) -> Candidate | None:
    """Return the item's candidate if it is still selected and not cut yet."""
    rows = Candidate.objects.select_related("video", "project", "decided_by")
    if lock:
        rows = rows.select_for_update(of=("self",))
    candidate = rows.filter(pk__in=[item.subject]).first()
    if candidate is None:
        raise ItemFailed("gone", "The candidate is gone, with its video.")
    is_due = candidate.state == Candidate.State.SELECTED and candidate.cut_id is None
    return candidate if is_due else None
