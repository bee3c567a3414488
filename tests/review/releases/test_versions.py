from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from semver import Version

from review.errors import ReviewError
from review.releases.versions import parse_version

# The order that semver.org gives as its example.
ASCENDING = [
    "0.1.0",
    "0.1.1",
    "0.2.0",
    "0.10.0",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
]


def test_versions_come_in_the_order_of_the_standard():
    for earlier, later in pairwise(ASCENDING):
        assert parse_version(earlier) < parse_version(later)
        assert not parse_version(later) < parse_version(earlier)


def test_a_leading_v_is_dropped():
    assert str(parse_version(" v0.1.0 ")) == "0.1.0"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1.0",
        "1.0.0.0",
        "01.0.0",
        "1.0.0-",
        "1.0.0-01",
        "1.0.0+7",
        "a.b.c",
        "vv1.0.0",
        "1.0.0\n2",
        "١.0.0",
        "../1.0.0",
        "1.0.0-" + "a" * 40,
    ],
)
def test_it_refuses_what_is_no_version_and_says_what_one_is(text):
    with pytest.raises(ReviewError, match=r"such as 0\.1\.0"):
        parse_version(text)


numbers = st.integers(0, 999)


@given(st.builds(Version, numbers, numbers, numbers))
def test_the_next_versions_are_later_and_read_back(version):
    for later in (version.next_version("minor"), version.next_version("patch")):
        assert version < later
        assert parse_version(str(later)) == later


def test_after_a_pre_release_comes_the_release_itself():
    assert str(parse_version("1.2.3-rc.1").next_version("patch")) == "1.2.3"
