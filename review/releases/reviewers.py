"""Pseudonyms of people who judged captions and videos."""

from __future__ import annotations

from django.db.models import Min
from django.db.models.fields.json import KT

from annotate.models import DynamicsVerdict, Project, SignOff
from review.frozen.records import RestoredRecord
from review.identification.models import IdentifiedClip
from review.ratings.models import Rating
from review.releases.pseudonyms import Pseudonyms, first_acts, number_people
from review.verification.models import Verification

File = RestoredRecord.File


def reviewer_names(project: Project) -> Pseudonyms:
    """Return `reviewer-1`, … in the order in which people first verified or rated a caption, picked
    a clip, or judged a video, so that a person has the same number in all releases. People of an
    imported release keep theirs, as in `pseudonyms_of`."""
    verifications = Verification.objects.filter(project=project)
    ratings = Rating.objects.filter(caption__project=project)
    picks = IdentifiedClip.objects.filter(task__text__test__project=project)
    dynamics = DynamicsVerdict.objects.filter(video__project=project)
    restored = RestoredRecord.objects.filter(project=project).exclude(
        file__in=[File.ORIGINS, File.SIGN_OFFS]
    )
    first = Min("created_at")
    people = first_acts(
        verifications.values_list("reviewer").annotate(at=first),
        ratings.values_list("rater").annotate(at=first),
        picks.values_list("task__person").annotate(at=first),
        dynamics.values_list("assignment__annotator").annotate(at=first),
    )
    labels = first_acts(
        verifications.values_list("label").annotate(at=first),
        restored.annotate(by=KT("values__by")).values_list("by").annotate(at=first),
    )
    return number_people(people, labels, noun="reviewer")


def signer_names(project: Project) -> Pseudonyms:
    """Return `signer-1`, … in the order of the experts' first verdicts on a clip's final texts;
    those of imported releases as above."""
    own = SignOff.objects.filter(texts__clip__project=project)
    restored = RestoredRecord.objects.filter(project=project, file=File.SIGN_OFFS)
    first = Min("created_at")
    return number_people(
        first_acts(own.values_list("expert").annotate(at=first)),
        first_acts(restored.annotate(by=KT("values__by")).values_list("by").annotate(at=first)),
        noun="signer",
    )
