"""Parse a file of CapST prompts, such as those of CaReBench's code. Pure.

The file is a JSON object with the four prompts. Each contains `{text}` for the description; a
judging prompt also contains `{elements}`, which becomes a JSON list. Other braces stay as they are.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.text.storable import UNSTORABLE
from inference.backends.protocols import ElementKind
from metrics.capst import RELATIONSHIPS
from review.capst.prompts import (
    Judgment,
    Malformed,
    json_object,
    listed_under,
    object_schema,
    read_judgment,
)
from review.elements.lines import KINDS
from review.errors import ReviewError

MAX_BYTES = 256 * 1024
MAX_LENGTH = 20_000
SINGULAR: Mapping[ElementKind, str] = {"events": "event", "objects": "object"}
_PLACE = re.compile(r"\{(text|elements)\}")
NAMES = (*KINDS, *(f"judge_{kind}" for kind in KINDS))


@dataclass(frozen=True)
class LoadedPrompts:
    """`by_name`: one prompt for each of NAMES. `sha256`: the file's hash."""

    by_name: Mapping[str, str]
    sha256: str

    @property
    def method(self) -> str:
        """Return the prompts' name for signatures and tables."""
        return f"prompts of file {self.sha256[:8]}"

    def extraction(self, text: str, kind: ElementKind, refusal: str = "") -> str:
        return _filled(self.by_name[kind], refusal, text=text)

    def judging(
        self, text: str, elements: Sequence[str], kind: ElementKind, refusal: str = ""
    ) -> str:
        listed = json.dumps(list(elements), ensure_ascii=False)
        return _filled(self.by_name[f"judge_{kind}"], refusal, elements=listed, text=text)


def parse_prompts(data: bytes) -> LoadedPrompts:
    """Read a file. Raises ReviewError, which names the field and the fix."""
    if len(data) > MAX_BYTES:
        raise ReviewError(f"The file is larger than {MAX_BYTES // 1024} KiB. Shorten it.")
    try:
        prompts = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ReviewError(
            "The file isn’t JSON in UTF-8. Write one object with the four prompts."
        ) from None
    if not isinstance(prompts, dict):
        raise ReviewError(f"The file must be one JSON object with {', '.join(NAMES)}.")
    for name in NAMES:
        _refuse(name, prompts.get(name))
    if more := sorted(prompts.keys() - set(NAMES)):
        raise ReviewError(f"“{more[0][:80]}” is not a prompt. Keep only {', '.join(NAMES)}.")
    return LoadedPrompts({name: prompts[name] for name in NAMES}, hashlib.sha256(data).hexdigest())


def _refuse(name: str, prompt: object) -> None:
    if not isinstance(prompt, str) or not prompt.strip():
        raise ReviewError(f"{name}: The prompt is missing. Give it as text.")
    if len(prompt) > MAX_LENGTH:
        raise ReviewError(
            f"{name}: It has {len(prompt):,} characters; the limit is {MAX_LENGTH:,}."
        )
    if UNSTORABLE.search(prompt):
        raise ReviewError(f"{name}: It contains a character that can’t be stored. Remove it.")
    for place in ("{text}", *(["{elements}"] if name.startswith("judge_") else [])):
        if prompt.count(place) != 1:
            raise ReviewError(f"{name}: Write {place} exactly once, where the text belongs.")


def _filled(prompt: str, refusal: str, **values: str) -> str:
    """Fill the placeholders in one pass, so that placeholders inside a caption aren't filled."""
    filled = _PLACE.sub(lambda match: values.get(match[1], match[0]), prompt)
    if refusal:
        filled += f"\n\nYour last answer could not be used. {refusal} Answer again."
    return filled


def relations_schema(kind: ElementKind) -> Mapping[str, Any]:
    relation = {
        SINGULAR[kind]: {"type": "string"},
        "relationship": {"type": "string", "enum": list(RELATIONSHIPS)},
        "reason": {"type": "string"},
    }
    return object_schema({kind: {"type": "array", "items": object_schema(relation)}})


def read_relations(reply: str, kind: ElementKind, count: int) -> list[Judgment]:
    """Return one judgment for each of `count` elements, in order. Raises Malformed."""
    listed = listed_under(json_object(reply), kind)
    if len(listed) != count:
        raise Malformed(f"It has {len(listed)} {kind}; {count} were asked for.")
    for number, judgment in enumerate(listed, 1):
        if not isinstance(judgment, dict) or set(judgment) != {
            SINGULAR[kind],
            "relationship",
            "reason",
        }:
            raise Malformed(
                f"Entry {number} needs {SINGULAR[kind]}, relationship and reason, no more."
            )
    return [read_judgment(judgment, number) for number, judgment in enumerate(listed, 1)]
