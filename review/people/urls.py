from django.urls import path

from review.people import views

PEOPLE = "p/<slug:slug>/people/"

urlpatterns = [
    path(PEOPLE, views.people, name="people"),
    path(f"{PEOPLE}<int:membership_id>/", views.person, name="person"),
    path("p/<slug:slug>/your-numbers/", views.own_numbers, name="own_numbers"),
]
