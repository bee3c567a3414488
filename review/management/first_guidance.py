"""Questions that the demo's people asked about their work, and examples in its guidelines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone

from annotate.examples.services import add_example
from annotate.models import Assignment, GuidelineExample, Project, Question, User, WorkItem
from annotate.questions.services import answer, ask
from annotate.queue.work_kinds import work_kind
from review.management.past import days_ago

Kind = WorkItem.Kind


class Asked(NamedTuple):
    """About the write-up of the video `file`; an expert has answered, unless `answer` is empty."""

    file: str
    person: str
    text: str
    answer: str


QUESTIONS = (
    Asked(
        "bigbuckbunny.mp4",
        "anna",
        "Is it a rabbit or a hare? The ears would fit both.",
        "Write rabbit: it lives in a burrow. Where nothing decides it, take the more general word.",
    ),
    Asked(
        "carphone_pristine.mp4",
        "ben",
        "The clip has no sound. May I write that he talks, as his lips move?",
        "",
    ),
)
# The first person's description of each video.
EXAMPLES = {
    Kind.WRITE: (
        "bikes.mp4",
        "Each of the six shots has its own words, in the order of the clip, and nothing is guessed "
        "about who the people are.",
    ),
    Kind.SPLIT: (
        "dive_red_tuck.mp4",
        "Colors and places are in the spatial text alone, and the dive is in the temporal one.",
    ),
}


def ask_questions(*, project: Project, people: Mapping[str, User]) -> None:
    """Ask each question shortly after the work was submitted, unless one was asked."""
    if Question.objects.filter(assignment__item__project=project).exists():
        return
    for asked in QUESTIONS:
        work = Assignment.objects.filter(
            item__project=project,
            item__kind=Kind.WRITE,
            item__clip__video__original_name=asked.file,
            annotator=people[asked.person],
        ).first()
        if work is None or work.submitted_at is None:
            continue
        ago = (timezone.now() - work.submitted_at) / timedelta(days=1)
        with days_ago(ago):
            message = ask(assignment=work, person=people[asked.person], text=asked.text)
        if asked.answer:
            with days_ago(ago * 0.9):
                answer(question=message.question, person=people["emil"], text=asked.answer)


def show_examples(*, project: Project, admin: User) -> None:
    """Show finished work in the guidelines of its kind, unless there are examples."""
    if GuidelineExample.objects.filter(project=project).exists():
        return
    for kind, (file, comment) in EXAMPLES.items():
        work = (
            Assignment.objects.filter(
                item__project=project,
                item__kind=kind,
                item__clip__video__original_name=file,
                state=Assignment.State.SUBMITTED,
            )
            .select_related("item__clip")
            .order_by("pk")
            .first()
        )
        if work is None:
            continue
        entry = work_kind(kind)
        parts = list(zip(entry.example_headings, entry.example_parts(work), strict=True))
        with days_ago(3):
            add_example(
                project=project,
                kind=kind,
                clip=work.item.clip,
                parts=parts,
                is_good=True,
                comment=comment,
                admin=admin,
            )
