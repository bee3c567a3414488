"""What a release of some content changes, and the version that this suggests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from semver import Version

from annotate.models import Project
from metrics.capst import PRESETS
from review.elements.models import Extraction
from review.frozen.models import Release, ReleasedScene, scene_id
from review.frozen.scene_names import scene_numbers
from review.releases.choice import Choice
from review.releases.frozen_triplets import frozen_content
from review.releases.gates.clips import Clips
from review.releases.gates.scenes import Scenes
from review.releases.gates.triplets import Triplets
from review.releases.triplet_content import SPLITS, TripletContent
from review.releases.triplet_plan import TripletPlan, VectorChoice
from review.releases.triplet_tally import Tally, content_of, frozen_facts, query_name
from review.releases.versions import FIRST, parse_version
from review.verification.completeness import CompleteClip

Lists = tuple[list[str] | None, list[str] | None]
WHOLE = "{} (whole video)"
VECTORS = "vectors of the clips"


@dataclass(frozen=True)
class Difference:
    """The names that the next release adds, removes or changes: files, or queries with their
    labels, clips and texts."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def compare(now: Mapping[str, object], before: Mapping[str, object]) -> Difference:
    """Compare contents by name."""
    return Difference(
        added=sorted(name for name in now if name not in before),
        removed=sorted(name for name in before if name not in now),
        changed=sorted(name for name in now if name in before and now[name] != before[name]),
    )


def checked_lists(project: Project, rows: Sequence[CompleteClip]) -> dict[int, Lists]:
    """Return the last checked events of each clip's temporal caption and objects of its spatial
    caption; None for an unchecked list.
    """
    checked = Extraction.objects.filter(
        caption__project=project, model=None, most_elements=PRESETS["default"].most_elements
    )
    newest = {
        (caption, kind): elements
        for caption, kind, elements in checked.order_by("pk").values_list(
            "caption", "kind", "elements"
        )
    }
    return {
        row.clip_id: (
            newest.get((row.temporal_id, "events")),
            newest.get((row.spatial_id, "objects")),
        )
        for row in rows
    }


def _clip_difference(content: Clips, release: Release | None) -> Difference:
    lists = checked_lists(content.project, content.rows)
    now = {
        row.file_name: (
            row.clip_id,
            row.caption_id,
            row.spatial_id,
            row.temporal_id,
            row.category,
            row.subcategory,
            *lists[row.clip_id],
        )
        for row in content.rows
    }
    before: dict[str, tuple[object, ...]] = {}
    if release is not None:
        columns = (
            *("file_name", "clip_id", "caption_id", "spatial_caption_id", "temporal_caption_id"),
            *("category", "subcategory", "checked_events", "checked_objects"),
        )
        frozen = release.clips.order_by().values_list(*columns)
        before = {name: tuple(rest) for name, *rest in frozen}
    return compare(now, before)


def difference_of(content: Clips | Scenes | Triplets, previous: Release | None) -> Difference:
    """Return the changes of a release of this content."""
    if isinstance(content, Triplets):
        plan = content.plan
        return _triplet_difference(plan, content.tally, previous) if plan else Difference()
    if isinstance(content, Scenes):
        return _scene_difference(content, previous)
    return _clip_difference(content, previous)


def is_identical(difference: Difference, previous: Release | None, choice: Choice) -> bool:
    """Return whether the previous release equals the next one, including the clips as files, which
    LoVR's form has only on request."""
    if previous is None or difference:
        return False
    if previous.format != Release.Format.LOVR:
        return True
    files = ReleasedScene.objects.filter(video__release=previous, clip_file__isnull=False)
    return files.exists() == choice.clip_files


def _scene_difference(content: Scenes, release: Release | None) -> Difference:
    """Return the difference in clips and captions of whole videos."""
    scenes, full, names = content.rows, content.full, content.names
    numbers = scene_numbers(content.project) if scenes else {}
    now: dict[str, tuple[int, ...]] = {}
    for scene in scenes:
        vid = names[scene.video_id]
        if scene.video_id in full:
            now[WHOLE.format(vid)] = (full[scene.video_id],)
        name = scene_id(vid, numbers[scene.clip_id])
        now[name] = (scene.clip_id, scene.start_frame, scene.end_frame, scene.caption_id)
    before: dict[str, tuple[int, ...]] = {}
    if release is not None:
        videos = release.videos.order_by().filter(full_caption__isnull=False)
        before |= {
            WHOLE.format(vid): (key,) for vid, key in videos.values_list("vid", "full_caption")
        }
        rows = ReleasedScene.objects.filter(video__release=release).order_by()
        before |= {
            scene_id(vid, number): tuple(rest)
            for vid, number, *rest in rows.values_list(
                "video__vid", "number", "clip", "start_frame", "end_frame", "caption"
            )
        }
    return compare(now, before)


def _triplet_difference(plan: TripletPlan, tally: Tally, previous: Release | None) -> Difference:
    """Compare the next release with the previous one. Without a previous one, all queries are
    added, and their labels, clips and texts aren't named."""
    if previous is None or previous.format != Release.Format.TFCOVR:
        return compare(tally.contents, {})
    now = tally.contents | _parts(plan.content(), plan.vector_choice)
    content = frozen_content(previous, has_withdrawn=True)
    facts = frozen_facts(previous)
    before = _parts(content, facts.vectors if facts else None)
    for split in SPLITS:
        for query in content.queries(split):
            before[query_name(query.row)] = content_of(query)
    return compare(now, before)


def _parts(content: TripletContent, vectors: VectorChoice | None) -> dict[str, object]:
    parts: dict[str, object] = {f"label {label.key}": label for label in content.labels}
    parts |= {f"clip {clip.name}": clip for clip in content.clips}
    parts |= {f"text from {text.source} to {text.target}": text for text in content.texts}
    return parts | ({VECTORS: vectors} if vectors else {})


def suggest_version(previous: Release | None, difference: Difference) -> Version:
    if previous and is_patch(previous, difference):
        return parse_version(previous.version).next_version("patch")
    return next_minor(previous)


def next_minor(previous: Release | None) -> Version:
    """Return the version that a release with other clips has."""
    if previous is None:
        return FIRST
    return parse_version(previous.version).next_version("minor")


def is_patch(previous: Release | None, difference: Difference) -> bool:
    """Return whether only texts have changed since the previous release."""
    only_texts = bool(difference.changed) and not (difference.added or difference.removed)
    return previous is not None and only_texts
