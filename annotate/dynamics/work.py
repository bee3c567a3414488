"""Work: judge whether a video is dynamic (LoVR, section 3.2.2)."""

from __future__ import annotations

from typing import Any

from annotate.dynamics.pages import dynamics_context
from annotate.dynamics.services import MAX_REMARK_LENGTH, submit_dynamics_check
from annotate.keys.lists import AT_ONCE, Key
from annotate.models import Assignment, Role
from annotate.queue.content import Content, dynamics_verdict
from annotate.queue.fields import DraftField
from annotate.queue.work_kinds import Context, WorkKind


class Dynamics(WorkKind):
    kind = "dynamics"
    label = "Dynamics check"
    activity = "the dynamics check"
    roles = (Role.ANNOTATOR, Role.REVIEWER)
    submitted = "Verdict saved"
    title = "Dynamics check of {}"
    counted_as = "Videos checked for dynamics"
    reserves_itself = True
    template = "annotate/dynamics/work.html"
    next_label = "Check next video"
    keys_heading = "The verdict"
    keys = (
        Key("dynamic", "Dynamic", ("KeyD",), ("Alt+Digit1",)),
        Key("static", "Not dynamic", ("KeyN",), ("Alt+Digit2",)),
        AT_ONCE,
    )
    submit = staticmethod(submit_dynamics_check)
    fields = (
        DraftField("verdict", "Is the video dynamic?", ("dynamic", "static")),
        DraftField("remark", "A remark."),
        DraftField("looked", "Was the whole video looked through?", ("yes", "ask")),
    )
    noun = "video"
    example_headings = ("Verdict", "Remark")
    none_yet = "Videos appear here once they are cut into clips."
    none_free = "No video waits for another person to judge it now."
    none_for_you = "You have judged or skipped every video that waits."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return dynamics_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        return {"video": assignment.item.clip.video_id, "longest_remark": MAX_REMARK_LENGTH}

    def example_parts(self, assignment: Assignment) -> list[str]:
        return self.texts(assignment.draft)

    def texts(self, draft: Content) -> list[str]:
        verdict = {True: "Dynamic.", False: "Not dynamic.", None: ""}[dynamics_verdict(draft)]
        return [verdict, draft.get("remark", "")]
