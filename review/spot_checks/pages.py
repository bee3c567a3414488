"""The contexts of the pages of spot checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from annotate.forms import offer_choices
from annotate.guidelines import guideline_html
from annotate.keys.lists import JUDGING
from annotate.kinds import Kind
from annotate.models import Membership, WorkItem
from annotate.queue.kinds import kinds_of
from annotate.queue.pages import without_name
from annotate.queue.work_kinds import result_parts
from review.spot_checks.forms import JudgmentForm, SpotCheckForm
from review.spot_checks.models import SpotCheck, SpotCheckItem
from review.spot_checks.queries import (
    PersonChecked,
    answers_of,
    finished_before,
    items_for,
    people_checked,
    with_counts,
)
from review.studies.card import Interval, Measure, card_of, mean_at_every_look

MEASURE = Measure(
    noun="items",
    number="Right, in %",
    unit="percentage points",
    digits="1",
    width=20,
    largest=100,
    at_every_look="a confidence sequence by betting",
)
PERCENT = 100.0


def checks_context(membership: Membership, form: SpotCheckForm | None = None) -> dict[str, Any]:
    project = membership.project
    form = form or SpotCheckForm()
    in_use = WorkItem.objects.filter(project=project).values_list("kind", flat=True).distinct()
    kinds = kinds_of(project, set(in_use))
    offer_choices(form, "kind", [(kind, kind.label) for kind in kinds])
    return {
        "membership": membership,
        "project": project,
        "checks": with_counts(SpotCheck.objects.filter(project=project)).order_by("-pk"),
        "form": form,
    }


def check_context(membership: Membership, check: SpotCheck, query: QueryDict) -> dict[str, Any]:
    wrong = check.items.filter(is_right=False).select_related(
        "assignment__item__clip", "assignment__annotator", "judged_by"
    )
    people = people_checked(check)
    return {
        "membership": membership,
        "project": membership.project,
        "check": check,
        "people": people,
        "drawn": sum(person.drawn for person in people),
        "judged": sum(person.judged for person in people),
        "wrong": wrong.order_by("place"),
        "card": card_of(membership.project, MEASURE, _intervals(check, people), query),
    }


def _intervals(check: SpotCheck, people: Sequence[PersonChecked]) -> list[Interval]:
    """Return the interval of each person's share, of the work that they had finished before."""
    finished = finished_before(check)
    answers = answers_of(check) if check.project.intervals_hold_at_every_look else None
    intervals = []
    for person in people:
        population = max(finished.get(person.person_id, 0), person.drawn)
        if answers is not None:
            percents = [PERCENT * is_right for is_right in answers.get(person.person_id, ())]
            interval = mean_at_every_look(person.person, percents, (0, PERCENT), population)
        else:
            low, high = person.interval or (None, None)
            interval = Interval(
                person.person, person.judged, _percent(low), _percent(high), population
            )
        intervals.append(interval)
    return intervals


def _percent(share: float | None) -> float | None:
    return None if share is None else PERCENT * share


def item_context(
    membership: Membership, item: SpotCheckItem, form: JudgmentForm | None = None
) -> dict[str, Any]:
    """Return the drawn work without its author, the check's progress, and the person's previous
    judgment."""
    mine = items_for(item.check_of, membership.user)
    own = mine.filter(judged_by=membership.user).order_by("-judged_at", "-pk")
    is_own = item.judged_by_id == membership.user_id
    if is_own:
        own = own.filter(judged_at__lt=item.judged_at)
        form = form or JudgmentForm(initial={"remark": item.remark})
    kind = Kind(item.check_of.kind)
    return {
        "membership": membership,
        "project": membership.project,
        "check": item.check_of,
        "item": item,
        "clip": without_name(item.assignment.item.clip),
        "judged_kind": kind,
        "guideline": guideline_html(membership.project, kind),
        "parts": result_parts(item.assignment),
        "judged": mine.filter(is_right__isnull=False).count(),
        "total": mine.count(),
        "is_own": is_own,
        "last": own.select_related("assignment__item__clip").first(),
        "key_groups": JUDGING,
        "form": form or JudgmentForm(),
    }
