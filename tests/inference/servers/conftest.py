"""A registered model server on this machine."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from inference.backends.server_keys import encrypt
from inference.models import RegisteredServer
from tests.inference.backends.loopback import KEY, running


@pytest.fixture(autouse=True)
def loopback_allowed(settings):
    networks = (ip_network("127.0.0.0/8"),)
    settings.VERICAP_MODEL_HOSTS = {"names": frozenset(), "networks": networks}


@pytest.fixture
def loopback():
    with running() as server:
        yield server


@pytest.fixture
def second():
    with running() as server:
        yield server


@pytest.fixture
def register(db):
    """Store a server; with several addresses, if there are several."""

    def register(*urls, key=KEY, name="hosted", **fields):
        fields |= {"urls": "\n".join(urls), "encrypted_key": encrypt(key)}
        return RegisteredServer.objects.create(name=name, **fields)

    return register
