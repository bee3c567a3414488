from django.urls import path

from inference.videos import views as videos

urlpatterns = [
    path("p/<slug:slug>/videos/<int:video_id>/", videos.video, name="video"),
]
