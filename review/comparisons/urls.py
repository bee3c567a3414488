from django.urls import path

from review.comparisons import views

_ROUNDS = "p/<slug:slug>/comparisons"
urlpatterns = [
    path(f"{_ROUNDS}/", views.comparisons, name="comparisons"),
    path(f"{_ROUNDS}/preview/", views.preview, name="preview_round"),
    path(f"{_ROUNDS}/open/", views.open_for_votes, name="open_round"),
    path(f"{_ROUNDS}/<int:round_id>/", views.of_round, name="comparison_round"),
    path(f"{_ROUNDS}/<int:round_id>/end/", views.end, name="end_round"),
    path(f"{_ROUNDS}/votes/", views.votes, name="votes"),
    path(f"{_ROUNDS}/votes/<int:matchup_id>/", views.vote, name="vote"),
    path(f"{_ROUNDS}/votes/<int:matchup_id>/change/", views.change, name="change_vote"),
    path(f"{_ROUNDS}/votes/<int:matchup_id>/names/", views.names, name="show_names"),
]
