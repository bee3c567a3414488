"""mAP@K: the numbers, and the queries of a report with what was ranked."""

from django.urls import path

from review.views import retrieval

urlpatterns = [
    path("p/<slug:slug>/retrieval/", retrieval.retrieval, name="retrieval"),
    path("p/<slug:slug>/retrieval/live/", retrieval.live, name="retrieval_live"),
    path("p/<slug:slug>/retrieval/recompute/", retrieval.recompute, name="recompute_retrieval"),
    path("p/<slug:slug>/retrieval/map.csv", retrieval.numbers_csv, name="retrieval_csv"),
    path("p/<slug:slug>/retrieval/map.json", retrieval.numbers_json, name="retrieval_json"),
    path("p/<slug:slug>/retrieval/<int:report_id>/", retrieval.queries, name="retrieval_queries"),
    path(
        "p/<slug:slug>/retrieval/<int:report_id>/queries/<int:query_id>/",
        retrieval.query,
        name="retrieval_query",
    ),
]
