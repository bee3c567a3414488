"""The texts of published data sets about one clip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from annotate.bulk import in_batches
from annotate.corpus.precedence import BY_PEOPLE, Rank, with_rank
from annotate.models import Caption, Clip, Project, Video
from review.published.rows import PublishedRow
from review.published.spans import Spans, spans_in

Kind = Caption.Kind
KINDS = (Kind.GENERAL, Kind.SPATIAL, Kind.TEMPORAL, Kind.FULL_VIDEO)


@dataclass
class ClipTexts:
    """What to store about one clip: its first row, with the texts of the others. `kind` is that of
    its texts: a video that is cut into clips has a caption of the whole."""

    clip: int
    kind: str
    content: PublishedRow

    def captions(self) -> Iterator[tuple[str, str, Spans]]:
        """Yield the kind, the text and the spans of each caption to store, that of the whole clip
        first."""
        content = self.content
        for number, (text, spans) in enumerate(
            zip(content.texts, content.text_spans, strict=False)
        ):
            yield str(Kind.REFERENCE if number else self.kind), text, spans
        for part, text in content.parts.items():
            yield part, text, content.part_spans.get(part)

    @property
    def has_times(self) -> bool:
        return any(self.content.text_moments) or self.last_frame > 0

    def tie_to_frames(self, clip: Clip) -> bool:
        """Turn the times in seconds into frames. Return whether all are within the clip; a text
        with one that begins after its end has no times."""
        content, is_within = self.content, True
        for number, moments in enumerate(content.text_moments):
            if moments:
                spans = spans_in(moments, clip.video.fps, clip.frames)
                content.text_spans[number] = spans
                is_within &= spans is not None
        return is_within

    @property
    def last_frame(self) -> int:
        """The first frame after all sentences that are tied to time, 0 without any."""
        timed = [*self.content.text_spans, *self.content.part_spans.values()]
        return max((span["end_frame"] for spans in timed for span in spans or ()), default=0)


def captions_of_list(texts: ClipTexts, kind: str) -> list[str]:
    """Return the kinds of the captions that the clip's events or objects belong to: the kind of its
    texts, and temporal for events or spatial for objects."""
    content = texts.content
    if kind not in content.lists:
        return []
    part = "temporal" if kind == "events" else "spatial"
    return [*([texts.kind] if content.texts else []), *([part] if part in content.parts else [])]


def described_by_people(project: Project, clips: Iterable[int]) -> set[tuple[int, str]]:
    """Return the clip and kind of each final caption that people wrote about these clips."""
    described: set[tuple[int, str]] = set()
    for batch in in_batches(clips):
        by_people = Caption.objects.filter(
            project=project, clip__in=batch, source__in=BY_PEOPLE
        ).order_by()
        final = with_rank(by_people).filter(precedence__gt=Rank.RECORD)
        described |= set(final.values_list("clip", "kind"))
    return described


Categories = dict[int, tuple[str, str]]


def categories_of(texts: Iterable[ClipTexts]) -> Categories:
    """Return clip -> the file's category and subcategory, where it has one."""
    return {
        text.clip: (text.content.category, text.content.subcategory)
        for text in texts
        if text.content.category
    }


def videos_without_category(project: Project, of_clip: Categories) -> Categories:
    """Return video -> the category and subcategory of its clip, for videos without any."""
    categories: Categories = {}
    for batch in in_batches(of_clip):
        clips = Clip.objects.filter(pk__in=batch, project=project, video__category="")
        for clip, video in clips.order_by("pk").values_list("pk", "video"):
            categories.setdefault(video, of_clip[clip])
    lacks_both = Video.objects.filter(project=project, category="", subcategory="")
    return {
        video: categories[video]
        for batch in in_batches(categories)
        for video in lacks_both.filter(pk__in=batch).values_list("pk", flat=True)
    }
