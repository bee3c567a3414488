"""Import videos: batches of files and their bytes.

`running`, which only workers and commands import, decodes the videos.
"""

from annotate.imports.services.batches import (
    accepted_extensions,
    add_item,
    cancel_item,
    is_refused,
    may_retry,
    open_batch,
    retry_item,
)
from annotate.imports.services.refusals import OffsetMismatch, StorageFailed, TooManyBytes
from annotate.imports.services.starting import import_addresses
from annotate.imports.services.uploads import append_chunk, copy_file

__all__ = [
    "OffsetMismatch",
    "StorageFailed",
    "TooManyBytes",
    "accepted_extensions",
    "add_item",
    "append_chunk",
    "cancel_item",
    "copy_file",
    "import_addresses",
    "is_refused",
    "may_retry",
    "open_batch",
    "retry_item",
]
