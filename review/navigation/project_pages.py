"""The pages of a project, grouped by activity, for the sidebar and the search.

Each page without ids is listed here, or a listed page links to it
(tests/review/navigation/test_every_page.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse

from annotate.kinds import kind_facts
from annotate.models import Membership, Project, Role
from annotate.protocols import pages_of_some, protocol_of

ADMIN = (Role.ADMIN,)
WATCHING = (Role.ADMIN, Role.EXPERT, Role.REVIEWER)


@dataclass(frozen=True)
class Page:
    """A page, and who has it in the sidebar: without `roles` every member. Every project has it,
    unless protocols list it as theirs. `covers`: further addresses whose pages belong to it,
    besides those below its own. `words`: further search words."""

    label: str
    name: str
    report: str = ""
    roles: tuple[Role, ...] = ()
    work: str = ""  # only for the roles that may do this kind of work
    covers: tuple[str, ...] = ()
    words: str = ""
    is_for_proposals: bool = False  # only if proposed corrections await decisions
    is_for_paid: bool = False  # only in projects that pay people

    @property
    def who(self) -> set[str]:
        """Return the roles that have the page; none means every member."""
        return set(kind_facts(self.work).roles if self.work else self.roles)

    @property
    def key(self) -> str:
        """Return the name by which a protocol lists the page as one of its own."""
        return self.report or self.name.partition(":")[2]


@dataclass(frozen=True)
class Group:
    key: str
    label: str
    pages: tuple[Page, ...]


def _report(
    label: str,
    key: str,
    *roles: Role,
    words: str = "",
) -> Page:
    return Page(label, "review:report_page", key, roles=roles or WATCHING, words=words)


GROUPS = (
    Group(
        "work",
        "Work",
        (
            Page("My work", "annotate:my_work", words="queue next desk"),
            Page("Overview", "review:overview", roles=WATCHING, words="board progress pipeline"),
            Page("Activity", "review:activity", roles=WATCHING, words="days stuck time"),
            Page("Your votes", "review:votes", work="compare"),
            Page("Training", "review:training", work="rate"),
            Page("Pay", "review:pay", words="money earned statement", is_for_paid=True),
        ),
    ),
    Group(
        "corpus",
        "Corpus",
        (
            Page("Clips", "annotate:corpus", covers=("clips/", "videos/"), words="corpus videos"),
            Page("Balance", "annotate:corpus_balance", words="categories quota lengths"),
            Page(
                "Near-duplicates",
                "annotate:near_duplicates",
                roles=ADMIN,
                words="copies look alike equal videos",
            ),
            _report("Statistics", "corpus/statistics", *Role, words="table 1 words captions"),
            Page("Candidates", "annotate:candidates", roles=ADMIN),
            Page(
                "Imports",
                "annotate:imports",
                roles=ADMIN,
                covers=("videos/upload/", "videos/addresses/"),
                words="upload videos",
            ),
            Page("Human captions", "review:human_captions", roles=ADMIN, words="published"),
        ),
    ),
    Group(
        "models",
        "Models",
        (
            Page("Runs", "inference:runs", roles=ADMIN, words="caption embed score segment"),
            Page("Device hours", "review:device_hours", roles=ADMIN, words="gpu cost"),
            Page("Models", "inference:models", roles=ADMIN, words="backends"),
            _report("Model captions", "caption-sets", *ADMIN, words="sets predictions"),
            Page("Themes", "inference:themes", roles=ADMIN),
            Page("Jobs", "annotate:jobs", roles=ADMIN, words="background tasks"),
        ),
    ),
    Group(
        "quality",
        "Quality",
        (
            Page("Verifications", "review:verifications", roles=WATCHING),
            Page(
                "Study corrections",
                "review:study_corrections",
                roles=WATCHING,
                is_for_proposals=True,
            ),
            _report("Ratings", "ratings", words="likert"),
            _report("Threshold", "threshold", *ADMIN, words="evqascore"),
            Page("Undecided videos", "annotate:disputed_videos", roles=ADMIN),
            _report("Agreement", "agreement", words="alpha kappa"),
            _report("Human assessment", "assessment", words="appendix b"),
            _report("Identification", "identification"),
            _report("Reliability", "reliability", *ADMIN, words="gold annotators without quality"),
            _report("Programs", "programs", *ADMIN, words="judges machines raters calibration"),
            Page("People", "review:people", roles=ADMIN, words="speed accuracy attention marks"),
            Page("Spot checks", "review:spot_checks", roles=WATCHING, words="bonus accuracy"),
            Page("Training and gold", "review:quality", roles=ADMIN, words="known answers pause"),
            Page("Panels", "review:panels", roles=ADMIN, words="prolific crowd participants"),
        ),
    ),
    Group(
        "queries",
        "Queries",
        (
            Page("Labels", "annotate:labels", words="actions"),
            Page("Label pairs", "review:label_pairs", roles=WATCHING),
            Page("Modifications", "review:modifications", roles=WATCHING),
            Page("Video splits", "review:split_videos", roles=ADMIN),
            Page("Triplets", "review:triplets", roles=WATCHING),
            Page("Tables", "review:tables", roles=ADMIN, words="csv import"),
            Page("Vectors", "review:vectors", roles=ADMIN, words="embeddings"),
        ),
    ),
    Group(
        "evaluation",
        "Evaluation",
        (
            _report("Metrics", "metrics", words="unified score"),
            _report("Leaderboard", "leaderboard", words="elo bradley-terry"),
            _report("Correlation", "correlation", words="elo metrics"),
            Page("Comparisons", "review:comparisons", roles=ADMIN, words="rounds votes"),
            _report("Recall", "recall", words="rebias retrieval vectors"),
            _report("CapST", "capst", words="events objects judge"),
            _report("Leakage", "leakage", words="objects"),
            _report("Retrieval", "retrieval", words="map composed"),
            Page("Benchmarks", "review:benchmarks", roles=ADMIN, words="gaps projects"),
        ),
    ),
    Group(
        "releases",
        "Releases",
        (
            Page("Releases", "review:releases", words="versions download"),
            Page("Next release", "review:release_studio", words="freeze checks"),
            Page("Takedowns", "review:takedowns", words="withdraw rights"),
        ),
    ),
    Group(
        "settings",
        "Settings",
        (
            Page(
                "Settings",
                "annotate:project_settings",
                roles=ADMIN,
                covers=("guidelines/", "examples/"),
                words="guidelines limits",
            ),
            Page("Members", "annotate:members", roles=ADMIN, words="people invite roles"),
            Page("Audit log", "review:audit_log", roles=ADMIN, words="history changes record"),
            Page("Rates of pay", "review:pay_rates", roles=ADMIN, words="money currency bonus"),
            Page("Consent text", "annotate:consent_text", roles=ADMIN),
            Page("Watching", "annotate:watching", roles=ADMIN, words="play video share percent"),
            Page("Archive", "annotate:archive", roles=ADMIN, words="restore delete remove"),
            Page("Webhooks", "annotate:webhooks", roles=ADMIN),
            Page("API tokens", "annotate:api_tokens"),
        ),
    ),
)
# What a panel's people can open besides their study.
STUDY_PAGES = ("annotate:my_work", "review:training", "review:pay")
LABELS = {group.key: group.label for group in GROUPS}


@dataclass(frozen=True)
class Link:
    """A page of one project, in the group with this key. It is the current page at addresses that
    begin with one of `prefixes`."""

    label: str
    url: str
    prefixes: tuple[str, ...]
    group: str
    words: str = ""
    is_for_proposals: bool = False


def links_of(membership: Membership) -> tuple[Link, ...]:
    """Return the pages that the member may open and the project's protocol uses, in their order."""
    project = membership.project
    decides = project.study_corrections == Project.StudyCorrections.DECIDE
    is_paid = bool(project.currency)
    links = _links(project.slug, project.protocol, decides, is_paid, tuple(membership.roles))
    if membership.user.is_participant:
        study = Link("Your study", reverse("review:own_panel", args=[project.slug]), (), "work")
        urls = {reverse(name, args=[project.slug]) for name in STUDY_PAGES}
        return (study, *(link for link in links if link.url in urls))
    return links


@lru_cache(maxsize=256)
def _links(
    slug: str, protocol: str, has_proposals: bool, is_paid: bool, roles: tuple[Role, ...]
) -> tuple[Link, ...]:
    home = reverse("annotate:my_work", args=[slug])
    of_some = pages_of_some()
    return tuple(
        _link(page, slug, home, group.key)
        for group in GROUPS
        for page in group.pages
        if (not page.who or not page.who.isdisjoint(roles))
        and (page.key not in of_some or page.key in protocol_of(protocol).pages)
        and (has_proposals or not page.is_for_proposals)
        and (is_paid or not page.is_for_paid)
    )


def _link(page: Page, slug: str, home: str, group: str) -> Link:
    url = reverse(page.name, args=[slug, page.report] if page.report else [slug])
    below = () if url == home else (url,)  # all pages of the project are below its home page
    prefixes = (*below, *(home + address for address in page.covers))
    return Link(page.label, url, prefixes, group, page.words, page.is_for_proposals)


def current_link(links: tuple[Link, ...], path: str) -> Link | None:
    """Return the page at the path, else the one with the longest matching prefix."""
    matches = [
        (len(address), place)
        for place, link in enumerate(links)
        for address in (link.url, *link.prefixes)
        if path == address or (address in link.prefixes and path.startswith(address))
    ]
    return links[max(matches)[1]] if matches else None
