from django.urls import path

from review.leaderboard import correlation_views, views

_ROUND = "p/<slug:slug>/leaderboard/<int:round_id>"
urlpatterns = [
    path("p/<slug:slug>/leaderboard/", views.leaderboard, name="leaderboard"),
    path("p/<slug:slug>/leaderboard/live/", views.live, name="leaderboard_live"),
    path(
        "p/<slug:slug>/leaderboard/recompute/",
        views.recompute,
        name="recompute_leaderboard",
    ),
    path(f"{_ROUND}/", views.of_round, name="leaderboard_round"),
    path(f"{_ROUND}/filtered/", views.filtered, name="filtered_votes"),
    path(f"{_ROUND}/ratings.csv", views.numbers_csv, name="leaderboard_csv"),
    path(f"{_ROUND}/ratings.json", views.numbers_json, name="leaderboard_json"),
    path(f"{_ROUND}/votes.csv", views.all_votes_csv, name="votes_csv"),
    path(f"{_ROUND}/votes.json", views.all_votes_json, name="votes_json"),
    path("p/<slug:slug>/correlation/", correlation_views.correlation, name="correlation"),
    path("p/<slug:slug>/correlation/live/", correlation_views.live, name="correlation_live"),
    path(
        "p/<slug:slug>/correlation/recompute/",
        correlation_views.recompute,
        name="recompute_correlation",
    ),
    path(
        "p/<slug:slug>/correlation/<int:round_id>/",
        correlation_views.of_round,
        name="correlation_round",
    ),
]
