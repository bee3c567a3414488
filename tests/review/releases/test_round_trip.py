"""Export, import into another project with the same videos, export: the same bytes."""

import pytest
from django.core.management import call_command

from annotate.models import ActionLabel, Caption, Clip
from inference.models import QualityScore
from review.releases.formats import export_release
from review.releases.services import build_release
from tests.review.releases.full_projects import MAKERS
from tests.review.releases.mirrors import mirror

pytestmark = [pytest.mark.django_db]
# They say when and where a release was built.
ABOUT = {"README.md", "manifest.json", "SHA256SUMS", "verify.pyz"} | {
    "reports/names.jsonl",
    "reports/SHA256SUMS",
}


def exported(project, name, folder):
    """A new release in a format, as its files."""
    release = build_release(project=project, version="1.0.0", admin=None)
    export_release(release=release, format_name=name, target=folder)
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    return release, files


def take(project, name, folder):
    call_command("import_dataset", project.slug, folder, format=name, here=True)


@pytest.mark.parametrize(
    ("protocol", "name"),
    [
        ("carebench", "carebench"),
        ("lovr", "lovr"),
        ("tfcovr", "tfcovr"),
        ("tfcovr", "circo"),
    ],
)
def test_a_release_that_is_imported_and_released_again_has_the_same_bytes(
    project, make_playable_clip, tmp_path, capsys, protocol, name
):
    made = MAKERS[protocol](project, make_playable_clip)
    first, files = exported(made, name, tmp_path / "first")
    other = mirror(made, has_labels=protocol == "tfcovr")
    take(other, name, tmp_path / "first")
    second, again = exported(other, name, tmp_path / "second")
    # The table of what people judged is computed from their work, as a report is.
    kept = {path for path in files if not path.startswith("assessment.")}
    assert set(again) == kept
    assert {path for path in kept if files[path] != again[path]} <= ABOUT
    if name != "circo":
        assert second.content_hash == first.content_hash
    before = [model.objects.count() for model in (Caption, QualityScore, Clip, ActionLabel)]
    if protocol == "tfcovr":
        call_command("import_dataset", other.slug, tmp_path / "first", format=name)
        assert "Nothing was changed" in capsys.readouterr().out
    assert before == [model.objects.count() for model in (Caption, QualityScore, Clip, ActionLabel)]
