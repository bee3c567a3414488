"""The write-ups, merged captions and splits of the demo, submitted as people would submit them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from annotate.merge.queries import merged_caption
from annotate.merge.services import submit_merge
from annotate.models import Clip, Project, User, WorkItem
from annotate.queue.content import Content, merge_content
from annotate.queue.work_kinds import Submit
from annotate.split.services import merged_sentences, submit_split
from annotate.text.content import similarity
from annotate.text.merging import Rows, WriteUpText, realign_rows
from annotate.text.sentences import split_sentences
from annotate.write.queries import write_ups
from annotate.write.services import submit_write_up
from fixtures.demo_content import Demo, Split, Video, WriteUp
from review.management.hand_work import Make, do_work, spread

Kind = WorkItem.Kind
ALIKE = 0.5  # similarity from which a sentence of a split counts as an edited merged one


def write_demo_texts(
    project: Project, demo: Demo, people: dict[str, User], report: Callable[[str], None]
) -> None:
    """Submit the texts of the fixtures, spread over the last days."""
    report("Writing, merging and splitting captions ...")
    steps = [(video, step) for video in demo.videos for step in _steps(video)]
    days = spread(len(steps), last=0.4)
    for (video, step), ago in zip(steps, days, strict=True):
        clip = project.clips.get(video__original_name=video.file)
        item = WorkItem.objects.get(clip=clip, kind=step.kind)
        do_work(
            item, people[step.author], step.submit, step.content, days=ago, minutes=step.minutes
        )


class Step(NamedTuple):
    kind: str
    author: str
    minutes: float
    submit: Submit
    content: Content | Make


def _steps(video: Video) -> Iterator[Step]:
    for place, text in enumerate(video.write_ups):
        minutes = 17 + 3 * place
        yield Step(Kind.WRITE, text.author, minutes, submit_write_up, text.parts())
    if merged := video.merged:
        yield Step(
            Kind.MERGE, merged.author, 9, submit_merge, lambda work: _merge(work.item.clip, merged)
        )
    if split := video.split:
        yield Step(
            Kind.SPLIT, split.author, 6, submit_split, lambda work: _split(work.item.clip, split)
        )


def _merge(clip: Clip, merged: WriteUp) -> Content:
    """Align the expert's sentences with the closest sentences of the two write-ups."""
    a, b = (caption.parts for caption in write_ups(clip))
    written: Rows = {
        part: [
            {"a": None, "b": None, "a_text": s.text, "b_text": s.text, "text": s.text}
            for s in split_sentences(text)
        ]
        for part, text in merged.parts().items()
    }
    return merge_content(realign_rows(written, WriteUpText(a), WriteUpText(b)))


def _split(clip: Clip, split: Split) -> Content:
    """Return, for each merged sentence, which of the two texts has it, unchanged or edited."""
    texts = {"spatial": split.spatial, "temporal": split.temporal}
    placed = {field: [s.text for s in split_sentences(text)] for field, text in texts.items()}
    merged = merged_caption(clip)
    assert merged is not None  # its expert has submitted it
    content = dict(texts)
    for number, (_, sentence) in enumerate(merged_sentences(merged)):
        fields = [
            field
            for field, others in placed.items()
            if any(similarity(sentence, other) >= ALIKE for other in others)
        ]
        target = fields[0] if len(fields) == 1 else "both" if fields else "neither"
        content |= {f"sentence-{number}": sentence, f"target-{number}": target}
    return content
