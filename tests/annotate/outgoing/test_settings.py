"""The list of hosts that an operator allows."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment


def test_it_reads_names_addresses_and_networks(monkeypatch):
    monkeypatch.setenv("ALLOWED", " Hooks.Lab , 10.1.0.0/16,192.168.7.9, fd00::/8,")
    assert environment.hosts("ALLOWED") == {
        "names": frozenset({"hooks.lab"}),
        "networks": (
            ip_network("10.1.0.0/16"),
            ip_network("192.168.7.9/32"),
            ip_network("fd00::/8"),
        ),
    }


def test_nothing_is_allowed_unless_it_is_listed(monkeypatch):
    monkeypatch.delenv("ALLOWED", raising=False)
    assert environment.hosts("ALLOWED") == {"names": frozenset(), "networks": ()}


@pytest.mark.parametrize(
    "entry",
    ["https://hooks.lab", "hooks.lab:9000", "10.1.0.5/16", "010.1.2.3", "2130706433", "*", "a b"],
)
def test_it_refuses_an_entry_that_could_mean_something_else(monkeypatch, entry):
    monkeypatch.setenv("ALLOWED", f"hooks.lab,{entry}")
    with pytest.raises(ImproperlyConfigured, match="entry 2"):
        environment.hosts("ALLOWED")
