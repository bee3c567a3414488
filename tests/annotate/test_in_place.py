"""Links, filters and forms that swap a part of their page find that part in the answer."""

import re

import pytest

from annotate.templatetags.in_place import saves_in, shows_in
from tests.cast import client_of, make_clip


def test_a_later_click_replaces_a_filter_but_never_a_save():
    assert 'hx-sync="#clips:replace"' in shows_in("clips")
    assert 'hx-sync="#clips:drop"' in saves_in("clips")


def test_a_list_without_a_part_loads_its_pages_whole():
    assert shows_in("") == ""


@pytest.mark.parametrize("path", ["corpus/", "jobs/", "runs/", "imports/", "verifications/"])
def test_what_a_click_swaps_is_on_the_page(project, ada, path):
    make_clip(project)
    html = client_of(ada).get(f"/p/{project.slug}/{path}").text
    for part in set(re.findall(r'hx-target="#([\w-]+)"', html)):
        assert html.count(f'id="{part}"') == 1
