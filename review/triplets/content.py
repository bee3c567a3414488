"""Read the draft of a triplet's verification, the form's fields, as a judgment."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from annotate.queue.content import Content
from annotate.queue.fields import DraftField
from annotate.text.parts import Problem
from review.modifications.text import Limits, plain_form, problem_with

QUESTIONS = {
    "right": "Is the modification right?",
    "enough": "Is it enough to tell the targets?",
    "needed": "Is all of it needed?",
}
ANSWERS = {"yes": True, "no": False}
TARGETS = {"valid": True, "wrong": False}
ADDED = re.compile(r"added-(\d{1,18})", re.ASCII)
MAX_REMARK_LENGTH = 500
FIELDS = (
    *(DraftField(name, question, tuple(ANSWERS)) for name, question in QUESTIONS.items()),
    DraftField("corrected", "A better modification; required after an answer no."),
    DraftField("target-<clip>", "Is this target valid?", tuple(TARGETS)),
    DraftField("added-<clip>", "An offered clip is also valid.", ("1",)),
    DraftField("remark", "Required if every target is wrong, but the text right and enough."),
)


@dataclass(frozen=True)
class TripletJudgment:
    """`targets`: clip -> whether it is a valid target; `added`: further valid clips."""

    is_right: bool | None
    is_enough: bool | None
    is_needed: bool | None
    corrected: str
    targets: dict[int, bool | None]
    added: tuple[int, ...]
    remark: str

    @property
    def needs_correction(self) -> bool:
        return False in (self.is_right, self.is_enough, self.is_needed)

    @property
    def is_contradictory(self) -> bool:
        """Return whether the text is right and enough, but no clip matches it: either the clips'
        labels or the answers are wrong.
        """
        has_target = bool(self.added) or any(valid is not False for valid in self.targets.values())
        return bool(self.is_right and self.is_enough and not has_target)


def read_judgment(content: Content, targets: Collection[int]) -> TripletJudgment:
    """Return the judgment so far; unanswered questions are None."""
    right, enough, needed = (ANSWERS.get(content.get(name, "")) for name in QUESTIONS)
    added = {
        int(match[1])
        for name, value in content.items()
        if value == "1" and (match := ADDED.fullmatch(name))
    }
    return TripletJudgment(
        is_right=right,
        is_enough=enough,
        is_needed=needed,
        corrected=" ".join(content.get("corrected", "").split()),
        targets={clip: TARGETS.get(content.get(f"target-{clip}", "")) for clip in targets},
        added=tuple(sorted(added.difference(targets))),
        remark=content.get("remark", "").strip(),
    )


def problems_of(judgment: TripletJudgment, text: str, limits: Limits) -> list[Problem]:
    """Return what must be fixed before the judgment of the modification `text` can be stored."""
    answers = (judgment.is_right, judgment.is_enough, judgment.is_needed)
    problems = [
        Problem(name, f"{question} Answer yes or no.")
        for (name, question), answer in zip(QUESTIONS.items(), answers, strict=True)
        if answer is None
    ]
    problems += [
        Problem(f"target-{clip}", f"Target {number}: say whether it is valid.")
        for number, (clip, is_valid) in enumerate(judgment.targets.items(), 1)
        if is_valid is None
    ]
    if judgment.needs_correction and not judgment.corrected:
        message = "Write the corrected modification, or answer yes to all three questions."
        problems.append(Problem("corrected", message))
    if judgment.corrected:
        if wrong := problem_with(judgment.corrected, limits):
            problems.append(Problem("corrected", wrong))
        elif plain_form(judgment.corrected) == plain_form(text):
            way_out = (
                "answer yes to all three questions"
                if judgment.needs_correction
                else "empty the field"
            )
            message = f"The text has not changed. Change it, or {way_out}."
            problems.append(Problem("corrected", message))
    if judgment.is_contradictory and not judgment.remark:
        message = (
            "You marked every target as wrong, but the modification as right and enough. Mark one "
            "target as valid, answer no to a question, or say here what is wrong with the clips."
        )
        problems.append(Problem("remark", message))
    if len(judgment.remark) > MAX_REMARK_LENGTH:
        mend = f"shorten it to {MAX_REMARK_LENGTH} characters (it has {len(judgment.remark)})."
        problems.append(Problem("remark", f"The remark is too long: {mend}"))
    return problems
