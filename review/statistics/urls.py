from django.urls import path

from review.statistics import views

urlpatterns = [
    path("p/<slug:slug>/corpus/benchmarks/", views.benchmark_rows, name="benchmark_rows"),
    path("p/<slug:slug>/corpus/benchmarks/add/", views.add, name="add_benchmark_row"),
    path("p/<slug:slug>/corpus/benchmarks/paste/", views.paste, name="paste_benchmark_rows"),
    path(
        "p/<slug:slug>/corpus/benchmarks/<int:row_id>/",
        views.benchmark_row,
        name="benchmark_row",
    ),
    path(
        "p/<slug:slug>/corpus/benchmarks/<int:row_id>/remove/",
        views.remove,
        name="remove_benchmark_row",
    ),
]
