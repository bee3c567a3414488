"""Every form that changes something: whether it changes its page in place, and what it gets back.

A form has `saves_in`, also if it opens another page, or loads a page for a reason that is listed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.addresses import in_batches
from tests.cast import session_of
from tests.one_of_everything import make_world
from tests.open_addresses import OF_SUPERUSERS
from tests.report_addresses import REPORT_SUBJECTS
from tests.shared_world import kept_for_the_module
from tests.swapped_parts import in_place
from tests.test_house import TEMPLATES, path_from_root
from tests.test_permissions import ADMIN, ADMIN_OF_ANY_PROJECT, ANNOTATOR, BY_ROLE, address

pytestmark = pytest.mark.django_db

FORM = re.compile(r"<form\b(?P<attributes>(?:\{%.*?%\}|\{\{.*?\}\}|[^>])*)>", re.DOTALL)
NAMED = re.compile(r"action=\"\{% url '([\w:]+)'(?: project\.slug '([\w/-]+)'( \w)?)?")
PART = re.compile(r'\{% (?:shows|saves)_in "([\w-]+)"')

# The addresses of forms whose template doesn't name them.
ADDRESSES = {
    "annotate/candidates/add_candidates.html": ["annotate:add_candidates"],
    "annotate/consent/consent_text.html": ["annotate:consent_text"],
    "annotate/corpus/send_back.html": ["annotate:send_back_merge", "annotate:send_back_split"],
    "annotate/datasets/dataset.html": ["annotate:dataset"],
    "annotate/examples/example.html": ["annotate:example"],
    "annotate/jobs/job_state.html": ["annotate:retry_job"],
    "annotate/lists/view_menu.html": ["annotate:save_view"],
    "annotate/notices/choices.html": ["annotate:notice_choices"],
    "annotate/projects/deactivate.html": ["annotate:deactivate_member"],
    "annotate/projects/project_duplicate.html": ["annotate:duplicate_project"],
    "annotate/projects/project_new.html": ["annotate:new_project"],
    "annotate/projects/project_settings.html": ["annotate:project_settings"],
    "annotate/watching/watching.html": ["annotate:watching"],
    "inference/runs/run_new.html": ["inference:new_run"],
    "inference/specs/model_form.html": ["inference:model"],
    "inference/themes/themes.html": ["inference:correct_theme", "inference:take_back_theme"],
    "review/panels/form.html": ["review:change_panel", "review:new_panel"],
    "review/quality/source.html": ["review:add_known_answer"],
    "review/statistics/benchmark_row.html": ["review:benchmark_row"],
}

# Forms that load a page, by the name of their address, or their template where it isn't named.
LOADS_A_PAGE = {
    "opens work": {
        "annotate:agree_to_consent",
        "annotate:choose",
        "annotate:claim",
        "annotate:take_again",
        "review:judge_spot_check_item",
        "review:next_of_panel",
        "review:next_training",
        "review:answer_training",
        "review/panels/join.html",
    },
    "is on a page of work, whose video and keys are mounted once": {
        "annotate:decide_candidate",
        "annotate:send_back",
        "annotate:skip",
        "annotate:submit",
        "review:change_vote",
        "review:decide_study_correction",
        "review:identify_again",
        "review:judge_pair_again",
        "review:show_names",
    },
    "holds nothing typed, and opens another page": {
        "annotate/projects/join.html",
        "annotate:delete",
        "annotate:delete_webhook",
        "annotate:make_clip_change",
        "annotate:restore",
        "inference:delete_server",
        "review/reports/old_result.html",
        "review/triplets/split_videos.html",
        "review:adopt_threshold",
        "review:cancel_release_build",
        "review:import_human_captions",
        "review:keep_modification",
        "review:withdraw_modification",
    },
    "opens what it asks about": {
        "annotate:change_clips",
        "base.html",  # Find, whose field shows what it finds below itself
    },
    "signs in or out, or sets a password": {
        "account/base.html",
        "account/logout.html",
        "partials/header.html",
    },
    "is never sent, but read by a script": {"annotate/imports/upload.html"},
    "downloads a file": {
        "review:download_annotations",
        "review:download_table",
        "review:sign_panel_links",
    },
    "sends a file that can be large, and the browser shows how much it has sent": {
        "review:check_human_captions",
        "review:import_predictions",
        "review:import_triplets",
        "review:import_results",
        "review:import_vectors",
    },
}


def forms_of_templates() -> Iterator[tuple[str, str]]:
    """Yield for each form its address, or else its template, and its attributes."""
    for path in TEMPLATES:
        name = path_from_root(path).removeprefix("templates/")
        for form in FORM.finditer(path.read_text()):
            yield name_of(form["attributes"]) or name, form["attributes"]


def addresses_of_forms() -> Iterator[tuple[str, str]]:
    """Yield each address to which a form is sent, with the attributes of that form."""
    for name, attributes in forms_of_templates():
        for each in ADDRESSES.get(name, [name]):
            if ":" in each:
                yield each, attributes


def name_of(attributes: str) -> str:
    """Return the name of the address to which the form is sent; empty if it isn't named."""
    if not (named := NAMED.search(attributes)):
        return ""
    name, page, subject = named.groups()
    of_a_report = f"{name} {page}{f' {REPORT_SUBJECTS.get(page)}' if subject else ''}"
    return of_a_report if of_a_report in BY_ROLE else name


def test_a_form_changes_its_page_in_place_or_loads_a_page_for_a_reason():
    whole = {
        name
        for name, attributes in forms_of_templates()
        if not re.search(r"\{% (shows|saves)_in |\bhx-(get|post)=", attributes)
    }
    listed = [name for names in LOADS_A_PAGE.values() for name in names]
    assert sorted(listed) == sorted(whole)


# Here somebody chooses the form that such a link opens.
LINKS_TO_FORMS = {
    "templates/inference/runs/run_kinds.html",
    "templates/inference/runs/run_new.html",
    "templates/inference/specs/model_backends.html",
    "templates/inference/specs/model_form.html",
}


class PlainLinks(HTMLParser):
    """Finds the links to other parameters of the page (`?...`) that load it as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.lines: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_in_place = "in-place" in given or bool(self.open and self.open[-1][1])
        if tag == "a" and (given.get("href") or "").startswith("?") and not is_in_place:
            self.lines.append(self.getpos()[0])
        self.open.append((tag, is_in_place))

    def handle_endtag(self, tag: str) -> None:
        while tag in (name for name, _ in self.open):
            if self.open.pop()[0] == tag:
                break


def plain_links(markup: str) -> list[int]:
    """Return the lines of the links that change only the parameters, but load the page."""
    links = PlainLinks()
    markup = re.sub(r"\{% shows_in .*?%\}", " in-place ", markup)
    markup = re.sub(r"\{% querystring .*?%\}", "?", markup)
    markup = re.sub(r"\{% url .*?%\}|\{\{.*?\}\}", "other", markup)
    links.feed(re.sub(r"\{[%#].*?[%#]\}", "", markup))
    return links.lines


def test_a_link_that_filters_or_sorts_a_page_changes_it_in_place():
    assert plain_links('<p><a href="?sort={{ key }}">K</a><a href="{% url "x" %}?a">') == [1]
    assert plain_links('<nav {% shows_in "p" %}><br><b></b><a href="?k">K</a></nav>') == []
    lines = {path_from_root(path): plain_links(path.read_text()) for path in TEMPLATES}
    assert {name for name, plain in lines.items() if plain} == LINKS_TO_FORMS


def test_tabs_and_the_pages_of_a_list_change_in_place():
    tags = r'<nav class="tabs".*?>\n|\{% include "partials/pagination.html".*?%\}'
    written = [tag for path in TEMPLATES for tag in re.findall(tags, path.read_text(), re.DOTALL)]
    assert [tag for tag in written if not re.search(r"\{% shows_in | part=", tag)] == []


def posted_in_place() -> dict[str, set[str]]:
    """Return the parts of their page that the forms of each address swap."""
    parts = defaultdict(set)
    for name, attributes in addresses_of_forms():
        if "{% saves_in" in attributes and name not in OF_SUPERUSERS:
            parts[name] |= set(PART.findall(attributes))
    return parts


PARTS = posted_in_place()
POSTED = sorted(
    {name for name, attributes in addresses_of_forms() if "post" in attributes} - OF_SUPERUSERS
)
# Forms whose address repeats the filters and the page of their list.
IN_A_LIST = sorted(
    {
        name
        for name, attributes in addresses_of_forms()
        if re.search(r"\}\?|querystring", attributes)
    }
)
TOO_LONG = "x" * 60_000


@pytest.fixture(scope="module")
def shared_world(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        world = make_world()
        world["sessions"] = {name: session_of(person) for name, person in world["people"].items()}
        yield world


@pytest.fixture
def world(shared_world, db):
    return shared_world


def send(world: dict, name: str, fields: dict[str, str], **sent: object) -> HttpResponse:
    """Send a form with these fields as somebody who may; what it changes is taken back."""
    if name in ADMIN_OF_ANY_PROJECT:
        allowed = {ADMIN}
    else:
        allowed = BY_ROLE[name][1] if name in BY_ROLE else {ANNOTATOR}  # what is a person's own
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = world["sessions"][
        ADMIN if ADMIN in allowed else min(allowed)
    ]
    with transaction.atomic():
        answer = client.post(address(name, world), {"csrfmiddlewaretoken": ""} | fields, **sent)
        transaction.set_rollback(True)
    return answer


@in_batches(sorted(PARTS))
def test_the_answer_to_a_form_has_the_part_that_it_swaps(world, subtests, names):
    for name in names:
        with subtests.test(name):
            loaded = send(world, name, {})
            page = loaded.url if loaded.status_code == 302 else address(name, world)
            answer = send(world, name, {}, headers=in_place(page), follow=True)
            assert answer.status_code in {200, 422}
            assert [p for p in PARTS[name] if answer.text.count(f'id="{p}"') == 1]
            assert loaded.status_code == (302 if answer.redirect_chain else answer.status_code)


@in_batches(IN_A_LIST)
def test_a_form_leads_back_to_its_place_in_the_list(world, subtests, names):
    for name in names:
        with subtests.test(name):
            answer = send(world, name, {}, query_params={"page": "1"})
            assert answer.status_code == 422 or urlsplit(answer.url).query == "page=1"


def form_of(page: str, action: str) -> re.Match[str] | None:
    """Return the form of the page that is sent to this address, or else to that of the page."""
    by_action = rf'<form[^>]*action="{re.escape(action)}[#"?].*?</form>'
    own = r'<form(?![^>]*action=)[^>]*method="post".*?</form>'
    return re.search(by_action, page, re.DOTALL) or re.search(own, page, re.DOTALL)


def typed_into(form: str) -> dict[str, str]:
    """Return a text that is too long for each field of the form, and its hidden values."""
    fields = {}
    for tag in re.findall(r"<(?:input|textarea)\b[^>]*>", form):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        kind = attributes.get("type", "text")
        if kind == "hidden":
            fields[attributes["name"]] = attributes.get("value", "")
        elif "name" in attributes and kind not in {"checkbox", "file", "radio", "submit"}:
            fields[attributes["name"]] = f"typed {len(fields)} {TOO_LONG}"
    return fields


@in_batches(POSTED)
def test_an_invalid_form_names_its_faults_and_keeps_what_was_typed(world, subtests, names):
    for name in names:
        refused = send(world, name, {})
        form = form_of(refused.text, address(name, world))
        if refused.status_code != 422 or form is None:
            continue
        with subtests.test(name):
            assert re.search(r'aria-invalid="true"|role="alert"|class="error"', refused.text)
            typed = typed_into(form[0])
            answer = send(world, name, typed)
            assert answer.status_code == 422
            texts = [text for text in typed.values() if text.startswith("typed")]
            assert [text[:10] for text in texts if text not in answer.text] == []
