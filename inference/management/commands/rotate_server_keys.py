"""manage.py rotate_server_keys"""

from __future__ import annotations

import sys
from typing import Any

from annotate.management.quick import QuickCommand
from inference.servers.services import rotate_keys


class Command(QuickCommand):
    help = "Encrypt the keys of model servers by the current SECRET_KEY."

    def handle(self, *args: Any, **options: Any) -> None:
        rotated, problems = rotate_keys()
        self.stdout.write(f"{rotated} key{'' if rotated == 1 else 's'} encrypted again.")
        for problem in problems:
            self.stderr.write(problem)
        if problems:
            sys.exit(1)
