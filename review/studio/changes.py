"""The changes of the next release, text by text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotate.corpus.blindness import visible_captions
from annotate.models import Caption, Membership
from annotate.text.diff import DiffSpan, word_diff
from review.frozen.models import Release, ReleasedScene, scene_id
from review.frozen.scene_names import scene_numbers
from review.releases.difference import WHOLE, Difference
from review.releases.gates.clips import Clips
from review.releases.gates.scenes import Scenes

STATES = ("added", "changed", "withdrawn")
SCENE = "-Scene-"
Captions = Mapping[str, int]


@dataclass(frozen=True)
class TextChange:
    """A text of the next release and of the last one, either of which can be empty. `is_hidden`:
    the viewer could still judge one of them."""

    kind: str
    spans: Sequence[DiffSpan]
    is_hidden: bool = False

    @property
    def is_equal(self) -> bool:
        return all(span.op == "equal" for span in self.spans)


@dataclass(frozen=True)
class Change:
    """A clip, a whole video or a part of triplets that differs. The last has no `texts`, but of a
    query the key of its `clip`, if that is in the next release."""

    name: str
    state: str
    texts: Sequence[TextChange] = ()
    clip: int | None = None


def names_by_state(difference: Difference) -> dict[str, list[str]]:
    return {
        "added": difference.added,
        "changed": difference.changed,
        "withdrawn": difference.removed,
    }


def with_texts(
    membership: Membership,
    captions: Mapping[str, Captions],
    clip_keys: Mapping[str, int],
    previous: Release | None,
    rows: Sequence[tuple[str, str]],
) -> list[Change]:
    """Return the changes, given as (name, state), with their texts before and after, as far as this
    member can read them. `captions`: those of the next release by name. `clip_keys`: the keys of
    the triplets' clips. Few statements, for any number of rows."""
    if (previous and previous.format == Release.Format.TFCOVR) or clip_keys:
        return [Change(name, state, clip=_clip_named(name, clip_keys)) for name, state in rows]
    before = _before(previous, {name for name, _ in rows}) if previous else {}
    now = {name: captions.get(name, {}) for name, _ in rows}
    keys = {key for each in (*now.values(), *before.values()) for key in each.values()}
    readable = visible_captions(membership, Caption.objects.filter(pk__in=keys))
    texts = dict(readable.order_by().values_list("pk", "text"))
    return [
        Change(name, state, _texts(before.get(name, {}), now[name], texts)) for name, state in rows
    ]


def _clip_named(name: str, clips: Mapping[str, int]) -> int | None:
    """Return the clip with this name, or the clip of the query with this name."""
    return clips.get(name.rpartition(", ")[0]) or clips.get(name.removeprefix("clip "))


def _texts(before: Captions, now: Captions, texts: Mapping[int, str]) -> list[TextChange]:
    changes = []
    for kind in dict.fromkeys((*before, *now)):
        pair = [captions.get(kind) for captions in (before, now)]
        if any(key is not None and key not in texts for key in pair):
            changes.append(TextChange(kind, (), is_hidden=True))
        else:
            old, new = ("" if key is None else texts[key] for key in pair)
            changes.append(TextChange(kind, word_diff(old, new)))
    return changes


def captions_now(content: Clips | Scenes, names: Iterable[str]) -> dict[str, Captions]:
    """Return the captions of the next release by kind, of the clips and whole videos that are named
    so."""
    names = set(names)
    if isinstance(content, Clips):
        return {
            row.file_name: {
                "Caption": row.caption_id,
                "Spatial": row.spatial_id,
                "Temporal": row.temporal_id,
            }
            for row in content.rows
            if row.file_name in names
        }
    numbers = scene_numbers(content.project)
    captions = {
        WHOLE.format(content.names[video]): {"Caption": key}
        for video, key in content.full.items()
        if video in content.names
    }
    captions |= {
        scene_id(content.names[row.video_id], numbers[row.clip_id]): {"Caption": row.caption_id}
        for row in content.rows
    }
    return {name: captions[name] for name in names if name in captions}


def _before(release: Release, names: Iterable[str]) -> dict[str, Captions]:
    if release.format != Release.Format.LOVR:
        clips = release.clips.filter(file_name__in=names).order_by()
        return {
            name: {"Caption": caption, "Spatial": spatial, "Temporal": temporal}
            for name, caption, spatial, temporal in clips.values_list(
                "file_name", "caption", "spatial_caption", "temporal_caption"
            )
        }
    wholes = {name.removesuffix(WHOLE.format("")): name for name in names if SCENE not in name}
    videos = release.videos.filter(vid__in=wholes, full_caption__isnull=False).order_by()
    before: dict[str, Captions] = {
        wholes[vid]: {"Caption": key} for vid, key in videos.values_list("vid", "full_caption")
    }
    vids = {name.rpartition(SCENE)[0] for name in names if SCENE in name}
    scenes = ReleasedScene.objects.filter(video__release=release, video__vid__in=vids).order_by()
    for vid, number, caption in scenes.values_list("video__vid", "number", "caption"):
        before[scene_id(vid, number)] = {"Caption": caption}
    return before
