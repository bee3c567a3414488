"""What an import of published captions would store and change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from annotate.bulk import in_batches
from annotate.corpus.precedence import Rank, only_current, with_rank
from annotate.models import Assignment, Caption, Project, WorkItem
from review.published.clip_texts import (
    KINDS,
    ClipTexts,
    Kind,
    captions_of_list,
    categories_of,
    videos_without_category,
)


@dataclass(frozen=True)
class Preview:
    """What would be stored and changed. `clips` of the project are in the file, which has
    `left_out` rows about others and `bad` rows with an error. `general` to `objects`: what is
    stored. `whole`: captions of videos that are cut into clips. `further`: texts of a clip beyond
    its first. `kept`: captions that the project already has from people, whose counterparts in the
    file are skipped. `replaced`: current model captions that these replace; `chosen` ones stay,
    because an admin chose them. `withdrawn`: clips that nobody will be asked to write about; people
    already write about the `begun` ones. `categories`: videos that get one. `timed`: clips
    with times of sentences. `untimed`: clips whose texts lose theirs, because one is after the
    clip's end. `skipped`: the faults of the
    bad rows."""

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
    timed: int = 0
    untimed: int = 0
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
            f"{self.timed:,} clips get times of sentences. "
            f"{self.untimed:,} clips get texts without times, because one begins after their end. "
            f"{self.kept:,} human captions of the project stay in their place, {self.replaced:,} "
            "other captions are no longer current."
        )


def preview_of(project: Project, texts: list[ClipTexts], rows: int, kept: int) -> Preview:
    described = [text.clip for text in texts if text.content.texts and text.kind == Kind.GENERAL]
    replaced, chosen = _current(texts)
    write_items = Counter(_writing(project, set(described)))
    return Preview(
        rows=rows,
        clips=len(texts),
        left_out=0,
        general=len(described),
        whole=sum(bool(text.content.texts) for text in texts) - len(described),
        further=sum(max(0, len(text.content.texts) - 1) for text in texts),
        spatial=sum("spatial" in text.content.parts for text in texts),
        temporal=sum("temporal" in text.content.parts for text in texts),
        events=sum(bool(captions_of_list(text, "events")) for text in texts),
        objects=sum(bool(captions_of_list(text, "objects")) for text in texts),
        timed=sum(text.last_frame > 0 for text in texts),
        kept=kept,
        replaced=replaced,
        chosen=chosen,
        withdrawn=write_items[False],
        begun=write_items[True],
        categories=len(videos_without_category(project, categories_of(texts))),
    )


def _current(texts: list[ClipTexts]) -> tuple[int, int]:
    """Return how many current captions these replace, and how many stay because an admin chose
    them.
    """
    kinds = {
        text.clip: {*text.content.parts, *([text.kind] if text.content.texts else [])}
        for text in texts
    }
    replaced = chosen = 0
    for batch in in_batches(kinds):
        current = only_current(Caption.objects.filter(clip__in=batch, kind__in=KINDS))
        rows = with_rank(current).values_list("clip", "kind", "precedence")
        for clip, kind, rank in rows:
            if kind in kinds[clip]:
                chosen += rank == Rank.CHOSEN
                replaced += rank < Rank.CORRECTED
    return replaced, chosen


def _writing(project: Project, clips: Set[int]) -> Iterator[bool]:
    """Yield, for each clip with open write-ups, whether somebody has taken one."""
    items = WorkItem.objects.filter(project=project, kind="write").order_by()
    items = items.filter(state__in=[WorkItem.State.OPEN, WorkItem.State.WAITING])
    begun = set(Assignment.objects.filter(item__in=items).values_list("item", flat=True))
    return (key in begun for key, clip in items.values_list("pk", "clip") if clip in clips)
