"""docs/api.md: its examples run, and it names every problem and scope."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rest_framework.serializers import BaseSerializer

from annotate.api import problems
from annotate.api.schema import api_schema
from annotate.imports import api as imports
from annotate.models import ApiToken
from config import errors
from review.verification.models import Verification
from tests.api.asking import token_of
from tests.cast import make_clip
from tests.inference.scored import write
from tests.work import make_work

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text()


EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run(example, live_server, project, token):
    """Return the lines that the program writes, beside the client."""
    ran = subprocess.run(
        [sys.executable, "-c", example],
        cwd=ROOT / "clients",
        env=os.environ
        | {
            "VERICAP_SITE": live_server.url,
            "VERICAP_PROJECT": project.slug,
            "VERICAP_TOKEN": token,
            "NO_PROXY": "*",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    return ran.stdout.splitlines()


@pytest.mark.django_db(transaction=True)
def test_the_examples_list_captions_and_verify_them(live_server, ada, anna, project):
    captions = [write(make_clip(project), f"Dive {number}.") for number in range(2)]
    listing, annotating = (next(e for e in EXAMPLES if word in e) for word in ("names = ", "judge"))
    assert run(listing, live_server, project, token_of(ada, project, "read")) == [
        f"{caption.clip.name}\t{caption.word_count}\t{caption.text}" for caption in captions
    ]
    for caption in captions:
        make_work(caption.clip, "verify", subject=caption.pk, needed=1)
    lines = run(annotating, live_server, project, token_of(anna, project, "work"))
    assert sorted(lines) == sorted(f"{caption.clip_id}\tsubmitted" for caption in captions)
    assert Verification.objects.filter(caption__in=captions).count() == 2


def test_every_problem_and_scope_is_described():
    source = "".join(Path(module.__file__).read_text() for module in (problems, imports, errors))
    names = re.findall(r"(?:Problem\(|^    )\d{3}(?:, |: \()\"([\w-]+)\"", source, re.MULTILINE)
    assert len(names) >= 17
    assert [name for name in names if f"| `{name}` |" not in PAGE] == []
    assert [scope for scope in ApiToken.Scope.values if f"| `{scope}` |" not in PAGE] == []


def test_no_two_descriptions_have_one_name():
    """OpenAPI would describe both as the one that it saw last."""
    api_schema()
    described: dict[str, set[type]] = {}
    for serializer in _subclasses(BaseSerializer):
        if serializer.__module__.partition(".")[0] in ("annotate", "inference", "review"):
            described.setdefault(serializer.__name__, set()).add(serializer)
    assert [name for name, classes in described.items() if len(classes) > 1] == []


def _subclasses(parent: type) -> set[type]:
    children = set(parent.__subclasses__())
    return children.union(*map(_subclasses, children))
