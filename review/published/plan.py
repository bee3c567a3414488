"""Find out what a file of human captions would store and change in a project, without changing
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from annotate.bulk import in_batches
from annotate.datasets.faults import Fault, Faults
from annotate.jobs.file_imports import MAX_KEPT, FileInvalid
from annotate.models import Clip, Project
from inference.queries import cut_videos
from review.captions.clip_names import clip_called, names_of_clips, shared_name_problem
from review.captions.predictions import MAX_FAULTS
from review.errors import ReviewError
from review.frozen.scene_names import released_names
from review.published.clip_texts import ClipTexts, Kind, described_by_people
from review.published.preview import Preview, preview_of
from review.published.rows import PublishedRow, read_published


class PublishedInvalid(FileInvalid, ReviewError):
    """Nothing is stored."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults, self.total = list(faults[:MAX_KEPT]), len(faults)
        many = "at least " if self.total >= MAX_FAULTS else ""
        problems = "problem" if self.total == 1 else "problems"
        super().__init__(
            f"Nothing was imported: {many}{self.total:,} {problems} in the file. Fix "
            f"{'it' if self.total == 1 else 'them'} and choose the file again."
        )


@dataclass(frozen=True)
class Options:
    """`leaves_out`: skip rows about videos that the project lacks instead of refusing them.
    `joins`: several texts of a video are one paragraph, as in DiDeMo, instead of references.
    `skips_bad`: skip rows with an error and import the others."""

    leaves_out: bool = False
    joins: bool = False
    skips_bad: bool = False


@dataclass(frozen=True)
class Plan:
    texts: list[ClipTexts]
    preview: Preview


def plan_import(project: Project, data: bytes, file_name: str, options: Options) -> Plan:
    """Read a whole file and compare it with the project.

    Raises PublishedInvalid with every problem, and ReviewError for a file that can't be read or has
    nothing for the project.
    """
    faults = Faults(file_name)
    by_name, _, shared = names_of_clips(project)
    if "whole_videos" in project.pipeline.keys:
        by_name = released_names(project) | by_name
    cut = set(cut_videos(project).order_by().values_list("pk", flat=True))
    texts: dict[int, ClipTexts] = {}
    rows, left_out = set(), 0
    for row in read_published(data, file_name, faults):
        rows.add(row.row)
        clip = clip_called(row.clip, by_name)
        if problem := shared_name_problem(row.clip, by_name, shared):
            faults.add(row.row, row.key, problem)
        elif clip is not None:
            kind = Kind.FULL_VIDEO if clip in cut else Kind.GENERAL
            _add(texts, clip, kind, row, options, faults)
        elif options.leaves_out:
            left_out += 1
        else:
            mend = f"The project has no video {row.clip[:100]!r}. Import its video first, or choose"
            faults.add(row.row, row.key, f"{mend} to leave out such rows.")
    untimed = _tie_to_frames(texts, faults)
    too_many = len(faults.collected) >= MAX_FAULTS
    if faults.collected and (too_many or not texts or not options.skips_bad):
        raise PublishedInvalid(faults.collected)
    if not texts:
        raise ReviewError(
            "No row is about a video of the project. Import the videos first; their file names "
            "must be those of the file."
            if rows
            else "The file has no rows. Choose the file with the captions."
        )
    clips = list(texts.values())
    n_clips = len(clips)
    kept = _leave_human_work(project, clips)
    bad = {fault.row for fault in faults.collected}
    preview = preview_of(project, clips, len(rows | bad), kept)
    counts = replace(preview, left_out=left_out, clips=n_clips, bad=len(bad), untimed=untimed)
    return Plan(clips, replace(counts, skipped=[asdict(fault) for fault in faults.collected]))


def _add(
    texts: dict[int, ClipTexts],
    clip: int,
    kind: str,
    row: PublishedRow,
    options: Options,
    faults: Faults,
) -> None:
    """Add a row to its clip. A row with only a text becomes a further reference."""
    before = texts.get(clip)
    if before is None:
        content = row
        texts[clip] = ClipTexts(clip, kind, row)
    else:
        content = before.content
        if not (content.is_only_text and row.is_only_text):
            mend = f"{row.clip[:100]!r} already has a row, at {content.row}. Keep one."
            faults.add(row.row, row.key, mend)
            return
        content.texts += row.texts
        content.text_spans += row.text_spans
        content.text_moments += row.text_moments
    if options.joins:
        content.join()


def _tie_to_frames(texts: dict[int, ClipTexts], faults: Faults) -> int:
    """Turn the times of sentences into frames, and leave out clips with frames after their end.
    Return the number of clips whose texts lose their times, because one in seconds is after it."""
    untimed = 0
    for batch in in_batches([clip for clip, timed in texts.items() if timed.has_times]):
        for clip in Clip.objects.filter(pk__in=batch).select_related("video").order_by("pk"):
            timed = texts[clip.pk]
            untimed += not timed.tie_to_frames(clip)
            if timed.last_frame > clip.frames:
                mend = (
                    f"end_frame is {timed.last_frame:,}, but the clip has {clip.frames:,} frames."
                )
                faults.add(timed.content.row, "spans", mend)
                del texts[clip.pk]
    return untimed


def _leave_human_work(project: Project, texts: list[ClipTexts]) -> int:
    """Remove texts for which the project already has a human caption; return the number of
    captions.
    """
    existing = described_by_people(project, (text.clip for text in texts))
    kept = 0
    for clip_texts in texts:
        clip, content = clip_texts.clip, clip_texts.content
        if (clip, clip_texts.kind) in existing:
            kept += bool(content.texts)
            content.texts, content.text_spans = [], []
        for kind in [kind for kind in content.parts if (clip, kind) in existing]:
            del content.parts[kind]
            kept += 1
    return kept
