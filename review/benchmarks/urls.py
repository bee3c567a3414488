from django.urls import path

from review.benchmarks import views

urlpatterns = [
    path("p/<slug:slug>/benchmarks/", views.benchmarks, name="benchmarks"),
    path("p/<slug:slug>/benchmarks/download/", views.download, name="download_benchmarks"),
]
