"""The page to verify a composed query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate.corpus.labels import labels_as_one
from annotate.errors import AnnotateError
from annotate.keys.lists import LOOPS, Key
from annotate.models import Assignment, Clip, Role
from annotate.queue.content import Content
from annotate.queue.work_kinds import Context, WorkKind
from review.modifications.queries import word_limits
from review.modifications.text import plain_form
from review.retrieval.neighbors import neighbors
from review.triplets.content import (
    ANSWERS,
    FIELDS,
    MAX_REMARK_LENGTH,
    QUESTIONS,
    TripletJudgment,
    read_judgment,
)
from review.triplets.models import ComposedQuery
from review.triplets.verdicts import clips_to_add, queried, submit_triplet_verdict

# The number of other clips offered.
OFFERED = 8
KEYS_OF_QUESTIONS = ("1", "2", "3")


@dataclass(frozen=True)
class Target:
    clip: Clip
    number: int
    verdict: str
    is_of_query_video: bool

    @property
    def field(self) -> str:
        return f"target-{self.clip.pk}"


@dataclass(frozen=True)
class Offer:
    clip: Clip
    is_added: bool

    @property
    def field(self) -> str:
        return f"added-{self.clip.pk}"


@dataclass(frozen=True)
class Question:
    name: str
    text: str
    key: str
    answer: str


def triplet_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    """Return the context, without other people's answers about the query."""
    try:
        query = queried(assignment.item)
    except ComposedQuery.DoesNotExist:
        return {"no_query": "This query no longer exists. Skip it and tell an admin."}
    clips = [row.target for row in query.targets.select_related("target__video", "target__label")]
    judgment = read_judgment(content, [clip.pk for clip in clips])
    offers, are_near = _offers(assignment, query, clips, judgment)
    return {
        "query": query,
        "limits": word_limits(assignment.item.project),
        "modification": query.modification,
        "targets": [
            Target(
                clip,
                number,
                content.get(f"target-{clip.pk}", ""),
                clip.video_id == query.clip.video_id,
            )
            for number, clip in enumerate(clips, 1)
        ],
        "decided": sum(is_valid is not None for is_valid in judgment.targets.values()),
        "answered": sum(content.get(name) in ANSWERS for name in QUESTIONS),
        "offers": offers,
        "are_near": are_near,
        "questions": [
            Question(name, text, key, content.get(name, ""))
            for (name, text), key in zip(QUESTIONS.items(), KEYS_OF_QUESTIONS, strict=True)
        ],
        # After a "no", the correction starts with the current text.
        "corrected": content.get("corrected", "")
        or (query.modification.text if judgment.needs_correction else ""),
        "needs_correction": judgment.needs_correction,
        "remark": content.get("remark", ""),
        "longest_remark": MAX_REMARK_LENGTH,
        "leaking": sum(clip.video.split != query.split for clip in (query.clip, *clips)),
        "duplicates": _duplicates(query),
    }


def _offers(
    assignment: Assignment, query: ComposedQuery, clips: list[Clip], judgment: TripletJudgment
) -> tuple[list[Offer], bool]:
    """Return the added clips, then other clips that may be valid, and whether those are neighbors
    of the targets. Without vectors they are clips of the target label.
    """
    targets = [clip.pk for clip in clips]
    may_add = clips_to_add(query).exclude(pk__in=targets)
    others = may_add.filter(label__isnull=False).order_by("pk")
    more: list[int] = []
    are_near = False
    if assignment.state != Assignment.State.SUBMITTED:
        keys = list(others.values_list("pk", flat=True))
        more = neighbors(assignment.item.project, targets, keys, OFFERED)
        are_near = bool(more)
        if not more:
            as_one = labels_as_one(assignment.item.project)
            same = others.filter(label__in=as_one[query.modification.target_id])
            more = list(same.values_list("pk", flat=True)[:OFFERED])
    clip_keys = list(dict.fromkeys((*judgment.added, *more)))
    offered_clips = may_add.select_related("video", "label").in_bulk(clip_keys)
    return [
        Offer(offered_clips[key], key in judgment.added)
        for key in clip_keys
        if key in offered_clips
    ], are_near


def _duplicates(query: ComposedQuery) -> int:
    """Return other queries of the set with the same clip and equivalent words."""
    others = ComposedQuery.objects.filter(triplets=query.triplets_id, clip=query.clip_id).exclude(
        pk=query.pk
    )
    plain = plain_form(query.modification.text)
    texts = others.values_list("modification__text", flat=True)
    return sum(plain_form(text) == plain for text in texts)


class VerifyTriplet(WorkKind):
    kind = "triplet"
    label = "Triplets"
    roles = (Role.ANNOTATOR, Role.REVIEWER)
    submitted = "Verification submitted"
    has_loops = True
    title = "Triplet {}"
    counted_as = "Composed queries verified"
    template = "review/triplets/work_triplet.html"
    next_label = "Verify next triplet"
    keys_heading = "The targets"
    keys = (
        Key("valid", "Valid", ("KeyV",)),
        Key("wrong", "Wrong", ("KeyX",)),
        Key("undecided", "Next undecided target", ("KeyN",)),
        Key("right", "Right: yes; press again for no", ("Digit1",)),
        Key("enough", "Enough: yes; press again for no", ("Digit2",)),
        Key("needed", "Needed: yes; press again for no", ("Digit3",)),
        Key("edit", "Edit the modification", ("KeyE",)),
        Key("left", "Clip at the left", ("ArrowLeft",)),
        Key("right-clip", "Clip at the right", ("ArrowRight",)),
        Key("up", "Clip above", ("ArrowUp",)),
        Key("down", "Clip below", ("ArrowDown",)),
    )
    media_keys = LOOPS
    submit = staticmethod(submit_triplet_verdict)
    fields = FIELDS
    noun = "query"
    skip_reasons = (
        "The query clip doesn’t show its label",
        "The modification is unclear",
        "A video does not play",
    )
    example_headings = ("Modification", "Questions", "Targets", "Remark")
    none_yet = "Queries appear here when an admin hands them out. None are ready now."
    none_free = "No query waits for another person to verify it now."
    none_for_you = "You have verified or skipped all open queries."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return triplet_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        context = triplet_context(assignment, {})
        if "no_query" in context:
            raise AnnotateError(context["no_query"])
        return {
            "query": context["query"].clip_id,
            "modification": context["modification"].text,
            "questions": [{"field": each.name, "text": each.text} for each in context["questions"]],
            "targets": [{"field": each.field, "clip": each.clip.pk} for each in context["targets"]],
            "offers": [{"field": each.field, "clip": each.clip.pk} for each in context["offers"]],
        }

    def example_parts(self, assignment: Assignment) -> list[str]:
        draft, query = assignment.draft, queried(assignment.item)
        answers = [f"{text} {draft.get(name, '')}" for name, text in QUESTIONS.items()]
        targets = [
            f"{triplet.target.name}: {draft.get(f'target-{triplet.target_id}', '')}"
            for triplet in query.targets.select_related("target")
        ]
        remark = draft.get("remark", "")
        return [query.modification.text, "\n".join(answers), "\n".join(targets), remark]

    def texts(self, draft: Content) -> list[str]:
        decided = sum(bool(value) for name, value in draft.items() if name.startswith("target-"))
        count = [f"Targets decided: {decided}."] if decided else []
        return [*count, draft.get("corrected", ""), draft.get("remark", "")]
