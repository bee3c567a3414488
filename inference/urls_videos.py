from django.urls import path

from inference.views import videos

urlpatterns = [
    path("p/<slug:slug>/videos/<int:video_id>/", videos.video, name="video"),
]
