from django.urls import path

from review.retrieval import views

urlpatterns = [
    path("p/<slug:slug>/recall/vectors/", views.import_file, name="import_vectors"),
    path("p/<slug:slug>/recall/captions/", views.count_captions, name="recall_captions"),
    path(
        "p/<slug:slug>/recall/vectors/<int:vector_set_id>/remove/",
        views.remove_set,
        name="remove_vectors",
    ),
    path("p/<slug:slug>/recall/<int:recall_id>/", views.model, name="recall_model"),
    path("p/<slug:slug>/recall/<int:recall_id>/queries/", views.queries, name="recall_queries"),
    path(
        "p/<slug:slug>/recall/<int:recall_id>/queries/<slug:captions>/<slug:way>/<int:asked_id>/",
        views.query,
        name="recall_query",
    ),
]
