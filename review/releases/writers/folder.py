"""The files that describe a folder: README.md, LICENSE.txt, manifest.json, SHA256SUMS, and
TOMBSTONES of what was taken down after the release was built."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from itertools import takewhile
from typing import Any

from annotate.corpus.conversions import CONVERSIONS, count_in_words
from review.exchange.files import (
    ExportFile,
    json_file,
    measured_file,
    sum_lines,
    text_file,
)
from review.frozen.models import Release
from review.proof.files import VERIFY_COMMAND, proof_entry, proof_files, proof_hashes
from review.proof.verifying.hashes import ABOUT, NO_HASH, OWN_HASH
from review.proof.verifying.tombstones import TOMBSTONES, ListedFile, Takedown, Tombstones
from review.releases.content import SUMS, license_text, signature
from review.releases.models import ReleaseHash
from review.releases.triplet_tally import frozen_facts
from review.releases.writers.tables import Content
from review.releases.writers.weights import weights_entry, weights_lines

SIMULATED = "SIMULATED: a program made up these labels for a demo."
WITHDRAWN = (
    "These items were taken out of this release after it was published. content_hash is that of "
    "the full content and stays; this copy of it lacks the files under withdrawn, and those under "
    "changed lack the items."
)


def own_folder(
    release: Release,
    *,
    about: Sequence[ExportFile],
    facts: Mapping[str, Any],
    entries: Mapping[str, Any],
    frozen: Iterable[tuple[str, str]],
    files: Sequence[ExportFile],
) -> list[ExportFile]:
    """Return the files of a release in its own form: those `about` it, the manifest of `facts` and
    `entries`, the proof and the content. `frozen`: path and SHA-256 of each file of the content
    hash, in its order; `files`: those that are offered now."""
    sums, proof = list(frozen), proof_files(release)
    frozen = [*sums, *proof_hashes(release)]
    stones = tombstone_files(release, facts["format"], frozen, [*files, *proof])
    withdrawn = {"tombstones": listed(stones)[0]} if stones else {}
    manifest = {**facts, **withdrawn, **proof_entry(release), **entries}
    return [
        *about,
        manifest_file(manifest, about),
        *stones,
        *proof,
        text_file(SUMS, "".join(sum_lines(sums))),
        *files,
    ]


def content_files(
    release: Release, chunks: Mapping[str, Callable[[], Iterator[bytes]]]
) -> list[ExportFile]:
    """Return the files that a release froze beside its videos, as they are offered now. `chunks`
    make them, by path."""
    if release.withdrawn:
        return [measured_file(path, chunks[path]) for path, *_ in release.caption_files]
    return [
        ExportFile(path, size, sha256, chunks[path]) for path, size, sha256 in release.caption_files
    ]


def whole_folder(
    release: Release,
    format_name: str,
    content: Content,
    readme: str,
    files: Sequence[ExportFile],
) -> list[ExportFile]:
    """Return the files of a general format with those that describe the folder."""
    facts = release_facts(release, format_name)
    if of_triplets := frozen_facts(release):
        # so that an import can generate the set of triplets again
        facts["generated"] = asdict(of_triplets.generated)
    texts = (text_file(name, text) for name, text in content.texts.items())
    return described_folder(
        release,
        readme + weights_lines(release) + tombstone_lines(release, is_own=False),
        license_text(release, content.licenses, content.licensed),
        facts,
        [*texts, *files],
    )


def described_folder(
    release: Release,
    readme: str,
    license: str,
    facts: Mapping[str, Any],
    files: Sequence[ExportFile],
) -> list[ExportFile]:
    """Return the files with those that describe them; each is in SHA256SUMS."""
    files = [*tombstone_files(release, facts["format"]), *files]
    first = [
        text_file("README.md", readme),
        text_file("LICENSE.txt", license),
        json_file("manifest.json", {**facts, "files": listed(files)}),
    ]
    sums = "".join(sum_lines((file.path, file.sha256) for file in (*first, *files)))
    return [*first, text_file(SUMS, sums), *files]


def release_facts(release: Release, format_name: str, **counts: int) -> dict[str, Any]:
    """Return the first fields of a manifest in any format; `counts` follow the number of clips."""
    return {
        "format": format_name,
        "project": release.project_name,
        "version": release.version,
        "released_at": release.created_at.isoformat(timespec="seconds"),
        "licence": release.license,
        "notes": release.notes,
        "clip_count": clips_left(release),
        **counts,
        "content_hash": release.content_hash,
        "signature": signature(release),
        **weights_entry(release),
    }


def manifest_file(facts: Mapping[str, Any], about: Sequence[ExportFile]) -> ExportFile:
    """Return the manifest with the hashes of the files `about` the release, which are in no list of
    hashes, and its own hash, made as if it had NO_HASH in that place."""
    hashes = {file.path: file.sha256 for file in about}
    manifest = {**facts, ABOUT: hashes, OWN_HASH: NO_HASH}
    text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    before, _, behind = text.rpartition(NO_HASH)
    own = sha256(text.encode()).hexdigest()
    return text_file("manifest.json", f"{before}{own}{behind}")


def listed(files: Iterable[ExportFile]) -> list[dict[str, Any]]:
    """Return a manifest's entries about files."""
    return [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in files]


def introduction(release: Release, content: Content) -> str:
    """Return the first lines of a README: the release's content and how it was made."""
    making = content.making
    converted = count_in_words(source.get(CONVERSIONS, {}) for _, source in content.licenses)
    sentences = [making.collection, making.composition, converted]
    made = SIMULATED if release.project.is_simulated else " ".join(filter(None, sentences))
    return f"""# {release.project_name} {release.version}

{making.summary} {made}
{notes_of(release)}"""


def notes_of(release: Release) -> str:
    """Return the notes of a release as a paragraph of a README."""
    return f"\n{release.notes}\n" if release.notes else ""


def simulated_notice(release: Release) -> str:
    """Return a paragraph of a README that says that nobody made the labels."""
    return f"\n{SIMULATED}\n" if release.project.is_simulated else ""


def origin(release: Release) -> str:
    """Return the last lines of a README: which release this is, and how to check and quote it."""
    return f"""- `manifest.json`: size and SHA-256 of each file, and which release they are from
- `LICENSE.txt`: whose terms apply to what
- `{SUMS}`: check the files with `sha256sum --check {SUMS}`

Every format of this release is made from the content with the hash
`{release.content_hash}`

Quote with results: `{signature(release)}`
"""


def tombstone_files(
    release: Release,
    format_name: str,
    frozen: Iterable[tuple[str, str]] = (),
    files: Sequence[ExportFile] = (),
) -> list[ExportFile]:
    """Return the file TOMBSTONES, if anything was taken down: what, when and why. `frozen`: path
    and SHA-256 of each file as it was frozen; `files`: those that are offered now."""
    if not release.withdrawn:
        return []
    offered = {file.path: file for file in files}
    sums = dict(frozen)
    stones = Tombstones(
        about=WITHDRAWN,
        content_hash=release.content_hash,
        items=items_of(release),
        withdrawn=[path for path in sums if path not in offered],
        changed=[
            ListedFile(path, offered[path].size, offered[path].sha256)
            for path, sha256 in sums.items()
            if path in offered and offered[path].sha256 != sha256
        ],
        release_hashes=_earlier_hashes(release, format_name),
    )
    return [json_file(TOMBSTONES, asdict(stones))]


def _earlier_hashes(release: Release, format_name: str) -> list[str]:
    """Return the release hashes of the copies before those of today's state, which stay the same
    when this state is written again."""
    hashes = ReleaseHash.objects.filter(release=release, format=format_name).order_by("pk")
    rows = hashes.values_list("withdrawn", "sha256")
    before = takewhile(lambda row: row[0] != release.withdrawn.fingerprint, rows)
    return [sha256 for _, sha256 in before if sha256]


def items_of(release: Release) -> list[Takedown]:
    """Return the entries of TOMBSTONES, one per takedown, oldest first."""
    return [
        Takedown(
            id=stone.takedown.pk,
            what=stone.takedown.what,
            items=list(stone.items),
            withdrawn_at=stone.takedown.created_at.isoformat(timespec="seconds"),
            reason=stone.takedown.reason,
        )
        for stone in release.withdrawn.tombstones
    ]


def tombstone_lines(release: Release, *, is_own: bool) -> str:
    """Return the README's paragraph about what was taken down. `is_own`: in the format whose
    SHA256SUMS is the content hash."""
    number = len(release.withdrawn.tombstones)
    if not number:
        return ""
    what = (
        "SHA256SUMS and the content hash are those of the full content, so `sha256sum --check` "
        f"names the files\nthat are missing or lack an item; `{VERIFY_COMMAND}` knows them by "
        "`TOMBSTONES` and checks all others."
        if is_own
        else "The content hash is that of the full content; SHA256SUMS has the files of this copy."
    )
    return (
        f"\n**Withdrawn.** {number} takedown{'' if number == 1 else 's'} after this release was "
        f"published: `{TOMBSTONES}` says what this copy\nlacks, since when, and why. {what}\n"
    )


def clips_left(release: Release) -> int:
    """Return how many clips the release still offers."""
    return release.clip_count - release.withdrawn.clip_count
