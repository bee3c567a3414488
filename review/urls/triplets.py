"""Sets of triplets."""

from django.urls import path

from review.views import triplets

urlpatterns = [
    path("p/<slug:slug>/triplets/", triplets.triplets, name="triplets"),
    path("p/<slug:slug>/triplets/live/", triplets.live, name="triplets_live"),
    path("p/<slug:slug>/triplets/generate/", triplets.generate, name="generate_triplets"),
    path("p/<slug:slug>/triplets/<int:number>/", triplets.triplet_set, name="triplet_set"),
    path(
        "p/<slug:slug>/triplets/<int:number>/hand-out/", triplets.hand_out, name="hand_out_queries"
    ),
    path(
        "p/<slug:slug>/triplets/<int:number>/triplets.zip",
        triplets.download,
        name="download_triplets",
    ),
]
