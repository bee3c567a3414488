"""The program that checks the folder of a release."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from review.proof.verifying.folder import Folder, Problem, printable
from review.proof.verifying.hashes import PROOF_SUMS, SUMS, Hashes
from review.proof.verifying.reports import check_reports
from review.proof.verifying.tombstones import TOMBSTONES

USAGE = """usage: python verify.pyz [FOLDER]

Check the folder of a release: every hash, and every number that can be computed again. Without
FOLDER, the folder that has this file, or the only release beside it."""
RIGHT, WRONG, MISUSED = 0, 1, 2


def verify(folder: Path, say: Callable[[str], None]) -> list[Problem]:
    """Return the folder's problems; report progress to `say`."""
    opened = Folder(folder)
    hashes = Hashes(opened)
    hashes.check()
    files = f"{hashes.checked:,} file{'' if hashes.checked == 1 else 's'}"
    say(f"{files} with the right hash.")
    if hashes.without_hash:
        say(f"Not covered by a hash: {', '.join(hashes.without_hash)}.")
    stones = hashes.tombstones
    for item in stones.items:
        say(str(item))
    if stones.changed:
        changed = ", ".join(file.path for file in stones.changed)
        say(f"Without what was withdrawn, by the hash in {TOMBSTONES}: {changed}.")
    return [*hashes.problems, *check_reports(opened, say, stones.withdrawn)]


def main(arguments: Sequence[str], beside: Path) -> int:
    """Check the folder that the arguments name; `beside`: the folder of the program. Return the
    exit status."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        is_help = arguments[0] in ("-h", "--help")
        print(USAGE, file=sys.stdout if is_help else sys.stderr)
        return RIGHT if is_help else MISUSED
    folder = Path(arguments[0]) if arguments else _release_near(beside)
    if folder is None or not folder.is_dir():
        print("There is no release here. Name its folder.", file=sys.stderr)
        return MISUSED
    problems = verify(folder, lambda text: print(printable(text)))
    for problem in problems:
        print(problem)
    if problems:
        more = "" if len(problems) == 1 else "s"
        print(f"FAILED: {len(problems)} problem{more}.")
        return WRONG
    print("OK")
    return RIGHT


def _release_near(beside: Path) -> Path | None:
    for folder in (beside, Path.cwd()):
        if (folder / SUMS).is_file():
            return folder
        releases = [path.parent.parent for path in folder.glob(f"*/{PROOF_SUMS}")]
        if len(releases) == 1:
            return releases[0]
    return None
