"""One's own votes in blind comparisons."""

from django.urls import path

from review.views import votes

urlpatterns = [
    path("p/<slug:slug>/comparisons/votes/", votes.votes, name="votes"),
    path("p/<slug:slug>/comparisons/votes/<int:matchup_id>/", votes.vote, name="vote"),
    path(
        "p/<slug:slug>/comparisons/votes/<int:matchup_id>/change/",
        votes.change,
        name="change_vote",
    ),
    path(
        "p/<slug:slug>/comparisons/votes/<int:matchup_id>/names/",
        votes.names,
        name="show_names",
    ),
]
