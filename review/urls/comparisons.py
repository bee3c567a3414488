"""Rounds of blind comparisons: tried out, opened, watched and ended."""

from django.urls import path

from review.views import comparison_rounds

_ROUNDS = "p/<slug:slug>/comparisons"
urlpatterns = [
    path(f"{_ROUNDS}/", comparison_rounds.comparisons, name="comparisons"),
    path(f"{_ROUNDS}/preview/", comparison_rounds.preview, name="preview_round"),
    path(f"{_ROUNDS}/open/", comparison_rounds.open_for_votes, name="open_round"),
    path(f"{_ROUNDS}/<int:round_id>/", comparison_rounds.of_round, name="comparison_round"),
    path(f"{_ROUNDS}/<int:round_id>/end/", comparison_rounds.end, name="end_round"),
]
