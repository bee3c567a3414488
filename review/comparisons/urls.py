from django.urls import path

from review.comparisons import views

_VOTES = "p/<slug:slug>/comparisons/votes"
urlpatterns = [
    path(f"{_VOTES}/", views.votes, name="votes"),
    path(f"{_VOTES}/<int:caption_pair_id>/", views.vote, name="vote"),
    path(f"{_VOTES}/<int:caption_pair_id>/change/", views.change, name="change_vote"),
    path(f"{_VOTES}/<int:caption_pair_id>/names/", views.names, name="show_names"),
]
