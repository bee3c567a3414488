"""The guidelines of the steps: defaults for new projects, and safe HTML.

Admins write guidelines in Markdown. Raw HTML in them is shown as text, and images are left out.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotate.kinds import kind_facts
from annotate.models import Project
from annotate.rules import rules_for

_FOLDER = Path(__file__).parent
MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["image", "link", "autolink"])


def default_guideline(kind: str) -> str:
    return kind_facts(kind).guideline


@cache
def write_checklist() -> list[dict[str, str]]:
    """Return the key points of write-ups (CaReBench, appendix G), each with `part` and `point`."""
    text = (_FOLDER / "write_checklist.json").read_text(encoding="utf-8")
    checklist: list[dict[str, str]] = json.loads(text)
    return checklist


def guideline_text(project: Project, kind: str) -> str:
    """Return the text of this kind; a project that isn't stored yet has the default."""
    own = rules_for(project, kind).guideline if project.pk else ""
    return own or default_guideline(kind)


def guideline_html(project: Project, kind: str) -> SafeString:
    return markdown_html(guideline_text(project, kind))


@lru_cache(maxsize=200)
def markdown_html(text: str) -> SafeString:
    html: str = MARKDOWN.render(text)
    return mark_safe(html)  # the renderer escapes the typed text
