"""Download the file of an import from its address. Runs in a worker.

Received bytes stay on disk with the host's tag of the file. If the tag hasn't changed, a later
attempt resumes from there.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote

from django.conf import settings

from annotate import file_store
from annotate.errors import ItemLost
from annotate.imports.addresses import name_in
from annotate.imports.services.refusals import MIB, FileRefused
from annotate.jobs.services.leases import own_row
from annotate.media.errors import MediaError
from annotate.media.names import check_file_name
from annotate.models import ImportItem
from annotate.outgoing.errors import AddressRefused, NoAnswer, OutgoingFailed
from annotate.outgoing.requests import Answer, Limits, open_address

TRIES = 5
REDIRECTS = 5
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_FILE_NAME = re.compile(r"""filename\*?=(?:UTF-8'')?"?([^";]+)""", re.IGNORECASE)
# What hosts send instead of a file: sign-in pages and errors.
_PAGES = {"text/html", "application/xhtml+xml", "application/json", "application/xml", "text/xml"}
_SUFFIXES = {
    "video/mp4": ".mp4", "video/quicktime": ".mov", "video/x-m4v": ".m4v",
    "video/x-matroska": ".mkv", "video/webm": ".webm", "video/x-msvideo": ".avi",
    "video/mpeg": ".mpg", "video/mp2t": ".ts", "video/x-flv": ".flv", "video/x-ms-wmv": ".wmv",
    "video/3gpp": ".3gp",
}  # fmt: skip


class Progress(Protocol):
    def __call__(self, step: str, percent: int) -> None: ...


def download(item: ImportItem, progress: Progress) -> None:
    """Fetch the file and note its name and size. Raises FileRefused, and ItemLost if the item is no
    longer this attempt's.
    """
    ends = time.monotonic() + settings.VERICAP_MAX_DOWNLOAD_MINUTES * 60
    for number in range(1, TRIES + 1):
        before = item.received
        try:
            _fetch(item, progress, ends - time.monotonic())
        except OutgoingFailed as error:
            # Retry at once only while the host keeps sending data.
            goes_on = error.is_transient and item.received > before and item.etag
            if not goes_on or number == TRIES or time.monotonic() >= ends:
                raise _refused(error) from error
        else:
            break
    if not item.received:
        raise FileRefused("empty", "The host sent an empty file. Check the address.")
    item.size, item.stored_file = item.received, file_store.incoming_name(item.pk)
    _note(item, "size", "stored_file", "received")


def _fetch(item: ImportItem, progress: Progress, seconds: float) -> None:
    path = file_store.incoming_file(item.pk)
    path.parent.mkdir(parents=True, exist_ok=True)
    start = path.stat().st_size if item.etag and path.exists() else 0
    headers = {"Range": f"bytes={start}-", "If-Range": item.etag} if start else {}
    limits = Limits(seconds, settings.VERICAP_MAX_VIDEO_BYTES - start, redirects=REDIRECTS)
    with open_address(item.address, headers=headers, limits=limits) as answer:
        start = _start_of(answer, start)
        _check_kind(answer)
        item.name = _file_name(item, answer)
        item.etag = _strong_tag(answer)
        length = answer.headers.get("content-length", "")
        item.size = start + int(length) if length.isdigit() else 0
        item.received = start
        _note(item, "name", "etag", "size", "received")
        for received in _write(path, start, answer):
            item.received = received
            if item.size:
                progress("Downloading", min(99, round(100 * received / item.size)))
            else:
                progress(f"Downloading, {received / MIB:,.0f} MiB so far,", 0)


def _write(path: Path, start: int, answer: Answer) -> Iterator[int]:
    """Write the body after the first `start` bytes; yield how many bytes there are."""
    with path.open("r+b" if start else "wb") as file:
        file.seek(start)
        file.truncate()
        for part in answer.parts():
            file.write(part)
            yield file.tell()


def _start_of(answer: Answer, asked: int) -> int:
    """Return where the body begins in the file. Raises for an answer without a file."""
    if answer.status == 200:
        return 0
    sent = _RANGE.fullmatch(answer.headers.get("content-range", ""))
    if answer.status == 206 and asked and sent and int(sent[1]) == asked:
        return asked
    words = {
        401: "The host asks for a sign-in (401). Use an address that needs none.",
        403: "The host refuses access (403). Use an address that needs no sign-in.",
        404: "Nothing is there (404). Check the address.",
        410: "The file is gone (410). Use another address.",
    }
    if answer.status in words:
        raise FileRefused("download", words[answer.status])
    raise FileRefused("download", f"The host answered {answer.status}. Try again later.")


def _check_kind(answer: Answer) -> None:
    kind = _kind_of(answer)
    if kind in _PAGES:
        raise FileRefused(
            "not_a_video",
            f"The host sent a page ({kind}), not a video. Use the address of the file itself.",
        )


def _kind_of(answer: Answer) -> str:
    return answer.headers.get("content-type", "").partition(";")[0].strip().lower()


def _file_name(item: ImportItem, answer: Answer) -> str:
    """Return the first name with a video's suffix: the row's, the host's, or that of the address to
    which it led; otherwise the row's, with a suffix for the type of the file.
    """
    given = _FILE_NAME.search(answer.headers.get("content-disposition", ""))
    host_name = unquote(given[1]).rpartition("/")[2].rpartition("\\")[2] if given else ""
    suffix = _SUFFIXES.get(_kind_of(answer), "")
    for name in (item.name, host_name, name_in(answer.url), f"{item.name}{suffix}"):
        try:
            return check_file_name(name)
        except MediaError:
            continue
    raise FileRefused(
        "bad_name",
        "Neither the address nor the host names a video. Give a file name in a CSV.",
    )


def _strong_tag(answer: Answer) -> str:
    tag = answer.headers.get("etag", "")
    return tag if re.fullmatch(r'"[!#-~]{1,190}"', tag) else ""


def _refused(error: OutgoingFailed) -> FileRefused:
    if error.code == "too_large":
        most = settings.VERICAP_MAX_VIDEO_BYTES / MIB
        return FileRefused(
            "too_large",
            f"The host sends more than the limit of {most:,.0f} MiB. Cut the video into parts.",
        )
    if isinstance(error, AddressRefused):
        return FileRefused("address", str(error))
    more = " Try again later." if isinstance(error, NoAnswer) else ""
    return FileRefused("download", f"{error}{more}")


def _note(item: ImportItem, *columns: str) -> None:
    if not own_row(item).update(**{column: getattr(item, column) for column in columns}):
        raise ItemLost
