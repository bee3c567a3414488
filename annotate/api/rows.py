"""How rows of a model are given."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Model
from rest_framework import serializers

AnyModel = TypeVar("AnyModel", bound=Model)


class RowSerializer(serializers.ModelSerializer[AnyModel]):
    # Gives the fields of its Meta, and takes none. A docstring would describe every serializer.

    def get_extra_kwargs(self) -> dict[str, dict[str, Any]]:
        return {name: {"read_only": True} for name in self.Meta.fields}
