"""What people said of machine captions, and LoVR's annotation table."""

from django.urls import path

from review.views import verifications

urlpatterns = [
    path("p/<slug:slug>/verifications/", verifications.verifications, name="verifications"),
    path(
        "p/<slug:slug>/verifications/<int:verification_id>/",
        verifications.verification,
        name="verification",
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
