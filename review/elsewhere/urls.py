from django.urls import path

from review.elsewhere import views

urlpatterns = [
    path("p/<slug:slug>/runs/import/", views.import_file, name="import_results"),
]
