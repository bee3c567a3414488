"""manage.py build_release"""

from django.core.management import call_command

from review.frozen.models import Release


def test_it_says_when_nothing_differs_from_the_last_release(project, make_complete, capsys):
    make_complete("dive")
    call_command("build_release", project.slug, "0.1.0")
    first = capsys.readouterr().out
    assert f"1 clip, sha256 {Release.objects.get().content_hash}" in first
    assert "the same" not in first
    call_command("build_release", project.slug, "0.2.0")
    assert "Its content is the same as that of 0.1.0." in capsys.readouterr().out
    make_complete("vault")
    call_command("build_release", project.slug, "0.3.0")
    assert "the same" not in capsys.readouterr().out
