"""How a model was asked, as hashes that identify results and in words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.errors import Refused
from inference.models import ModelSpec
from inference.planning.recipes import hash_of, model_recipe
from inference.recipes import ModelRecipe, read_stored
from inference.registry import Role, backend_info
from review.capst import prompts
from review.capst.loaded_prompts import LoadedPrompts
from review.capst.models import CapstRun


@dataclass(frozen=True)
class JudgeRecipe(ModelRecipe):
    """A model that finds elements or judges them. Without `prompts`, it gets Vericap's own."""

    prompts: LoadedPrompts | None = None

    @property
    def asks_by_prompt(self) -> bool:
        """Return whether the model is asked by prompts; otherwise it has its own rules."""
        return Role.JUDGE not in backend_info(self.backend).roles

    @property
    def how_asked(self) -> str:
        """Return "deepseek-chat, prompts 2", "deepseek-chat, prompts of file 1a2b3c4d", or
        "word-overlap 1", which is never called a language model."""
        # Pages can import this as well as workers: the rules load no library.
        from inference.backends.word_overlap import VERSION

        if not self.asks_by_prompt:
            return f"{self.backend} {VERSION}"
        if self.prompts:
            # A long model name must not push the hash out of a narrow table.
            return f"{self.identity[:30]}, {self.prompts.method}"
        return f"{self.identity}, prompts {prompts.VERSION}"[:200]


def make_judge(spec: ModelSpec, loaded: LoadedPrompts | None) -> JudgeRecipe:
    return JudgeRecipe(**vars(model_recipe(spec)), prompts=loaded)


def extractor_of(run: CapstRun) -> JudgeRecipe:
    """Return the model that finds the run's elements. Raises Refused."""
    return read_stored(run.extractor_recipe, JudgeRecipe)


def judge_of(run: CapstRun) -> JudgeRecipe | None:
    """Return the model that judges them; None in a run of human captions. Raises Refused."""
    return read_stored(run.judge_recipe, JudgeRecipe) if run.judge_recipe else None


def recipe_fault(run: CapstRun) -> str:
    """Return which field of the run's recipes can't be read; "" if all can."""
    try:
        extractor_of(run), judge_of(run)
    except Refused as error:
        return str(error)
    return ""


# The words for each reply format. We check what a server doesn't enforce.
_FORMATS = {
    "json_schema": "JSON with a schema that the server enforces",
    "json_object": "JSON objects, checked here",
    "text": "plain text, checked here",
}
_REPLIES = {"judgements": "judgments"}  # as runs store it


def formats_in_words(reply_formats: Mapping[str, Sequence[str]]) -> str:
    """Describe the formats of a run's replies in a sentence; empty if none are recorded."""
    in_words = {
        _REPLIES.get(role, role): " and ".join(_FORMATS.get(name, name) for name in names)
        for role, names in sorted(reply_formats.items())
        if names
    }
    if not in_words:
        return ""
    if len(set(in_words.values())) == 1:
        return f"Replies: {next(iter(in_words.values()))}."
    return f"Replies: {'; '.join(f'{role} as {words}' for role, words in in_words.items())}."


def extraction_recipe(recipe: JudgeRecipe, most: int | None) -> str:
    """Return the SHA-256 of the model and of how it is asked for at most `most` elements."""
    return _hash([hash_of(recipe), recipe.how_asked, most])


def question_key(recipe: JudgeRecipe, *asked: object) -> str:
    """Return the SHA-256 of the model, of how it is asked, and of the question."""
    return _hash([hash_of(recipe), recipe.how_asked, *asked])


def _hash(data: object) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()
