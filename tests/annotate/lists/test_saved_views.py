"""Saved views and columns of the list of clips."""

import pytest
from django.urls import reverse

from annotate.models import SavedView
from tests.cast import client_of, count_queries, join, make_clip, make_person, make_project
from tests.review.triplets.triplets import make_label, make_pair
from tests.review.verification.verifying import verified

pytestmark = pytest.mark.django_db

PROTOCOL_OF = {"verifications": "lovr", "label_pairs": "tfcovr"}
QUERY = "category=Sports&sort=name&columns=stage.length"


@pytest.fixture
def url(project):
    return reverse("annotate:corpus", args=[project.slug])


def save(person, project, **values):
    address = reverse("annotate:save_view", args=[project.slug])
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


def test_a_view_without_a_name_is_refused(project, anna):
    save(anna, project, name=" ")
    assert not SavedView.objects.exists()


def test_chosen_columns_are_kept(project, anna, url):
    make_clip(project, category="Sports")
    client = client_of(anna)
    assert len(client.get(url).context["columns_chosen"].names) == 5
    columns = reverse("annotate:columns", args=[project.slug])
    sent = {"column": ["stage", "added"], "query": QUERY}
    assert client.post(columns, sent).url == f"{url}?category=Sports&sort=name"
    assert client.get(url).context["columns_chosen"].names == {"stage", "added"}
    assert client.get(f"{url}?{QUERY}").context["columns_chosen"].names == {"stage", "length"}
    client.post(columns, {"query": ""})
    page = client.get(url)
    assert page.context["columns_chosen"].names == set()
    assert "Category" not in page.text.partition("<thead>")[2].partition("</thead>")[0]


def test_a_phone_says_which_columns_it_hides(project, anna, url):
    make_clip(project)
    page = client_of(anna).get(url).text
    assert "Category, Length and Added are hidden on this screen." in " ".join(page.split())


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


@pytest.mark.parametrize(
    ("list_name", "page"),
    [("verifications", "review:verifications"), ("label_pairs", "review:label_pairs")],
)
def test_other_lists_have_views_too(ada, list_name, page, db):
    project = make_project(slug="other", protocol=PROTOCOL_OF[list_name])
    join(project, ada, "admin")
    if list_name == "label_pairs":
        make_pair(make_label(project, "2.5", "A"), make_label(project, "3.5", "B"), "")
    else:
        verified(make_person("Rita", project, "reviewer"), make_clip(project))
    client, url = client_of(ada), reverse(page, args=[project.slug])
    saving = reverse(f"annotate:save_{list_name}_view", args=[project.slug])
    assert saving in client.get(url).text
    query = client.get(f"{url}?q=A&page=2").context["view_query"]
    assert query == "q=A"
    saved = client.post(saving, {"name": "Of A", "query": query, "is_default": "on"})
    assert saved.url == client.get(url).url == f"{url}?q=A"
    opened = client.get(f"{url}?q=A")
    assert opened.context["current_view"].name == "Of A"
    assert "Columns" not in opened.text
    assert client.get(f"{url}?page=1").status_code == 200
    # A view of one list is none of another's.
    corpus = client.get(reverse("annotate:corpus", args=[project.slug]))
    assert corpus.context["views"] == []
