"""Ratings from 0 to 5: the studies, the training set, the training, and rating by a script."""

from django.urls import path

from review.ratings import views
from review.ratings import views as rating_examples
from review.ratings import views as rating_training

urlpatterns = [
    path("assignments/<int:assignment_id>/rating/", views.rate, name="rate"),
    path("p/<slug:slug>/ratings/", views.ratings, name="ratings"),
    path("p/<slug:slug>/ratings/open/", views.open_study, name="open_rating_study"),
    path("p/<slug:slug>/ratings/recompute/", views.recompute, name="recompute_ratings"),
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
    path("p/<slug:slug>/ratings/examples/", rating_examples.examples, name="rating_examples"),
    path(
        "p/<slug:slug>/ratings/examples/add/<int:caption_id>/",
        rating_examples.new,
        name="new_rating_example",
    ),
    path(
        "p/<slug:slug>/ratings/examples/add/<int:caption_id>/save/",
        rating_examples.add,
        name="add_rating_example",
    ),
    path(
        "p/<slug:slug>/ratings/examples/<int:example_id>/move/",
        rating_examples.move,
        name="move_rating_example",
    ),
    path(
        "p/<slug:slug>/ratings/examples/<int:example_id>/retire/",
        rating_examples.retire,
        name="retire_rating_example",
    ),
    path("p/<slug:slug>/ratings/training/", rating_training.training, name="training"),
    path(
        "p/<slug:slug>/ratings/training/<int:example_id>/",
        rating_training.example,
        name="training_example",
    ),
    path(
        "p/<slug:slug>/ratings/training/<int:example_id>/answer/",
        rating_training.answer,
        name="answer_training",
    ),
]
