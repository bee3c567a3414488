"""What a model may be called."""

import pytest

from review.captions.model_names import checked_model_name
from review.captions.services import add_set
from review.errors import ReviewError

TAKEN = "“{}” is taken."


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("CARE", "CARE"),
        ("  CARE   7B \n", "CARE 7B"),
        ("CARE\u00a07B", "CARE 7B"),
        ("CARE\t7B", "CARE 7B"),
        ("x" * 80, "x" * 80),
        ("{} {0} 模型", "{} {0} 模型"),
    ],
)
def test_it_is_stored_in_one_line_with_each_space_once(name, stored):
    assert checked_model_name(name, ["Heron"], TAKEN) == stored


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give the model a name."),
        (" \n ", "Give the model a name."),
        ("x" * 81, "The name is longer than 80 characters. Shorten it."),
        ("a\nb", "a line break or an invisible character"),
        ("a\0b", "a line break or an invisible character"),
        ("a\u200bb", "a line break or an invisible character"),
        ("\u202egpt", "a line break or an invisible character"),
        ("a\ud800", "a line break or an invisible character"),
        ("heron", "“heron” is taken."),
        ("ÉGRET  {1}", "“ÉGRET {1}” is taken."),
    ],
)
def test_it_says_what_to_fix(name, message):
    with pytest.raises(ReviewError) as refused:
        checked_model_name(name, ["Heron", "égret {1}"], TAKEN)
    assert message in str(refused.value)


@pytest.mark.django_db
def test_a_set_has_no_invisible_characters_in_its_name(project):
    with pytest.raises(ReviewError, match="invisible character"):
        add_set(project=project, name="a\u200bb", kind="general", captions={}, admin=None)
