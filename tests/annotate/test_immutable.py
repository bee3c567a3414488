"""What the database itself never lets happen."""

from decimal import Decimal

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import ProtectedError

from annotate.audit import record_event
from annotate.models import AuditEvent, Caption
from review.frozen.models import Release
from review.pay.models import PayEntry
from review.pay.services import correct_pay
from review.pay.terms import set_currency
from tests.cast import NO_PROOF, make_clip, make_project


@pytest.fixture
def caption(project, anna):
    return Caption.objects.create(
        project=project,
        clip=make_clip(project),
        kind="general",
        source="human",
        text="A dive.",
        word_count=2,
        author=anna,
    )


def test_a_caption_can_never_change(caption):
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        Caption.objects.filter(pk=caption.pk).update(text="A jump.")
    caption.text = "A jump."
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        caption.save()
    caption.refresh_from_db()
    assert caption.text == "A dive."


def test_an_audit_event_can_never_change(project, ada):
    event = record_event(actor=ada, verb="create", subject=project, project=project)
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        AuditEvent.objects.filter(pk=event.pk).update(verb="delete")


def test_an_audit_event_can_never_be_deleted_and_outlives_its_project(ada):
    project = make_project("Short-lived")
    event = record_event(actor=ada, verb="create", subject=project, project=project)
    with pytest.raises(DatabaseError, match="kept"), transaction.atomic():
        AuditEvent.objects.filter(pk=event.pk).delete()
    key = project.pk
    project.delete()
    assert AuditEvent.objects.get(pk=event.pk).project_id == key


def test_the_ledger_of_pay_can_never_shrink(project, ada):
    set_currency(project=project, currency="EUR", admin=ada)
    entry = correct_pay(
        project=project, person=ada, amount=Decimal("1.00"), reason="Travel.", admin=ada
    )
    with pytest.raises(DatabaseError, match="kept"), transaction.atomic():
        PayEntry.objects.filter(pk=entry.pk).delete()


def test_a_release_can_never_change(project, ada):
    release = Release.objects.create(
        project=project,
        version="0.1.0",
        content_hash="0" * 64,
        clip_count=0,
        created_by=ada,
        proof=NO_PROOF,
    )
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        Release.objects.filter(pk=release.pk).update(version="9.9.9")


def test_an_author_of_captions_can_not_be_deleted(caption, anna):
    with pytest.raises(ProtectedError):
        anna.delete()


def test_a_range_without_frames_is_refused(project):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_clip(project, video=make_clip(project).video, start_frame=9, end_frame=9)
