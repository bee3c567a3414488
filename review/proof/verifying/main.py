"""The program that checks the folder of a release."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from review.proof.verifying.duplicates import check_duplicates
from review.proof.verifying.folder import Folder, Problem, Unreadable, printable
from review.proof.verifying.hashes import PROOF_SUMS, SUMS, Hashes
from review.proof.verifying.reports import check_reports
from review.proof.verifying.ties import check_ties
from review.proof.verifying.tombstones import TOMBSTONES, Tombstones
from review.proof.verifying.values import NAMES, read_values

USAGE = """usage: python verify.pyz [FOLDER] [RELEASE_HASH]

Check the folder of a release: every hash, that its texts, targets and verdicts are those that its
reports were made of, that the reports are computed from the values in its files, and every number
that can be computed again. Without FOLDER, the folder that
has this file, or the only release beside it.

RELEASE_HASH, 64 digits from the release's page, covers every file of the folder. Without it,
changes that were made to all files alike are not found."""
RIGHT, WRONG, MISUSED = 0, 1, 2
_HASH = re.compile(r"[0-9a-fA-F]{64}")


def verify(folder: Path, say: Callable[[str], None], *, expected: str = "") -> list[Problem]:
    """Return the folder's problems; report progress to `say`. `expected`: the release hash, "" if
    nobody gave it."""
    opened = Folder(folder)
    hashes = Hashes(opened)
    hashes.check()
    files = f"{hashes.checked:,} file{'' if hashes.checked == 1 else 's'}"
    say(f"{files} with the right hash.")
    stones = hashes.tombstones
    for item in stones.items:
        say(str(item))
    if stones.changed:
        changed = ", ".join(file.path for file in stones.changed)
        say(f"Without what was withdrawn, by the hash in {TOMBSTONES}: {changed}.")
    own_hash = hashes.release_hash()
    problems = [*_compared(own_hash, expected.lower(), stones, say), *hashes.problems]
    if not hashes.form:
        say("This format has no reports; the folder in the project's own format has them.")
        return problems
    values = None
    problems += check_ties(opened, hashes.form, stones)
    try:
        values = read_values(opened, hashes.form, stones.names)
        problems += values.unnamed()
    except Unreadable as error:
        problems.append(Problem(NAMES, str(error)))
    if hashes.form == "lovr":
        problems += check_duplicates(opened)
    return [*problems, *check_reports(opened, say, stones.withdrawn, values)]


def _compared(
    own_hash: str, expected: str, stones: Tombstones, say: Callable[[str], None]
) -> Iterator[Problem]:
    if not expected:
        say(
            f"Release hash {own_hash}: not compared. Compare it with that on the release's "
            "page, or give that one as an argument."
        )
    elif expected == own_hash:
        say(f"Release hash {own_hash}: the expected one.")
    else:
        earlier = " That is of a copy from before a takedown."
        more = earlier if expected in stones.release_hashes else ""
        yield Problem("release hash", f"expected {expected}, found {own_hash}.{more}")


def main(arguments: Sequence[str], beside: Path) -> int:
    """Check the folder that the arguments name; `beside`: the folder of the program. Return the
    exit status."""
    hashes = [argument for argument in arguments if _HASH.fullmatch(argument)]
    folders = [argument for argument in arguments if argument not in hashes]
    if len(folders) > 1 or len(hashes) > 1 or any(argument.startswith("-") for argument in folders):
        is_help = folders[:1] in (["-h"], ["--help"])
        print(USAGE, file=sys.stdout if is_help else sys.stderr)
        return RIGHT if is_help else MISUSED
    folder = Path(folders[0]) if folders else _release_near(beside)
    if folder is None:
        print("There is no release here. Name its folder.", file=sys.stderr)
        return MISUSED
    if not folder.is_dir():
        name = printable(str(folder))
        print(f"{name} is neither a folder nor a release hash (64 digits).", file=sys.stderr)
        return MISUSED
    expected = hashes[0] if hashes else ""
    problems = verify(folder, lambda text: print(printable(text)), expected=expected)
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
