"""The entry point of `verify.pyz`."""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - it runs wherever somebody has a release
    sys.exit("This needs Python 3.11 or newer.")
try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit("This needs numpy. Install it: python -m pip install numpy")

from review.proof.verifying.main import main

sys.exit(main(sys.argv[1:], Path(sys.argv[0]).resolve().parent))
