"""A project whose labels are made up is marked so wherever its name is shown."""

import pytest
from django.urls import reverse

from tests.cast import client_of, count_queries, make_clip
from tests.markup import squeezed
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db
BADGE = ">Simulated</span>"
PAGES = [
    "annotate:my_work",
    "annotate:corpus",
    "annotate:members",
    "annotate:project_settings",
    "inference:runs",
    "review:overview",
    "review:releases",
    "review:report_page threshold",
]


@pytest.fixture
def simulated(project):
    project.is_simulated = True
    project.save()
    return project


@pytest.mark.parametrize("name", PAGES)
def test_every_page_says_so_in_its_header(simulated, ada, name):
    name, *key = name.split()
    url = reverse(name, args=[simulated.slug, *key])
    header, _ = squeezed(client_of(ada).get(url).text).split("<main")
    assert header.count(BADGE) == 1  # beside the name
    menu = reverse("annotate:project_menu", args=[simulated.slug])
    assert f'hx-get="{menu}"' in header


def test_the_list_of_projects_in_the_header_says_so(simulated, ada):
    menu = reverse("annotate:project_menu", args=[simulated.slug])
    assert squeezed(client_of(ada).get(menu).text).count(BADGE) == 1


def test_the_page_of_a_piece_of_work_says_so_without_a_query_more(project, anna):
    client = client_of(anna)
    held = hold(anna, make_work(make_clip(project)))
    url = reverse("annotate:work", args=[held.pk])
    with count_queries() as before:
        assert BADGE not in squeezed(client.get(url).text)
    project.is_simulated = True
    project.save()
    with count_queries() as after:
        assert BADGE in squeezed(client.get(url).text)
    assert int(after) == int(before)


def test_the_list_of_projects_says_so(simulated, anna):
    assert BADGE in squeezed(client_of(anna).get(reverse("annotate:projects")).text)


def test_a_project_of_people_is_not_called_so(project, ada):
    for page in PAGES:
        name, *key = page.split()
        url = reverse(name, args=[project.slug, *key])
        assert BADGE not in squeezed(client_of(ada).get(url).text)
