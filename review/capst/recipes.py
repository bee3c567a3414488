"""How a model was asked, as hashes that identify results and in words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from inference.planning.recipes import hash_of
from inference.registry import BACKENDS, Role
from review.capst import prompts
from review.capst.loaded_prompts import prompts_of


def asks_by_prompt(recipe: Mapping[str, Any]) -> bool:
    """Return whether the model is asked by our prompts; otherwise it has its own rules."""
    return Role.JUDGE not in BACKENDS[recipe["backend"]].roles


def how_asked(recipe: Mapping[str, Any]) -> str:
    """Return "deepseek-chat, prompts 2", "deepseek-chat, prompts of file 1a2b3c4d", or
    "word-overlap 1", which is never called a language model."""
    # Pages can import this as well as workers: the rules load no library.
    from inference.backends.word_overlap import VERSION

    if not asks_by_prompt(recipe):
        return f"{recipe['backend']} {VERSION}"
    model = recipe["model_id"] or recipe["backend"]
    loaded = prompts_of(recipe)
    if loaded:
        # A long model name must not push the hash out of a narrow table.
        return f"{model[:30]}, {loaded.method}"
    return f"{model}, prompts {prompts.VERSION}"[:200]


# The words for each reply format. We check what a server doesn't enforce.
_FORMATS = {
    "json_schema": "JSON with a schema that the server enforces",
    "json_object": "JSON objects, checked here",
    "text": "plain text, checked here",
}


def formats_in_words(reply_formats: Mapping[str, Sequence[str]]) -> str:
    """Describe the formats of a run's replies in a sentence; empty if none are recorded."""
    in_words = {
        role: " and ".join(_FORMATS.get(name, name) for name in names)
        for role, names in sorted(reply_formats.items())
        if names
    }
    if not in_words:
        return ""
    if len(set(in_words.values())) == 1:
        return f"Replies: {next(iter(in_words.values()))}."
    return f"Replies: {'; '.join(f'{role} as {words}' for role, words in in_words.items())}."


def extraction_recipe(recipe: Mapping[str, Any], most: int | None) -> str:
    """Return the SHA-256 of the model and of how it is asked for at most `most` elements."""
    return _hash([hash_of(recipe), how_asked(recipe), most])


def question_key(recipe: Mapping[str, Any], *asked: object) -> str:
    """Return the SHA-256 of the model, of how it is asked, and of the question."""
    return _hash([hash_of(recipe), how_asked(recipe), *asked])


def _hash(data: object) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()
