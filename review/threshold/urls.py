from django.urls import path

from review.threshold import views

urlpatterns = [
    path("p/<slug:slug>/threshold/adopt/", views.adopt, name="adopt_threshold"),
    path("p/<slug:slug>/threshold/value/", views.try_value, name="try_threshold"),
    path("p/<slug:slug>/threshold/hand-out/", views.hand_out, name="hand_out_low_captions"),
    path("p/<slug:slug>/threshold/study/", views.start_study, name="start_study"),
    path(
        "p/<slug:slug>/threshold/study/<int:study_id>/stop/",
        views.stop_study,
        name="stop_threshold_study",
    ),
]
