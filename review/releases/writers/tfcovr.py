"""TF-CoVR's files, with ours beside them (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.db.models import QuerySet

from annotate.models import Video
from review.exchange.files import ExportFile, measure, stored_chunks, sum_lines, text_file
from review.frozen.models import Release, ReleasedTripletClip
from review.proof.files import proof_entry, proof_files, proof_hashes, proof_lines
from review.releases.content import SUMS, license_text, signature
from review.releases.frozen_triplets import frozen_content
from review.releases.triplet_content import (
    EMBEDDINGS,
    LOADER_TARGETS,
    TEST,
    TRAIN,
    VALIDATION,
    VERDICTS,
    content_chunks,
)
from review.releases.writers.key_order import FACTS, VIDEO, in_order
from review.releases.writers.manifest import listed, manifest_file, release_facts
from review.releases.writers.tombstones import tombstone_entry, tombstone_files, tombstone_lines

Split = Video.Split
AT_ONCE = 500


def tfcovr_files(release: Release) -> list[ExportFile]:
    clips, proof = _frozen_clips(release), proof_files(release)
    contents = _contents(release)
    files = [*contents, *(_video(clip, video_path(clip.name)) for clip in clips)]
    sums = list(_frozen_hashes(release))
    stones = tombstone_files(release, [*sums, *proof_hashes(release)], [*files, *proof])
    of_clips = ((f"{clip.name}.mp4", clip.provenance) for clip in clips)
    about = [
        text_file("README.md", _readme(release)),
        text_file("LICENSE.txt", license_text(release, of_clips, "Annotations")),
    ]
    return [
        *about,
        manifest_file(_manifest(release, clips, contents, stones), about),
        *stones,
        *proof,
        text_file(SUMS, "".join(sum_lines(sums))),
        *files,
    ]


def _contents(release: Release) -> list[ExportFile]:
    chunks = content_chunks(frozen_content(release))
    if not release.withdrawn:
        return [
            ExportFile(path, size, sha256, chunks[path])
            for path, size, sha256 in release.caption_files
        ]
    return [
        ExportFile(path, size, sha256, chunks[path])
        for path, _, _ in release.caption_files
        for sha256, size in [measure(chunks[path]())]
    ]


def _frozen_hashes(release: Release) -> Iterator[tuple[str, str]]:
    """Yield the path and hash of every file whose hash is in the content hash, in its order."""
    yield from ((path, sha256) for path, _, sha256 in release.caption_files)
    for name, sha256 in release.triplet_clips.order_by("pk").values_list("name", "video_sha256"):
        yield video_path(name), sha256


def offered_clips(release: Release) -> QuerySet[ReleasedTripletClip]:
    """Return the clips that weren't taken down."""
    withdrawn = release.withdrawn.clips
    clips = release.triplet_clips.all()
    return clips.exclude(clip__in=withdrawn) if withdrawn else clips


def clip_files(release: Release) -> list[ExportFile]:
    """Return the videos of the clips by their split, in the order of their numbers."""
    return [_video(clip, split_path(clip.split, clip.name)) for clip in _frozen_clips(release)]


def split_path(split: str, name: str) -> str:
    return f"{split}/clips/{name}.mp4"


def _frozen_clips(release: Release) -> list[ReleasedTripletClip]:
    return list(
        offered_clips(release)
        .order_by("pk")
        .select_related("clip__video", "clip__file")
        .only(
            *("release_id", "name", "split", "video_sha256", "video_size", "provenance"),
            *("clip__start_frame", "clip__end_frame", "clip__file__name"),
            *("clip__video__frames", "clip__video__playback_file"),
        )
    )


def _video(clip: ReleasedTripletClip, path: str) -> ExportFile:
    read = partial(stored_chunks, _stored_name(clip))
    return ExportFile(path, clip.video_size, clip.video_sha256, read)


def video_path(name: str) -> str:
    return f"videos/{name}.mp4"


def _stored_name(released: ReleasedTripletClip) -> str:
    clip = released.clip
    return clip.video.playback_file if clip.spans_its_video else clip.file.name


def current_facts(release: Release) -> dict[str, Any]:
    """Return how the set was generated and its counts, limited to what the release still offers."""
    facts: dict[str, Any] = in_order(release.triplet_facts or {}, FACTS)
    if not release.withdrawn:
        return facts
    content = frozen_content(release)
    counts: dict[str, dict[str, int]] = {
        name: dict.fromkeys(Split.values, 0) for name in ("queries", "verified", "triplets")
    }
    beyond_loader = 0
    for split in Split.values:
        for query in content.queries(split):
            counts["queries"][split] += 1
            counts["verified"][split] += bool(query.verdicts)
            counts["triplets"][split] += len(query.row.targets)
            beyond_loader += split != Split.TRAIN and len(query.row.targets) > LOADER_TARGETS
    return facts | counts | {"cut_to_loader": beyond_loader}


def _manifest(
    release: Release,
    clips: list[ReleasedTripletClip],
    contents: list[ExportFile],
    stones: list[ExportFile],
) -> dict[str, Any]:
    manifest = release_facts(release, "tfcovr") | current_facts(release)
    manifest |= tombstone_entry(stones) | proof_entry(release)
    manifest["files"] = listed(contents)
    manifest["clips"] = [
        {
            "path": video_path(clip.name),
            "size": clip.video_size,
            "sha256": clip.video_sha256,
            **in_order(clip.provenance, VIDEO),
        }
        for clip in clips
    ]
    return manifest


def counts_in_words(facts: Mapping[str, Any]) -> str:
    """Return the number of queries and triplets of each split, and how many people verified, in
    words.
    """
    return "; ".join(
        f"{split.label}: {facts['queries'][split]:,} queries with {facts['triplets'][split]:,} "
        f"targets, {facts['verified'][split]:,} of them verified by people"
        for split in Split
    )


def simulated_sentence(release: Release) -> str:
    if not release.project.is_simulated:
        return ""
    return "\nSIMULATED: a program made up these labels for a demo.\n"


RIGHT_TOO = """\
Other clips of the gallery with the target label of a query are right too, but no targets. Leave
them out of the query's ranking, or take all of them as targets; never count them as wrong."""


def _readme(release: Release) -> str:
    notes = f"\n{release.notes}\n" if release.notes else ""
    return f"""# {release.project_name} {release.version}

A query clip and a modification ask for target clips. {counts_in_words(current_facts(release))}.
{simulated_sentence(release)}{notes}
- `{TRAIN}`: one row is one triplet. `modification` is a Python literal,
  `{{'<label2>': {{'modification': '<text>'}}}}`
- `{VALIDATION}`, `{TEST}`: one row is one query. `query_id` counts from 0, `modification` is the
  text, `target_videos_ids` a Python literal: the valid targets, `target_video` its first
- `videos/`: the clips (H.264, constant frame rate), under the names that the annotations use
- `clips.csv`: every clip with its label, split and source video, and where it lies there; test
  queries are looked for among those with `test_gallery` 1, without the query's own
- `labels.csv`: what each label means. A label is its id: several can share a caption
- `modifications.csv`: the text from one label to another, who or what wrote it (`made`), and,
  under numbers instead of names, who accepted it and how people judged the pair
- `{VERDICTS}`: what each person said about a query, its text and its targets
{_embeddings(release)}- `manifest.json`: how the queries were generated; size, SHA-256 and source
  of each clip
- `LICENSE.txt`: whose terms apply to what
- `{SUMS}`: check the files with `sha256sum --check {SUMS}`
{proof_lines(release)}
Queries that people verified have the text and the targets that most of them found right; the others
are as they were generated.{_cut_off(release)}

{RIGHT_TOO}

Read the Python literals with `ast.literal_eval`, never with `eval`. The files under `annotations/`
hold each text as it is, since TF-CoVR's loader takes a cell for the text itself: a spreadsheet
would run a cell that begins with `=`, `+`, `-` or `@` as a formula, so import their columns as
text. In `labels.csv` and `modifications.csv` such texts have an apostrophe before them.
{tombstone_lines(release, is_own=True)}
The SHA-256 of `{SUMS}` itself is the content hash of this release:
`{release.content_hash}`

Quote with results: `{signature(release)}`
"""


def _embeddings(release: Release) -> str:
    vectors = (release.triplet_facts or {}).get("vectors")
    if not vectors:
        return ""
    model = " ".join(filter(None, (vectors["model"], vectors["model_id"], vectors["revision"])))
    return (
        f"- `{EMBEDDINGS}`: the clips' vectors by {model}\n  as TF-CoVR's loader opens them: dicts "
        f"of clip and tensor ({vectors['dimension']} float32, unit length),\n  pickled one after "
        "another. Opening a pickle runs the code that it names; this one only calls\n"
        "  `torch.FloatTensor`\n"
    )


def _cut_off(release: Release) -> str:
    number = current_facts(release).get("cut_to_loader", 0)
    if not number:
        return ""
    return (
        f" TF-CoVR's loader fails with more than {LOADER_TARGETS} targets of a query:\n{number:,} "
        f"queries have more, and their first {LOADER_TARGETS} here. The format `circo` has all."
    )
