"""Freezing the described clips of segmented videos, for LoVR's form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from annotate.bulk import in_batches
from annotate.models import Caption, Project, Video
from inference.models import Segmentation
from inference.queries import whole_videos
from inference.recipes import read_recipe
from review.assessment.files import NAMES, file_text
from review.assessment.report import made_of, newest_assessment
from review.errors import ReviewError
from review.exchange.files import measured_file
from review.frozen.models import Release, ReleasedScene, ReleasedVideo
from review.frozen.scene_names import scene_numbers
from review.releases.content import content_hash
from review.releases.freezing import (
    BATCH_SIZE,
    Build,
    files_of_parts,
    hashed_videos,
    provenance_of,
)
from review.releases.gates.findings import refuse_blocked
from review.releases.gates.scenes import Scenes
from review.releases.queries import content_of
from review.releases.scenes import Scene
from review.releases.writers.lovr_captions import (
    SceneText,
    VideoText,
    caption_chunks,
    clip_path,
    scene_path,
    video_path,
)
from review.releases.writers.spans import written_spans

NOTHING_DESCRIBED = (
    "No clip is described yet. Segment the videos and caption their clips under Runs."
)


def freeze_scenes(build: Build) -> Release:
    """Store a release of what is described now, within the transaction of the caller, who has
    locked the project. Raises ReviewError if nothing is described or a gate blocks."""
    project, choice = build.project, build.choice
    content = content_of(project, choice)
    assert isinstance(content, Scenes)
    if not content.rows:
        raise ReviewError(NOTHING_DESCRIBED)
    names, full, numbers = content.names, content.full, scene_numbers(project)
    refuse_blocked(content)
    # Sorted here, because the database's order depends on its collation.
    scenes = sorted(
        content.rows, key=lambda scene: (names[scene.video_id], scene.start_frame, scene.end_frame)
    )
    # In the order of the clips.
    keys = dict.fromkeys(scene.video_id for scene in scenes)
    hashed = {video.pk: video for video in hashed_videos(keys)}
    videos = {key: hashed[key] for key in keys}
    full_texts = {
        key: VideoText(text, written_spans(spans))
        for key, text, spans in Caption.objects.filter(
            pk__in=[full[key] for key in videos if key in full]
        ).values_list("pk", "text", "spans")
    }
    texts = {names[key]: full_texts[full[key]] for key in videos if key in full}
    wholes = whole_videos(project).order_by("pk").values_list("pk", "video")
    chunks = caption_chunks(lambda: _texts(scenes, videos, names, numbers), texts)
    files = [measured_file(*file) for file in chunks.items()]
    hashes = [(file.path, file.sha256) for file in files]
    hashes += [(video_path(names[key]), video.playback_sha256) for key, video in videos.items()]
    parts = files_of_parts(scene.clip_id for scene in scenes) if choice.clip_files else {}
    hashes += [
        (clip_path(scene_path(names[scene.video_id], numbers[scene.clip_id])), part.sha256)
        for scene in scenes
        if (part := parts.get(scene.clip_id))
    ]
    release = build.store(
        Release.Format.LOVR,
        clip_count=len(scenes),
        content_hash=content_hash(hashes),
        video_size=sum(video.playback_size for video in videos.values())
        + sum(part.size for part in parts.values()),
        files=files,
        names=[
            *(
                (scene.clip_id, scene_path(names[scene.video_id], numbers[scene.clip_id]))
                for scene in scenes
            ),
            *((clip, names[video]) for clip, video in wholes if video in videos),
        ],
        assessment_files=_assessment(project) if choice.assessment else None,
    )
    settings = _segment_settings(project)
    released = {
        key: ReleasedVideo(
            release=release,
            video=video,
            vid=names[key],
            full_caption_id=full.get(key),
            video_sha256=video.playback_sha256,
            video_size=video.playback_size,
            fps_num=video.fps_num,
            fps_den=video.fps_den,
            provenance=provenance_of(video, video.frames) | {"segmented_with": settings.get(key)},
        )
        for key, video in videos.items()
    }
    # This also sets the rows' keys on SQLite.
    ReleasedVideo.objects.bulk_create(released.values(), batch_size=BATCH_SIZE)
    ReleasedScene.objects.bulk_create(
        (
            ReleasedScene(
                video=released[scene.video_id],
                clip_id=scene.clip_id,
                number=numbers[scene.clip_id],
                start_frame=scene.start_frame,
                end_frame=scene.end_frame,
                caption_id=scene.caption_id,
                clip_file=parts.get(scene.clip_id),
            )
            for scene in scenes
        ),
        batch_size=BATCH_SIZE,
    )
    return release


def _texts(
    scenes: Sequence[Scene],
    videos: Mapping[int, Video],
    names: Mapping[int, str],
    numbers: Mapping[int, int],
) -> Iterator[SceneText]:
    for batch in in_batches(scenes):
        keys = [scene.caption_id for scene in batch]
        captions = Caption.objects.filter(pk__in=keys).only("text", "spans").in_bulk()
        for scene in batch:
            caption = captions[scene.caption_id]
            yield SceneText(
                vid=names[scene.video_id],
                number=numbers[scene.clip_id],
                start_frame=scene.start_frame,
                end_frame=scene.end_frame,
                fps=videos[scene.video_id].fps,
                caption=caption.text,
                spans=written_spans(caption.spans),
            )


def _segment_settings(project: Project) -> dict[int, Mapping[str, float]]:
    """Return the settings of each video's last segmentation, so that others can cut it into the
    same clips. One statement."""
    kept = Segmentation.objects.filter(project=project, is_kept=True).order_by("pk")
    recipes = dict(kept.values_list("video", "item__run__recipe"))
    return {video: read_recipe(recipe).options for video, recipe in recipes.items()}


def _assessment(project: Project) -> dict[str, str] | None:
    """Return the files of the newest table of what people judged (LoVR, appendix B); None without
    one. They are stored as texts, so that they stay the same whatever a later version computes."""
    report = newest_assessment(project)
    if report is None:
        return None
    made = made_of(project, report)
    return {name: file_text(name, made) for name in NAMES}
