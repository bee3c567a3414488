"""A change of a release is found even after every hash in the folder was made again, by what the
folder's files say about each other or by the release hash alone."""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from annotate.models import Clip
from review.pairs.models import LabelPair
from review.proof.verifying.assessed import IN_FILES
from review.proof.verifying.main import verify
from review.proof.verifying.values import NOT_IN_FILES
from review.releases.choice import Choice
from review.releases.formats import export_release
from review.releases.services import build_release
from review.reports.services import recompute
from tests.cast import make_person, make_project
from tests.media import make_playable
from tests.review.agreement.agreeing import call_dynamic, call_pair
from tests.review.cast import PARTS, make_complete_world, merge, open_clip, split, write
from tests.review.composed.retrieval import embed
from tests.review.proof.tampered import (
    FOUND_BY_THE_RELEASE_HASH,
    FOUND_BY_THE_REPORTS,
    TAMPERINGS,
)
from tests.review.proof.tampering import (
    remake,
)
from tests.review.releases.released_triplets import make_dives, make_set, query_of
from tests.review.releases.released_triplets import verify as judge
from tests.review.retrieval.vectors import embed as embed_for_recall
from tests.review.takedowns.test_lovr import make_talks
from tests.shared_world import kept_for_the_module

pytestmark = pytest.mark.django_db

HASH = re.compile(r"Release hash ([0-9a-f]{64}): (.*)")


@pytest.fixture(scope="module")
def exported(django_db_setup, django_db_blocker, rendered_media, tmp_path_factory):
    """The folder of a release of each form; tests change copies."""
    target = tmp_path_factory.mktemp("releases")
    with kept_for_the_module(django_db_blocker):
        world = make_complete_world(rendered_media, "dive")
        texts = world["project"]
        swim = open_clip(texts, "swim", make=partial(make_playable, rendered_media))
        parts = PARTS | {"objects": "The lane is long and the cap is red."}
        write(texts, swim, world["anna"], world["ben"], parts=parts)
        merge(texts, swim, world["emil"])
        split(texts, swim, world["anna"], spatial="A lane is long and a cap is red.")
        dive = texts.clips.get(name="dive")
        for embedded in (dive, dive.captions.get(kind="general", source="merged")):
            embed_for_recall(embedded, 1.0, 0.5)
        talks = make_project("Talks", protocol="lovr")
        for whole, *_ in make_talks(talks, rendered_media).values():
            clip = whole.clips.get(start_frame=0, end_frame=whole.frames)
            call_dynamic(clip, make_person(f"Mia {whole.pk}", talks, "annotator"), True)
        dives = make_dives(partial(make_playable, rendered_media))
        queries = make_set(dives)
        vera = make_person("Vera", dives, "reviewer")
        bot = make_person("Bot", dives, "reviewer")
        for person in (vera, bot):
            judge(person, query_of(queries, "clip-09"))
        dives.memberships.filter(user=bot).update(program="Qwen")
        for pair in LabelPair.objects.filter(project=dives):
            for person in (vera, bot):
                call_pair(pair, dives.clips.first(), person, "temporal")
        for clip in Clip.objects.filter(project=dives):
            embed(clip, 1.0, 0.5)
        for project in (texts, talks, dives):
            for name in ("statistics", "map", "recall", "agreement", "reliability", "assessment"):
                recompute(project=project, name=name)
            choice = Choice(clip_files=True)
            release = build_release(project=project, version="1.0.0", admin=None, choice=choice)
            form = release.format
            export_release(release=release, format_name=form, target=target / form)
        yield target


def checked(folder: Path, expected: str = "") -> tuple[list[str], str]:
    """Return the problems and the release hash."""
    lines: list[str] = []
    problems = list(map(str, verify(folder, lines.append, expected=expected)))
    hashes = [match[1] for match in map(HASH.match, lines) if match]
    return problems, hashes[0] if hashes else ""


@pytest.mark.parametrize(("form", "tamper"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_a_change_is_found_although_all_hashes_are_made_again(exported, tmp_path, form, tamper):
    folder = tmp_path / "copy"
    shutil.copytree(exported / form, folder)
    tamper(folder)
    remake(folder)
    problems, changed = checked(folder)
    assert problems
    assert changed != checked(exported / form)[1]


@pytest.mark.parametrize(
    ("form", "tamper"), FOUND_BY_THE_RELEASE_HASH.values(), ids=FOUND_BY_THE_RELEASE_HASH
)
def test_the_release_hash_covers_what_nothing_repeats(exported, tmp_path, form, tamper):
    folder = tmp_path / "copy"
    shutil.copytree(exported / form, folder)
    _, expected = checked(folder)
    tamper(folder)
    remake(folder)
    problems, changed = checked(folder)
    assert problems == []
    assert changed != expected
    problems, _ = checked(folder, expected)
    assert problems == [f"release hash: expected {expected}, found {changed}."]


@pytest.mark.parametrize(
    ("form", "tamper", "where"), FOUND_BY_THE_REPORTS.values(), ids=FOUND_BY_THE_REPORTS
)
def test_reports_find_what_is_changed_in_all_hashes_and_lists(
    exported, tmp_path, form, tamper, where
):
    folder = tmp_path / "copy"
    shutil.copytree(exported / form, folder)
    tamper(folder)
    remake(folder, with_released=True)
    problems, _ = checked(folder)
    assert problems[0].startswith(where)


def test_the_program_says_what_a_release_repeats_of_its_reports(exported):
    last_lines = {}
    for form in ("carebench", "lovr", "tfcovr"):
        lines: list[str] = []
        assert verify(exported / form, lines.append) == []
        for report in "\n".join(lines).split("\nreports/")[1:]:
            last_lines[form, report.partition(".")[0]] = report.splitlines()[-1]
    compared = "  {} values compared with those in the release's files."
    assert last_lines == {
        ("carebench", "recall-1"): compared.format(1),
        ("carebench", "statistics-1"): compared.format(10),
        ("lovr", "agreement-1"): NOT_IN_FILES,
        ("lovr", "assessment-1"): IN_FILES,
        ("lovr", "reliability-1"): NOT_IN_FILES,
        ("lovr", "statistics-1"): compared.format(12),
        ("tfcovr", "agreement-1"): compared.format(2),
        ("tfcovr", "agreement-2"): compared.format(6),
        ("tfcovr", "map-1"): compared.format(3),
        ("tfcovr", "reliability-1"): compared.format(2),
        ("tfcovr", "reliability-2"): compared.format(3),
        ("tfcovr", "statistics-1"): compared.format(28),
    }


def test_files_of_the_hub_are_not_of_the_release(exported, tmp_path):
    folder = tmp_path / "copy"
    for form in ("carebench", "lovr", "tfcovr"):
        shutil.copytree(exported / form, folder)
        _, expected = checked(folder)
        (folder / ".cache/huggingface").mkdir(parents=True)
        (folder / ".cache/huggingface/a.lock").touch()
        (folder / ".gitattributes").touch()
        assert checked(folder, expected) == ([], expected)
        shutil.rmtree(folder)
