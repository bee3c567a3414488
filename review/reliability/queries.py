"""Answers with a known right one, and what people judged in studies."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Count, Q, Sum

from annotate.models import Project, WorkItem
from annotate.programs import that_count
from review.quality.grading import GRADERS
from review.quality.models import GivenAnswer
from review.ratings.queries import ratings_in
from review.reliability.results import (
    Counted,
    KnownRow,
    StudyRating,
)
from review.reports.questions import rater_key
from review.spot_checks.queries import judged_counts
from review.studies.models import Study
from review.threshold.report import asked_captions
from review.verification.models import Verification

Purpose = WorkItem.Purpose
# Kinds of work whose answers have parts; a gold item stores the share of right parts.
WITH_PARTS = ("verify", "triplet")


def known_rows(project: Project) -> dict[str, list[KnownRow]]:
    """Return by kind of work the gold and the spot checks of each person, sorted by person. Two
    queries."""
    counts: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.0] * 6)
    gold = (
        that_count(
            GivenAnswer.objects.filter(
                known_answer__project=project,
                known_answer__item__purpose=Purpose.GOLD,
                known_answer__item__kind__in=[kind for kind, g in GRADERS.items() if g.is_graded],
            ),
            project,
            "person",
        )
        .order_by()
        .values_list("known_answer__item__kind", "person")
        .annotate(right=Count("pk", filter=Q(is_right=True)), n=Count("pk"), shares=Sum("share"))
    )
    for kind, person, right, answered, shares in gold:
        counts[kind, person][:2] = [shares if kind in WITH_PARTS else right, answered]
    for (person, kind), judged in judged_counts(project).items():
        counts[kind, person][2:] = judged
    by_kind: dict[str, list[KnownRow]] = defaultdict(list)
    for (kind, person), (shares, answered, *rest) in sorted(counts.items()):
        by_kind[kind].append(
            KnownRow(rater_key(person), shares, int(answered), *(int(number) for number in rest))
        )
    return by_kind


def study_ratings(study: Study) -> list[StudyRating]:
    rows = ratings_in(study).order_by("caption", "rater")
    return [
        StudyRating(rater_key(rater), caption, value)
        for rater, caption, value in rows.values_list("rater", "caption", "value")
    ]


def counted_errors(project: Project) -> dict[str, list[Counted]]:
    """Return by scorer the errors of each person in the captions that the threshold counts, by
    caption. The first person of a caption comes first, so that the order says nothing more than
    the keys of captions."""
    by_scorer = asked_captions(project)
    if not by_scorer:
        return {}
    captions = {caption for asked in by_scorer.values() for caption in asked}
    rows = defaultdict(list)
    stored = that_count(Verification.objects.filter(project=project), project, "reviewer").order_by(
        "caption", "pk"
    )
    for caption, user, label, per_type, per_sentence, off_topic in stored.values_list(
        "caption", "reviewer", "label", "content_errors", "content_error_sentences", "topic_errors"
    ):
        if caption in captions:
            rater = rater_key(user, label)
            rows[caption].append((rater, per_type + off_topic, per_sentence + off_topic))
    return {
        scorer: [
            Counted(rater, caption, asked_caption.score, per_type, per_sentence)
            for caption, asked_caption in sorted(asked.items())
            if len(rows[caption]) >= asked_caption.people
            for rater, per_type, per_sentence in rows[caption]
        ]
        for scorer, asked in by_scorer.items()
    }
