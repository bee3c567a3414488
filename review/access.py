"""The only way a view of this app gets an object. The rules are those of annotate.access."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate.access import ROLES_FOR_KIND, member, own_assignment
from annotate.models import Assignment, Caption, Membership, Role, WorkItem
from review.exports import FORMATS
from review.models import (
    ComposedQuery,
    Modification,
    RatingExample,
    Release,
    Report,
    Study,
    TrainingAnswer,
    TripletSet,
    Verification,
)
from review.models.modification_runs import ModificationRun
from review.queries.ratings import examples_for
from review.queries.verifications import readable_verifications

__all__ = [
    "admin",
    "administered_set",
    "example_caption",
    "judge",
    "kept_example",
    "member",
    "modification",
    "modification_run",
    "modify_item",
    "own_modification",
    "own_pair_verdict",
    "own_rating",
    "prompt_keeper",
    "rater",
    "rating_study",
    "release",
    "release_format",
    "retrieval_query",
    "retrieval_report",
    "threshold_study",
    "trainer",
    "training_example",
    "triplet_set",
    "verification",
    "work_item",
]

_SUBMITTED = Assignment.State.SUBMITTED


def judge(request: HttpRequest, slug: str) -> Membership:
    """Somebody who may see how others work."""
    return member(request, slug, Role.ADMIN, Role.EXPERT, Role.REVIEWER)


def admin(request: HttpRequest, slug: str) -> Membership:
    return member(request, slug, Role.ADMIN)


def release(request: HttpRequest, slug: str, version: str) -> tuple[Membership, Release]:
    membership = member(request, slug)
    found = get_object_or_404(Release, project=membership.project, version=version)
    found.project = membership.project
    return membership, found


def release_format(
    request: HttpRequest, slug: str, version: str, format_name: str
) -> tuple[Membership, Release]:
    membership, found = release(request, slug, version)
    if format_name not in FORMATS:
        raise Http404("No such format.")
    return membership, found


def verification(
    request: HttpRequest, slug: str, verification_id: int
) -> tuple[Membership, Verification]:
    """One that this person may read: of a caption that they can't verify themselves any more."""
    membership = judge(request, slug)
    readable = readable_verifications(membership).for_page()
    return membership, get_object_or_404(readable, pk=verification_id)


def work_item(request: HttpRequest, slug: str, item_id: int) -> tuple[Membership, WorkItem]:
    membership = admin(request, slug)
    return membership, get_object_or_404(WorkItem, pk=item_id, project=membership.project)


def own_pair_verdict(request: HttpRequest, assignment_id: int) -> Assignment:
    """A label pair that the signed-in person has judged."""
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.PAIR or assignment.state != _SUBMITTED:
        raise Http404("You have not judged this as a label pair.")
    return assignment


def own_modification(request: HttpRequest, assignment_id: int) -> Assignment:
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.MODIFY:
        raise Http404("This work is no modification.")
    return assignment


def modify_item(request: HttpRequest, slug: str, item_id: int) -> tuple[Membership, WorkItem]:
    membership, item = work_item(request, slug, item_id)
    if item.kind != WorkItem.Kind.MODIFY:
        raise Http404("This work is no modification.")
    return membership, item


def modification(
    request: HttpRequest, slug: str, modification_id: int
) -> tuple[Membership, Modification]:
    """A text, for somebody who may change it."""
    membership = member(request, slug, Role.ADMIN, Role.EXPERT)
    texts = Modification.objects.select_related("pair", "source", "target")
    return membership, get_object_or_404(
        texts, pk=modification_id, pair__project=membership.project
    )


def modification_run(
    request: HttpRequest, slug: str, run_id: int
) -> tuple[Membership, ModificationRun]:
    membership = admin(request, slug)
    return membership, get_object_or_404(ModificationRun, pk=run_id, project=membership.project)


def prompt_keeper(request: HttpRequest, slug: str) -> Membership:
    """Somebody who may change what text models are told."""
    return member(request, slug, Role.ADMIN, Role.EXPERT)


def rater(request: HttpRequest, slug: str) -> Membership:
    return member(request, slug, *ROLES_FOR_KIND[WorkItem.Kind.RATE])


def trainer(request: HttpRequest, slug: str) -> Membership:
    """Somebody who may keep the training set of the raters."""
    return member(request, slug, Role.ADMIN, Role.REVIEWER)


def own_rating(request: HttpRequest, assignment_id: int) -> Assignment:
    """A rating that the signed-in person holds or has given."""
    assignment = own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.RATE:
        raise Http404("This work is no rating.")
    return assignment


def rating_study(request: HttpRequest, slug: str, study_id: int) -> tuple[Membership, Study]:
    membership = admin(request, slug)
    studies = Study.objects.filter(project=membership.project, kind=Study.Kind.RATING)
    return membership, get_object_or_404(studies, pk=study_id)


def threshold_study(request: HttpRequest, slug: str, study_id: int) -> tuple[Membership, Study]:
    membership = admin(request, slug)
    studies = Study.objects.filter(project=membership.project, kind=Study.Kind.THRESHOLD)
    return membership, get_object_or_404(studies, pk=study_id)


def triplet_set(request: HttpRequest, slug: str, number: int) -> tuple[Membership, TripletSet]:
    return _triplet_set(judge(request, slug), number)


def administered_set(request: HttpRequest, slug: str, number: int) -> tuple[Membership, TripletSet]:
    """The same for somebody who may hand it out."""
    return _triplet_set(admin(request, slug), number)


def _triplet_set(membership: Membership, number: int) -> tuple[Membership, TripletSet]:
    sets = TripletSet.objects.select_related("created_by")
    found = get_object_or_404(sets, project=membership.project, number=number)
    found.project = membership.project
    return membership, found


def example_caption(request: HttpRequest, slug: str, caption_id: int) -> tuple[Membership, Caption]:
    membership = trainer(request, slug)
    captions = Caption.objects.select_related("clip__video")
    return membership, get_object_or_404(captions, pk=caption_id, project=membership.project)


def kept_example(
    request: HttpRequest, slug: str, example_id: int
) -> tuple[Membership, RatingExample]:
    membership = trainer(request, slug)
    return membership, _example(membership, example_id)


def training_example(
    request: HttpRequest, slug: str, example_id: int
) -> tuple[Membership, RatingExample]:
    """An example of this person's training, or one that they have answered."""
    membership = rater(request, slug)
    example = _example(membership, example_id)
    answered = TrainingAnswer.objects.filter(example=example, rater=membership.user)
    own = examples_for(membership.project, membership.user).filter(pk=example.pk)
    if not own.exists() and not answered.exists():
        raise Http404("This example is not in your training.")
    return membership, example


def _example(membership: Membership, example_id: int) -> RatingExample:
    examples = RatingExample.objects.select_related("caption__clip__video")
    example = get_object_or_404(examples, pk=example_id, project=membership.project)
    example.project = membership.project
    return example


def retrieval_report(request: HttpRequest, slug: str, report_id: int) -> tuple[Membership, Report]:
    """A report of mAP@K that has numbers, be it the newest or not."""
    membership = judge(request, slug)
    reports = Report.objects.filter(project=membership.project, name=Report.Name.COMPOSED_RETRIEVAL)
    report = get_object_or_404(reports, pk=report_id)
    if "queries" not in report.result:
        raise Http404("This report has no numbers.")
    return membership, report


def retrieval_query(
    request: HttpRequest, slug: str, report_id: int, query_id: int
) -> tuple[Membership, Report, ComposedQuery]:
    membership, report = retrieval_report(request, slug, report_id)
    if all(asked["key"] != query_id for asked in report.result["queries"]):
        raise Http404("The report has no such query.")
    queries = ComposedQuery.objects.select_related("modification__source", "modification__target")
    return membership, report, get_object_or_404(queries, pk=query_id)
