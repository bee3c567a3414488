"""The demo is loaded once, goes on where it was interrupted, and needs nobody to have worked."""

import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from annotate.models import (
    ApiToken,
    Archived,
    Assignment,
    AuditEvent,
    Caption,
    GuidelineExample,
    Invitation,
    Membership,
    Project,
    Question,
    User,
    Video,
    Webhook,
)
from fixtures.demo_content import load_demo, load_lovr_demo
from inference.backends.opencv_draft import facts
from inference.models import Embedding, ModelSpec
from review.comparisons.models import Vote
from review.frozen.models import Release
from review.management import demo_texts, first_votes
from review.management.commands import load_demo as command
from review.pay.models import PayEntry, PayStatement
from review.quality.models import KnownAnswer
from review.releases.archives import ready_archive
from review.spot_checks.models import SpotCheckItem

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


@pytest.fixture
def small_demo(monkeypatch):
    """The first project with its shortest clip alone, under the texts of a finished one, few votes
    and coarse measurements."""
    demo = load_demo()
    short = next(v for v in demo.videos if v.file == "carphone_pristine.mp4")
    finished = next(v for v in demo.videos if v.state == "finished")
    video = replace(
        short, write_ups=finished.write_ups, merged=finished.merged, split=finished.split
    )
    demo = replace(demo, videos=(video,), sources=(), segments=())
    monkeypatch.setattr(command, "load_demos", lambda: (demo,))
    # It is the one that the demo takes down.
    monkeypatch.setattr(command, "take_down_videos", lambda **_: None)
    monkeypatch.setattr(first_votes, "VOTES", 4)
    monkeypatch.setattr(facts, "STEPS", 8)
    return demo


@pytest.fixture
def two_projects(small_demo, monkeypatch):
    """Both projects, each with that one clip."""
    lovr = load_lovr_demo()
    same = tuple(v for v in lovr.videos if v.file == small_demo.videos[0].file)
    assert len(same) == 1
    demos = (small_demo, replace(lovr, videos=same, release="", scenes={}, themes={}))
    monkeypatch.setattr(command, "load_demos", lambda: demos)
    return demos


def rows():
    return [
        model.objects.count()
        for model in (
            *(User, Video, Assignment, Caption, AuditEvent, Release, ModelSpec),
            *(KnownAnswer, SpotCheckItem, PayEntry, Vote, ApiToken, Archived, Webhook),
            *(Question, GuidelineExample, Embedding),
        )
    ]


def assert_joined(project, demo):
    assert "Say here" not in project.consent_texts.get().text
    invitations = Invitation.objects.filter(project=project)
    joined = [i.accepted_by.name for i in invitations.exclude(accepted_at=None)]
    invited = [p.name for p in demo.people if "admin" not in p.roles]
    assert sorted(joined) == sorted(invited)
    assert [i.is_open for i in invitations.filter(accepted_at=None)] == [True]


def assert_set_up(project):
    """What an admin set up is there, nothing is sent anywhere, and made-up votes say so."""
    assert project.can_choose_work
    assert project.consents.filter(is_given=True).count() == project.memberships.count() == 5
    assert Archived.objects.get().kind == "caption-set"
    assert ApiToken.objects.get().scope == "read"
    webhook = Webhook.objects.get()
    assert (webhook.is_on, webhook.deliveries.filter(state="waiting").count()) == (False, 0)
    remarks = set(Vote.objects.values_list("remark", flat=True))
    assert remarks == {"Simulated for the demo."}
    assert project.rounds.get().ended_at is None
    assert Question.objects.filter(is_waiting=True).count() == 1


@pytest.mark.both_databases
def test_an_interrupted_load_is_continued_to_a_release_and_the_next_changes_nothing(
    two_projects, settings, tmp_path, monkeypatch
):
    """The second project has the same file, models, and no text."""
    settings.DATA_DIR = tmp_path
    with monkeypatch.context() as patch:
        patch.setattr(demo_texts, "_merge", lambda clip, merged: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            call_command("load_demo")
    assert Assignment.objects.filter(state="held").count() == 1, "stopped amid the merge"
    call_command("load_demo")

    demo, _ = two_projects
    everyday, lovr = (Project.objects.get(slug=demo.project.slug) for demo in two_projects)
    release = Release.objects.get()
    assert (release.project, release.version) == (everyday, demo.release)
    assert release.clip_count == 1
    assert ready_archive(release, release.format) is not None
    merged = Caption.objects.get(source=Caption.Source.MERGED)
    assert merged.parts == demo.videos[0].merged.parts()
    submitted = Assignment.objects.filter(state="submitted").exclude(item__kind="compare")
    assert submitted.count() == 4
    assert KnownAnswer.objects.get().item.kind == "write"
    assert PayEntry.objects.filter(source="work").count() == 4  # two write-ups, merge, split
    assert PayStatement.objects.count() == 1
    assert_set_up(everyday)
    assert_joined(everyday, demo)

    assert lovr.protocol == Project.Protocol.LOVR
    videos = [project.videos.get() for project in (everyday, lovr)]
    assert videos[0].sha256 == videos[1].sha256
    assert videos[0].playback_file != videos[1].playback_file
    assert not Caption.objects.filter(project=lovr).exists()
    assert not lovr.work_items.exists()
    models = lovr.model_specs.order_by("refine_order", "name")
    assert set(models.values_list("backend", "refine_order")) == {
        ("opencv-draft", 1),
        ("lexical", None),
        ("plain-joiner", None),
        ("word-overlap", None),
    }
    admins = Membership.objects.filter(is_admin=True).values_list("project", "user__name")
    assert set(admins) == {(everyday.pk, "Ada Moreau"), (lovr.pk, "Ada Moreau")}
    summary = json.loads((tmp_path / "demo.json").read_text())
    assert [project["name"] for project in summary["projects"]] == [everyday.name, lovr.name]
    assert [person["email"] for person in summary["people"]] == [p.email for p in demo.people]
    assert all(
        User.objects.get(email=person["email"]).check_password(person["password"])
        for person in summary["people"]
    )
    ModelSpec.objects.update(refine_order=None, is_active=False)
    before = rows()
    call_command("load_demo")
    assert rows() == before
    assert set(ModelSpec.objects.values_list("refine_order", "is_active")) == {(None, False)}


def test_a_public_site_is_asked_first(small_demo, settings):
    settings.SESSION_COOKIE_SECURE = True
    with pytest.raises(CommandError, match="Add --yes"):
        call_command("load_demo")
    assert User.objects.count() == 0
