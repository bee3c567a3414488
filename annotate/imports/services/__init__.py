"""Bringing videos in: batches of files, their bytes, and taking up what a dead worker left.

What decodes video is in `running`, which only a worker or a command imports.
"""

from annotate.imports.services.batches import (
    accepted_extensions,
    add_item,
    cancel_item,
    open_batch,
    retry_item,
)
from annotate.imports.services.refusals import OffsetMismatch, StorageFailed, TooManyBytes
from annotate.imports.services.requeueing import STALE_MINUTES, requeue_imports, stale_items
from annotate.imports.services.uploads import append_chunk, copy_file

__all__ = [
    "STALE_MINUTES",
    "OffsetMismatch",
    "StorageFailed",
    "TooManyBytes",
    "accepted_extensions",
    "add_item",
    "append_chunk",
    "cancel_item",
    "copy_file",
    "open_batch",
    "requeue_imports",
    "retry_item",
    "stale_items",
]
