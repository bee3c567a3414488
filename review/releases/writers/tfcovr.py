"""TF-CoVR's files, with ours beside them, and the queries in CIRCO's form with the clips by number
(docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from django.db.models import QuerySet

from annotate.models import Video
from review.display.tables import json_lines
from review.exchange.files import ExportFile, text_file
from review.frozen.models import Release, ReleasedTripletClip
from review.proof.files import proof_lines
from review.releases.content import SUMS, license_text, signature
from review.releases.frozen_triplets import frozen_content
from review.releases.triplet_content import (
    EMBEDDINGS,
    LOADER_TARGETS,
    TEST,
    TRAIN,
    VALIDATION,
    VERDICTS,
    TripletContent,
    clip_file,
    content_chunks,
)
from review.releases.triplet_tally import Tally, TripletFacts, counted, frozen_facts
from review.releases.writers.clip_videos import clip_entries, clip_video, with_files
from review.releases.writers.folder import (
    content_files,
    described_folder,
    listed,
    notes_of,
    origin,
    own_folder,
    release_facts,
    simulated_notice,
    tombstone_lines,
)
from review.releases.writers.key_order import FACTS, VIDEO, in_order
from review.releases.writers.weights import weights_lines
from review.triplets.exchange import TripletFile
from review.triplets.writers import circo_entries

Split = Video.Split
CIRCO_VALIDATION = "annotations/val.json"
CIRCO_TEST = "annotations/test.json"
CIRCO_TARGETS = "annotations/test_targets.json"


def tfcovr_files(release: Release) -> list[ExportFile]:
    clips = _frozen_clips(release)
    videos = [clip_video(clip, video_path(clip.name)) for clip in clips]
    contents = content_files(release, content_chunks(frozen_content(release)))
    facts = current_facts(release)
    provenance_by_file = ((f"{clip.name}.mp4", clip.provenance) for clip in clips)
    return own_folder(
        release,
        about=[
            text_file("README.md", _readme(release, facts)),
            text_file("LICENSE.txt", license_text(release, provenance_by_file, "Annotations")),
        ],
        facts=release_facts(release, "tfcovr") | written_facts(facts),
        entries={"files": listed(contents), "clips": clip_entries(videos, clips, VIDEO)},
        frozen=_frozen_hashes(release),
        files=[*contents, *videos],
    )


def _frozen_hashes(release: Release) -> Iterator[tuple[str, str]]:
    """Yield the path and hash of every file whose hash is in the content hash, in its order."""
    yield from ((path, sha256) for path, _, sha256 in release.caption_files)
    for name, sha256 in release.triplet_clips.order_by("pk").values_list("name", "video_sha256"):
        yield video_path(name), sha256


def offered_clips(release: Release) -> QuerySet[ReleasedTripletClip]:
    """Return the clips that weren't taken down."""
    return release.triplet_clips.exclude(clip__in=release.withdrawn.clips)


def clip_files(release: Release) -> list[ExportFile]:
    """Return the videos of the clips by their split, in the order of their numbers."""
    return [clip_video(clip, split_path(clip.split, clip.name)) for clip in _frozen_clips(release)]


def split_path(split: str, name: str) -> str:
    return f"{split}/clips/{name}.mp4"


def _frozen_clips(release: Release) -> list[ReleasedTripletClip]:
    return with_files(offered_clips(release).order_by("pk"), "name", "split")


def video_path(name: str) -> str:
    return f"videos/{name}.mp4"


def current_facts(release: Release) -> TripletFacts:
    """Return how the set was generated and its counts, limited to what the release still offers."""
    facts = frozen_facts(release)
    assert facts is not None
    if not release.withdrawn:
        return facts
    content, tally = frozen_content(release), Tally()
    for split in Split.values:
        for query in content.queries(split):
            tally.add(query)
    now = counted(tally, facts.set, facts.generated, facts.vectors)
    return replace(now, weights=facts.weights)


def written_facts(facts: TripletFacts) -> dict[str, Any]:
    """Return the facts as manifests have them."""
    written: dict[str, Any] = in_order(asdict(facts), FACTS)
    del written["weights"]  # with the model, in `weights_entry`
    return written


def counts_in_words(facts: TripletFacts) -> str:
    """Return the number of queries and triplets of each split, and how many people verified, in
    words.
    """
    return "; ".join(
        f"{split.label}: {facts.queries[split]:,} queries with {facts.triplets[split]:,} "
        f"targets, {facts.verified[split]:,} of them verified by people"
        for split in Split
    )


RIGHT_TOO = """\
Other clips of the gallery with the target label of a query are right too, but no targets. Leave
them out of the query's ranking, or take all of them as targets; never count them as wrong."""


def _readme(release: Release, facts: TripletFacts) -> str:
    return f"""# {release.project_name} {release.version}

A query clip and a modification ask for target clips. {counts_in_words(facts)}.
{simulated_notice(release)}{notes_of(release)}
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
{_embeddings(facts)}- `manifest.json`: how the queries were generated; size, SHA-256 and source
  of each clip
- `LICENSE.txt`: whose terms apply to what
- `{SUMS}`: check the files with `sha256sum --check {SUMS}`
{proof_lines(release)}{weights_lines(release)}
Queries that people verified have the text and the targets that most of them found right; the others
are as they were generated.{_cut_off(facts)}

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


def _embeddings(facts: TripletFacts) -> str:
    vectors = facts.vectors
    if vectors is None:
        return ""
    model = " ".join(filter(None, (vectors.model, vectors.model_id, vectors.revision)))
    return (
        f"- `{EMBEDDINGS}`: the clips' vectors by {model}\n  as TF-CoVR's loader opens them: dicts "
        f"of clip and tensor ({vectors.dimension} float32, unit length),\n  pickled one after "
        "another. Opening a pickle runs the code that it names; this one only calls\n"
        "  `torch.FloatTensor`\n"
    )


def _cut_off(facts: TripletFacts) -> str:
    number = facts.cut_to_loader
    if not number:
        return ""
    return (
        f" TF-CoVR's loader fails with more than {LOADER_TARGETS} targets of a query:\n{number:,} "
        f"queries have more, and their first {LOADER_TARGETS} here. The format `circo` has all."
    )


def circo_files(release: Release) -> list[ExportFile]:
    content = frozen_content(release)
    ids = {clip.name: clip.number for clip in content.clips}
    files = [
        file.measured()
        for file in (
            _entries(CIRCO_VALIDATION, content, Split.VALIDATION, ids, is_public=False),
            _entries(CIRCO_TEST, content, Split.TEST, ids, is_public=True),
            _entries(CIRCO_TARGETS, content, Split.TEST, ids, is_public=False),
            clip_file(content.clips),
        )
    ]
    facts = current_facts(release)
    of_clips = ((f"{clip.name}.mp4", clip.provenance) for clip in content.clips)
    return described_folder(
        release,
        _circo_readme(release, facts),
        license_text(release, of_clips, "Annotations"),
        release_facts(release, "circo") | written_facts(facts),
        files,
    )


def _entries(
    path: str, content: TripletContent, split: Split, ids: dict[str, int], *, is_public: bool
) -> TripletFile:
    return TripletFile(
        path,
        lambda: json_lines(circo_entries(content.numbered(split), ids, is_public=is_public)),
    )


def _circo_readme(release: Release, facts: TripletFacts) -> str:
    return f"""# {release.project_name} {release.version}, in CIRCO's form

A query clip and a modification ask for target clips. {counts_in_words(facts)}.
Train has no form in CIRCO: it is in the format `tfcovr`, as are the clips themselves.
{simulated_notice(release)}{notes_of(release)}
- `{CIRCO_VALIDATION}`: the validation queries with `reference_img_id`, `target_img_id`,
  `relative_caption`, `shared_concept` (the sport), `gt_img_ids`, `id` and `semantic_aspects`
- `{CIRCO_TEST}`: the test queries without their targets, as CIRCO publishes its own
- `{CIRCO_TARGETS}`: the test queries with their targets
- `clips.csv`: the clip of each number (`id`), under its name in the format `tfcovr`. Test queries
  are looked for among those with `test_gallery` 1, without the query's own
{origin(release)}{weights_lines(release)}{tombstone_lines(release, is_own=False)}
{RIGHT_TOO}
"""
