"""What people said of machine captions, and LoVR's annotation table."""

from django.urls import path

from review.corrections import views
from review.verification import views as verifications

urlpatterns = [
    path("p/<slug:slug>/verifications/", verifications.verifications, name="verifications"),
    path(
        "p/<slug:slug>/verifications/<int:verification_id>/",
        verifications.verification,
        name="verification",
    ),
    path(
        "p/<slug:slug>/verifications/corrections/",
        views.corrections,
        name="study_corrections",
    ),
    path(
        "p/<slug:slug>/verifications/corrections/<int:caption_id>/",
        views.correction,
        name="study_correction",
    ),
    path(
        "p/<slug:slug>/verifications/corrections/<int:caption_id>/decide/",
        views.decide,
        name="decide_study_correction",
    ),
    path(
        "p/<slug:slug>/verifications/table/",
        verifications.annotation_table,
        name="annotation_table",
    ),
    path(
        "p/<slug:slug>/verifications/table/annotations.csv",
        verifications.download_annotations,
        name="download_annotations",
    ),
    path(
        "p/<slug:slug>/verifications/table/upload/",
        verifications.upload_annotations,
        name="upload_annotations",
    ),
]
