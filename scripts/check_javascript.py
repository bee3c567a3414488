"""The types of `static/js` and the tests of its pure scripts, `tests/js`.

TypeScript checks modules and JSDoc comments, and builds nothing. It is installed in `node_modules`
when it is missing or `package-lock.json` has changed.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILER = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
STAMP = ROOT / "node_modules" / ".lock.sha256"


def main() -> int:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        sys.exit(
            "npm is missing, which installs the type checker of static/js. Install it and run "
            "this again: sudo apt-get install -y --no-install-recommends npm"
        )
    install(npm)
    types = subprocess.run([node, str(COMPILER), "--project", str(ROOT)], cwd=ROOT).returncode
    return types or run_tests(node, ROOT / "tests" / "js")


def install(npm: str) -> None:
    lock = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()
    if COMPILER.exists() and STAMP.exists() and STAMP.read_text() == lock:
        return
    print("Installing package-lock.json ...", flush=True)
    command = [npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        sys.exit("Installing package-lock.json failed (see above).")
    STAMP.write_text(lock)


def run_tests(node: str, folder: Path) -> int:
    """Run the tests in the folder, and print what they say if one fails."""
    files = sorted(map(str, folder.glob("*.test.mjs")))
    tests = subprocess.run([node, "--test", *files], cwd=ROOT, capture_output=True, text=True)
    if tests.returncode:
        print(tests.stdout, tests.stderr)
    return tests.returncode


if __name__ == "__main__":
    sys.exit(main())
