"""Verifications as judges read them: filters, access, and totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from annotate.corpus.blindness import hides
from annotate.models import Caption, Membership, Project, User
from annotate.programs import programs_of
from review.studies.models import Study
from review.verification.models import Verification, VerificationQuerySet

NO_ERROR = "none"
CLIPS, VIDEOS = "clips", "videos"
KIND_OF = {CLIPS: Caption.Kind.GENERAL, VIDEOS: Caption.Kind.FULL_VIDEO}
# The columns that count the sentences with each type.
COUNTED_IN = {"A": "errors_a", "B": "errors_b", "C": "errors_c", "D": "topic_errors"}
PER = 100
_SUMMED = ("sentences", "content_errors", "content_error_sentences", *COUNTED_IN.values())
_WIDTH = 4 + len(_SUMMED)


@dataclass(frozen=True)
class TypeTotal:
    """The sentences with one type of error; `per_100` is of all sentences."""

    type: str
    sentences: int
    per_100: float


@dataclass(frozen=True)
class Totals:
    """Sums over verifications. Both ways of counting A#B: `content_errors` takes it for two,
    `content_error_sentences` for one."""

    verifications: int
    captions: int
    sentences: int
    corrected: int
    off_theme: int
    content_errors: int
    content_error_sentences: int
    topic_errors: int
    types: list[TypeTotal]

    def per_caption(self, count: int) -> float | None:
        """Return the mean per verification (a caption that two people judged counts twice), or None
        without verifications."""
        return count / self.verifications if self.verifications else None

    @property
    def content_errors_each(self) -> float | None:
        return self.per_caption(self.content_errors)

    @property
    def content_error_sentences_each(self) -> float | None:
        return self.per_caption(self.content_error_sentences)

    @property
    def topic_errors_each(self) -> float | None:
        return self.per_caption(self.topic_errors)


def readable_verifications(
    membership: Membership, *, by_anyone: bool = False
) -> VerificationQuerySet:
    """Return the project's verifications that count, or those of programs too, without those of
    captions that this person can't read or could still verify."""
    project = membership.project
    stored = Verification.objects
    verifications = stored.by_anyone(project) if by_anyone else stored.of_project(project)
    hidden = _hidden(membership)
    return verifications if hidden is None else verifications.exclude(Exists(hidden))


def count_hidden(membership: Membership, *, readable: int | None = None) -> int:
    """Count the other verifications; `readable`: the number of readable ones, if known."""
    if _hidden(membership) is None:
        return 0
    if readable is None:
        readable = readable_verifications(membership).count()
    return _of_project(membership.project).count() - readable


def filter_verifications(
    verifications: VerificationQuerySet, filters: Mapping[str, Any]
) -> VerificationQuerySet:
    """Filter verifications. `filters`: the values of a VerificationsForm."""
    if name := filters.get("q"):
        verifications = verifications.filter(caption__clip__name__icontains=name)
    if of := filters.get("of"):
        verifications = verifications.filter(caption__kind=KIND_OF[of])
    if who := filters.get("who"):
        kind, _, key = who.partition("-")
        verifications = (
            verifications.filter(reviewer=key)
            if kind == "person"
            else verifications.filter(label=key)
        )
    if error := filters.get("error"):
        if error == NO_ERROR:
            verifications = verifications.filter(content_errors=0, topic_errors=0)
        else:
            verifications = verifications.filter(**{f"{COUNTED_IN[error]}__gt": 0})
    if theme := filters.get("theme"):
        verifications = verifications.filter(fits_theme=theme == "ok")
    if study := filters.get("study"):
        verifications = verifications.filter(caption__studies__study=study)
    return verifications


def verified_parts(project: Project) -> list[str]:
    """Return whether captions of clips, of whole videos or of both are verified; their errors are
    never added up together."""
    kinds = set(_of_project(project).order_by().values_list("caption__kind", flat=True).distinct())
    return [part for part, kind in KIND_OF.items() if kind in kinds]


def who_verified(project: Project) -> list[tuple[str, str]]:
    """Return (value of the filter, name) of each person or program and each label of a table, by
    name."""
    verified = Verification.objects.by_anyone(project).filter(reviewer=OuterRef("pk"))
    people = User.objects.filter(Exists(verified.order_by()))
    programs = programs_of(project)
    labels = _of_project(project).exclude(label="").order_by("label")
    return [
        *(
            (f"person-{person.pk}", f"{person} (program)" if person.pk in programs else str(person))
            for person in people.order_by("name", "pk")
        ),
        *(
            (f"label-{label}", f"{label} (table)")
            for label in labels.values_list("label", flat=True).distinct()
        ),
    ]


def studies_verified(project: Project) -> list[tuple[str, str]]:
    """Return (value of the filter, title) of the studies that ask for verifications, newest
    first.
    """
    studies = Study.objects.filter(project=project, kind=Study.Kind.THRESHOLD)
    counted = studies.annotate(size=Count("captions")).order_by("-pk")
    return [(str(study.pk), study.title(study.size)) for study in counted]


def list_verifications(
    membership: Membership, filters: Mapping[str, Any]
) -> tuple[Sequence[int] | QuerySet[Any, Any], Totals]:
    """Return the keys of the verifications that this person may read, newest first, and their
    totals. A program's are among them if the filters name it. Where something is hidden from the
    person, one statement decides about each."""
    readable = readable_verifications(membership, by_anyone=bool(filters.get("who")))
    verifications = filter_verifications(readable, filters).order_by("-pk")
    if _hidden(membership) is None:
        return verifications.values_list("pk", flat=True), total_of(verifications)
    rows = list(verifications.values_list("pk", "caption", "corrected", "fits_theme", *_SUMMED))
    keys, captions, corrected, fit, *columns = zip(*rows, strict=True) if rows else ((),) * _WIDTH
    totals = _totals(
        verifications=len(keys),
        captions=len(set(captions)),
        corrected=len(keys) - corrected.count(None),
        off_theme=fit.count(False),
        sums=dict(zip(_SUMMED, map(sum, columns), strict=True)),
    )
    return keys, totals


def total_of(verifications: QuerySet[Verification]) -> Totals:
    counted = verifications.order_by().aggregate(
        verifications=Count("pk"),
        captions=Count("caption", distinct=True),
        corrected=Count("corrected"),
        off_theme=Count("pk", filter=Q(fits_theme=False)),
        **{f"sum_{column}": Sum(column, default=0) for column in _SUMMED},
    )
    sums = {column: counted.pop(f"sum_{column}") for column in _SUMMED}
    return _totals(**counted, sums=sums)


def _totals(
    *, verifications: int, captions: int, corrected: int, off_theme: int, sums: Mapping[str, int]
) -> Totals:
    sentences = sums["sentences"]
    return Totals(
        verifications=verifications,
        captions=captions,
        sentences=sentences,
        corrected=corrected,
        off_theme=off_theme,
        content_errors=sums["content_errors"],
        content_error_sentences=sums["content_error_sentences"],
        topic_errors=sums["topic_errors"],
        types=[
            TypeTotal(letter, count := sums[column], PER * count / (sentences or 1))
            for letter, column in COUNTED_IN.items()
        ],
    )


def _of_project(project: Project) -> VerificationQuerySet:
    return Verification.objects.of_project(project)


def _hidden(membership: Membership) -> QuerySet[Any] | None:
    """Return the condition that hides a verification from this person; None if nothing is hidden.
    It is about one verification, so that only verified captions are looked up."""
    hidden = hides(membership, or_scores=True)
    return Caption.objects.filter(hidden, pk=OuterRef("caption")).order_by() if hidden else None
