from django.urls import path

from review.ratings import views

urlpatterns = [
    path("assignments/<int:assignment_id>/rating/", views.rate, name="rate"),
    path("p/<slug:slug>/ratings/open/", views.open_study, name="open_rating_study"),
    path(
        "p/<slug:slug>/ratings/studies/<int:study_id>/stop/",
        views.stop,
        name="stop_rating_study",
    ),
    path(
        "p/<slug:slug>/ratings/studies/<int:study_id>/share/",
        views.share,
        name="change_rating_share",
    ),
    path("p/<slug:slug>/ratings/examples/", views.examples, name="rating_examples"),
    path(
        "p/<slug:slug>/ratings/examples/add/<int:caption_id>/",
        views.new,
        name="new_rating_example",
    ),
    path(
        "p/<slug:slug>/ratings/examples/add/<int:caption_id>/save/",
        views.add,
        name="add_rating_example",
    ),
    path(
        "p/<slug:slug>/ratings/examples/<int:example_id>/move/",
        views.move,
        name="move_rating_example",
    ),
    path(
        "p/<slug:slug>/ratings/examples/<int:example_id>/retire/",
        views.retire,
        name="retire_rating_example",
    ),
    path("p/<slug:slug>/ratings/training/", views.training, name="training"),
    path(
        "p/<slug:slug>/ratings/training/<int:example_id>/",
        views.example,
        name="training_example",
    ),
    path(
        "p/<slug:slug>/ratings/training/<int:example_id>/answer/",
        views.answer,
        name="answer_training",
    ),
]
