"""Ask a model for elements and judgments: each question once, and without guessing from bad
replies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.models import Project
from annotate.text.storable import storable
from inference.backends.protocols import BackendError, ElementKind, Generation
from inference.backends.replies import format_of
from inference.loading import batch_size_of, load_model
from inference.planning.recipes import settings_of
from inference.queries import BATCH_SIZE
from review.capst.loaded_prompts import read_relations, relations_schema
from review.capst.models import JudgeReply
from review.capst.prompts import (
    SYSTEM,
    Judgment,
    Malformed,
    extraction_question,
    extraction_schema,
    judging_question,
    judging_schema,
    read_elements,
    read_judgments,
)
from review.capst.recipes import JudgeRecipe, question_key

MAX_RETRIES = 3
MAX_TOKENS = 4096
# A judgment takes about fifty tokens, so that this many fit into a reply.
JUDGING_BATCH_SIZE = 50
RULE_BATCH_SIZE = 50
CUT_OFF = (
    f"The model used up its {MAX_TOKENS:,} tokens before its answer was complete. Choose a model "
    "that answers without thinking aloud."
)


@dataclass(frozen=True)
class Extract:
    """A question: which events or objects does the text name, at most `most`?"""

    text: str
    kind: ElementKind
    most: int | None

    @property
    def schema(self) -> Mapping[str, Any]:
        return extraction_schema(self.kind)

    def prompt(self, refusal: str = "") -> str:
        return extraction_question(self.text, self.kind, self.most, refusal)

    def read(self, reply: str) -> list[str]:
        return read_elements(reply, self.kind)

    def by_rules(self, model: Any) -> list[str]:
        elements: list[str] = model.extract(self.text, self.kind, self.most)
        return elements


@dataclass(frozen=True)
class Judge:
    """A question: what does the text say about each element? There is at least one."""

    text: str
    elements: tuple[str, ...]
    kind: ElementKind = "events"

    @property
    def schema(self) -> Mapping[str, Any]:
        return judging_schema()

    def prompt(self, refusal: str = "") -> str:
        return judging_question(self.text, self.elements, refusal)

    def read(self, reply: str) -> list[Judgment]:
        return read_judgments(reply, len(self.elements))

    def by_rules(self, model: Any) -> list[Judgment]:
        judged: list[Judgment] = model.judge(self.text, self.elements)
        return judged


Question = Extract | Judge


@dataclass(frozen=True)
class Unanswered:
    """A request without a usable answer; `reply` is the model's last reply, if any."""

    reason: str
    reply: str = ""

    def about(self, kind: ElementKind) -> Unanswered:
        """Return the same, with the message prefixed by events or objects."""
        return replace(self, reason=f"{kind.capitalize()}: {self.reason}")


class Asker:
    """One model, as described by a run's recipe, with the project's stored replies from it. Raises
    BackendError if the model isn't available.
    """

    def __init__(self, project: Project, recipe: JudgeRecipe) -> None:
        settings = settings_of(recipe)
        self._project = project
        self._recipe = recipe
        # None for Vericap's own prompts.
        self._loaded = recipe.prompts
        self._model = load_model(settings)
        # The formats of the replies used, as accepted by the servers.
        self.reply_formats: set[str] = set()
        self.at_once = batch_size_of(settings) if recipe.asks_by_prompt else RULE_BATCH_SIZE

    def ask(self, questions: Sequence[Question], refuse_lost: Callable[[], None]) -> list[Any]:
        """Return each question's elements, judgments, or the reason for no answer (Unanswered).

        A question that was answered before isn't asked again; a question with an unusable reply is
        repeated up to MAX_RETRIES times. `refuse_lost` is called before each batch of requests,
        and raises if the answers are no longer needed. Raises BackendError if all other requests
        would fail too.
        """
        if not self._recipe.asks_by_prompt:
            return [question.by_rules(self._model) for question in questions]
        keys = {question: self._key(question) for question in questions}
        stored = self._stored_replies(keys)
        answers: dict[Question, Any] = {
            question: self._read(question, stored[key])
            for question, key in keys.items()
            if key in stored
        }
        open_questions = [question for question in keys if question not in answers]
        refused: dict[Question, Unanswered] = {}
        for attempt in range(1 + MAX_RETRIES):
            for batch in self._batches(open_questions):
                refuse_lost()
                self._ask(batch, attempt, keys, answers, refused)
            open_questions = [question for question in open_questions if question not in answers]
        return [
            answers[question] if question in answers else refused[question]
            for question in questions
        ]

    def _ask(
        self,
        batch: Sequence[Question],
        attempt: int,
        keys: Mapping[Question, str],
        answers: dict[Question, Any],
        refused: dict[Question, Unanswered],
    ) -> None:
        """Ask these questions, which share a schema. Add answers to `answers`, and unusable replies
        to `refused`.
        """
        replies = self._model.complete(
            [self._prompt(question, _reason(refused.get(question))) for question in batch],
            Generation(max_tokens=MAX_TOKENS, seed=attempt, json_schema=self._schema(batch[0])),
            system=self._system,
        )
        usable = []
        broken = None
        for question, reply in zip(batch, replies, strict=True):
            if isinstance(reply, BackendError):
                broken = reply if reply.concerns_all else broken
                answers[question] = Unanswered(CUT_OFF if reply.code == "cut_off" else str(reply))
                continue
            try:
                answers[question] = self._read(question, reply)
            except Malformed as error:
                refused[question] = Unanswered(str(error), storable(reply))
            else:
                usable.append(
                    JudgeReply(
                        project=self._project,
                        key=keys[question],
                        reply=storable(reply),
                        reply_format=format_of(reply),
                    )
                )
                self.reply_formats |= {format_of(reply)} - {""}
        JudgeReply.objects.bulk_create(usable, ignore_conflicts=True)
        # Raise only now, to keep the batch's other answers, which are paid for.
        if broken:
            raise broken

    def _key(self, question: Question) -> str:
        return question_key(self._recipe, self._system, self._prompt(question))

    @property
    def _system(self) -> str:
        return "" if self._loaded else SYSTEM

    def _prompt(self, question: Question, refusal: str = "") -> str:
        if self._loaded is None:
            return question.prompt(refusal)
        if isinstance(question, Extract):
            return self._loaded.extraction(question.text, question.kind, refusal)
        return self._loaded.judging(question.text, question.elements, question.kind, refusal)

    def _schema(self, question: Question) -> Mapping[str, Any]:
        if self._loaded and isinstance(question, Judge):
            return relations_schema(question.kind)
        return question.schema

    def _read(self, question: Question, reply: str) -> list[str] | list[Judgment]:
        if self._loaded and isinstance(question, Judge):
            return read_relations(reply, question.kind, len(question.elements))
        return question.read(reply)

    def _batches(self, questions: Sequence[Question]) -> Iterator[list[Question]]:
        """Yield batches of questions with the same form of reply."""
        by_form: dict[str, list[Question]] = {}
        for question in questions:
            is_judge = isinstance(question, Judge)
            form = f"{is_judge} {question.kind}" if self._loaded or not is_judge else ""
            by_form.setdefault(form, []).append(question)
        for same_form in by_form.values():
            for start in range(0, len(same_form), self.at_once):
                yield same_form[start : start + self.at_once]

    def _stored_replies(self, keys: Mapping[Question, str]) -> dict[str, str]:
        listed = list(keys.values())
        replies: dict[str, str] = {}
        for start in range(0, len(listed), BATCH_SIZE):
            stored = JudgeReply.objects.filter(
                project=self._project, key__in=listed[start : start + BATCH_SIZE]
            )
            for key, reply, reply_format in stored.values_list("key", "reply", "reply_format"):
                replies[key] = reply
                self.reply_formats |= {reply_format} - {""}
        return replies


def _reason(refusal: Unanswered | None) -> str:
    return refusal.reason if refusal else ""
