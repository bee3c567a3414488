"""Nothing else compares protocols, each key of theirs resolves, and a fourth one is one file."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.core.management import call_command

from annotate.corpus.precedence import current_caption
from annotate.models import Clip, Project
from annotate.protocols import _REGISTERED, register_protocol
from annotate.protocols.carebench import CAREBENCH
from annotate.protocols.protocol import (
    ADMIN,
    MODELS,
    PEOPLE,
    Lane,
    Preset,
    Protocol,
    ReleasePlan,
    Step,
    Text,
)
from review.checks import protocols_name_what_exists
from review.overview.lanes import lanes_of
from review.overview.queries import facts_of
from review.overview.steps import next_step
from review.ratings.models import Rating
from review.ratings.studies import open_rating_study
from review.releases.services import build_release
from tests.cast import client_of, make_cast
from tests.import_work import run_imports
from tests.review.cast import make_short_project, write
from tests.review.ratings.rating import hold_rating, make_examples, rate, train
from tests.test_house import existing, path_from_root

COMPARED = re.compile(r"protocol(_key)?\s*(==|!=|in\b|not in\b)|(==|!=)\s*[\w.]*protocol\b")
DIARY = Protocol(
    key="diary",
    name="Diary",
    steps_in_words="write, rate",
    summary="One person describes each clip, and another rates the text.",
    texts=(Text("general", ("human",), title="Captions", table="Diary, Table 1"),),
    roles={
        "annotator": "writes",
        "expert": "compares models",
        "reviewer": "rates",
        "admin": "imports videos, builds releases",
    },
    lanes=(
        Lane(
            "Captions",
            (
                Step("import", ADMIN, makes="clips"),
                Step("write", PEOPLE, ("import",), "captions", opens="clip", is_on_each_clip=True),
                Step("release", ADMIN, ("write",), "a release"),
            ),
        ),
        Lane(
            "Evaluation",
            (
                Step("rate", PEOPLE, ("write",), "ratings"),
                Step("embed-clips", MODELS, ("import",), "vectors of clips"),
                Step("embed-captions", MODELS, ("write",), "vectors of captions"),
            ),
        ),
    ),
    release=ReleasePlan(
        content="scenes",
        format="lovr",
        gates=("project-license", "equal-captions"),
        choices=("reports", "votes"),
    ),
    pages=("ratings", "training"),
    features=frozenset({"clip_limits"}),
    columns=("samples", "words"),
    words={"no_work": "To write, you need the role annotator.", "no_labels": "Rate a few."},
)


@pytest.fixture
def diary(monkeypatch):
    monkeypatch.setattr("annotate.protocols._REGISTERED", dict(_REGISTERED))
    register_protocol(DIARY)


def test_nothing_else_compares_the_protocol_of_a_project():
    product = existing("*.py", "*.html")
    places = [
        f"{path_from_root(path)}:{number}: {line.strip()}"
        for path in product
        if not path_from_root(path).startswith(("tests/", "annotate/protocols/"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if COMPARED.search(line) and "for protocol in" not in line
    ]
    assert places == []


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({"pages": ("nowhere",)}, "the page 'nowhere'"),
        ({"columns": ("height",)}, "the column 'height'"),
        ({"roles": {"boss": "commands"}}, "the role 'boss'"),
        ({"texts": (Text("smell", ("human",)),)}, "the kind of text 'smell'"),
        ({"presets": (Preset("caption", {"frames": 3}),)}, "a preset of 'caption'"),
        ({"lanes": (Lane("Work", (Step("sing", PEOPLE),)),)}, "the step 'sing'"),
        ({"release": replace(CAREBENCH.release, gates=("moat",))}, "the gate 'moat'"),
        ({"release": replace(CAREBENCH.release, format="zip")}, "the format 'zip'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_key_that_nothing_has_is_an_error(diary, change, missing):
    register_protocol(replace(DIARY, key="changed", **change))
    assert any(missing in error.msg for error in protocols_name_what_exists())


def test_an_invented_protocol_runs_from_import_to_release(
    db, diary, rendered_media, make_playable_clip, tmp_path
):
    assert protocols_name_what_exists() == []
    project = make_short_project(protocol="diary", writers_per_clip=2)
    people = make_cast(project)
    (tmp_path / "dive.mp4").write_bytes((rendered_media / "playback.mp4").read_bytes())
    assert next_of(project) == "import"
    call_command("import_videos", project.slug, str(tmp_path), "--admin", people["ada"].email)
    run_imports()
    clip = Clip.objects.get(project=project)
    assert next_of(project) == "write"
    write(project, clip, people["anna"])
    assert current_caption(clip).author == people["anna"]
    assert next_of(project) == "release"
    make_examples(project, make=make_playable_clip)
    open_rating_study(project=project, admin=people["ada"], clips=1, videos=0)
    train(people["rita"], project)
    rate(hold_rating(people["rita"], clip.captions.get()), 5)
    assert Rating.objects.get().value == 5
    release = build_release(project=project, version="0.1.0", admin=people["ada"])
    assert (release.format, release.clip_count) == ("lovr", 4)
    assert next_of(project) == "embed-clips"
    admin = client_of(people["ada"])
    home = f"/p/{project.slug}/"
    for page in ("", "overview/", "corpus/", "corpus/statistics/", "agreement/", "releases/next/"):
        assert admin.get(home + page).status_code == 200, page


def next_of(project: Project) -> str | None:
    following = next_step(lanes_of(facts_of(project)))
    return following.key if following else None
