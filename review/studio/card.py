"""The dataset card of a release that isn't built yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from annotate.corpus.conversions import CONVERSIONS, conversions_in
from annotate.models import Caption, Project
from review.frozen.models import Release
from review.proof.freezing import StoredProof
from review.releases.choice import Choice
from review.releases.gates.clips import Clips
from review.releases.gates.scenes import Scenes
from review.releases.gates.triplets import Triplets
from review.releases.triplet_tally import facts_of
from review.releases.writers.carebench_content import carebench_making, carebench_tables
from review.releases.writers.huggingface import card, placed_tables
from review.releases.writers.lovr_content import Part, lovr_making, lovr_tables
from review.releases.writers.spans import has_spans
from review.releases.writers.tables import Content, Making, Table
from review.releases.writers.tfcovr_content import tfcovr_making, tfcovr_tables

UNKNOWN = "known-after-the-build"


@dataclass(frozen=True)
class CardContent:
    """A card's data about the content: the number of clips, its tables without rows, how it was
    made, and the conversions of its `files`, without those that have none.
    """

    clips: int
    tables: tuple[Table, ...]
    making: Making
    files: int
    conversions: list[dict[str, str]]


def card_content(content: Clips | Scenes | Triplets, choice: Choice) -> CardContent | None:
    """Return the card's data for this content; None without a clip. The number of statements
    doesn't depend on the size."""
    if not content.rows:
        return None
    tables, making = _described(content, choice)
    conversions = _conversions(content)
    converted = [kinds for kinds in conversions if kinds]
    return CardContent(len(content.rows), tables, making, len(conversions), converted)


def preview_card(project: Project, content: CardContent, *, version: str, notes: str) -> str:
    """Return the README.md that Hugging Face's form of this content would have, with UNKNOWN for
    the content hash. No statement."""
    release = Release(
        project=project,
        version=version,
        format=project.pipeline.release.format,
        content_hash=UNKNOWN,
        clip_count=content.clips,
        project_name=project.name,
        license=project.license,
        notes=notes.strip(),
        proof=asdict(StoredProof((), (), ())),
    )
    planned = Content(
        tables=content.tables,
        records=(),
        videos=[],
        licenses=[("", {CONVERSIONS: kinds}) for kinds in content.conversions]
        + [("", {})] * (content.files - len(content.conversions)),
        making=content.making,
    )
    return card(release, planned, placed_tables(planned))


def _conversions(content: Clips | Scenes | Triplets) -> list[dict[str, str]]:
    """Return the conversions of each file that the release names."""
    if isinstance(content, Triplets):
        return [clip.line.provenance.get(CONVERSIONS, {}) for clip in content.rows]
    converted = conversions_in(content.project)
    if isinstance(content, Scenes):
        return [converted.get(video, {}) for video in content.videos]
    return [converted.get(row.video_id, {}) for row in content.rows]


def _described(
    content: Clips | Scenes | Triplets, choice: Choice
) -> tuple[tuple[Table, ...], Making]:
    if isinstance(content, Triplets):
        return _of_triplets(content)
    if isinstance(content, Scenes):
        return _of_scenes(content, choice)
    return _of_clips(content)


def _of_clips(content: Clips) -> tuple[tuple[Table, ...], Making]:
    published = Caption.objects.filter(
        project=content.project, kind=Caption.Kind.GENERAL, source=Caption.Source.PUBLISHED
    )
    data_sets = {caption.pk: caption.data_set for caption in published.iterator()}
    provenances = [
        {"captions_from": data_sets[row.caption_id]} if row.caption_id in data_sets else {}
        for row in content.rows
    ]
    making = carebench_making(provenances, [row.category for row in content.rows])
    keys = [key for row in content.rows for key in row.texts]
    return carebench_tables(len(content.rows), _nothing, is_timed=has_spans(keys)), making


def _of_scenes(content: Scenes, choice: Choice) -> tuple[tuple[Table, ...], Making]:
    videos = content.videos
    sources = dict(
        Caption.objects.filter(project=content.project).order_by().values_list("pk", "source")
    )
    making = lovr_making(
        len(content.rows),
        len(videos),
        [sources[row.caption_id] for row in content.rows],
        [sources[content.full[video]] for video in videos if video in content.full],
        (),
    )
    parts = Part(len(content.rows), _nothing), Part(len(videos), _nothing)
    keys = [row.caption_id for row in content.rows]
    keys += [content.full[video] for video in videos if video in content.full]
    is_timed = has_spans(keys)
    return lovr_tables(*parts, has_clips=choice.clip_files, is_timed=is_timed), making


def _of_triplets(content: Triplets) -> tuple[tuple[Table, ...], Making]:
    plan, tally = content.plan, content.tally
    assert plan is not None
    clips = Counter(clip.line.split for clip in plan.clips)
    facts = facts_of(plan, tally)
    tables = tfcovr_tables(facts.queries, clips, _nothing, _nothing)
    return tables, tfcovr_making(facts)


def _nothing(split: str = "") -> Iterator[tuple[Any, ...]]:
    """Yield no rows: the card only counts them."""
    return iter(())
