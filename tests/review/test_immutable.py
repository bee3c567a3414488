"""The database itself refuses to change what has been written for good."""

import pytest
from django.db import DatabaseError, connection, transaction

from annotate.models import AuditEvent, Caption, ClipLabelCorrection, LabelCorrection
from review.capst.models import JudgeReply
from review.comparisons.models import Vote
from review.elements.models import Extraction
from review.frozen.models import (
    Release,
    ReleasedClip,
    ReleasedLabel,
    ReleasedScene,
    ReleasedTripletClip,
    ReleasedVideo,
)
from review.frozen.query_models import ReleasedModification, ReleasedQuery
from review.frozen.records import ReleasedRecord
from review.modifications.models import ModificationPrompt
from review.pairs.models import PairHandOut, PairVerdict
from review.ratings.models import Rating, TrainingAnswer
from review.reports.models import Report
from review.threshold.models import ThresholdBasis
from review.triplets.models import (
    ComposedQuery,
    TargetVerdict,
    Triplet,
    TripletHandOut,
    TripletVerdict,
)
from review.verification.models import MissingSegment, SentenceVerdict, Verification
from tests.cast import NO_PROOF


@pytest.mark.django_db
@pytest.mark.parametrize(
    "model",
    [
        Caption,
        AuditEvent,
        ClipLabelCorrection,
        LabelCorrection,
        Release,
        ReleasedClip,
        ReleasedLabel,
        ReleasedModification,
        ReleasedQuery,
        ReleasedRecord,
        ReleasedScene,
        ReleasedTripletClip,
        ReleasedVideo,
        Verification,
        SentenceVerdict,
        MissingSegment,
        Rating,
        TrainingAnswer,
        Report,
        PairHandOut,
        PairVerdict,
        Vote,
        ModificationPrompt,
        ComposedQuery,
        Extraction,
        JudgeReply,
        ThresholdBasis,
        Triplet,
        TripletHandOut,
        TripletVerdict,
        TargetVerdict,
    ],
)
def test_each_table_has_its_guard(model):
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname, tgrelid::regclass::text FROM pg_trigger")
        guards = cursor.fetchall()
    table = model._meta.db_table
    assert (f"{table}_immutable", table) in guards


def test_a_release_can_not_be_changed(project):
    release = Release.objects.create(
        project=project, version="0.1.0", content_hash="0" * 64, clip_count=0, proof=NO_PROOF
    )
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        Release.objects.filter(pk=release.pk).update(notes="other")
    release.refresh_from_db()
    assert release.notes == ""
