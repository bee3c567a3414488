"""Recall and ReBias: the numbers, those of one model, and vectors from files."""

from django.urls import path

from review.views import recall

urlpatterns = [
    path("p/<slug:slug>/recall/", recall.recall, name="recall"),
    path("p/<slug:slug>/recall/live/", recall.live, name="recall_live"),
    path("p/<slug:slug>/recall/recompute/", recall.recompute, name="recompute_recall"),
    path("p/<slug:slug>/recall/vectors/", recall.import_file, name="import_vectors"),
    path(
        "p/<slug:slug>/recall/vectors/<int:vector_set_id>/remove/",
        recall.remove_set,
        name="remove_vectors",
    ),
    path("p/<slug:slug>/recall/recall.csv", recall.numbers_csv, name="recall_csv"),
    path("p/<slug:slug>/recall/recall.json", recall.numbers_json, name="recall_json"),
    path("p/<slug:slug>/recall/<int:recall_id>/", recall.model, name="recall_model"),
]
