import re

import pytest

from annotate.models import Membership
from tests.cast import client_of, make_clip


@pytest.fixture
def membership(project, anna):
    project.assigned_work = "first"
    project.save()
    make_clip(project, category="Home", subcategory="Ironing")
    make_clip(project, category="Home", subcategory="")
    return Membership.objects.get(user=anna)


def assign(ada, membership, *values):
    address = f"/p/dives/members/{membership.pk}/subcategories/"
    return client_of(ada).post(address, {"shares": values}, follow=True)


def test_an_admin_assigns_subcategories_which_the_page_shows(membership, ada):
    response = assign(ada, membership, '["Home", "Ironing"]')
    assert "Subcategories of Anna saved." in response.text
    assert '<span class="badge plain">Ironing</span>' in response.text
    assert 'value="[&quot;Home&quot;, &quot;Ironing&quot;]" checked' in response.text


@pytest.mark.parametrize("value", ['["Home", "Flying"]', "nonsense", "[]"])
def test_a_subcategory_that_no_video_has_is_refused_and_nothing_changes(membership, ada, value):
    assign(ada, membership, '["Home", ""]')
    response = assign(ada, membership, value)
    assert response.status_code == 422
    assert "No video has this category and subcategory." in response.text
    assert re.search(r"<details open>\s*<summary>Subcategories…", response.text)
    assert [str(subcategory) for subcategory in membership.assigned.all()] == ["Home: all"]


def test_the_choice_is_not_offered_while_work_comes_from_all(membership, ada, project):
    project.assigned_work = "off"
    project.save()
    assert "Subcategories…" not in client_of(ada).get("/p/dives/members/").text
