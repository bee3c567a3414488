from django.urls import path

from review.agreement import urls as agreement
from review.capst import urls as capst
from review.captions import urls
from review.comparisons import urls as comparisons
from review.comparisons import urls as votes
from review.composed import urls as retrieval
from review.leaderboard import urls as leaderboard
from review.overview import views as overview
from review.pairs import urls as pairs
from review.ratings import urls as ratings
from review.releases import views
from review.retrieval import urls as recall
from review.summary import urls as metrics
from review.threshold import urls as threshold
from review.triplets import urls as splits
from review.triplets import urls as triplets
from review.verification import urls as verifications

app_name = "review"
urlpatterns = [
    path("p/<slug:slug>/overview/", overview.overview, name="overview"),
    path(
        "p/<slug:slug>/overview/items/<int:item_id>/offer-again/",
        overview.offer_again,
        name="offer_again",
    ),
    path("p/<slug:slug>/releases/", views.releases, name="releases"),
    path("p/<slug:slug>/releases/build/", views.build, name="build_release"),
    path("p/<slug:slug>/releases/<str:version>/", views.release, name="release"),
    path(
        "p/<slug:slug>/releases/<str:version>/<slug:format_name>.zip",
        views.download,
        name="download_release",
    ),
    *agreement.urlpatterns,
    *capst.urlpatterns,
    *comparisons.urlpatterns,
    *pairs.urlpatterns,
    *leaderboard.urlpatterns,
    *metrics.urlpatterns,
    *ratings.urlpatterns,
    *recall.urlpatterns,
    *retrieval.urlpatterns,
    *verifications.urlpatterns,
    *threshold.urlpatterns,
    *triplets.urlpatterns,
    *urls.urlpatterns,
    *splits.urlpatterns,
    *votes.urlpatterns,
]
