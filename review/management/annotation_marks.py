"""Options of a command for the marks of the annotation table."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from review.annotation_table.marks import Marks

DEFAULT = Marks()


def add_marks(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--before", default=DEFAULT.before, help="the mark before an erroneous sentence"
    )
    parser.add_argument("--behind", default=DEFAULT.behind, help="the mark after it")
    parser.add_argument(
        "--missing", default=DEFAULT.missing, help="the mark where the caption misses something"
    )


def read_marks(options: Mapping[str, Any]) -> Marks:
    try:
        return Marks(options["before"], options["behind"], options["missing"])
    except ValueError as error:
        raise CommandError(str(error)) from error
