"""manage.py change_clips"""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.clip_changes import services
from annotate.models import Tag
from tests.cast import make_clip

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return [make_clip(project, original_name=f"{name}.mp4") for name in ("bikes", "boats", "cats")]


def test_it_changes_the_clips_that_match(project, ada, clips, capsys):
    call_command("change_clips", project.slug, "tag", admin=ada.email, q="b", tag="good")
    assert capsys.readouterr().out == "2 changed, of 2 clips.\n"
    assert Tag.objects.get().clips.count() == 2


def test_it_does_the_work_of_a_job_itself(project, ada, clips, capsys, monkeypatch):
    monkeypatch.setattr(services, "MAX_IN_A_REQUEST", 2)
    call_command("change_clips", project.slug, "tag", "--here", admin=ada.email, tag="good")
    assert capsys.readouterr().out.endswith("3 changed, of 3 clips.\n")


def test_it_says_what_is_missing_and_changes_nothing(project, ada, clips):
    with pytest.raises(CommandError, match=r"--tag: Type the tag\."):
        call_command("change_clips", project.slug, "tag", admin=ada.email)
    with pytest.raises(CommandError, match=r"--person: olaf@example\.org is not a member"):
        call_command(
            "change_clips", project.slug, "assign", admin=ada.email, person="olaf@example.org"
        )
    assert not Tag.objects.exists()
