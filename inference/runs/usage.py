"""What the items of runs have used on model servers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db.models import F, Sum, Value
from django.db.models.functions import Coalesce

from inference.backends.usage import Usage, counting
from inference.models import InferenceRun, RunItem
from inference.recipes import try_recipe
from inference.registry import ON_SERVERS


@dataclass(frozen=True)
class Used:
    """What a run has used; tokens are None if its servers don't say."""

    tokens_in: int | None
    tokens_out: int | None
    pictures: int

    @property
    def words(self) -> str:
        tokens = "The server doesn’t say how many tokens it used."
        if self.tokens_in is not None:
            tokens = f"{self.tokens_in:,} tokens in and {self.tokens_out or 0:,} out."
        return f"{tokens} {self.pictures:,} pictures sent." if self.pictures else tokens


@contextmanager
def storing_usage(items: Sequence[RunItem]) -> Iterator[None]:
    """Store at once what each request for these items uses, since it is charged even if the item
    fails.
    """

    def store(place: int, usage: Usage) -> None:
        add_usage(items[place if len(items) > 1 else 0], usage)

    with counting(store):
        yield


def add_usage(item: RunItem, usage: Usage) -> None:
    changes: dict[str, object] = {"pictures": F("pictures") + usage.pictures}
    for name, number in (("tokens_in", usage.tokens_in), ("tokens_out", usage.tokens_out)):
        if number is not None:
            changes[name] = Coalesce(F(name), Value(0)) + number
    RunItem.objects.filter(pk=item.pk).update(**changes)


def used_by(run: InferenceRun) -> Used | None:
    """Return what the run has used on servers, None if its models run elsewhere."""
    recipe, _ = try_recipe(run.recipe)
    if recipe is None or not any(model and model.backend in ON_SERVERS for model in recipe.models):
        return None
    sums = run.items.aggregate(
        tokens_in=Sum("tokens_in"),
        tokens_out=Sum("tokens_out"),
        pictures=Sum("pictures", default=0),
    )
    return Used(**sums)
