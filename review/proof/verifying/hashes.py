"""Check the hashes of a release: of SHA256SUMS, of reports/SHA256SUMS and of the manifest, and make
its release hash."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from review.proof.verifying.folder import Folder, Problem, Unreadable
from review.proof.verifying.parsing import parsed
from review.proof.verifying.release_hash import is_added, release_hash
from review.proof.verifying.released import FORMS
from review.proof.verifying.tombstones import NONE, TOMBSTONES, read_tombstones

SUMS = "SHA256SUMS"
PROOF_SUMS = "reports/SHA256SUMS"
MANIFEST = "manifest.json"
GENERAL = ("circo", "huggingface", "webdataset", "native")
# Files about the release, whose hashes the manifest has.
ABOUT_SUFFIXES = (".bib", ".cff", ".csv", ".json", ".md", ".tex", ".txt")
ABOUT = "about"
OWN_HASH = "manifest_sha256"
# Placeholder while the hash is computed.
NO_HASH = "0" * 64
MAX_SUMS = 64 * 1024 * 1024
# What lies at the top of a folder, in any form and in each.
TOP = {MANIFEST, SUMS, TOMBSTONES, "README.md", "LICENSE.txt", "verify.pyz", "reports"}
TOP_OF = {
    "carebench": {"json", "videos"},
    "lovr": {"caption_data", "video_data", "assessment.csv", "assessment.json", "assessment.tex"},
    "tfcovr": {"annotations", "videos", "embeddings", "verdicts.jsonl"}
    | {"clips.csv", "labels.csv", "modifications.csv"},
}
NOT_OF_IT = "This isn't a file of the release; remove it."
_LINE = re.compile(r"([0-9a-f]{64})  ([^\r\n]+)")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Manifest:
    """What is checked of a manifest. `about`: the SHA-256 of files without a listed hash, such as
    README.md; a general format has neither these nor the manifest's own. `parquet`: files that are
    in no list of hashes, because another version of a library writes the same content with other
    bytes."""

    content_hash: str
    signature: str
    format: str = ""
    about: Mapping[str, str] | None = None
    manifest_sha256: str | None = None
    parquet: Any = None


@dataclass(frozen=True)
class Entry:
    """What a manifest says about a file."""

    path: str
    sha256: str
    size: int | None = None


class Hashes:
    """The hashes of a folder. `problems` are known after `check`; `checked` counts the files with
    the right hash. `tombstones`: what was withdrawn since."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.problems: list[Problem] = []
        self.checked = 0
        self._measured: dict[str, tuple[str, int]] = {}
        self._made_again: set[str] = set()
        self._about: set[str] = set()
        self._withdrawn: set[str] = set()
        self.tombstones = NONE
        # What the folder is: a form by the files that only this form has, "" for another format.
        self.form = next((form for form, path in FORMS.items() if folder.has(path)), "")

    @property
    def lists(self) -> tuple[str, ...]:
        """Return the lists of hashes that the folder needs."""
        return (SUMS, PROOF_SUMS) if self.form else (SUMS,)

    def release_hash(self) -> str:
        """Return the hash over all files of the folder, those of `problems` included."""
        names = [name for name, is_file in self.folder.names() if is_file and not is_added(name)]
        readable = filter(self._is_measured, names)
        return release_hash((name, self._measured[name][0]) for name in readable)

    def check(self) -> None:
        self.tombstones, problems = read_tombstones(self.folder)
        self.problems += problems
        changed = {file.path: file.sha256 for file in self.tombstones.changed}
        self._withdrawn = set(self.tombstones.withdrawn)
        listed: set[str] = set()
        for sums in self.lists:
            for sha256, path in self._lines_of(sums):
                if path in self._withdrawn:
                    continue  # A file that is here anyway isn't part of this copy.
                listed.add(path)
                if self._is_measured(path):
                    self._compare(path, changed.get(path, sha256))
        self._check_manifest(listed)
        self._check_others(listed | self._about)

    def _lines_of(self, sums: str) -> Iterator[tuple[str, str]]:
        try:
            path = self.folder.path(sums)
            if path.stat().st_size > MAX_SUMS:
                raise Unreadable(f"The file is larger than {MAX_SUMS // 1024**2} MB.")
            lines = path.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError:
            self.problems.append(Problem(sums, "The file isn't UTF-8 text."))
            return
        except (Unreadable, OSError) as error:
            self.problems.append(Problem(sums, str(error)))
            return
        if not any(lines):
            self.problems.append(Problem(sums, "The file is empty."))
        for number, line in enumerate(lines, 1):
            if match := _LINE.fullmatch(line):
                yield match[1], match[2]
            elif line:
                message = f"Line {number} isn't a SHA-256, two spaces and a path."
                self.problems.append(Problem(sums, message))

    def _is_measured(self, path: str) -> bool:
        try:
            if path not in self._measured:
                self._measured[path] = self.folder.measure(path)
        except Unreadable as error:
            self.problems.append(Problem(path, str(error)))
            return False
        return True

    def _compare(self, path: str, sha256: str) -> None:
        measured_hash, _ = self._measured[path]
        if measured_hash == sha256:
            self.checked += 1
        else:
            message = f"The content has changed: expected SHA-256 {sha256}, found {measured_hash}."
            self.problems.append(Problem(path, message))

    def _check_manifest(self, listed: set[str]) -> None:
        try:
            stored = self.folder.json(MANIFEST)
            manifest = parsed(stored, Manifest)
            content = self.folder.path(MANIFEST).read_bytes()
            sums, _ = self.folder.measure(SUMS)
        except Unreadable as error:
            self.problems.append(Problem(MANIFEST, str(error)))
            return
        formats = (self.form,) if self.form else GENERAL
        if manifest.format not in formats:
            message = f"expected {' or '.join(formats)}, found {manifest.format[:80]!r}."
            self.problems.append(Problem(f"{MANIFEST}#format", message))
        # A general format only names the content hash, and its SHA256SUMS has the manifest's.
        hashed = sums if self.form else manifest.content_hash
        if manifest.content_hash != hashed:
            message = f"expected the SHA-256 of {SUMS}, {sums}, found {manifest.content_hash}."
            self.problems.append(Problem(f"{MANIFEST}#content_hash", message))
        if not manifest.signature.endswith(f"|sha256:{hashed}"):
            message = f"The signature doesn't end in the content hash, sha256:{hashed}."
            self.problems.append(Problem(f"{MANIFEST}#signature", message))
        if self.form:
            self._check_about(manifest, content)
        self._made_again = {entry.path for entry in self._entries(manifest.parquet)}
        for entry in self._entries(stored):
            self._check_entry(entry, listed | self._made_again)

    def _check_about(self, manifest: Manifest, content: bytes) -> None:
        """Check the manifest itself, and the files about the release."""
        if problem := own_problem(manifest, content):
            self.problems.append(Problem(MANIFEST, problem))
        hashes = manifest.about or {}
        self._about = {
            *filter(_is_about, hashes),
            *([MANIFEST] if manifest.manifest_sha256 else []),
        }
        for name, sha256 in hashes.items():
            if self._is_measured(name):
                self._compare(name, sha256)

    def _check_entry(self, entry: Entry, listed: set[str]) -> None:
        path = entry.path
        own_lists = (PROOF_SUMS, TOMBSTONES)
        if path not in listed and path not in own_lists:
            message = f"{path[:200]} is in no list of hashes."
            self.problems.append(Problem(MANIFEST, message))
            return
        if path in (*own_lists, *self._made_again) and not self._is_measured(path):
            return
        if path not in self._measured:
            return  # already reported as missing
        sha256, size = self._measured[path]
        for key, expected, measured in (
            ("sha256", entry.sha256[:80], sha256),
            ("size", entry.size, size),
        ):
            if expected not in (measured, None):
                message = f"the manifest says {expected}, the file has {measured}."
                self.problems.append(Problem(f"{path}#{key}", message))

    def _entries(self, stored: Any) -> Iterator[Entry]:
        """Yield each object that describes a file, wherever it is."""
        waiting = [stored]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                if {"path", "sha256"} <= value.keys():
                    try:
                        yield parsed(value, Entry)
                    except Unreadable as error:
                        self.problems.append(Problem(MANIFEST, str(error)))
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)

    def _check_others(self, listed: set[str]) -> None:
        for name, is_file in self.folder.names():
            if self._is_unknown(name):
                self.problems.append(Problem(name, NOT_OF_IT))
            elif name in listed or name in self.lists or is_added(name):
                continue
            elif name in self._withdrawn:
                self.problems.append(Problem(name, "This was withdrawn. Delete your copy."))
            elif not is_file:
                self.problems.append(Problem(name, "This is a link or not a file; remove it."))
            elif name in (TOMBSTONES, *self._made_again) and name in self._measured:
                continue  # the manifest has its hash
            else:
                self.problems.append(Problem(name, NOT_OF_IT))

    def _is_unknown(self, name: str) -> bool:
        """Return whether a form has no such file or folder at its top, whatever lists it."""
        if not self.form or is_added(name):
            return False
        return name.partition("/")[0] not in TOP | TOP_OF[self.form]


def own_problem(manifest: Manifest, content: bytes) -> str | None:
    """Return the problem with the manifest's own hash, if any; `content` are its bytes."""
    own = manifest.manifest_sha256
    if own is None or not _HASH.fullmatch(own) or manifest.about is None:
        return f"{OWN_HASH} or {ABOUT} is missing."
    before, _, behind = content.rpartition(own.encode())
    made = hashlib.sha256(before + NO_HASH.encode() + behind).hexdigest()
    return (
        None if made == own else f"The content has changed: expected SHA-256 {own}, found {made}."
    )


def _is_about(name: str) -> bool:
    return "/" not in name and name.endswith(ABOUT_SUFFIXES)
