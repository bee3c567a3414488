"""Saved views and columns of the list of clips."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.audit import record_event
from annotate.lists.services import change_view
from annotate.models import Assignment, SavedView, WorkItem
from tests.cast import client_of, count_queries, join, make_clip, make_person, make_project
from tests.inference.segmented import make_run
from tests.markup import shows
from tests.review.comparisons.comparing import make_set
from tests.review.triplets.triplets import make_label, make_pair
from tests.review.verification.verifying import verified

pytestmark = pytest.mark.django_db

QUERY = "category=Sports&sort=name&columns=stage.length"


@pytest.fixture
def url(project):
    return reverse("annotate:corpus", args=[project.slug])


def save(person, project, **values):
    address = reverse("annotate:save_view", args=[project.slug, "clips"])
    return client_of(person).post(address, {"name": "Sports", "query": QUERY, **values})


def names(person, url) -> list[str]:
    return [view.name for view in client_of(person).get(f"{url}?page=1").context["views"]]


def test_a_view_is_its_owners_until_it_is_shared(project, anna, ben, url):
    assert save(anna, project).url == f"{url}?{QUERY}"
    assert (names(anna, url), names(ben, url)) == (["Sports"], [])
    save(anna, project, is_shared="on")
    assert (names(anna, url), names(ben, url)) == (["Sports"], ["Sports"])
    view = SavedView.objects.get()
    for name in ("change_view", "delete_view"):
        address = reverse(f"annotate:{name}", args=[project.slug, view.pk])
        assert client_of(ben).post(address, {"name": "Mine"}).status_code == 404


def test_the_default_view_opens_first(project, anna, ben, url):
    save(anna, project, is_default="on", is_shared="on")
    assert client_of(anna).get(url).url == f"{url}?{QUERY}"
    assert client_of(anna).get(f"{url}?page=1").status_code == 200
    assert client_of(ben).get(url).status_code == 200
    save(anna, project, name="Other", query="sort=name", is_default="on")
    assert list(SavedView.objects.filter(is_default=True).values_list("name")) == [("Other",)]


def test_it_says_when_a_view_of_the_same_name_is_replaced(project, anna, url):
    client = client_of(anna)
    address = reverse("annotate:save_view", args=[project.slug, "clips"])
    saved = client.post(address, {"name": "Sports", "query": QUERY}, follow=True)
    assert "Saved as Sports." in saved.text
    replaced = client.post(address, {"name": "sports", "query": "sort=name"}, follow=True)
    assert "Replaced your view sports." in replaced.text
    assert names(anna, url) == ["sports"]


def test_a_view_is_renamed_and_deleted(project, anna, url):
    save(anna, project)
    save(anna, project, name="Other", query="sort=name")
    view = SavedView.objects.get(name="Sports")
    change = reverse("annotate:change_view", args=[project.slug, view.pk])
    client_of(anna).post(change, {"name": "other"})
    assert names(anna, url) == ["Other", "Sports"]
    client_of(anna).post(change, {"name": " Ball   games "})
    assert names(anna, url) == ["Ball games", "Other"]
    client_of(anna).post(reverse("annotate:delete_view", args=[project.slug, view.pk]))
    assert names(anna, url) == ["Other"]


def test_a_person_has_a_limited_number_of_views_and_one_default(project, anna, monkeypatch):
    monkeypatch.setattr("annotate.lists.services.MAX_VIEWS", 2)
    for name in ("Sports", "Dives"):
        save(anna, project, name=name, is_default="on")
    refused = save(anna, project, name="Talks")
    assert refused.status_code == 422
    assert "You have 2 views of this list. Delete one first." in refused.text
    sports = SavedView.objects.get(name="Sports")
    assert not sports.is_default
    change_view(view=sports, name="Sports", is_shared=False, is_default=True)
    assert SavedView.objects.get(is_default=True).name == "Sports"


def test_a_refused_view_comes_back_as_it_was_typed(project, anna, url):
    refused = save(anna, project, name=" ", is_shared="on")
    assert refused.status_code == 422
    assert "Type a name for the view." in refused.text
    assert 'name="is_shared" checked' in " ".join(refused.text.split())
    assert not SavedView.objects.exists()
    save(anna, project)
    save(anna, project, name="Other", query="sort=name")
    view = SavedView.objects.get(name="Sports")
    change = reverse("annotate:change_view", args=[project.slug, view.pk])
    taken = client_of(anna).post(change, {"name": "x" * 61})
    assert taken.status_code == 422
    assert f'value="{"x" * 61}"' in taken.text
    assert f'action="{change}"' in taken.text
    assert names(anna, url) == ["Other", "Sports"]


def test_the_menu_of_views_changes_in_place(project, anna, url):
    make_clip(project, category="Sports")
    save(anna, project)
    page = client_of(anna).get(f"{url}?{QUERY}").text
    assert page.count('hx-target="#views-menu"') == 1
    assert 'id="views-menu"' in client_of(anna).get(url + "?page=1").text


def test_chosen_columns_are_kept(project, anna, url):
    make_clip(project, category="Sports")
    client = client_of(anna)
    assert len(client.get(url).context["columns_chosen"].names) == 5
    assert client.get(url).context["columns_chosen"].announcement == "All columns are shown."
    columns = reverse("annotate:columns", args=[project.slug, "clips"])
    sent = {"column": ["stage", "added"], "query": QUERY}
    assert client.post(columns, sent).url == f"{url}?category=Sports&sort=name"
    chosen = client.get(url).context["columns_chosen"]
    assert chosen.names == {"stage", "added"}
    assert chosen.announcement == "Columns shown: Stage or label and Added."
    assert client.get(f"{url}?{QUERY}").context["columns_chosen"].names == {"stage", "length"}
    assert client.post(columns, {"query": ""}).url == url
    page = client.get(url)
    assert page.context["columns_chosen"].names == set()
    assert page.context["columns_chosen"].announcement == "No optional column is shown."
    assert "Category" not in page.text.partition("<thead>")[2].partition("</thead>")[0]


def test_a_phone_says_which_columns_it_hides(project, anna, url):
    make_clip(project)
    page = client_of(anna).get(url).text
    assert shows(page, "Picture, Category, Length and Added are hidden on this screen.")


def test_views_take_the_same_number_of_queries(project, anna, ben, url):
    def count() -> int:
        with count_queries() as queries:
            client_of(anna).get(f"{url}?page=1")
        return len(queries.statements)

    make_clip(project)
    save(anna, project)
    count()  # keeps the categories and tags
    before = count()
    save(ben, project, is_shared="on")
    save(anna, project, name="Other")
    assert count() == before


def make_verified(project):
    verified(make_person("Rita", project, "reviewer"), make_clip(project))


def make_clip_change(project):
    record_event(actor=None, verb="rename", subject=make_clip(project), project=project)


def make_model_captions(project):
    make_set(project, "Heron", [make_clip(project)])


def make_label_pair(project):
    make_pair(make_label(project, "2.5", "A"), make_label(project, "3.5", "B"), "")


def make_finished_work(project):
    now, clip = timezone.now(), make_clip(project)
    item = WorkItem.objects.create(
        project=project, clip=clip, kind="rate", state="done", open_slots=0
    )
    Assignment.objects.create(
        item=item,
        annotator=make_person("Anna", project, "annotator"),
        state="submitted",
        lease_expires_at=now,
        submitted_at=now,
        active_seconds=60,
    )


@pytest.mark.parametrize(
    ("list_name", "page", "protocol", "fill", "query"),
    [
        ("verifications", "review:verifications", "lovr", make_verified, "q=A"),
        ("label-pairs", "review:label_pairs", "tfcovr", make_label_pair, "q=A"),
        ("runs", "inference:runs", "lovr", make_run, "kind=segment"),
        ("people", "review:people", "carebench", make_finished_work, "who=active"),
    ],
)
def test_other_lists_have_views_too(ada, list_name, page, protocol, fill, query, db):
    project = make_project(slug="other", protocol=protocol)
    join(project, ada, "admin")
    fill(project)
    client, url = client_of(ada), reverse(page, args=[project.slug])
    saving = reverse("annotate:save_view", args=[project.slug, list_name])
    assert saving in client.get(url).text
    kept = client.get(f"{url}?{query}&state=&page=2").context["view_query"]
    assert kept.partition("&columns=")[0] == query
    saved = client.post(saving, {"name": "Mine", "query": kept, "is_default": "on"})
    assert saved.url == client.get(url).url == f"{url}?{kept}"
    assert client.get(f"{url}?{kept}").context["current_view"].name == "Mine"
    assert client.get(f"{url}?page=1").status_code == 200
    # A view of one list is none of another's.
    corpus = client.get(reverse("annotate:corpus", args=[project.slug]))
    assert corpus.context["views"] == []


@pytest.mark.parametrize(
    ("list_name", "page", "protocol", "fill", "hidden"),
    [
        ("verifications", "review:verifications", "lovr", make_verified, "Verified at"),
        ("runs", "inference:runs", "lovr", make_run, "Reused"),
        ("people", "review:people", "carebench", make_finished_work, "Minutes"),
        ("jobs", "annotate:jobs", "lovr", make_run, "Speed"),
        ("audit-log", "review:audit_log", "carebench", make_clip_change, "Change"),
        ("caption-sets", "review:report_page", "carebench", make_model_captions, "Mean words"),
    ],
)
def test_other_lists_have_columns_to_choose(ada, list_name, page, protocol, fill, hidden, db):
    project = make_project(slug="other", protocol=protocol)
    join(project, ada, "admin")
    fill(project)
    key = [list_name] if page == "review:report_page" else []
    client, url = client_of(ada), reverse(page, args=[project.slug, *key])

    def heads(address: str) -> tuple[bool, int, int]:
        text = client.get(address).text
        # The choice swaps a part that the page has, and the menu is in it.
        part = f'id="{client.get(address).context["columns_part"]}"'
        assert part in text.partition('id="choose-columns"')[0]
        # The page of model captions has further tables below the list.
        tables = [table for table in text.split("<table")[1:] if "<thead>" in table]
        table = (tables[0] if key else tables[-1]).partition("</table>")[0]
        head, _, rows = table.partition("</thead>")
        return hidden in head, head.count("<th"), rows.partition("</tr>")[0].count("</t")

    every = heads(url)
    assert every[0]
    columns = client.get(url).context["columns_chosen"].every
    names = [column.name for column in columns if column.label != hidden]
    choosing = reverse("annotate:columns", args=[project.slug, list_name])
    client.post(choosing, {"column": names, "query": "q=A"})
    assert heads(url) == (False, every[1] - 1, every[2] - 1)
    # The columns that the address names come first, in the rows that a page asks for again, too.
    every_name = ".".join(column.name for column in columns)
    assert heads(f"{url}?columns={every_name}") == every


def test_a_list_without_views_or_columns_is_not_found(project, ada):
    for name, list_name in (("save_view", "jobs"), ("columns", "members")):
        address = reverse(f"annotate:{name}", args=[project.slug, list_name])
        assert client_of(ada).post(address, {"name": "Mine"}).status_code == 404
