from django.urls import include, path

from review.views import overview, releases

app_name = "review"
urlpatterns = [
    path("p/<slug:slug>/overview/", overview.overview, name="overview"),
    path(
        "p/<slug:slug>/overview/items/<int:item_id>/offer-again/",
        overview.offer_again,
        name="offer_again",
    ),
    path("p/<slug:slug>/releases/", releases.releases, name="releases"),
    path("p/<slug:slug>/releases/build/", releases.build, name="build_release"),
    path("p/<slug:slug>/releases/<str:version>/", releases.release, name="release"),
    path(
        "p/<slug:slug>/releases/<str:version>/<slug:format_name>.zip",
        releases.download,
        name="download_release",
    ),
    path("", include("review.urls_agreement")),
    path("", include("review.urls_capst")),
    path("", include("review.urls_comparisons")),
    path("", include("review.urls_pairs")),
    path("", include("review.urls_leaderboard")),
    path("", include("review.urls_metrics")),
    path("", include("review.urls_ratings")),
    path("", include("review.urls_recall")),
    path("", include("review.urls_retrieval")),
    path("", include("review.urls_verifications")),
    path("", include("review.urls_threshold")),
    path("", include("review.urls_triplets")),
    path("", include("review.urls_sets")),
    path("", include("review.urls_splits")),
    path("", include("review.urls_votes")),
]
