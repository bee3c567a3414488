"""The files that describe a folder: README.md, LICENSE.txt, manifest.json, SHA256SUMS."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from review.exchange.files import ExportFile, sum_lines, text_file
from review.frozen.models import Release
from review.releases.content import SUMS, license_text, signature
from review.releases.writers.key_order import FACTS, in_order
from review.releases.writers.manifest import listed, release_facts
from review.releases.writers.tables import Content
from review.releases.writers.tombstones import tombstone_files, tombstone_lines

SIMULATED = "SIMULATED: a program made up these labels for a demo."


def whole_folder(
    release: Release,
    format_name: str,
    content: Content,
    readme: str,
    files: Sequence[ExportFile],
) -> list[ExportFile]:
    """Return the files of a format with those that describe the folder."""
    files = [
        *tombstone_files(release),
        *(text_file(name, text) for name, text in content.texts.items()),
        *files,
    ]
    manifest = text_file("manifest.json", _manifest(release, format_name, content, files))
    first = [
        text_file("README.md", readme + tombstone_lines(release, is_own=False)),
        text_file("LICENSE.txt", license_text(release, content.licenses, content.licensed)),
        manifest,
    ]
    sums = "".join(sum_lines((file.path, file.sha256) for file in (*first, *files)))
    return [*first, text_file(SUMS, sums), *files]


def introduction(release: Release, content: Content) -> str:
    """Return the first lines of a README: the release's content and how it was made."""
    making = content.making
    sentences = [making.summary, making.collection, making.composition]
    made = SIMULATED if release.project.is_simulated else " ".join(filter(None, sentences[1:]))
    notes = f"\n{release.notes}\n" if release.notes else ""
    return f"""# {release.project_name} {release.version}

{making.summary} {made}
{notes}"""


def origin(release: Release) -> str:
    """Return the last lines of a README: which release this is, and how to check and quote it."""
    return f"""- `manifest.json`: size and SHA-256 of each file, and which release they are from
- `LICENSE.txt`: whose terms apply to what
- `{SUMS}`: check the files with `sha256sum --check {SUMS}`

Every format of this release is made from the content with the hash
`{release.content_hash}`

Quote with results: `{signature(release)}`
"""


def _manifest(
    release: Release, format_name: str, content: Content, files: Sequence[ExportFile]
) -> str:
    manifest: dict[str, Any] = {
        **release_facts(release, format_name),
        **_generated(release),
        "files": listed(files),
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def _generated(release: Release) -> dict[str, Any]:
    """Return how a set of triplets was generated, so that an import can repeat it."""
    facts = release.triplet_facts
    return {"generated": in_order(facts["generated"], FACTS)} if facts else {}
