from django.urls import path

from review.quality import views

QUALITY = "p/<slug:slug>/quality/"
KIND = f"{QUALITY}<slug:kind>/"
ANSWER = f"{QUALITY}answers/<int:known_id>/"
TRAINING = "p/<slug:slug>/training/"

urlpatterns = [
    path(QUALITY, views.quality, name="quality"),
    path(f"{QUALITY}add/<int:source_id>/", views.add, name="add_known_answer"),
    path(f"{ANSWER}move/", views.move, name="move_known_answer"),
    path(f"{ANSWER}retire/", views.retire, name="retire_known_answer"),
    path(f"{QUALITY}pauses/<int:pause_id>/end/", views.end_pause, name="end_pause"),
    path(KIND, views.kind, name="quality_kind"),
    path(f"{KIND}add/", views.sources, name="known_answer_sources"),
    path(f"{KIND}train-again/", views.train_again, name="train_again"),
    path(f"{KIND}people/<int:person_id>/let-in/", views.let_in, name="let_in"),
    path(f"{TRAINING}of/<slug:kind>/", views.training, name="kind_training"),
    path(f"{TRAINING}of/<slug:kind>/next/", views.next_training, name="next_training"),
    path(f"{TRAINING}answers/<int:answer_id>/", views.training_answer, name="training_answer"),
]
