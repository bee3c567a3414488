"""The texts of published data sets about one clip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from annotate.models import Caption, Clip, Project, Video
from review.published.spans import Spans

Kind = Caption.Kind
Item = TypeVar("Item")
AT_ONCE = 500
KINDS = (Kind.GENERAL, Kind.SPATIAL, Kind.TEMPORAL, Kind.FULL_VIDEO)


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


def captions_of_list(texts: ClipTexts, kind: str) -> list[str]:
    """Return the kinds of the captions that the clip's events or objects belong to: the kind of its
    texts, and temporal for events or spatial for objects."""
    if kind not in texts.lists:
        return []
    part = "temporal" if kind == "events" else "spatial"
    return [*([texts.kind] if texts.texts else []), *([part] if part in texts.parts else [])]


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
