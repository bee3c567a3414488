"""Brings files into a batch as an upload does, in a process that has a real broker.

python -m tests.services.queue_files BATCH FILE...
"""

from __future__ import annotations

import sys
from pathlib import Path

import django


def main(batch_id: str, *files: str) -> None:
    from annotate.imports.services import add_item, append_chunk
    from annotate.models import ImportBatch

    batch = ImportBatch.objects.get(pk=batch_id)
    for path in map(Path, files):
        data = path.read_bytes()
        item = add_item(batch=batch, name=path.name, size=len(data))
        append_chunk(item=item, offset=0, data=data)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
