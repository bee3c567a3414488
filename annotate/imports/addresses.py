"""Read lists of addresses from which videos are imported: lines, a CSV, or rows of the API."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from django.conf import settings

from annotate.corpus.forms import FileFactsForm
from annotate.imports.manifest import ManifestInvalid, read_rows
from annotate.outgoing.addresses import check_address
from annotate.outgoing.errors import AddressRefused

FACTS = ("category", "subcategory", "license", "source_url")
COLUMNS = ("url", "file", *FACTS)
MAX_ROWS = 1000
SUBJECT = "The list"


@dataclass(frozen=True)
class AddressRow:
    """A video to download. `file` is the name that it gets, empty: the host's."""

    url: str
    file: str = ""
    category: str = ""
    subcategory: str = ""
    license: str = ""
    source_url: str = ""


@dataclass(frozen=True)
class Fault:
    """The error in the row at `index` of a list, and how to fix it."""

    index: int
    column: str
    text: str


def check_rows(rows: Sequence[Mapping[str, str]]) -> tuple[list[AddressRow], list[Fault]]:
    """Return the valid rows, and the faults of the others."""
    checked, faults = [], []
    first_index: dict[str, int] = {}
    for index, row in enumerate(rows):
        url, wrong = _check_url(row.get("url", ""))
        name, wrong_name = _check_name(row.get("file", ""))
        facts = FileFactsForm({fact: row.get(fact, "") for fact in FACTS})
        of_row = [Fault(index, "url", wrong)] if wrong else []
        if not wrong and url in first_index:
            before = first_index[url] + 1
            of_row.append(Fault(index, "url", f"It is number {before} too. Keep one of the two."))
        first_index.setdefault(url, index)
        of_row += [Fault(index, "file", wrong_name)] if wrong_name else []
        of_row += [
            Fault(index, column, str(error))
            for column, errors in facts.errors.items()
            for error in errors
        ]
        faults += of_row
        if not of_row:
            values = facts.cleaned_data
            # A query can contain a key that opens the file, and a release publishes the source.
            if not values["source_url"] and "?" not in url:
                values["source_url"] = url
            checked.append(AddressRow(url, name, **values))
    return checked, faults


def read_lines(text: str, facts: Mapping[str, str]) -> list[AddressRow]:
    """Return a row for each line that isn't blank, all with the same facts. Raises
    ManifestInvalid.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    rows, faults = check_rows([{**facts, "url": line} for _, line in lines])
    _refuse([f"Line {lines[fault.index][0]}: {fault.text}" for fault in faults], len(lines))
    return rows


def read_table(data: bytes) -> list[AddressRow]:
    """Return the rows of a CSV. Raises ManifestInvalid."""
    try:
        table = read_rows(data, COLUMNS)
    except ManifestInvalid as error:
        raise ManifestInvalid(error.problems, SUBJECT) from error
    rows, faults = check_rows([row for _, row in table])
    problems = [f"Row {table[fault.index][0]}, {fault.column}: {fault.text}" for fault in faults]
    _refuse(problems, len(table))
    return rows


def name_in(url: str) -> str:
    """Return the last part of the address's path, or its host, as text that a row can show."""
    parts = urlsplit(url)
    name = unquote(parts.path.rpartition("/")[2]) or parts.netloc
    name = unicodedata.normalize("NFC", name)
    return "".join(c if c.isprintable() else "\ufffd" for c in name)[:200]


def _refuse(problems: list[str], count: int) -> None:
    if not count:
        problems = ["It has no address."]
    elif count > MAX_ROWS:
        problems = [f"It has {count:,} addresses. Import at most {MAX_ROWS:,} at once."]
    if problems:
        raise ManifestInvalid(problems, SUBJECT)


def _check_url(text: str) -> tuple[str, str]:
    if not text:
        return "", "It is empty. Give the address of the video."
    try:
        return check_address(text, settings.VERICAP_OUTGOING_ALLOWED).url, ""
    except AddressRefused as error:
        return text, str(error)


def _check_name(name: str) -> tuple[str, str]:
    # These modules of media load no video library, so a web process can import them.
    from annotate.media.errors import MediaError
    from annotate.media.names import check_file_name

    if not name:
        return "", ""
    try:
        return check_file_name(name), ""
    except MediaError as error:
        return name, str(error)
