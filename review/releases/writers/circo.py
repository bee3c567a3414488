"""The queries of a release of triplets in CIRCO's form, with the clips by number."""

from __future__ import annotations

from annotate.models import Video
from review.display.tables import json_lines
from review.exchange.files import ExportFile
from review.frozen.models import Release
from review.releases.content import license_text
from review.releases.frozen_triplets import frozen_content
from review.releases.triplet_content import TripletContent, clip_file
from review.releases.triplet_facts import TripletFacts
from review.releases.writers.folder import (
    described_folder,
    notes_of,
    origin,
    release_facts,
    simulated_notice,
)
from review.releases.writers.tfcovr import RIGHT_TOO, counts_in_words, current_facts, written_facts
from review.releases.writers.tombstones import tombstone_lines
from review.triplets.exchange import TripletFile
from review.triplets.writers import circo_entries

Split = Video.Split
VALIDATION = "annotations/val.json"
TEST = "annotations/test.json"
TEST_TARGETS = "annotations/test_targets.json"


def circo_files(release: Release) -> list[ExportFile]:
    content = frozen_content(release)
    ids = {clip.name: clip.number for clip in content.clips}
    files = [
        file.measured()
        for file in (
            _entries(VALIDATION, content, Split.VALIDATION, ids, is_public=False),
            _entries(TEST, content, Split.TEST, ids, is_public=True),
            _entries(TEST_TARGETS, content, Split.TEST, ids, is_public=False),
            clip_file(content.clips),
        )
    ]
    facts = current_facts(release)
    of_clips = ((f"{clip.name}.mp4", clip.provenance) for clip in content.clips)
    return described_folder(
        release,
        _readme(release, facts),
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


def _readme(release: Release, facts: TripletFacts) -> str:
    return f"""# {release.project_name} {release.version}, in CIRCO's form

A query clip and a modification ask for target clips. {counts_in_words(facts)}.
Train has no form in CIRCO: it is in the format `tfcovr`, as are the clips themselves.
{simulated_notice(release)}{notes_of(release)}
- `{VALIDATION}`: the validation queries with `reference_img_id`, `target_img_id`,
  `relative_caption`, `shared_concept` (the sport), `gt_img_ids`, `id` and `semantic_aspects`
- `{TEST}`: the test queries without their targets, as CIRCO publishes its own
- `{TEST_TARGETS}`: the test queries with their targets
- `clips.csv`: the clip of each number (`id`), under its name in the format `tfcovr`. Test queries
  are looked for among those with `test_gallery` 1, without the query's own
{origin(release)}{tombstone_lines(release, is_own=False)}
{RIGHT_TOO}
"""
