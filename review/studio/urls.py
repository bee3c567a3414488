from django.urls import path

from review.studio import views

urlpatterns = [
    path("p/<slug:slug>/releases/next/", views.studio, name="release_studio"),
    path("p/<slug:slug>/releases/next/checks/", views.checks, name="release_checks"),
    path("p/<slug:slug>/releases/next/card/", views.card, name="release_card"),
    path("p/<slug:slug>/releases/next/changes/", views.changes, name="release_changes"),
    path("p/<slug:slug>/releases/next/notes/", views.keep_notes, name="keep_release_notes"),
    path("p/<slug:slug>/releases/next/choice/", views.choose, name="choose_release_content"),
    path("p/<slug:slug>/releases/next/gates/", views.change_gates, name="change_release_gates"),
    path("p/<slug:slug>/releases/build/", views.build, name="build_release"),
    path(
        "p/<slug:slug>/releases/build/<int:build_id>/cancel/",
        views.cancel_build,
        name="cancel_release_build",
    ),
]
