from django.urls import path

from review.modifications import views

urlpatterns = [
    path("p/<slug:slug>/modifications/", views.modifications, name="modifications"),
    path("p/<slug:slug>/modifications/live/", views.live, name="modifications_live"),
    path("p/<slug:slug>/modifications/write/", views.start, name="start_modification_run"),
    path(
        "p/<slug:slug>/modifications/runs/<int:writing_id>/cancel/",
        views.cancel,
        name="cancel_modification_run",
    ),
    path(
        "p/<slug:slug>/modifications/runs/<int:writing_id>/resume/",
        views.resume,
        name="resume_modification_run",
    ),
    path(
        "p/<slug:slug>/modifications/<int:modification_id>/",
        views.modification,
        name="modification",
    ),
    path(
        "p/<slug:slug>/modifications/<int:modification_id>/change/",
        views.change,
        name="change_modification",
    ),
    path(
        "p/<slug:slug>/modifications/<int:modification_id>/keep/",
        views.keep,
        name="keep_modification",
    ),
    path(
        "p/<slug:slug>/modifications/<int:modification_id>/withdraw/",
        views.withdraw,
        name="withdraw_modification",
    ),
    path(
        "p/<slug:slug>/modifications/<int:direction_id>/ask-again/",
        views.ask_again,
        name="ask_modification_again",
    ),
    path(
        "assignments/<int:assignment_id>/modification/check/",
        views.check,
        name="check_modification",
    ),
    path(
        "p/<slug:slug>/modifications/prompts/",
        views.prompts,
        name="modification_prompts",
    ),
    path(
        "p/<slug:slug>/modifications/prompts/save/",
        views.save,
        name="save_modification_prompt",
    ),
]
