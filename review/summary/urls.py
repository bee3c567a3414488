from django.urls import path

from review.summary import views

_RELEASE = "p/<slug:slug>/releases/<str:version>/metrics"
_REPORT = "p/<slug:slug>/reports/<int:report_id>"
_FILE = "<slug:section_key>.<slug:ending>"
urlpatterns = [
    path("p/<slug:slug>/metrics/", views.metrics, name="metrics"),
    path("p/<slug:slug>/metrics/live/", views.live, name="metrics_live"),
    path("p/<slug:slug>/metrics/recompute/", views.recompute, name="recompute_metrics"),
    path(f"p/<slug:slug>/metrics/{_FILE}", views.section_file, name="metrics_file"),
    path(f"{_RELEASE}/", views.of_release, name="release_metrics"),
    path(f"{_RELEASE}/{_FILE}", views.release_section_file, name="release_metrics_file"),
    path(f"{_REPORT}/", views.report, name="report"),
    path(f"{_REPORT}/live/", views.report_live, name="report_live"),
    path(f"{_REPORT}/recompute/", views.recompute_report, name="recompute_report"),
    path(f"{_REPORT}/report.json", views.report_file, name="report_file"),
]
