import pytest
from django.core.management import CommandError, call_command

from annotate.management.commands import create_project
from annotate.models import Membership, Project, User
from tests.cast import make_person


def run(*arguments):
    call_command("create_project", "Kitchen clips", *arguments)


def test_it_makes_the_project_with_an_existing_person_as_admin(db, capsys):
    ada = make_person("Ada")
    run("kitchen", "--admin", "ADA@vericap.example", "--min-words", "100", "--writers", "1")
    project = Project.objects.get()
    assert (project.name, project.min_words, project.writers_per_clip) == ("Kitchen clips", 100, 1)
    assert (project.min_clip_seconds, project.min_frame_side) == (0.5, 64)
    assert Membership.objects.get(project=project).user == ada
    assert "/p/kitchen/" in capsys.readouterr().out


def test_a_new_admin_chooses_a_password(db, monkeypatch):
    monkeypatch.setattr(create_project.getpass, "getpass", lambda prompt: "four tame otters")
    run("kitchen", "--admin", "new@example.org")
    assert User.objects.get().check_password("four tame otters")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kitchen", "--admin", "nobody"], "valid email"),
        (["no spaces", "--admin", "ada@vericap.example"], "Give lower-case letters"),
        (["Bad_Slug", "--admin", "ada@vericap.example"], "'Bad_Slug' can't be used"),
        (["bad_slug", "--admin", "ada@vericap.example"], "Give lower-case letters"),
        (["bad-", "--admin", "ada@vericap.example"], "a digit at both ends"),
        (["taken", "--admin", "ada@vericap.example"], "exists. Choose another"),
        (["kitchen", "--admin", "ada@vericap.example", "--min-words", "400"], "--min-words"),
        (["kitchen", "--admin", "ada@vericap.example", "--min-side", "0"], "--min-side from 1 to"),
        (["kitchen", "--admin", "new@example.org"], "at least 10 characters"),
    ],
)
def test_a_wrong_argument_is_named_and_nothing_is_made(db, monkeypatch, arguments, message):
    monkeypatch.setattr(create_project.getpass, "getpass", lambda prompt: "short")
    make_person("Ada")
    Project.objects.create(name="Taken", slug="taken")
    with pytest.raises(CommandError, match=message):
        run(*arguments)
    assert Project.objects.count() == 1
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("1234567890", "too common"),
        ("kitchen-lead", "too similar to the email"),
        ("", "at least 10 characters"),
    ],
)
def test_a_new_admin_is_held_to_the_rules_for_passwords(db, monkeypatch, password, message):
    monkeypatch.setattr(create_project.getpass, "getpass", lambda prompt: password)
    with pytest.raises(CommandError, match=message):
        run("kitchen", "--admin", "kitchen-lead@example.org")
    assert not User.objects.exists()


def test_a_name_that_does_not_look_like_what_it_is_is_refused(db):
    make_person("Ada")
    with pytest.raises(CommandError, match="is invisible"):
        call_command("create_project", "Kit\u202echen", "kitchen", "--admin", "ada@vericap.example")
