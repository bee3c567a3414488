from django.urls import path

from annotate.dynamics import views

urlpatterns = [
    path("p/<slug:slug>/dynamics/", views.disputed, name="disputed_videos"),
    path(
        "p/<slug:slug>/dynamics/<int:video_id>/third-person/",
        views.ask_third_person,
        name="ask_third_person",
    ),
    path("p/<slug:slug>/dynamics/<int:video_id>/decide/", views.decide, name="decide_dynamics"),
]
