from django.urls import path

from review.retrieval import views

urlpatterns = [
    path("p/<slug:slug>/recall/", views.recall, name="recall"),
    path("p/<slug:slug>/recall/live/", views.live, name="recall_live"),
    path("p/<slug:slug>/recall/recompute/", views.recompute, name="recompute_recall"),
    path("p/<slug:slug>/recall/vectors/", views.import_file, name="import_vectors"),
    path(
        "p/<slug:slug>/recall/vectors/<int:vector_set_id>/remove/",
        views.remove_set,
        name="remove_vectors",
    ),
    path("p/<slug:slug>/recall/recall.csv", views.numbers_csv, name="recall_csv"),
    path("p/<slug:slug>/recall/recall.json", views.numbers_json, name="recall_json"),
    path("p/<slug:slug>/recall/<int:recall_id>/", views.model, name="recall_model"),
]
