from django.urls import path

from review.overview import views

urlpatterns = [
    path("p/<slug:slug>/overview/", views.overview, name="overview"),
    path(
        "p/<slug:slug>/overview/items/<int:item_id>/offer-again/",
        views.offer_again,
        name="offer_again",
    ),
]
