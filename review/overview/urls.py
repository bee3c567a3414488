from django.urls import path

from review.overview import views

urlpatterns = [
    path("p/<slug:slug>/overview/", views.overview, name="overview"),
    path("p/<slug:slug>/overview/live/", views.live, name="overview_live"),
]
