"""Storage of files: incoming ones, and finished ones under names that we choose.

Incoming bytes and the worker's scratch files are local; finished files go to the default storage.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, default_storage, storages

if TYPE_CHECKING:
    from annotate.models import Video

INCOMING = "incoming"
COPY_BYTES = 1024 * 1024


def incoming_name(item_id: int) -> str:
    return f"{INCOMING}/{item_id}/upload"


def incoming_file(item_id: int) -> Path:
    return Path(settings.MEDIA_ROOT, incoming_name(item_id))


def write_chunk(item_id: int, offset: int, data: bytes) -> int:
    """Write `data` at `offset` and return the file's new length.

    Later bytes come from an unrecorded write and are cut off. If the file is shorter than `offset`,
    it has lost bytes: nothing is written, and its length is returned.
    """
    path = incoming_file(item_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o640), "r+b") as file:
        length = file.seek(0, os.SEEK_END)
        if length < offset:
            return length
        file.seek(offset)
        file.write(data)
        file.truncate()
        return offset + len(data)


def copy_in(item_id: int, source: Path) -> int:
    """Copy a local file in and return how many bytes it had."""
    target = incoming_file(item_id)
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as read, target.open("wb") as written:
        shutil.copyfileobj(read, written, COPY_BYTES)
        return written.tell()


def remove_incoming(item_id: int) -> None:
    shutil.rmtree(incoming_file(item_id).parent, ignore_errors=True)


def keep_job_files(job_id: int, files: Mapping[str, bytes]) -> None:
    """Keep uploaded files, under our own names, until the job that reads them has ended."""
    folder = _job_folder(job_id)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def read_job_file(job_id: int, name: str) -> bytes:
    return (_job_folder(job_id) / name).read_bytes()


def remove_job_files(job_id: int) -> None:
    shutil.rmtree(_job_folder(job_id), ignore_errors=True)


@contextmanager
def job_scratch_folder(job_id: int) -> Iterator[Path]:
    """Return an empty folder for this attempt; `remove_job_files` removes a dead
    worker's folders.
    """
    _job_folder(job_id).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_job_folder(job_id)) as folder:
        yield Path(folder)


def _job_folder(job_id: int) -> Path:
    return Path(settings.MEDIA_ROOT, INCOMING, f"job-{job_id}")


@contextmanager
def scratch_folder(item_id: int, attempt: int) -> Iterator[Path]:
    """Create an empty folder for this attempt, and remove it at the end in any case."""
    folder = incoming_file(item_id).parent / f"attempt-{attempt}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def video_names(project_id: int, sha256: str, container: str) -> dict[str, str]:
    """Return the storage names of a video's files, by the field of Video."""
    folder = f"projects/{project_id}/videos/{sha256[:2]}/{sha256}"
    return {
        "source_file": f"{folder}/source.{container}",
        "playback_file": f"{folder}/playback.mp4",
        "poster_file": f"{folder}/poster.jpg",
        "filmstrip_file": f"{folder}/filmstrip.jpg",
    }


def clip_poster_name(video: Video, start_frame: int, end_frame: int) -> str:
    """Return the name of a clip's poster, in the folder of the video's poster, which also serves
    the clip that spans the video.
    """
    if (start_frame, end_frame) == (0, video.frames):
        return video.poster_file
    return f"{video.poster_file.removesuffix('.jpg')}-{start_frame}-{end_frame}.jpg"


def clip_file_name(video: Video, start_frame: int, end_frame: int) -> str:
    """Return the name of the file that has only these frames of the video."""
    return f"{video.playback_file.removesuffix('.mp4')}-{start_frame}-{end_frame}.mp4"


def archive_name(project_id: int, release_id: int, format_name: str) -> str:
    return f"projects/{project_id}/releases/{release_id}/{format_name}.zip"


def proof_name(project_id: int, sha256: str) -> str:
    """Return the name of a file of releases' reports: the same content has the same name."""
    return f"projects/{project_id}/proof/{sha256[:2]}/{sha256}"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Return an empty folder on the disk of the media folder, which is removed at the end."""
    parent = Path(settings.MEDIA_ROOT, INCOMING)
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        yield Path(folder)


def keep_files(files: Mapping[str, Path]) -> None:
    """Put local files into the storage under exactly these names; the local ones stay."""
    for name, path in files.items():
        if isinstance(storages["default"], FileSystemStorage):
            _link(path, Path(default_storage.path(name)))
        else:
            default_storage.delete(name)
            with path.open("rb") as file:
                default_storage.save(name, File(file))


def local_file(name: str) -> Path:
    """Return a local path of a finished file, for tools that only read local files."""
    return Path(default_storage.path(name))


def remove_files(names: list[str]) -> None:
    for name in names:
        default_storage.delete(name)


def _link(source: Path, target: Path) -> None:
    """Hard-link the file if the disk allows it, otherwise copy it, with the storage's mode."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copyfile(source, target)
    target.chmod(settings.FILE_UPLOAD_PERMISSIONS)
