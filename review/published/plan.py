"""Find out what a file of human captions would store and change in a project, without changing
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from annotate.corpus.precedence import BY_PEOPLE, Rank, only_current, with_rank
from annotate.datasets.faults import Fault, Faults
from annotate.jobs.file_imports import MOST_KEPT, FileInvalid
from annotate.models import Assignment, Caption, Clip, Project, Video, WorkItem
from inference.queries import cut_videos
from review.captions.clip_names import clip_called, names_of_clips
from review.captions.predictions import MOST_FAULTS
from review.errors import ReviewError
from review.frozen.scene_names import released_names
from review.published.rows import PublishedRow, read_published
from review.published.spans import Spans

Kind = Caption.Kind
Item = TypeVar("Item")
AT_ONCE = 500
KINDS = (Kind.GENERAL, Kind.SPATIAL, Kind.TEMPORAL, Kind.FULL_VIDEO)


class PublishedInvalid(FileInvalid, ReviewError):
    """Nothing was stored."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults, self.total = list(faults[:MOST_KEPT]), len(faults)
        many = "at least " if self.total >= MOST_FAULTS else ""
        problems = "problem" if self.total == 1 else "problems"
        super().__init__(
            f"Nothing was imported: {many}{self.total:,} {problems} in the file. Fix "
            f"{'it' if self.total == 1 else 'them'} and choose the file again."
        )


@dataclass(frozen=True)
class Options:
    """`leaves_out`: rows about videos that the project lacks are left out instead of refused.
    `joins`: several texts of a video are one paragraph, as in DiDeMo, instead of references.
    `skips_bad`: rows with an error are left out and the others imported."""

    leaves_out: bool = False
    joins: bool = False
    skips_bad: bool = False


@dataclass
class ClipTexts:
    """What to store about one clip, by the caption kind and by "events" or "objects". `kind` is
    that of its texts: a video that is cut into clips has a caption of the whole."""

    clip: int
    first_row: str
    kind: str = Kind.GENERAL
    texts: list[str] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    category: str = ""
    subcategory: str = ""
    text_spans: list[Spans] = field(default_factory=list)
    part_spans: dict[str, Spans] = field(default_factory=dict)

    def captions(self) -> Iterator[tuple[str, str, Spans]]:
        """Yield the kind, the text and the spans of each caption to store, that of the whole clip
        first."""
        for number, text in enumerate(self.texts):
            yield str(Kind.REFERENCE if number else self.kind), text, self.text_spans[number]
        for kind, text in self.parts.items():
            yield kind, text, self.part_spans.get(kind)

    @property
    def last_frame(self) -> int:
        """The first frame after all sentences that are tied to time, 0 without any."""
        timed = [*self.text_spans, *self.part_spans.values()]
        return max((span["end_frame"] for spans in timed for span in spans or ()), default=0)


@dataclass(frozen=True)
class Preview:
    """What would be stored and changed. `clips` of the project are in the file, which has
    `left_out` rows about others and `bad` rows with an error. `general` to `objects`: what is
    stored. `whole`: captions of videos that are cut into clips. `further`: texts of a clip beyond
    its first. `kept`: captions that the project already has from people, whose counterparts in the
    file are skipped. `replaced`: current model captions that these replace; `chosen` ones stay,
    because an admin chose them. `withdrawn`: clips that nobody will be asked to write about; people
    already write about the `begun` ones. `categories`: videos that get one. `skipped`: the faults
    of the bad rows."""

    rows: int
    clips: int
    left_out: int
    general: int
    further: int
    spatial: int
    temporal: int
    events: int
    objects: int
    kept: int
    replaced: int
    chosen: int
    withdrawn: int
    begun: int
    categories: int
    whole: int = 0
    bad: int = 0
    skipped: Sequence[Mapping[str, str]] = ()

    @property
    def captions(self) -> int:
        return self.general + self.whole + self.further + self.spatial + self.temporal

    @property
    def sentence(self) -> str:
        """How many captions of how many clips there are, for a command."""
        return (
            f"{self.rows:,} rows, {self.clips:,} clips of the project, {self.left_out:,} rows left "
            f"out, {self.bad:,} with an error. To import: {self.general:,} general captions, "
            f"{self.whole:,} captions of whole videos, {self.further:,} further "
            f"references, {self.spatial:,} spatial and {self.temporal:,} temporal captions, "
            f"{self.events:,} lists of events and {self.objects:,} of objects. "
            f"{self.kept:,} human captions of the project stay in their place, {self.replaced:,} "
            "other captions are no longer current."
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Plan:
    texts: list[ClipTexts]
    preview: Preview


def plan_import(project: Project, data: bytes, file_name: str, options: Options) -> Plan:
    """Read a whole file and hold it against the project.

    Raises PublishedInvalid with every problem, and ReviewError for a file that can't be read or
    has nothing for the project.
    """
    faults = Faults(file_name)
    by_name, _ = names_of_clips(project)
    if project.protocol == Project.Protocol.LOVR:
        by_name = released_names(project) | by_name
    cut = set(cut_videos(project).order_by().values_list("pk", flat=True))
    texts: dict[int, ClipTexts] = {}
    rows, left_out = set(), 0
    for row in read_published(data, file_name, faults):
        rows.add(row.row)
        clip = clip_called(row.clip, by_name)
        if clip is not None:
            kind = Kind.FULL_VIDEO if clip in cut else Kind.GENERAL
            _add(texts, clip, kind, row, options, faults)
        elif options.leaves_out:
            left_out += 1
        else:
            mend = f"The project has no video {row.clip[:100]!r}. Import its video first, or choose"
            faults.add(row.row, row.key, f"{mend} to leave out such rows.")
    _leave_late_sentences(texts, faults)
    too_many = len(faults.collected) >= MOST_FAULTS
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
    preview = _preview(project, clips, len(rows | bad), kept)
    counts = replace(preview, left_out=left_out, clips=n_clips, bad=len(bad))
    return Plan(clips, replace(counts, skipped=[asdict(fault) for fault in faults.collected]))


def _add(
    texts: dict[int, ClipTexts],
    clip: int,
    kind: str,
    row: PublishedRow,
    options: Options,
    faults: Faults,
) -> None:
    """Add a row to what there is of its clip: rows that are only a text are its references."""
    before = texts.get(clip)
    if before is None:
        before = texts[clip] = ClipTexts(clip, row.row, kind, parts=row.parts, lists=row.lists)
        before.category, before.subcategory = row.category, row.subcategory
        before.part_spans = row.part_spans
    elif before.parts or before.lists or not row.is_only_text:
        mend = f"{row.clip[:100]!r} already has a row, at {before.first_row}. Keep one."
        faults.add(row.row, row.key, mend)
        return
    before.texts += row.texts
    before.text_spans += row.text_spans
    if options.joins:
        before.texts, before.text_spans = [" ".join(before.texts)], [None]


def _leave_late_sentences(texts: dict[int, ClipTexts], faults: Faults) -> None:
    """Leave out clips with a sentence after their end."""
    for batch in batches([clip for clip, of_clip in texts.items() if of_clip.last_frame]):
        for clip in Clip.objects.filter(pk__in=batch).order_by("pk"):
            late = texts[clip.pk]
            if late.last_frame > clip.frames:
                mend = f"end_frame is {late.last_frame:,}, but the clip has {clip.frames:,} frames."
                faults.add(late.first_row, "spans", mend)
                del texts[clip.pk]


def _leave_human_work(project: Project, texts: list[ClipTexts]) -> int:
    """Remove texts for which the project already has a human caption; return the number of
    captions.
    """
    existing: set[tuple[int, str]] = set()
    for batch in batches([text.clip for text in texts]):
        by_people = Caption.objects.filter(
            project=project, clip__in=batch, kind__in=KINDS, source__in=BY_PEOPLE
        ).order_by()
        final = with_rank(by_people).filter(precedence__gt=Rank.RECORD)
        existing |= set(final.values_list("clip", "kind"))
    kept = 0
    for clip_texts in texts:
        if (clip_texts.clip, clip_texts.kind) in existing:
            kept += bool(clip_texts.texts)
            clip_texts.texts = []
        for kind in [kind for kind in clip_texts.parts if (clip_texts.clip, kind) in existing]:
            del clip_texts.parts[kind]
            kept += 1
    return kept


def _preview(project: Project, texts: list[ClipTexts], rows: int, kept: int) -> Preview:
    described = [text.clip for text in texts if text.texts and text.kind == Kind.GENERAL]
    replaced, chosen = _current(texts)
    write_items = Counter(_writing(project, set(described)))
    return Preview(
        rows=rows,
        clips=len(texts),
        left_out=0,
        general=len(described),
        whole=sum(bool(text.texts) for text in texts) - len(described),
        further=sum(max(0, len(text.texts) - 1) for text in texts),
        spatial=sum("spatial" in text.parts for text in texts),
        temporal=sum("temporal" in text.parts for text in texts),
        events=sum(bool(captions_of_list(text, "events")) for text in texts),
        objects=sum(bool(captions_of_list(text, "objects")) for text in texts),
        kept=kept,
        replaced=replaced,
        chosen=chosen,
        withdrawn=write_items[False],
        begun=write_items[True],
        categories=len(videos_without_category(project, texts)),
    )


def captions_of_list(texts: ClipTexts, kind: str) -> list[str]:
    """Return the kinds of the captions that the clip's events or objects belong to: the kind of its
    texts, and temporal for events or spatial for objects."""
    if kind not in texts.lists:
        return []
    part = "temporal" if kind == "events" else "spatial"
    return [*([texts.kind] if texts.texts else []), *([part] if part in texts.parts else [])]


def _current(texts: list[ClipTexts]) -> tuple[int, int]:
    """Return how many current captions these replace, and how many stay because an admin chose
    them.
    """
    kinds = {text.clip: {*text.parts, *([text.kind] if text.texts else [])} for text in texts}
    replaced = chosen = 0
    for batch in batches(list(kinds)):
        current = only_current(Caption.objects.filter(clip__in=batch, kind__in=KINDS))
        rows = with_rank(current).values_list("clip", "kind", "precedence")
        for clip, kind, rank in rows:
            if kind in kinds[clip]:
                chosen += rank == Rank.CHOSEN
                replaced += rank < Rank.CORRECTED
    return replaced, chosen


def _writing(project: Project, clips: Set[int]) -> Iterator[bool]:
    """Yield, for each clip with open write-ups, whether somebody has taken one."""
    items = WorkItem.objects.filter(project=project, kind=WorkItem.Kind.WRITE).order_by()
    items = items.filter(state__in=[WorkItem.State.OPEN, WorkItem.State.WAITING])
    begun = set(Assignment.objects.filter(item__in=items).values_list("item", flat=True))
    return (key in begun for key, clip in items.values_list("pk", "clip") if clip in clips)


def videos_without_category(
    project: Project, texts: Iterable[ClipTexts]
) -> dict[int, tuple[str, str]]:
    """Return video -> the file's category and subcategory, for videos without any."""
    of_clip = {text.clip: (text.category, text.subcategory) for text in texts if text.category}
    categories: dict[int, tuple[str, str]] = {}
    for batch in batches(list(of_clip)):
        clips = Clip.objects.filter(pk__in=batch, project=project, video__category="")
        for clip, video in clips.order_by("pk").values_list("pk", "video"):
            categories.setdefault(video, of_clip[clip])
    lacks_both = Video.objects.filter(project=project, category="", subcategory="")
    return {
        video: categories[video]
        for batch in batches(list(categories))
        for video in lacks_both.filter(pk__in=batch).values_list("pk", flat=True)
    }


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), AT_ONCE):
        yield items[start : start + AT_ONCE]
