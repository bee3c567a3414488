from django.urls import path

from review.identification import views

urlpatterns = [
    path("p/<slug:slug>/identification/start/", views.start, name="start_identification"),
    path("p/<slug:slug>/identification/end/", views.end, name="end_identification"),
    path(
        "assignments/<int:assignment_id>/identify/again/",
        views.pick_again,
        name="identify_again",
    ),
]
