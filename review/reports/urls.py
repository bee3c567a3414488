from django.urls import path, register_converter

from review.reports import views
from review.reports.files import FILE_TYPES
from review.reports.page import PAGES, AnyPage


class PageConverter:
    regex = r"[\w-]+(?:/[a-z]+)?"

    def to_python(self, value: str) -> AnyPage:
        if value not in PAGES:
            raise ValueError(value)  # the address is none of a page of reports
        return PAGES[value]

    def to_url(self, value: str) -> str:
        return value


class SubjectConverter:
    """The key of an object or the version of a release."""

    regex = r"\d[\w.-]*"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: object) -> str:
        return str(value)


class FileConverter:
    regex = rf"[\w-]+\.(?:{'|'.join(FILE_TYPES)})"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(PageConverter, "report_page")
register_converter(SubjectConverter, "report_subject")
register_converter(FileConverter, "report_file")

_PAGE = "p/<slug:slug>/<report_page:page>"
urlpatterns = [
    pattern
    for base in (_PAGE, f"{_PAGE}/<report_subject:subject>")
    for pattern in (
        path(f"{base}/", views.show, name="report_page"),
        path(f"{base}/live/", views.live, name="report_live"),
        path(f"{base}/recompute/", views.recompute, name="recompute_report"),
        path(f"{base}/<report_file:file>", views.download, name="report_file"),
    )
]
