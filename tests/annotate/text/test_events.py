"""The event of a labeled action, read from its caption."""

import pytest

from annotate.text.events import event_in, without_event


@pytest.mark.parametrize(
    ("caption", "event", "action"),
    [
        ("(Vault) tsukahara stretched with 2 turn", "Vault", "tsukahara stretched with 2 turn"),
        ("(Uneven Bar) (swing backward) salto", "Uneven Bar", "(swing backward) salto"),
        ("Forward, 2.5 Soms.Pike, Entry", "", "Forward, 2.5 Soms.Pike, Entry"),
        ("leap (switch)", "", "leap (switch)"),
        ("(!)", "", "(!)"),
        ("( ) leap", "", "( ) leap"),
        (f"({'x' * 81}) leap", "", f"({'x' * 81}) leap"),
    ],
)
def test_it_is_in_the_brackets_that_begin_the_caption(caption, event, action):
    assert (event_in(caption), without_event(caption, event)) == (event, action)


@pytest.mark.parametrize(
    ("caption", "event", "action"),
    [
        ("(swing backward) salto", "Uneven Bar", "(swing backward) salto"),
        ("(vault) salto", "Vault", "salto"),
        ("salto", "Vault", "salto"),
    ],
)
def test_a_given_event_is_left_out_only_if_the_brackets_hold_it(caption, event, action):
    assert without_event(caption, event) == action
