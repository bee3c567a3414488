from django.urls import path

from review.rounds import views

_ROUNDS = "p/<slug:slug>/comparisons"
urlpatterns = [
    path(f"{_ROUNDS}/", views.comparisons, name="comparisons"),
    path(f"{_ROUNDS}/preview/", views.preview, name="preview_round"),
    path(f"{_ROUNDS}/open/", views.open_for_votes, name="open_round"),
    path(f"{_ROUNDS}/<int:round_id>/", views.of_round, name="comparison_round"),
    path(f"{_ROUNDS}/<int:round_id>/end/", views.end, name="end_round"),
]
