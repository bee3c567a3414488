"""What a model on a server costs, in US dollars."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from inference.models import ServedModel

MILLION = 1_000_000
THOUSAND = 1_000


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens of input and of output, and per 1,000 pictures. None: unknown,
    or not charged in this way.
    """

    input_tokens: Decimal | None
    output_tokens: Decimal | None
    pictures: Decimal | None

    def cost(self, tokens_in: int | None, tokens_out: int | None, pictures: int) -> Decimal | None:
        """Return what so much costs; None if tokens are charged and their number is unknown."""
        cost = Decimal(0)
        for price, number, unit in (
            (self.input_tokens, tokens_in, MILLION),
            (self.output_tokens, tokens_out, MILLION),
            (self.pictures, pictures, THOUSAND),
        ):
            if price is None:
                continue
            if number is None:
                return None
            cost += price * number / unit
        return cost


def price_of(server_name: str, model_id: str) -> Price | None:
    """Return the price that a superuser entered; None if the server has none for this model."""
    row = ServedModel.objects.filter(server__name=server_name, model_id=model_id).first()
    prices = (row.input_price, row.output_price, row.picture_price) if row else ()
    return Price(*prices) if any(price is not None for price in prices) else None
