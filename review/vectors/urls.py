from django.urls import path

from review.vectors import views

urlpatterns = [
    path("p/<slug:slug>/vectors/", views.vectors, name="vectors"),
    path("p/<slug:slug>/vectors/<int:vectors_id>/", views.download, name="download_vectors"),
]
