"""What a model on a registered server costs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from inference.models import RegisteredServer, ServedModel
from inference.servers.prices import Price, price_of

pytestmark = pytest.mark.django_db


def test_a_price_is_that_of_the_server_and_the_model():
    server = RegisteredServer.objects.create(name="hosted", urls="https://h.example/v1")
    ServedModel.objects.create(server=server, model_id="free")
    ServedModel.objects.create(server=server, model_id="m", input_price=Decimal("0.25"))
    assert price_of("hosted", "m") == Price(Decimal("0.25"), None, None)
    assert [price_of("hosted", "free"), price_of("hosted", "n"), price_of("other", "m")] == [
        None,
        None,
        None,
    ]
