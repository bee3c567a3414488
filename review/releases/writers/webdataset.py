"""WebDataset: shards of a video and a JSON file per sample, to be read in sequence."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from review.errors import ReviewError
from review.exchange.files import ExportFile, measured_file
from review.frozen.models import Release
from review.releases.writers.folder import introduction, origin, whole_folder
from review.releases.writers.made import json_line, made_file, place_of
from review.releases.writers.tables import FILE_NAME, Content, Table

WEBDATASET = "webdataset"
MAX_SAMPLES = 1000
MAX_BYTES = 1_000_000_000


@dataclass(frozen=True)
class Sample:
    """`key` is the name of both files in the shard; `fields` is the file of its JSON."""

    key: str
    video: ExportFile
    fields: ExportFile

    @property
    def size(self) -> int:
        return _padded(self.video.size) + _padded(self.fields.size) + 2 * tarfile.BLOCKSIZE


def webdataset_files(release: Release, content: Content, folder: Path) -> list[ExportFile]:
    """List the shards. A table whose rows have no video of their own is a file of JSON lines."""
    videos = {video.path: video for video in content.videos}
    files, lines = [], []
    for table in content.tables:
        if not table.has_own_files:
            path = f"{table.name}-{table.split}.jsonl"
            files.append(made_file(folder, path, map(json_line, table.records())))
            lines.append(f"- `{path}`: {table.about}")
            continue
        samples = list(_samples(table, videos, folder))
        shards = list(_shards(table, samples))
        files += shards
        lines.append(
            f"- `{table.name}-{table.split}-*.tar`: {table.about} ({table.count:,} samples in "
            f"{len(shards):,} file{'' if len(shards) == 1 else 's'})"
        )
    readme = introduction(release, content) + "\n" + "\n".join(lines) + "\n" + origin(release)
    return whole_folder(release, WEBDATASET, content, readme, files)


def _samples(table: Table, videos: dict[str, ExportFile], folder: Path) -> Iterator[Sample]:
    """Yield the rows with their videos. Their JSON is made in one file of the folder, from which
    each shard reads its part."""
    place = place_of(folder, f"{table.name}-{table.split}.json")
    offset = 0
    with place.open("xb") as file:
        for number, record in enumerate(table.records()):
            text = json.dumps(record, ensure_ascii=False, indent=1).encode() + b"\n"
            file.write(text)
            key = f"{number:09d}"
            yield Sample(
                key,
                videos[record[FILE_NAME]],
                ExportFile(
                    f"{key}.json",
                    len(text),
                    hashlib.sha256(text).hexdigest(),
                    partial(_part, place, offset, len(text)),
                ),
            )
            offset += len(text)


def _shards(table: Table, samples: list[Sample]) -> Iterator[ExportFile]:
    shard: list[Sample] = []
    number, size = 0, 0
    for sample in samples:
        if shard and (len(shard) == MAX_SAMPLES or size + sample.size > MAX_BYTES):
            yield _shard(table, number, shard)
            shard, number, size = [], number + 1, 0
        shard.append(sample)
        size += sample.size
    if shard:
        yield _shard(table, number, shard)


def _shard(table: Table, number: int, samples: list[Sample]) -> ExportFile:
    """Return a shard; its bytes are made when they are read, and once before for their hash."""
    return measured_file(f"{table.name}-{table.split}-{number:06d}.tar", partial(_tar, samples))


def _tar(samples: list[Sample]) -> Iterator[bytes]:
    """Yield the bytes of a tar file in the ustar format, without times and owners."""
    written = 0
    for sample in samples:
        for suffix, file in (("json", sample.fields), ("mp4", sample.video)):
            yield _header(f"{sample.key}.{suffix}", file)
            yield from file.checked()
            yield bytes(_padded(file.size) - file.size)
            written += tarfile.BLOCKSIZE + _padded(file.size)
    end = 2 * tarfile.BLOCKSIZE
    yield bytes(end + -(written + end) % tarfile.RECORDSIZE)


def _header(name: str, file: ExportFile) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.size = file.size
    try:
        return entry.tobuf(tarfile.USTAR_FORMAT)
    except ValueError as error:
        raise ReviewError(
            f"{file.path} has more than 8 GiB, which a WebDataset shard can't hold. Choose another "
            "format."
        ) from error


def _padded(size: int) -> int:
    return -(-size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE


def _part(place: Path, offset: int, size: int) -> Iterator[bytes]:
    with place.open("rb") as file:
        file.seek(offset)
        yield file.read(size)
