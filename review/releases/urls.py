from django.urls import path

from review.releases import views

urlpatterns = [
    path("p/<slug:slug>/releases/", views.releases, name="releases"),
    path("p/<slug:slug>/releases/live/", views.live, name="releases_live"),
    path("p/<slug:slug>/releases/<str:version>/", views.release, name="release"),
    path(
        "p/<slug:slug>/releases/<str:version>/statistics.<slug:ending>",
        views.statistics,
        name="release_statistics",
    ),
    path(
        "p/<slug:slug>/releases/<str:version>/<slug:format_name>.zip",
        views.download,
        name="download_release",
    ),
    path(
        "p/<slug:slug>/releases/<str:version>/<slug:format_name>.zip.sha256",
        views.hashes,
        name="release_hashes",
    ),
    path(
        "p/<slug:slug>/releases/<str:version>/<slug:format_name>/archive/",
        views.archive,
        name="release_archive",
    ),
    path(
        "p/<slug:slug>/releases/<str:version>/<slug:format_name>/prepare/",
        views.prepare_archive,
        name="prepare_release_archive",
    ),
]
