from django.urls import path

from review.hours import views

urlpatterns = [
    path("p/<slug:slug>/runs/hours/", views.device_hours, name="device_hours"),
    path("p/<slug:slug>/runs/hours/download/", views.download, name="download_device_hours"),
]
