"""The ratings of rounds of comparisons, and how automatic metrics go with them."""

from django.urls import path

from review.views import correlation, leaderboard

_ROUND = "p/<slug:slug>/leaderboard/<int:round_id>"
urlpatterns = [
    path("p/<slug:slug>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("p/<slug:slug>/leaderboard/live/", leaderboard.live, name="leaderboard_live"),
    path(
        "p/<slug:slug>/leaderboard/recompute/",
        leaderboard.recompute,
        name="recompute_leaderboard",
    ),
    path(f"{_ROUND}/", leaderboard.of_round, name="leaderboard_round"),
    path(f"{_ROUND}/filtered/", leaderboard.filtered, name="filtered_votes"),
    path(f"{_ROUND}/ratings.csv", leaderboard.numbers_csv, name="leaderboard_csv"),
    path(f"{_ROUND}/ratings.json", leaderboard.numbers_json, name="leaderboard_json"),
    path(f"{_ROUND}/votes.csv", leaderboard.all_votes_csv, name="votes_csv"),
    path(f"{_ROUND}/votes.json", leaderboard.all_votes_json, name="votes_json"),
    path("p/<slug:slug>/correlation/", correlation.correlation, name="correlation"),
    path("p/<slug:slug>/correlation/live/", correlation.live, name="correlation_live"),
    path(
        "p/<slug:slug>/correlation/recompute/",
        correlation.recompute,
        name="recompute_correlation",
    ),
    path(
        "p/<slug:slug>/correlation/<int:round_id>/",
        correlation.of_round,
        name="correlation_round",
    ),
]
