from django.urls import path

from review.triplets import set_import_views, split_views, views

urlpatterns = [
    path("p/<slug:slug>/triplets/", views.triplets, name="triplets"),
    path("p/<slug:slug>/triplets/live/", views.live, name="triplets_live"),
    path("p/<slug:slug>/triplets/import/", set_import_views.import_set, name="import_triplets"),
    path("p/<slug:slug>/triplets/generate/", views.generate, name="generate_triplets"),
    path("p/<slug:slug>/triplets/preview/", views.preview, name="preview_triplets"),
    path("p/<slug:slug>/triplets/<int:number>/", views.triplet_set, name="triplet_set"),
    path("p/<slug:slug>/triplets/<int:number>/hand-out/", views.hand_out, name="hand_out_queries"),
    path(
        "p/<slug:slug>/triplets/<int:number>/triplets.zip",
        views.download,
        name="download_triplets",
    ),
    path(
        "p/<slug:slug>/triplets/<int:number>/queries/<int:query_id>/figure.svg",
        views.figure,
        name="triplet_figure",
    ),
    path("p/<slug:slug>/triplets/<int:number>/words/", views.words, name="triplet_words"),
    path(
        "p/<slug:slug>/triplets/<int:number>/<slug:counts>.csv",
        views.statistics,
        name="triplet_statistics",
    ),
    path("p/<slug:slug>/labels/split/", split_views.split_videos, name="split_videos"),
    path("p/<slug:slug>/labels/split/import/", split_views.import_given, name="import_splits"),
]
