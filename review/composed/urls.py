from django.urls import path

from review.composed import views

urlpatterns = [
    path("p/<slug:slug>/retrieval/<int:report_id>/", views.queries, name="retrieval_queries"),
    path(
        "p/<slug:slug>/retrieval/<int:report_id>/queries/<int:query_id>/",
        views.query,
        name="retrieval_query",
    ),
]
