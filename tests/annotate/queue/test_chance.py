"""Chance orders work that nothing else orders."""

from itertools import pairwise

from annotate.queue.chance import priority_by_chance


def test_it_orders_equal_priorities_at_random_and_no_others(settings):
    priorities = [priority_by_chance("dynamics", clip) for clip in range(1, 201)]
    descents = sum(later < earlier for earlier, later in pairwise(priorities))
    assert 75 <= descents <= 124  # half of 199 pairs; six standard deviations to either side
    assert len(set(priorities)) == 200
    assert all(-1e-6 < priority <= 0 for priority in priorities)
    assert 2 < priority_by_chance("triplet", 1, usual=3) <= 3

    again = [priority_by_chance("dynamics", clip) for clip in range(1, 201)]
    settings.SECRET_KEY = "another"
    elsewhere = [priority_by_chance("dynamics", clip) for clip in range(1, 201)]
    assert again == priorities != elsewhere
