from django.urls import path

from review.activity import views

urlpatterns = [
    path("p/<slug:slug>/activity/", views.activity, name="activity"),
    path(
        "p/<slug:slug>/activity/items/<int:item_id>/offer-again/",
        views.offer_again,
        name="offer_again",
    ),
]
