"""Cut clips that are parts of videos into files of their own. Runs in a worker."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from annotate import file_store
from annotate.models import Clip, ClipFile


def cut_clip(clip: Clip) -> ClipFile:
    """Return the file of a clip that is a part of its video, with the video loaded. Cut the file if
    it doesn't exist yet; call this outside any transaction, because cutting takes about as long as
    the clip lasts. Raises MediaError.
    """
    made = ClipFile.objects.filter(clip=clip).first()
    if made:
        return made
    # Imported here: they load the video libraries, which a web process must not load.
    from annotate.media.cutting import cut_frames
    from annotate.media.probe import hash_file

    video = clip.video
    name = file_store.clip_file_name(video, clip.start_frame, clip.end_frame)
    with TemporaryDirectory() as folder:
        path = Path(folder, "clip.mp4")
        playback = file_store.local_file(video.playback_file)
        cut_frames(playback, path, clip.start_frame, clip.end_frame, video.fps)
        sha256, size = hash_file(path), path.stat().st_size
        file_store.keep_files({name: path})
    made, _ = ClipFile.objects.update_or_create(
        clip=clip, defaults={"name": name, "sha256": sha256, "size": size}
    )
    return made
