"""The sidebar has each page of a project that a person may open, or a page that links to it."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from annotate.consent.services import write_consent_text
from annotate.models import Membership, Project
from annotate.protocols import protocol_choices
from review.navigation.project_pages import current_link, links_of
from tests.addresses import address_of, arguments_of
from tests.cast import client_of
from tests.one_of_everything import make_world
from tests.report_addresses import EVERY_MEMBER
from tests.review.triplets.triplets import make_label
from tests.shared_world import kept_for_the_module
from tests.test_permissions import BY_ROLE

PROTOCOLS = [key for key, _ in protocol_choices()]

pytestmark = pytest.mark.django_db

# A page that isn't in the sidebar: the page in it that links to it, and the protocol if only one.
LINKED_FROM = {
    "annotate:dataset": ("annotate:labels", "tfcovr"),
    "annotate:add_candidates": ("annotate:candidates", "carebench"),
    "annotate:change_clips": ("annotate:corpus", None),
    "annotate:upload": ("annotate:imports", None),
    "annotate:addresses": ("annotate:imports", None),
    "annotate:consent": ("annotate:my_work", None),
    "annotate:questions": ("annotate:my_work", None),
    "review:find": ("annotate:my_work", None),
    "review:own_numbers": ("annotate:my_work", None),
    "annotate:duplicate_project": ("annotate:project_settings", None),
    "inference:new_model": ("inference:models", None),
    "inference:new_run": ("inference:runs", None),
    "review:import_results": ("inference:runs", None),
    "review:pay_people": ("review:pay_rates", None),
    "review:new_panel": ("review:panels", None),
    "review:import_triplets": ("review:triplets", None),
    "review:annotation_table": ("review:verifications", "lovr"),
    "review:modification_prompts": ("review:modifications", "tfcovr"),
    "review:rating_examples": ("review:report_page ratings", "lovr"),
    "review:benchmark_rows": ("review:report_page corpus/statistics", None),
}
# Where there is nothing to adopt or no change, no page links to these; otherwise this part does.
LINKED_AT_TIMES = {
    "review:adopt_threshold": "review/threshold/trial.html",
    "review:release_changes": "review/studio/ready_cards.html",
}
# Parts of pages and files, and what only people of a panel have in their sidebar.
NO_PAGE = re.compile(
    r"own_panel|try_threshold|_live\b|report_live|report_file|:download_|cutting_live|project_menu|release_(checks|card)"
)
PAGES = sorted(
    name
    for name, (method, _) in BY_ROLE.items()
    if method == "get" and list(arguments_of(name)) == ["slug"] and not NO_PAGE.search(name)
)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        yield make_world()


def url_of(name: str, world: dict) -> str:
    return address_of(name, {"slug": world["slug"]})


def in_sidebar(world: dict, person: str) -> set[str]:
    """The addresses of a person's links, whatever the project's protocol."""
    membership = Membership.objects.select_related("project").get(
        user=world["people"][person], project__slug=world["slug"]
    )
    urls = set()
    for protocol in PROTOCOLS:
        membership.project.protocol = protocol
        urls |= {link.url for link in links_of(membership)}
    return urls


@pytest.mark.parametrize("person", sorted(EVERY_MEMBER))
def test_the_sidebar_has_the_pages_that_the_person_may_open_and_no_others(world, person):
    mine = {url_of(name, world) for name in PAGES if person in BY_ROLE[name][1]}
    linked = {url_of(name, world) for name in LINKED_FROM | LINKED_AT_TIMES}
    assert mine - linked == in_sidebar(world, person)


@pytest.mark.parametrize(("place", "protocol"), sorted(set(LINKED_FROM.values()), key=str))
def test_what_is_not_in_it_is_linked_from_a_page_that_is(world, db, place, protocol):
    project = Project.objects.get(slug=world["slug"])
    if protocol:
        Project.objects.filter(pk=project.pk).update(protocol=protocol)
    write_consent_text(
        project=project,
        admin=world["people"]["ada"],
        text="We record you.",
        asks_again=True,
        base_number=0,
    )
    names = {name for name, linked in LINKED_FROM.items() if linked == (place, protocol)}
    for person in sorted(BY_ROLE[place][1]):
        page = client_of(world["people"][person]).get(url_of(place, world)).text
        mine = {name for name in names if person in BY_ROLE[name][1]}
        assert {name for name in mine if url_of(name, world) not in page} == set(), person


@pytest.mark.parametrize("name", sorted(LINKED_AT_TIMES))
def test_a_page_that_is_there_at_times_is_linked_then(name):
    part = settings.ROOT / "templates" / LINKED_AT_TIMES[name]
    assert f"{{% url '{name}' project.slug %}}" in part.read_text()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_link_opens_and_is_marked_on_its_page(world, db, protocol):
    project = Project.objects.get(slug=world["slug"])
    Project.objects.filter(pk=project.pk).update(protocol=protocol)
    make_label(project, "a new label")
    membership = Membership.objects.select_related("project").get(
        user=world["people"]["ada"], project=project
    )
    client = client_of(world["people"]["ada"])
    for link in links_of(membership):
        page = client.get(link.url)
        assert page.status_code == 200, link.url
        assert f'<a href="{link.url}" aria-current="page">' in page.text
        assert page.text.count(' aria-current="page">' + link.label) == 1


def test_a_page_below_marks_the_nearest_one(world):
    membership = Membership.objects.select_related("project").get(
        user=world["people"]["ada"], project__slug=world["slug"]
    )
    links = links_of(membership)
    home = f"/p/{world['slug']}/"
    for address, label in (
        ("", "My work"),
        ("clips/3/", "Clips"),
        ("corpus/balance/", "Balance"),
        ("runs/hours/", "Device hours"),
        ("runs/7/", "Runs"),
        ("settings/consent/", "Consent text"),
        ("guidelines/write/", "Settings"),
        ("releases/next/changes/", "Next release"),
        ("releases/1.0.0/", "Releases"),
    ):
        assert current_link(links, home + address).label == label
    assert current_link(links, home + "nowhere/") is None
