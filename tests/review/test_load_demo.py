"""The demo is loaded once, goes on where it was interrupted, and needs nobody to have worked."""

import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Assignment, AuditEvent, Caption, User, Video
from fixtures.demo_content import load_demo
from review.management.commands import load_demo as command
from review.models import Release

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def small_demo(monkeypatch):
    """The demo with its shortest clip alone, under the texts of a finished one."""
    demo = load_demo()
    short = next(v for v in demo.videos if v.file == "carphone_pristine.mp4")
    finished = next(v for v in demo.videos if v.state == "finished")
    video = replace(
        short, write_ups=finished.write_ups, merged=finished.merged, split=finished.split
    )
    demo = replace(demo, videos=(video,))
    monkeypatch.setattr(command, "load_demo", lambda: demo)
    return demo


def rows():
    return [
        model.objects.count() for model in (User, Video, Assignment, Caption, AuditEvent, Release)
    ]


def test_it_ends_in_a_release_and_a_second_run_changes_nothing(small_demo, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    call_command("load_demo")
    release = Release.objects.get()
    assert (release.version, release.clip_count) == (small_demo.release, 1)
    merged = Caption.objects.get(source=Caption.Source.MERGED)
    assert merged.parts == small_demo.videos[0].merged.parts()
    people = json.loads((tmp_path / "demo_people.json").read_text())
    assert [person["email"] for person in people] == [p.email for p in small_demo.people]
    assert all(
        User.objects.get(email=person["email"]).check_password(person["password"])
        for person in people
    )
    before = rows()
    call_command("load_demo")
    assert rows() == before


def test_an_interrupted_load_is_continued(small_demo, settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    with monkeypatch.context() as patch:
        patch.setattr(command, "_merge", lambda clip, merged: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            call_command("load_demo")
    assert Assignment.objects.filter(state="held").count() == 1, "stopped amid the merge"
    call_command("load_demo")
    assert Release.objects.get().clip_count == 1
    assert Assignment.objects.filter(state="submitted").count() == 4


def test_a_public_site_is_asked_first(small_demo, settings):
    settings.SESSION_COOKIE_SECURE = True
    with pytest.raises(CommandError, match="Add --yes"):
        call_command("load_demo")
    assert User.objects.count() == 0
