"""What somebody could change in a release."""

from __future__ import annotations

import json

from review.proof.verifying.hashes import ABOUT, OWN_HASH
from review.proof.verifying.released import RELEASED
from review.proof.verifying.values import NAMES
from tests.review.proof.tampering import (
    added,
    both,
    more,
    of_csv,
    of_json,
    of_lines,
    of_parquet,
    removed,
    set_to,
    swapped,
    without_last_target,
)

METADATA, MANIFEST = "json/metadata.json", "manifest.json"
INDEX, REPORT = "reports/index.json", "reports/statistics-1.json"
CLIPS, VIDEOS = "caption_data/all_clip", "caption_data/all_video"
RECORDS = "caption_data/records.jsonl"
TRAIN, VALIDATION, TEST = (f"annotations/{name}_finegd.csv" for name in ("train", "val", "test"))


def listed(name, key, value):
    """Return the tampering that changes what the index says of a report."""

    def change(index):
        [row] = [row for row in index["reports"] if row["report"] == name]
        row[key] = value

    return of_json(INDEX, change)


def not_recomputed(folder):
    listed("statistics", "recomputed", False)(folder)
    of_json(REPORT, set_to("recomputed", value=False))(folder)


def without(*names):
    return of_json(MANIFEST, lambda manifest: [manifest.pop(name) for name in names])


def tombstone(*withdrawn):
    item = {"id": 1, "what": "clip", "items": ["a"], "withdrawn_at": "2026-01-01", "reason": "x"}
    stones = {"about": "", "content_hash": "", "items": [item], "changed": [], "withdrawn": []}

    def tamper(folder):
        lost = [p.relative_to(folder).as_posix() for w in withdrawn for p in folder.glob(w)]
        (folder / "TOMBSTONES").write_text(json.dumps(stones | {"withdrawn": lost}))
        entry = {"path": "TOMBSTONES", "sha256": "0" * 64}
        of_json(MANIFEST, set_to("tombstones", value=entry))(folder)
        for path in lost:
            (folder / path).unlink()

    return tamper


def first(name, value):
    return set_to(0, name, value=value)


def swap_ends(rows, name):
    rows[0][name], rows[-1][name] = rows[-1][name], rows[0][name]


TAMPERINGS = {
    "a word is added to a caption": ("carebench", of_json(METADATA, first("caption", more))),
    "and to a spatial one": ("carebench", of_json(METADATA, first("spatial_caption", more))),
    "two captions are swapped": (
        "carebench",
        of_json(METADATA, swapped("caption")),
    ),
    "all texts are swapped": ("carebench", of_json(METADATA, swapped("video"))),
    "a category is changed": ("carebench", of_json(METADATA, first("category", more))),
    "a clip is dropped": ("carebench", of_json(METADATA, lambda rows: rows.pop())),
    "a report says it isn't recomputed": ("carebench", not_recomputed),
    "its numbers are changed": (
        "carebench",
        of_json(REPORT, set_to("result", "clips", "items", value=9)),
    ),
    "a report isn't listed": ("carebench", of_json(INDEX, set_to("reports", value=[]))),
    "a report has another title's signature": (
        "carebench",
        listed("statistics", "signature", "vericap|other"),
    ),
    "the manifest's hash is removed": ("carebench", without(OWN_HASH)),
    "about is removed": ("carebench", without(ABOUT)),
    "both are removed": ("carebench", without(OWN_HASH, ABOUT)),
    "the manifest says it is another format": (
        "carebench",
        of_json(MANIFEST, set_to("format", value="webdataset")),
    ),
    "a file is added": ("carebench", added("tool.py")),
    "a text is added": ("carebench", added("NOTICE.md")),
    "a text is added to about": ("carebench", added("NOTICE.md", ABOUT)),
    "a file is added to the hashes": ("carebench", added("tool.py", "SHA256SUMS")),
    "a folder is added to the hashes": ("carebench", added("tools/a.py", "SHA256SUMS")),
    "a takedown hides a report's labels": ("carebench", tombstone("reports/inputs/captions*")),
    "a takedown hides a report": ("carebench", tombstone(REPORT)),
    "what the reports were made of is removed": ("carebench", removed(RELEASED)),
    "a caption in JSON lines": ("lovr", of_lines(f"{CLIPS}.jsonl", first("cap", more))),
    "captions in JSON lines are swapped": ("lovr", of_lines(f"{CLIPS}.jsonl", swapped("cap"))),
    "a caption in Parquet": ("lovr", of_parquet(f"{CLIPS}.parquet", first("cap", more))),
    "captions in Parquet are swapped": ("lovr", of_parquet(f"{CLIPS}.parquet", swapped("cap"))),
    "a row of Parquet": ("lovr", of_parquet(f"{CLIPS}.parquet", lambda rows: rows.pop())),
    "a caption of a video in Parquet": (
        "lovr",
        of_parquet(f"{VIDEOS}.parquet", first("cap", more)),
    ),
    "a caption in records": ("lovr", of_lines(RECORDS, first("clip_caption", more))),
    "a caption of a video in records": ("lovr", of_lines(RECORDS, first("video_caption", more))),
    "a time in records": ("lovr", of_lines(RECORDS, first("start_time", 0.04))),
    "the frames of a clip": (
        "lovr",
        of_json(MANIFEST, set_to("videos", 0, "clips", 0, "end_frame", value=7)),
    ),
    "a caption in all files alike": (
        "lovr",
        both(
            of_lines(f"{CLIPS}.jsonl", first("cap", more)),
            of_parquet(f"{CLIPS}.parquet", first("cap", more)),
            of_lines(RECORDS, first("clip_caption", more)),
        ),
    ),
    "a target of a test query": (
        "tfcovr",
        of_csv(TEST, first("target_videos_ids", without_last_target)),
    ),
    "a target of a validation query": (
        "tfcovr",
        of_csv(VALIDATION, first("target_videos_ids", without_last_target)),
    ),
    "a triplet of train": ("tfcovr", of_csv(TRAIN, lambda rows: rows.pop())),
    "the first target alone": ("tfcovr", of_csv(TEST, first("target_video", "clip-01"))),
    "a query": ("tfcovr", of_csv(TEST, lambda rows: rows.pop())),
    "a query clip": ("tfcovr", of_csv(TEST, first("query_video", "clip-01"))),
    "a modification": ("tfcovr", of_csv(TEST, first("modification", more))),
    "a modification in the table": (
        "tfcovr",
        of_csv("modifications.csv", first("modification", more)),
    ),
    "who judged a pair": ("tfcovr", of_csv("modifications.csv", first("pair_verdicts", more))),
    "a verdict is reversed": (
        "tfcovr",
        of_lines("verdicts.jsonl", first("right", lambda right: not right)),
    ),
    "a target is judged wrong": (
        "tfcovr",
        of_lines("verdicts.jsonl", lambda rows: rows[0]["wrong"].append(rows[0]["valid"].pop())),
    ),
    "a verdict is dropped": ("tfcovr", of_lines("verdicts.jsonl", lambda rows: rows.pop())),
    "a label": ("tfcovr", of_csv("labels.csv", first("caption", more))),
    "the split of a clip": ("tfcovr", of_csv("clips.csv", first("split", "test"))),
}
# Nothing else in the folder repeats what these change.
FOUND_BY_THE_RELEASE_HASH = {
    "the license": ("carebench", of_json(MANIFEST, set_to("licence", value="CC0"))),
    "who wrote a text": (
        "carebench",
        of_json(MANIFEST, set_to("clips", 0, "written_by", value=["person-9"])),
    ),
    "who signed a text off": (
        "carebench",
        of_json(MANIFEST, set_to("clips", 0, "signed_off_by", value=["signer-1"])),
    ),
    "a number of the README": (
        "carebench",
        lambda folder: (folder / "README.md").write_text(
            (folder / "README.md").read_text().replace("2 clips", "3 clips")
        ),
    ),
}


def in_all_captions(change):
    """Return the tampering that changes the captions of clips in each file that has them."""
    return both(
        of_lines(f"{CLIPS}.jsonl", change("cap")),
        of_parquet(f"{CLIPS}.parquet", change("cap")),
        of_lines(RECORDS, change("clip_caption")),
    )


def without_report(name):
    """Return the tampering that removes a report and its entry in the index, and keeps the tables
    that it is computed from."""
    others = set_to("reports", value=lambda rows: [row for row in rows if row["report"] != name])
    return both(removed(f"reports/{name}-1.json"), of_json(INDEX, others))


def without_tables(folder):
    named = "".join(path.read_text() for path in (folder / "reports").glob("*-*.json"))
    for path in (folder / "reports/inputs").iterdir():
        if path.name not in named:
            path.unlink()


# With the tampering, the place that the first problem names.
FOUND_BY_THE_REPORTS = {
    "a word is added to a caption": (
        "carebench",
        of_json(METADATA, first("caption", more)),
        "dive.mp4.general",
    ),
    "two captions are swapped": (
        "carebench",
        of_json(METADATA, swapped("spatial_caption")),
        "dive.mp4.spatial",
    ),
    "a category": ("carebench", of_json(METADATA, first("category", more)), "dive.mp4.category"),
    "the frames of a clip": (
        "carebench",
        of_json(MANIFEST, set_to("clips", 0, "frames", value=7)),
        "dive.mp4.milliseconds",
    ),
    "a clip": (
        "carebench",
        both(
            of_json(METADATA, lambda rows: rows.pop()),
            of_json(MANIFEST, lambda manifest: manifest["clips"].pop()),
        ),
        f"{NAMES}#swim.mp4",
    ),
    "the names of the clips": ("carebench", removed(NAMES), NAMES),
    "a name of a clip": (
        "carebench",
        of_lines(NAMES, lambda rows: rows.pop()),
        f"{NAMES}#swim.mp4",
    ),
    "a report without its tables": (
        "carebench",
        both(without_report("statistics"), without_tables),
        INDEX,
    ),
    "a report with its tables": ("carebench", without_report("recall"), "reports/inputs/"),
    "a report covers less": (
        "carebench",
        listed("recall", "covers", ""),
        f"{INDEX}#reports/recall-1.json",
    ),
    "a word is added to a caption of LoVR": (
        "lovr",
        in_all_captions(lambda name: first(name, more)),
        "talk/talk-Scene-001.mp4.general",
    ),
    "captions of LoVR are swapped": (
        "lovr",
        in_all_captions(lambda name: lambda rows: swap_ends(rows, name)),
        "talk/talk-Scene-001.mp4.general",
    ),
    "a judged number": (
        "lovr",
        of_json("assessment.json", set_to("parts", 0, "rows", 1, "value", value=0.5)),
        "assessment.json",
    ),
    "a judged number in LaTeX": (
        "lovr",
        lambda folder: (folder / "assessment.tex").write_text(
            (folder / "assessment.tex").read_text().replace("0.0", "0.1")
        ),
        "assessment.tex",
    ),
    "the report of judgments": (
        "lovr",
        both(without_report("assessment"), without_tables),
        INDEX,
    ),
    "a verdict is reversed": (
        "tfcovr",
        of_lines("verdicts.jsonl", first("right", lambda right: not right)),
        "verdicts.jsonl.right: no",
    ),
    "a target is judged wrong": (
        "tfcovr",
        of_lines("verdicts.jsonl", lambda rows: rows[0]["wrong"].append(rows[0]["valid"].pop())),
        "verdicts.jsonl.targets: wrong",
    ),
    "a verdict about a pair": (
        "tfcovr",
        of_csv("modifications.csv", first("pair_verdicts", "person-1 event")),
        "modifications.csv.kind: event",
    ),
    "a target is removed": (
        "tfcovr",
        of_csv(TEST, first("target_videos_ids", without_last_target)),
        "reports/map-1.json#result.",
    ),
}
