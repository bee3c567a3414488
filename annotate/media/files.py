"""Files that appear complete or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def fresh_file(target: Path) -> Iterator[Path]:
    """Yield a path beside `target` to write to; it replaces `target` if the block succeeds."""
    target = Path(target)
    temporary = target.with_name(f".{secrets.token_hex(8)}.part{target.suffix}")
    try:
        yield temporary
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
