"""A TF-CoVR project that can be released: labeled clips with real files, texts, a set, verdicts."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from annotate.models import Clip, Project, WorkItem
from review.frozen.models import Release
from review.modifications.models import Modification
from review.releases.formats import FORMATS
from review.releases.services import build_release
from review.triplets.models import ComposedQuery, TargetVerdict, TripletSet, TripletVerdict
from review.triplets.sets import generate, start_triplet_set
from tests.cast import make_project
from tests.review.triplets.triplets import make_label, make_pair, modify
from tests.work import hold, make_work

HOSTILE = "show 'it' \"with\" 2.5 {turns}, \\n and\na 😀"
FORMULA = "=1+1 turns"
# Of each label in each split: whole files, as those of FineDiving.
CLIPS = (
    ("107b", "train", 3),
    ("109b", "train", 2),
    ("107b", "validation", 1),
    ("109b", "validation", 2),
    ("107b", "test", 2),
    ("109b", "test", 3),
    ("307c", "test", 1),
)


def make_dives(make_playable_clip, name: str = "Gym") -> Project:
    """Return a project with clips, and a set of 6 + 2 + 6 triplets on one direction and 2 more."""
    project = make_project(name, protocol="tfcovr")
    keys = ("107b", "109b", "307c")
    labels = {key: make_label(project, key, "-The same caption") for key in keys}
    number = 0
    for key, split, times in CLIPS:
        for _ in range(times):
            number += 1
            add_clip(make_playable_clip, labels[key], split, f"clip-{number:02}", number)
    modify(labels["107b"], labels["109b"], HOSTILE)
    make_pair(labels["107b"], labels["307c"], "event")
    modify(labels["307c"], labels["107b"], FORMULA)
    return project


def add_clip(make_playable_clip, label, split: str, name: str, number: int) -> Clip:
    """Return a whole video of this split as a clip with the label."""
    clip = make_playable_clip(
        label.project,
        original_name=f"source-{number}.mp4",
        split=split,
        license="CC0",
        sha256=f"{number:064x}",
    )
    Clip.objects.filter(pk=clip.pk).update(label=label, name=name)
    return clip


def make_set(project: Project, **options) -> TripletSet:
    values = {"seed": 3, "most_targets": 10, "admin": None, **options}
    return generate(triplets=start_triplet_set(project=project, **values))


def query_of(triplets: TripletSet, clip: str, text: str = HOSTILE) -> ComposedQuery:
    modification = Modification.objects.get(pair__project=triplets.project, text=text)
    return triplets.queries.get(clip__name=clip, modification=modification)


def verify(person, query: ComposedQuery, *, wrong=(), added=(), corrected="") -> TripletVerdict:
    item = WorkItem.objects.filter(subject=query.pk).first()
    item = item or make_work(query.clip, "triplet", subject=query.pk, needed=3)
    verdict = TripletVerdict.objects.create(
        query=query, person=person, assignment=hold(person, item),
        is_right=not corrected, is_enough=True, is_needed=True, corrected=corrected,
    )  # fmt: skip
    for clip, name in query.targets.values_list("target", "target__name"):
        TargetVerdict.objects.create(verdict=verdict, clip_id=clip, is_valid=name not in wrong)
    for clip in Clip.objects.filter(project=query.triplets.project, name__in=added):
        TargetVerdict.objects.create(verdict=verdict, clip=clip, is_valid=True, is_added=True)
    return verdict


def build(project: Project, version: str = "0.1.0") -> Release:
    return build_release(project=project, version=version, admin=None)


def contents(release: Release, format_name: str = "tfcovr") -> dict[str, bytes]:
    files = FORMATS[format_name].files(release, Path())
    return {file.path: b"".join(file.checked()) for file in files}


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))
