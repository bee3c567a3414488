"""The page of a rating, and the conditions for getting one."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from annotate.errors import AnnotateError
from annotate.keys.lists import AT_ONCE, Key
from annotate.models import Assignment, Caption, Membership, Role
from annotate.queue.content import Content
from annotate.queue.fields import DraftField
from annotate.queue.queries import caption_asked_about
from annotate.queue.work_kinds import Closed, Context, WorkKind
from review.ratings.models import Rating
from review.ratings.queries import examples_for, running_rating_study, unanswered_examples
from review.ratings.scale import DEFINITIONS, MAX_REMARK_LENGTH
from review.ratings.services import submit_rating


def rate_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    """Return the page's context, without the caption's author, model and scores."""
    try:
        caption = caption_asked_about(assignment.item)
    except AnnotateError as error:
        return {"no_caption": str(error)}
    return caption_context(caption) | {
        "value": content.get("value", ""),
        "remark": content.get("remark", ""),
        "longest_remark": MAX_REMARK_LENGTH,
    }


def caption_context(caption: Caption) -> dict[str, Any]:
    """Return the caption as paragraphs, and the scale to rate it on."""
    return {
        "paragraphs": [line for line in caption.text.splitlines() if line.strip()],
        "words": caption.word_count,
        "is_of_video": caption.kind == Caption.Kind.FULL_VIDEO,
        "definitions": DEFINITIONS,
    }


def rating_closed(membership: Membership) -> Closed | None:
    """Return why this person may not rate: unfinished training, or a completed share."""
    study = running_rating_study(membership.project)
    if study is None:
        return None
    left = unanswered_examples(membership.project, membership.user).count()
    if left:
        examples = examples_for(membership.project, membership.user).count()
        return Closed(
            f"Complete the training first: {left} of {examples} examples left.",
            url=reverse("review:training", args=[membership.project.slug]),
            label="Start training" if left == examples else "Continue training",
        )
    ratings = Rating.objects.filter(study=study, rater=membership.user).count()
    if study.per_rater is not None and ratings >= study.per_rater:
        return Closed(f"You have rated your share of {study.per_rater}. Thank you.")
    return None


class Rate(WorkKind):
    kind = "rate"
    label = "Rate"
    activity = "rating"
    roles = (Role.ANNOTATOR, Role.REVIEWER)
    submitted = "Rating saved"
    leaves_place_to_people = True
    counted_as = "Captions rated"
    barred_by = ("write", "merge", "hand", "verify")
    is_about_captions = True
    waits_while_left_out = True
    template = "review/ratings/work_rate.html"
    keys_heading = "The rating"
    keys = (
        Key(
            "choose",
            "Rate 0 to 5",
            ("Digit0", "Digit1", "Digit2", "Digit3", "Digit4", "Digit5"),
            ("Alt+Digit0", "Alt+Digit1", "Alt+Digit2", "Alt+Digit3", "Alt+Digit4", "Alt+Digit5"),
            numbered=True,
        ),
        AT_ONCE,
    )
    submit = staticmethod(submit_rating)
    fields = (
        DraftField("value", "The rating.", [str(entry.value) for entry in DEFINITIONS]),
        DraftField("remark", "A remark."),
    )
    noun = "caption"
    skip_reasons = (
        "The video does not play",
        "Too dark to see",
        "The caption is in another language",
    )
    text_fields = ("value", "remark")
    example_headings = ("Caption", "Rating", "Remark")
    none_yet = "Captions appear here when an admin starts a rating study. No study is running now."
    none_free = "No caption waits for another person to rate it now."
    none_for_you = "You have rated or skipped every waiting caption, or worked on its clip."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return rate_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        return {"text": caption_asked_about(assignment.item).text}

    def example_parts(self, assignment: Assignment) -> list[str]:
        names = {str(entry.value): f"{entry.value}: {entry.name}" for entry in DEFINITIONS}
        draft = assignment.draft
        caption = caption_asked_about(assignment.item)
        return [caption.text, names.get(draft.get("value", ""), ""), draft.get("remark", "")]

    def closed(self, membership: Membership) -> Closed | None:
        return rating_closed(membership)
