"""The pages of known answers and of trainings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from annotate.kinds import Kind, kind_facts
from annotate.models import Assignment, Membership, WorkItem
from annotate.queue.kinds import kinds_of
from annotate.queue.work_kinds import Context, work_closed
from review.quality.forms import KnownAnswerForm, RuleForm
from review.quality.grading import GRADERS, facts_of
from review.quality.known_pairs import pairs_in_running_round
from review.quality.models import GivenAnswer, KnownAnswer, Pause, QualityRule
from review.quality.queries import (
    Purpose,
    finished_sources,
    known_answers,
    people_quality,
    rule_for,
)
from review.quality.training import training_of
from review.quality.votes import Pair, pairs_of

PER_PAGE = 30


def quality_context(membership: Membership) -> Context:
    """Return each kind of work of the project with its rule and its number of known answers."""
    project = membership.project
    in_use = WorkItem.objects.filter(project=project).values_list("kind", flat=True).distinct()
    rules = {rule.kind: rule for rule in QualityRule.objects.filter(project=project)}
    answers = KnownAnswer.objects.filter(project=project, is_used=True).order_by()
    by_purpose = answers.values_list("item__kind", "item__purpose").annotate(count=Count("pk"))
    counts = {(kind, purpose): count for kind, purpose, count in by_purpose}
    pauses = Pause.objects.filter(project=project, ended_at=None).order_by()
    paused = dict(pauses.values_list("kind").annotate(people=Count("pk")))
    return {
        "membership": membership,
        "project": project,
        "rows": [
            {
                "kind": kind,
                "is_possible": kind in GRADERS,
                "rule": rules.get(kind),
                "training": counts.get((kind, Purpose.TRAINING), 0),
                "gold": counts.get((kind, Purpose.GOLD), 0),
                "paused": paused.get(kind, 0),
            }
            for kind in kinds_of(project, set(in_use))
        ],
    }


def rule_form(kind: Kind, **values: Any) -> RuleForm:
    """Return the form of the rules of a kind of work, with gold only if the kind has it."""
    form = RuleForm(**values)
    if not GRADERS[kind].has_gold:
        form.leave_out_gold()
    return form


def kind_context(membership: Membership, kind: Kind, form: RuleForm | None = None) -> Context:
    project = membership.project
    rule = rule_for(project, kind)
    gold = known_answers(project, kind, Purpose.GOLD)
    return {
        "membership": membership,
        "project": project,
        "kind": kind,
        "grader": GRADERS[kind],
        "rule": rule,
        "form": form or rule_form(kind, initial=RuleForm.values_of(rule)),
        "training": _rows(known_answers(project, kind, Purpose.TRAINING), kind),
        "gold": _rows(gold, kind),
        "running": pairs_in_running_round(gold, project) if kind == "compare" else None,
        "people": people_quality(project, kind),
    }


@dataclass(frozen=True)
class KnownRow:
    """A known answer with how many people answered it, and its captions if it is a vote."""

    known_answer: KnownAnswer
    answered: int
    right: int
    pair: Pair | None


def _rows(answers: QuerySet[KnownAnswer], kind: Kind) -> list[KnownRow]:
    counted = answers.select_related("item__clip", "source__annotator").annotate(
        answered=Count("answers"), right=Count("answers", filter=Q(answers__is_right=True))
    )
    rows = list(counted.order_by("place", "pk"))
    votes = {row.pk: (row.item.subject, row.content) for row in rows}
    pairs = pairs_of(votes) if kind == "compare" else {}
    return [KnownRow(row, row.answered, row.right, pairs.get(row.pk)) for row in rows]


def sources_context(membership: Membership, kind: Kind, name: str, number: str | None) -> Context:
    """Return finished work from which a known answer can be chosen."""
    sources = finished_sources(membership.project, kind, name)
    page = Paginator(sources, PER_PAGE).get_page(number)
    votes = {source.pk: (source.item.subject, source.draft) for source in page}
    pairs = pairs_of(votes) if kind == "compare" else {}
    return {
        "membership": membership,
        "project": membership.project,
        "kind": kind,
        "grader": GRADERS[kind],
        "name": name,
        "query": urlencode({"name": name}) if name else "",
        "page": page,
        "rows": [(source, pairs.get(source.pk)) for source in page],
    }


def source_context(
    membership: Membership, source: Assignment, form: KnownAnswerForm | None = None
) -> Context:
    kind = Kind(source.item.kind)
    form, grader = form or KnownAnswerForm(), GRADERS[kind]
    if grader.chooses_outcome:
        form.offer_vote(source.draft["outcome"])
    if not grader.has_gold:
        form.offer_training_alone()
    if grader.takes_facts:
        form.explain_facts(grader.fields)
    return {
        "membership": membership,
        "project": membership.project,
        "kind": kind,
        "source": source,
        "context_texts": grader.context_texts(source.item),
        "parts": grader.parts(source),
        "grader": grader,
        "form": form,
    }


def training_context(membership: Membership, kind: Kind) -> dict[str, Any]:
    """Return where the person is in their training of a kind of work."""
    project = membership.project
    training = training_of(project, membership.user, kind)
    own_page = reverse("review:kind_training", args=[project.slug, kind])
    closed = work_closed(membership, kind)
    return {
        "membership": membership,
        "project": project,
        "kind": kind,
        "training": training,
        "way_on": closed if closed and closed.url not in ("", own_page) else None,
        "rows": [(item, training.given.get(item.pk)) for item in training.items],
        "can_work": membership.has_role(*kind_facts(kind).roles),
    }


def answer_context(membership: Membership, answer: GivenAnswer) -> dict[str, Any]:
    """Return the person's answer beside the known one and its explanation."""
    known_answer, kind = answer.known_answer, Kind(answer.known_answer.item.kind)
    training = training_of(membership.project, membership.user, kind)
    given = answer.assignment
    given.draft = answer.content
    right = known_answer.source
    right.draft = known_answer.content
    grader, own = GRADERS[kind], dict(GRADERS[kind].parts(given))
    keys = [item.pk for item in training.items]
    facts = facts_of(kind, known_answer.facts)
    texts = grader.texts(given.item, answer.content)
    return {
        "membership": membership,
        "project": membership.project,
        "kind": kind,
        "answer": answer,
        "known_answer": known_answer,
        "clip": known_answer.item.clip,
        "is_graded": grader.is_graded or bool(facts),
        "context_texts": grader.context_texts(given.item),
        "facts": [(fact, fact.is_met(texts)) for fact in facts],
        "parts": [(heading, own.get(heading, ""), text) for heading, text in grader.parts(right)],
        "number": keys.index(known_answer.pk) + 1 if known_answer.pk in keys else None,
        "training": training,
    }
