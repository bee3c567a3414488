"""The migrations of annotate, and one that a later version could add to them."""

from annotate import migrations

__path__ = [*__path__, *migrations.__path__]
