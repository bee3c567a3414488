from django.urls import path

from review.corrections import views

urlpatterns = [
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
]
