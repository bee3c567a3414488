"""The threshold of each way of scoring, and the studies that it is estimated from."""

from django.urls import path

from review.views import threshold

urlpatterns = [
    path("p/<slug:slug>/threshold/", threshold.threshold, name="threshold"),
    path("p/<slug:slug>/threshold/adopt/", threshold.adopt, name="adopt_threshold"),
    path("p/<slug:slug>/threshold/hand-out/", threshold.hand_out, name="hand_out_low_captions"),
    path("p/<slug:slug>/threshold/recompute/", threshold.recompute, name="recompute_threshold"),
    path("p/<slug:slug>/threshold/study/", threshold.start_study, name="start_study"),
    path(
        "p/<slug:slug>/threshold/study/<int:study_id>/stop/",
        threshold.stop_study,
        name="stop_threshold_study",
    ),
]
