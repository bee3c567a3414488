from django.urls import path

from annotate.datasets import views

urlpatterns = [
    path("p/<slug:slug>/labels/import/", views.dataset, name="dataset"),
]
