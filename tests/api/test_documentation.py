"""docs/api.md: its example runs, and it names every problem and scope."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from annotate.api import problems
from annotate.imports import api as imports
from annotate.models import ApiToken
from config import errors
from tests.api.asking import token_of
from tests.cast import make_clip
from tests.inference.scored import write

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()


@pytest.mark.one_database
@pytest.mark.django_db(transaction=True)
def test_the_example_lists_the_captions(live_server, ada, project):
    captions = [write(make_clip(project), f"Dive {number}.") for number in range(2)]
    [example, *_] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    example = example.replace("?limit=200", "?limit=1")  # more than one page
    ran = subprocess.run(
        [sys.executable, "-I", "-c", example],
        env=os.environ
        | {
            "VERICAP_SITE": live_server.url,
            "VERICAP_PROJECT": project.slug,
            "VERICAP_TOKEN": token_of(ada, project, "read"),
            "NO_PROXY": "*",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == [
        f"{caption.clip.name}\t{caption.word_count}\t{caption.text}" for caption in captions
    ]


def test_every_problem_and_scope_is_described():
    source = "".join(Path(module.__file__).read_text() for module in (problems, imports, errors))
    names = re.findall(r"(?:Problem\(|^    )\d{3}(?:, |: \()\"([\w-]+)\"", source, re.MULTILINE)
    assert len(names) >= 17
    assert [name for name in names if f"| `{name}` |" not in PAGE] == []
    assert [scope for scope in ApiToken.Scope.values if f"| `{scope}` |" not in PAGE] == []
