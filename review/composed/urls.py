from django.urls import path

from review.composed import result_views, views

urlpatterns = [
    path("p/<slug:slug>/retrieval/<int:report_id>/", views.queries, name="retrieval_queries"),
    path(
        "p/<slug:slug>/retrieval/<int:report_id>/queries/<int:query_id>/",
        views.query,
        name="retrieval_query",
    ),
    path(
        "p/<slug:slug>/retrieval/<int:report_id>/queries/<int:query_id>/figure.svg",
        views.query_figure,
        name="retrieval_figure",
    ),
    path(
        "p/<slug:slug>/triplets/<int:number>/results/",
        result_views.results,
        name="composed_results",
    ),
    path(
        "p/<slug:slug>/triplets/<int:number>/results/download/",
        result_views.results_file,
        name="download_composed_results",
    ),
    path(
        "p/<slug:slug>/triplets/<int:number>/results/import/",
        result_views.import_file,
        name="import_rankings",
    ),
    path("p/<slug:slug>/triplets/<int:number>/results/rank/", result_views.rank, name="rank_here"),
    path(
        "p/<slug:slug>/rankings/<int:ranking_id>/remove/",
        result_views.remove,
        name="remove_ranking",
    ),
]
