"""Moving an item of a list by one place."""

import pytest

from annotate.ordering import moved, natural_key


def test_an_item_changes_places_with_its_neighbor_and_stays_at_either_end():
    order = ["a", "b", "c"]
    assert moved(order, "b", up=True) == ["b", "a", "c"]
    assert moved(order, "b", up=False) == ["a", "c", "b"]
    assert moved(order, "a", up=True) == moved(order, "c", up=False) == order == ["a", "b", "c"]


def test_an_item_of_another_list_is_refused():
    with pytest.raises(ValueError, match="not in list"):
        moved(["a"], "b", up=True)


def test_numbers_in_names_sort_by_value():
    names = ["Person 10", "person 2", "Person 1", "Anna", "Person 2b", "3D"]
    assert sorted(names, key=natural_key) == [
        *("3D", "Anna", "Person 1", "person 2", "Person 2b", "Person 10")
    ]
