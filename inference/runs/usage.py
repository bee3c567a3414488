"""What the items of runs have used on model servers, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, DecimalField, F, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from django.utils.text import capfirst

from annotate.jobs.parameters import read_parameters
from inference.backends.usage import Usage, counting
from inference.models import InferenceRun, RunItem, RunParameters, ServedPrice
from inference.planning.recipes import hash_of
from inference.recipes import Recipe, try_recipe
from inference.registry import ON_SERVERS
from inference.servers.prices import Price, price_of
from inference.words import counted

UNTOLD = "The server doesn’t say how many tokens it used"
NO_PRICE = "No price set"
RUNS_FOR_ESTIMATE = 3
# Each model by its server and its id there.
Prices = Mapping[tuple[str, str], Price]


@dataclass(frozen=True)
class Used:
    """What was used on servers. Tokens are None if no server says; `cost` is None without a price.
    `unpriced`: ids of models without one.
    """

    tokens_in: int | None
    tokens_out: int | None
    pictures: int
    cost: Decimal | None
    unpriced: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        pictures = f", {self.pictures:,} pictures" if self.pictures else ""
        amount = f"{self.tokens or UNTOLD}{pictures}"
        if self.cost is None:
            return f"{amount}. {NO_PRICE}." if self.unpriced else f"{amount}."
        without = f" {NO_PRICE} for {', '.join(self.unpriced)}." if self.unpriced else ""
        return f"{capfirst(dollars(self.cost))}: {amount}.{without}"

    @property
    def tokens(self) -> str:
        if self.tokens_in is None:
            return ""
        return f"{self.tokens_in:,} tokens in and {self.tokens_out or 0:,} out"


SUMS = {
    "tokens_in": Sum("tokens_in"),
    "tokens_out": Sum("tokens_out"),
    "pictures": Sum("pictures", default=0),
    "cost": Sum("cost"),
}


def dollars(amount: Decimal) -> str:
    """Return an amount in words, such as $12.50; one below a cent is not called nothing."""
    return "less than $0.01" if 0 < amount < Decimal("0.01") else f"${amount:,.2f}"


def served_models(recipe: Recipe) -> list[tuple[str, str]]:
    """Return the server and the id of each model on a server that works on an item."""
    served = [model for model in recipe.models if model and model.backend in ON_SERVERS]
    names = [(str(model.parameters.get("server", "")), model.model_id) for model in served]
    return list(dict.fromkeys(names))


def current_prices(recipe: Recipe) -> tuple[ServedPrice, ...]:
    """Return the prices of a recipe's models that have one."""
    priced = [(model, price_of(*model)) for model in served_models(recipe)]
    return tuple(ServedPrice(*model, **vars(price)) for model, price in priced if price)


def prices_of(run: InferenceRun) -> Prices:
    """Return the prices when the run started."""
    return {
        (each.server, each.model_id): Price(each.input_tokens, each.output_tokens, each.pictures)
        for each in read_parameters(run, RunParameters).prices
    }


@contextmanager
def storing_usage(run: InferenceRun, items: Sequence[RunItem]) -> Iterator[None]:
    """Store at once what each request for these items uses, since it is charged even if the item
    fails.
    """
    prices = prices_of(run)

    def store(place: int, usage: Usage) -> None:
        add_usage(items[place if len(items) > 1 else 0], usage, prices)

    with counting(store):
        yield


def add_usage(item: RunItem, usage: Usage, prices: Prices) -> None:
    price = prices.get((usage.server, usage.model_id))
    cost = price.cost(usage.tokens_in, usage.tokens_out, usage.pictures) if price else None
    changes: dict[str, object] = {"pictures": F("pictures") + usage.pictures}
    for name, number in (("tokens_in", usage.tokens_in), ("tokens_out", usage.tokens_out)):
        if number is not None:
            changes[name] = Coalesce(F(name), Value(0)) + number
    if cost is not None:
        changes["cost"] = Coalesce(F("cost"), Value(0), output_field=DecimalField()) + cost
    RunItem.objects.filter(pk=item.pk).update(**changes)


def used_by(run: InferenceRun) -> Used | None:
    """Return what the run has used on servers, None if its models run elsewhere or nothing
    was answered yet."""
    recipe, _ = try_recipe(run.recipe)
    served = served_models(recipe) if recipe else []
    if not served:
        return None
    prices = prices_of(run)
    unpriced = tuple(model_id for server, model_id in served if (server, model_id) not in prices)
    used = Used(**run.items.aggregate(**SUMS), unpriced=unpriced)
    is_answered = used.tokens_in is not None or run.items.filter(state=RunItem.State.DONE).exists()
    return used if is_answered else None


def estimate(
    earlier: QuerySet[InferenceRun], recipe: Recipe, number: int, noun: tuple[str, str]
) -> str:
    """Return what so many items will use if they are as those of the newest of the `earlier` runs,
    if possible of this recipe; "" without a basis. A single model costs its current price, several
    what they did.

    All items of the run count, because the last ones are the longest clips. Few runs are read, each
    by its index: a query over all items of a project with 400,000 takes most of a second.
    """
    served = served_models(recipe)
    if not served or not number:
        return ""
    runs = earlier.order_by("-pk").values_list("pk", "recipe_hash")[:RUNS_FOR_ESTIMATE]
    for run, _ in sorted(runs, key=lambda run: run[1] != hash_of(recipe)):
        items = RunItem.objects.filter(run=run, state=RunItem.State.DONE, tokens_in__isnull=False)
        used = items.aggregate(items=Count("pk"), **SUMS)
        if basis := used.pop("items"):
            break
    else:
        return ""
    price = price_of(*served[0]) if len(served) == 1 else None
    if price:
        used["cost"] = price.cost(used["tokens_in"], used["tokens_out"], used["pictures"])
    expected = Used(**{name: _scaled(amount, number, basis) for name, amount in used.items()})
    amount = expected.tokens if expected.cost is None else dollars(expected.cost)
    end = f"; {NO_PRICE.lower()}" if expected.cost is None else ""
    items_of_run = f"{counted(basis, ('item', 'items'))} of run {run}"
    about = capfirst(amount) if amount.startswith("less") else f"About {amount}"
    return f"{about} for {counted(number, noun)}, from {items_of_run}{end}."


def _scaled(amount: Any, number: int, basis: int) -> Any:
    if isinstance(amount, Decimal):
        return amount * number / basis
    return None if amount is None else round(amount * number / basis)
