"""Write the tables of keys in docs/annotate.md again, from the lists that the pages use.

.venv/bin/python scripts/write_key_tables.py
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "annotate.md"
TABLE = re.compile(r"(<!-- keys: ([\w-]+) -->\n).*?(<!-- /keys -->)", re.DOTALL)


def with_key_tables(text: str) -> str:
    """Return the page with each table of keys as the list of its group has it."""
    from annotate.keys.lists import JUDGMENT, PLAYER, WORK, markdown_table
    from annotate.queue.work_kinds import work_kind

    def table(match: re.Match[str]) -> str:
        name = match[2]
        shared = {group.name: group for group in (WORK, PLAYER, JUDGMENT)}
        group = shared.get(name) or work_kind(name).key_groups()[0]
        return f"{match[1]}{markdown_table(group)}\n{match[3]}"

    return TABLE.sub(table, text)


def main() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    import django

    django.setup()
    PAGE.write_text(with_key_tables(PAGE.read_text()))


if __name__ == "__main__":
    main()
