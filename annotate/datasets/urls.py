from django.urls import path

from annotate.datasets import views

urlpatterns = [
    path("p/<slug:slug>/labels/import/", views.dataset, name="dataset"),
    path("p/<slug:slug>/labels/<str:dataset_file>.json", views.download, name="download_dataset"),
]
