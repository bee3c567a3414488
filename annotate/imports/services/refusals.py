"""Why a file is not taken, in words."""

from __future__ import annotations

import errno

from annotate.errors import AnnotateError, ItemFailed

# The fault was ours: the bytes stay, so that "try again" needs no second upload.
TRY_AGAIN = frozenset({"disk_full", "storage", "failed", "gave_up"})

GAVE_UP = (
    "Importing this file ended the worker each time it was tried. "
    "Convert it to MP4 (H.264) and upload that, or try again when the server has more memory."
)
FAILED = (
    "Something went wrong here that is not the file's fault as far as we know. Try again; "
    "if it stays, convert the file to MP4 (H.264) and upload that."
)


class OffsetMismatch(AnnotateError):
    """The chunk does not follow the bytes that are here; `offset` is where to go on."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"{offset:,} bytes have arrived. Send on from there.")
        self.offset = offset


class TooManyBytes(AnnotateError):
    """More bytes than were announced, or than a chunk may have."""


class StorageFailed(AnnotateError):
    """The disk took no more."""

    def __init__(self, error: OSError) -> None:
        self.code = "disk_full" if error.errno in {errno.ENOSPC, errno.EDQUOT} else "storage"
        super().__init__(
            "The server's disk is full. Make room there, then try again."
            if self.code == "disk_full"
            else f"The server could not write the file ({error.strerror or error}). Try again; "
            "if it stays, tell the person who runs the server."
        )


class FileRefused(ItemFailed):
    """A file that can't become a video here; `code` names the kind of reason."""
