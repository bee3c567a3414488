from django.urls import path

from review.composed import views

urlpatterns = [
    path("p/<slug:slug>/retrieval/", views.retrieval, name="retrieval"),
    path("p/<slug:slug>/retrieval/live/", views.live, name="retrieval_live"),
    path("p/<slug:slug>/retrieval/recompute/", views.recompute, name="recompute_retrieval"),
    path("p/<slug:slug>/retrieval/map.csv", views.numbers_csv, name="retrieval_csv"),
    path("p/<slug:slug>/retrieval/map.json", views.numbers_json, name="retrieval_json"),
    path("p/<slug:slug>/retrieval/<int:report_id>/", views.queries, name="retrieval_queries"),
    path(
        "p/<slug:slug>/retrieval/<int:report_id>/queries/<int:query_id>/",
        views.query,
        name="retrieval_query",
    ),
]
