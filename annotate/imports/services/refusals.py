"""The reasons for which a file is refused, in words."""

from __future__ import annotations

import errno

from annotate.errors import AnnotateError, ItemFailed

MIB = 1024 * 1024
# The file is fine: its bytes are kept, so that a retry needs no second upload. A download can
# succeed later, or once the operator allows its host.
TRY_AGAIN = frozenset({"disk_full", "storage", "failed", "gave_up", "download", "address"})

GAVE_UP = (
    "Each attempt to import this file ended the worker. "
    "Convert it to MP4 (H.264) and upload that, or try again when the server has more memory."
)
FAILED = (
    "Something went wrong, probably not because of the file. Try again; "
    "if it happens again, convert the file to MP4 (H.264) and upload that."
)


class OffsetMismatch(AnnotateError):
    """The chunk does not follow the stored bytes; the next one must begin at `offset`."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"{offset:,} bytes have arrived. Continue from there.")
        self.offset = offset


class TooManyBytes(AnnotateError):
    """More bytes than were announced, or than a chunk may have."""


class StorageFailed(AnnotateError):
    """The disk is full or failed."""

    def __init__(self, error: OSError) -> None:
        self.code = "disk_full" if error.errno in {errno.ENOSPC, errno.EDQUOT} else "storage"
        super().__init__(
            "The server's disk is full. Free some space there, then try again."
            if self.code == "disk_full"
            else f"The server could not write the file ({error.strerror or error}). Try again; "
            "if it happens again, tell the person who runs the server."
        )


class FileRefused(ItemFailed):
    """A file that can't become a video; `code` names the kind of reason."""
