from django.urls import path

from review.views import splits

urlpatterns = [
    path("p/<slug:slug>/labels/split/", splits.split_videos, name="split_videos"),
]
