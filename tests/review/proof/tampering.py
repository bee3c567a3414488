"""Change a release as somebody would who wants the change to pass: with all hashes made again."""

from __future__ import annotations

import ast
import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from review.exchange.files import text_file
from review.proof.verifying.folder import Folder
from review.proof.verifying.hashes import ABOUT, OWN_HASH
from review.proof.verifying.released import FORMS, RELEASED, released_values
from review.releases.writers.folder import manifest_file
from review.releases.writers.made import PLAIN

Change = Callable[[Any], Any]
SUMS, PROOF_SUMS = "SHA256SUMS", "reports/SHA256SUMS"


def remake(folder: Path, *, with_released: bool = False) -> None:
    """Make every hash of the folder again; `with_released`: also the list of what the reports were
    made of, which no list of hashes is."""
    if with_released:
        form = next(form for form, path in FORMS.items() if (folder / path).exists())
        rows = released_values(form, Folder(folder).text_lines)
        lines = [json.dumps(row._asdict()) + "\n" for row in rows]
        (folder / RELEASED).write_text("".join(lines))
    for sums in (PROOF_SUMS, SUMS):
        paths = [line.split("  ", 1)[1] for line in (folder / sums).read_text().splitlines()]
        here = [path for path in paths if (folder / path).exists()]
        (folder / sums).write_text("".join(f"{_sha256(folder / p)}  {p}\n" for p in here))
    manifest = json.loads((folder / "manifest.json").read_text())
    old, new = manifest["content_hash"], _sha256(folder / SUMS)
    readme = folder / "README.md"
    readme.write_text(readme.read_text().replace(old, new))
    manifest = json.loads(json.dumps(manifest).replace(old, new))
    for entry in _entries(manifest):
        if (folder / entry["path"]).exists():
            entry["sha256"] = _sha256(folder / entry["path"])
            if "size" in entry:
                entry["size"] = (folder / entry["path"]).stat().st_size
    about = manifest.get(ABOUT)
    facts = {key: manifest[key] for key in manifest if key not in (ABOUT, OWN_HASH)}
    files = [text_file(name, (folder / name).read_text()) for name in about or ()]
    made = json.loads(b"".join(manifest_file(facts, files).open()))
    lasting = {key: made[key] for key in made if key in manifest}
    is_whole = ABOUT in manifest and OWN_HASH in manifest
    whole = b"".join(manifest_file(facts, files).open())
    (folder / "manifest.json").write_bytes(whole if is_whole else json.dumps(lasting).encode())


def sign(folder: Path, changed: str) -> None:
    """Write the hash of a changed file where the release has it."""
    sums = folder / "reports/SHA256SUMS"
    lines = [line.split("  ", 1) for line in sums.read_text().splitlines()]
    new = _sha256(folder / changed)
    sums.write_text("".join(f"{new if path == changed else old}  {path}\n" for old, path in lines))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["proof"]["sha256"] = _sha256(sums)
    files = [text_file(name, (folder / name).read_text()) for name in manifest["about"]]
    facts = {key: manifest[key] for key in manifest if key not in (ABOUT, OWN_HASH)}
    (folder / "manifest.json").write_bytes(b"".join(manifest_file(facts, files).open()))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _entries(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if {"path", "sha256"} <= value.keys():
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            yield from _entries(entry)


def of_json(path: str, change: Change) -> Change:
    """Return the tampering that changes the value of a JSON file in place."""

    def tamper(folder: Path) -> None:
        value = json.loads((folder / path).read_text())
        change(value)
        text = json.dumps(value, indent=1, ensure_ascii=False)
        if path == FORMS["carebench"]:
            text = "[\n" + ",\n".join(map(json.dumps, value)) + "\n]\n"
        (folder / path).write_text(text)

    return tamper


def of_lines(path: str, change: Change) -> Change:
    """Return the tampering that changes the objects of JSON lines in place."""

    def tamper(folder: Path) -> None:
        rows = [json.loads(line) for line in (folder / path).read_text().splitlines()]
        change(rows)
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / path).write_text("".join(lines))

    return tamper


def of_csv(path: str, change: Change) -> Change:
    def tamper(folder: Path) -> None:
        text = (folder / path).read_bytes().decode()
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        names = list(rows[0])
        change(rows)
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, names)
        writer.writeheader()
        writer.writerows(rows)
        (folder / path).write_bytes(out.getvalue().encode())

    return tamper


def of_parquet(path: str, change: Change) -> Change:
    def tamper(folder: Path) -> None:
        table = parquet.read_table(folder / path)
        rows = table.to_pylist()
        change(rows)
        made = pa.Table.from_pylist(rows, schema=table.schema)
        parquet.write_table(made, folder / path, **PLAIN)

    return tamper


def set_to(*keys: Any, value: Any) -> Change:
    """Return the change that sets the value under these keys; a function makes it from the old."""

    def change(whole: Any) -> None:
        holder = whole
        for key in keys[:-1]:
            holder = holder[key]
        holder[keys[-1]] = value(holder[keys[-1]]) if callable(value) else value

    return change


def swapped(*keys: Any) -> Change:
    """Return the change that swaps the values under these keys of the first two rows."""

    def change(rows: Any) -> None:
        first, second = rows[0], rows[1]
        for key in keys:
            first[key], second[key] = second[key], first[key]

    return change


def more(text: str) -> str:
    return f"{text} Extra"


def without_last_target(text: str) -> str:
    return repr(ast.literal_eval(text)[:-1])


def added(path: str, listed_in: str = "") -> Change:
    """Return the tampering that adds a file, and names it in a list of hashes or in the manifest's
    `about`."""

    def tamper(folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True, parents=True)
        (folder / path).write_text("x = 1\n")
        if listed_in == ABOUT:
            of_json("manifest.json", set_to(ABOUT, path, value="0" * 64))(folder)
        elif listed_in:
            with (folder / listed_in).open("a") as sums:
                sums.write(f"{'0' * 64}  {path}\n")

    return tamper


def both(*tamperings: Change) -> Change:
    def tamper(folder: Path) -> None:
        for each in tamperings:
            each(folder)

    return tamper


def removed(path: str) -> Change:
    return lambda folder: (folder / path).unlink()
