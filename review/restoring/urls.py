from django.urls import path

from review.restoring import views

urlpatterns = [
    path("p/<slug:slug>/releases/import/", views.import_file, name="import_release"),
]
