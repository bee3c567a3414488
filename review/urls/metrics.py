"""Every stored number of a project's models, of a release's, and any report by itself."""

from django.urls import path

from review.views import metrics

_RELEASE = "p/<slug:slug>/releases/<str:version>/metrics"
_REPORT = "p/<slug:slug>/reports/<int:report_id>"
_FILE = "<slug:section_key>.<slug:ending>"
urlpatterns = [
    path("p/<slug:slug>/metrics/", metrics.metrics, name="metrics"),
    path("p/<slug:slug>/metrics/live/", metrics.live, name="metrics_live"),
    path("p/<slug:slug>/metrics/recompute/", metrics.recompute, name="recompute_metrics"),
    path(f"p/<slug:slug>/metrics/{_FILE}", metrics.section_file, name="metrics_file"),
    path(f"{_RELEASE}/", metrics.of_release, name="release_metrics"),
    path(f"{_RELEASE}/{_FILE}", metrics.release_section_file, name="release_metrics_file"),
    path(f"{_REPORT}/", metrics.report, name="report"),
    path(f"{_REPORT}/live/", metrics.report_live, name="report_live"),
    path(f"{_REPORT}/recompute/", metrics.recompute_report, name="recompute_report"),
    path(f"{_REPORT}/report.json", metrics.report_file, name="report_file"),
]
