from django.urls import path

from review.annotation_table import views

urlpatterns = [
    path(
        "p/<slug:slug>/verifications/table/",
        views.annotation_table,
        name="annotation_table",
    ),
    path(
        "p/<slug:slug>/verifications/table/annotations.csv",
        views.download_annotations,
        name="download_annotations",
    ),
    path(
        "p/<slug:slug>/verifications/table/upload/",
        views.upload_annotations,
        name="upload_annotations",
    ),
]
