"""What differs between pages of reports. The views in `views.py` do the rest for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from annotate.access import UserRequest
from annotate.models import Membership, Project
from review import access
from review.reports.files import Tables
from review.reports.queries import Request, last_requests
from review.reports.registry import REPORTS, ReportKind, kind_of, register_report
from review.reports.results import OldResult
from review.reports.section_files import section_table
from review.reports.services import recompute_later
from review.reports.state import ReportState, most_urgent
from review.reports.tables import Section

Subject = TypeVar("Subject")
MAX_DIGITS = 18  # digits that fit into a column of keys


@dataclass(frozen=True)
class ReportFile:
    """A file to download."""

    name: str
    content: str | Iterator[str]


class ReportPage(Generic[Subject]):
    """A page that shows reports. `key` is its address, `title` its name on other pages.

    `kinds` are the kinds of reports that are registered with it, and `names` those that Recompute
    requests, in the order in which workers take them. `due_words` say that a worker will compute
    without a request; without words the page doesn't wait for that. With `asks_when_due`, opening
    the page lets a worker compute. A page can have a subject, the part of its address after the
    key; it is None if the address has none.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    template: ClassVar[str] = "review/reports/sections.html"
    kinds: ClassVar[tuple[ReportKind, ...]] = ()
    for_admins: ClassVar[bool] = False
    admins_recompute: ClassVar[bool] = False
    due_words: ClassVar[str] = ""
    asks_when_due: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(kind.name for kind in self.kinds)

    def reader(self, request: UserRequest, slug: str) -> Membership:
        return (access.admin if self.for_admins else access.reviewer)(request, slug)

    def recomputer(self, request: UserRequest, slug: str) -> Membership:
        return access.admin(request, slug) if self.admins_recompute else self.reader(request, slug)

    def find(self, membership: Membership, subject: str) -> Subject | None:
        """Return the object of the address's `subject`; None if it is empty. Raises Http404."""
        if subject:
            raise Http404("This page has no parts of its own.")
        return None

    def context(
        self, membership: Membership, query: QueryDict, subject: Subject | None
    ) -> dict[str, Any]:
        """Return the template's context, with the page's state as `state`."""
        return {
            "membership": membership,
            "project": membership.project,
            "title": self.title,
            "url": self.url(membership.project, subject),
            "sections": self.sections(membership, query, subject),
            "state": self.state(membership.project, subject),
        }

    def sections(
        self, membership: Membership, query: QueryDict, subject: Subject | None
    ) -> Sequence[Section]:
        """Return its tables, each of which has its files."""
        return ()

    def menu(self, membership: Membership, request: UserRequest) -> dict[str, Any]:
        """Return the context of the column menu of its list, if it has one."""
        return {}

    def old_context(
        self, membership: Membership, subject: Subject | None, reason: str
    ) -> dict[str, Any]:
        """Return the context shown instead of numbers that an earlier version stored in another
        shape."""
        project = membership.project
        return {
            "membership": membership,
            "project": project,
            "title": self.title,
            "reason": reason,
            "recompute_url": reverse("review:recompute_report", args=self.address(project, subject))
            if (membership.is_admin or not self.admins_recompute)
            and REPORTS.keys() >= set(self.recomputed(subject))
            else "",
            "state": self.state(project, subject),
        }

    def status(self, context: dict[str, Any]) -> int:
        """Return the HTTP status of the page with this context."""
        return 200

    def recomputed(self, subject: Subject | None) -> Sequence[str]:
        """Return the names of the reports that Recompute requests."""
        return self.names

    def is_due(self, project: Project, requests: Mapping[str, Request]) -> bool:
        """Return whether a worker has to compute without a request."""
        return any(request.is_due for request in requests.values())

    def follow(self, project: Project, state: ReportState) -> None:
        """Let a worker compute what is due, if the page asks for it."""
        if self.asks_when_due and state.due:
            for name in self.names:
                recompute_later(project.pk, name)

    def state(
        self,
        project: Project,
        subject: Subject | None = None,
        *,
        nothing_new: str = "",
        is_due: bool | None = None,
    ) -> ReportState:
        """Return the outcome of the last request over all names. `is_due`: the result of the
        method, if known."""
        names = self.recomputed(subject)
        requests = last_requests(project, names)
        name = most_urgent(requests)
        if self.due_words and is_due is None:
            with suppress(OldResult):  # it is then unknown whether labels have changed since
                is_due = self.is_due(project, requests)
        return ReportState(
            live_url=reverse("review:report_live", args=self.address(project, subject)),
            request=requests.get(name),
            due=self.due_words if is_due else "",
            what=kind_of(name).title if len(names) > 1 and name else "The numbers",
            nothing_new=nothing_new,
        )

    def live(
        self, request: UserRequest, membership: Membership, subject: Subject | None
    ) -> HttpResponse:
        """Answer a page that waits: it reloads once no worker computes."""
        state = self.state(membership.project, subject)
        self.follow(membership.project, state)
        if not state.is_busy:
            return HttpResponseClientRefresh()
        return render(request, "review/reports/report_state.html", {"state": state})

    def file(
        self, membership: Membership, query: QueryDict, subject: Subject | None, name: str
    ) -> ReportFile:
        """Return the file of this name and ending. Raises Http404."""
        stem, _, ending = name.rpartition(".")
        make = self.tables(membership, query, subject).get(stem)
        content = make().text(ending) if make else None
        if content is None:
            raise Http404("No such file, or nothing is computed yet.")
        return ReportFile(self.file_name(membership.project, subject, name), content)

    def tables(self, membership: Membership, query: QueryDict, subject: Subject | None) -> Tables:
        """Return what its files have, by the beginning of their names."""
        sections, version = self.sections(membership, query, subject), self.version(subject)
        project = membership.project
        return {
            section.key: partial(section_table, project, section, version) for section in sections
        }

    def version(self, subject: Subject | None) -> str:
        """Return the release that the subject is; "" if it is something else."""
        return ""

    def file_name(self, project: Project, subject: Subject | None, name: str) -> str:
        """Return what a browser saves the file of this name as."""
        return f"{project.slug}-{name}"

    def written(self, subject: Subject) -> str:
        """Return the subject in the form of addresses."""
        return str(subject)

    def address(self, project: Project, subject: Subject | None = None) -> list[str]:
        """Return the arguments of the page's addresses."""
        return [project.slug, self.key, *([] if subject is None else [self.written(subject)])]

    def url(self, project: Project, subject: Subject | None = None) -> str:
        return reverse("review:report_page", args=self.address(project, subject))


AnyPage = ReportPage[Any]
PAGES: dict[str, AnyPage] = {}


def key_of(subject: str) -> int:
    """Return the key of a row that an address names. Raises Http404."""
    if not subject.isdecimal() or len(subject) > MAX_DIGITS:
        raise Http404("The address must name this by a number.")
    return int(subject)


def register_page(page: AnyPage) -> None:
    """Register a page and its kinds of reports."""
    PAGES[page.key] = page
    for kind in page.kinds:
        register_report(kind)


def page_of(name: str) -> AnyPage:
    """Return the page with the numbers of the reports of this name. Raises UnknownReport."""
    kind = kind_of(name)
    return PAGES[kind.page or kind.name]
