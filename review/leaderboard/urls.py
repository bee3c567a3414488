from django.urls import path

from review.leaderboard import views

urlpatterns = [
    path(
        "p/<slug:slug>/leaderboard/<int:round_id>/filtered/",
        views.filtered,
        name="filtered_votes",
    ),
]
