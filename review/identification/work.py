"""The page on which a person picks the clip that a text describes."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from annotate.errors import AnnotateError
from annotate.keys.lists import AT_ONCE, LOOPS, Key
from annotate.models import Assignment, Clip, Membership, Role, WorkItem
from annotate.queue.content import Content
from annotate.queue.fields import key_of
from annotate.queue.work_kinds import Context, WorkKind
from review.identification.models import IdentifiedClip
from review.identification.queries import could_do_more, last_pick, task_of
from review.identification.services import NO_TASK, prepare_task, submit_identification

NEUTRAL_NAME = "this text"


def identify_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    """Return the text and the clips in this person's order, without names, and without anything
    that reveals the right clip."""
    # The page's frame names the clip of the work item, which is one of those to pick from.
    clip = copy(assignment.item.clip)
    clip.name = NEUTRAL_NAME
    task = task_of(assignment)
    if task is None:
        return {"clip": clip, "no_task": NO_TASK}
    clips = Clip.objects.select_related("video").in_bulk(task.clips)
    for number, key in enumerate(task.clips, 1):
        if key in clips:
            clips[key].name = f"Clip {number}"  # its own name can reveal its content
    newest = IdentifiedClip.objects.filter(assignment=assignment).last()
    place = str(task.clips.index(newest.clip_id) + 1) if newest else content.get("place", "")
    last = last_pick(assignment)
    return {
        "clip": clip,
        "text": task.text.caption,
        "choices": [
            (str(number), clips[key]) for number, key in enumerate(task.clips, 1) if key in clips
        ],
        "place": place,
        "has_ended": task.text.test.ended_at is not None,
        "last": last.assignment_id if last else None,
    }


class Identify(WorkKind):
    kind = "identify"
    label = "Identify"
    activity = "identifying clips"
    roles = (Role.ANNOTATOR, Role.EXPERT, Role.REVIEWER)
    submitted = "Pick saved"
    is_made_for_one = True
    clip_is_answer = True
    step_title = "Identify clips"
    counted_as = "Texts given to be identified"
    waits_while_left_out = True
    reserves_itself = True
    keeps_examples = True
    template = "review/identification/work_identify.html"
    keys_heading = "The pick"
    keys = (
        Key(
            "choose",
            "Pick a clip (0 for the tenth)",
            tuple(f"Digit{n % 10}" for n in range(1, 11)),
            numbered=True,
        ),
        AT_ONCE,
    )
    media_keys = LOOPS
    submit = staticmethod(submit_identification)
    fields = (key_of("place", "The number of the picked clip in the task, from 1."),)
    noun = "text"
    skip_reasons = ("The text is unclear", "Several clips look the same", "A video does not play")
    example_headings = ("Text", "Pick")
    none_yet = "Texts appear here when an admin starts a test. No test is running now."
    none_free = "The test needs no more picks from you."
    none_for_you = "The test needs no more picks from you."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return identify_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        context = identify_context(assignment, {})
        if "no_task" in context:
            raise AnnotateError(NO_TASK)
        return {
            "text": context["text"].text,
            # Identified by their place in the film, as the page plays them: a clip's key would
            # reveal the answer.
            "choices": [
                {
                    "place": place,
                    "video": clip.video_id,
                    "start_frame": clip.start_frame,
                    "end_frame": clip.end_frame,
                }
                for place, clip in context["choices"]
            ],
        }

    def texts(self, draft: Content) -> list[str]:
        place = draft.get("place", "")
        return [f"Clip {place}." if place else ""]

    def example_parts(self, assignment: Assignment) -> list[str]:
        task = task_of(assignment)
        newest = IdentifiedClip.objects.filter(assignment=assignment).select_related("clip").last()
        if task is None or newest is None:
            raise AnnotateError("Nobody picked a clip here. Choose another example.")
        if task.text.test.ended_at is None:
            raise AnnotateError("This test is still running. Take an example from an ended one.")
        return [task.text.caption.text, newest.clip.name]

    def names(self, items: Sequence[WorkItem]) -> dict[int, str]:
        return {item.pk: NEUTRAL_NAME for item in items}

    def ahead(self, membership: Membership) -> int:
        return could_do_more(membership)

    def prepare(self, membership: Membership) -> None:
        prepare_task(membership)
