"""Importing a release in the native format from which something was taken down."""

import pytest

from annotate.corpus.precedence import current_caption
from annotate.models import Caption, Clip
from review.errors import ReviewError
from review.frozen.records import RestoredRecord
from review.releases.formats import export_release
from review.releases.services import build_release
from review.restoring.services import RestoreOptions, import_release
from tests.cast import make_person
from tests.review.releases.judged import make_test, pick, sign_off
from tests.review.releases.released_triplets import make_dives, make_set, query_of, verify
from tests.review.restoring.mirrors import mirror
from tests.review.takedowns.releases import fresh, take

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def bring_back(release, folder):
    """Import the release as it is offered now into a project with the same videos."""
    export_release(release=fresh(release), format_name="native", target=folder)
    other = mirror(release.project)
    restored = import_release(
        project=other,
        file=folder,
        file_name="",
        format="native",
        options=RestoreOptions(),
        admin=None,
    )
    return other, restored.sentence


@pytest.fixture
def dives(project, make_complete):
    """Three complete clips, with a sign-off and a pick of each."""
    dives = {name: make_complete(name) for name in ("dive", "jump", "swim")}
    eva, uma = make_person("Eva", project, "expert"), make_person("Uma", project, "reviewer")
    test = make_test(project, list(dives.values()))
    for clip in dives.values():
        sign_off(eva, clip)
        pick(uma, test, clip, dives["dive"])
    return dives


def test_the_other_clips_come_back_with_what_people_said_of_them(project, dives, tmp_path):
    release = build_release(project=project, version="1.0.0", admin=None)
    take(dives["dive"], "clip")
    other, sentence = bring_back(release, tmp_path / "first")
    assert "of 2 clips. 4 judgments" in sentence
    assert "The file lacks what 1 takedown covers." in sentence
    texts = {clip.name: current_caption(clip) for clip in Clip.objects.filter(project=other)}
    assert [name for name, caption in sorted(texts.items()) if caption] == ["jump", "swim"]
    kept = RestoredRecord.objects.filter(project=other)
    assert sorted(kept.values_list("file", flat=True)) == [*["picks"] * 2, *["sign_offs"] * 2]
    assert {row.values["picked"] for row in kept.filter(file="picks")} == {None}
    again = build_release(project=other, version="1.0.0", admin=None)
    rows = again.clips.values_list("file_name", "provenance")
    assert {name: row["signed_off_by"] for name, row in rows} == {
        "jump.mp4": ["signer-1"], "swim.mp4": ["signer-1"]
    }  # fmt: skip


def test_a_clip_comes_back_without_the_caption_that_was_taken_down(project, dives, tmp_path):
    release = build_release(project=project, version="1.0.0", admin=None)
    take(Caption.objects.get(clip=dives["jump"], kind="temporal"), "caption")
    other, _ = bring_back(release, tmp_path / "first")
    kinds = Caption.objects.filter(project=other, clip__name="jump", kind="temporal")
    assert not kinds.exists()
    jump = Clip.objects.get(project=other, name="jump")
    assert current_caption(jump)
    assert current_caption(jump, "spatial")
    kept = RestoredRecord.objects.filter(project=other, caption__clip=jump)
    assert list(kept.values_list("file", flat=True)) == ["picks"]
    assert build_release(project=other, version="1.0.0", admin=None).clip_count == 2


def test_numbers_may_be_missing_only_where_something_was_taken_down(project, dives, tmp_path):
    release = build_release(project=project, version="1.0.0", admin=None)
    take(dives["dive"], "clip")
    folder = tmp_path / "first"
    export_release(release=fresh(release), format_name="native", target=folder)
    stones = folder / "TOMBSTONES"
    other = mirror(project)

    def bring():
        import_release(
            project=other,
            file=folder,
            file_name="",
            format="native",
            options=RestoreOptions(),
            admin=None,
        )

    content = stones.read_bytes()
    stones.write_text('{"items": []}')
    with pytest.raises(ReviewError, match="TOMBSTONES: items must list what was taken down"):
        bring()
    stones.unlink()
    with pytest.raises(ReviewError, match="only a release with a file TOMBSTONES lacks"):
        bring()
    assert not Caption.objects.filter(project=other).exists()
    stones.write_bytes(content)
    bring()


@pytest.mark.both_databases
def test_queries_come_back_without_those_that_were_taken_down(db, make_playable_clip, tmp_path):
    dives = make_dives(make_playable_clip)
    triplets = make_set(dives)
    rita = make_person("Rita", dives, "reviewer")
    queries = list(triplets.queries.filter(split="test").order_by("pk"))
    verify(rita, queries[-1])
    verify(rita, query_of(triplets, "clip-01"))
    release = build_release(project=dives, version="1.0.0", admin=None)
    take(queries[0].clip, "clip")
    other, _ = bring_back(release, tmp_path / "first")
    restored = other.triplet_sets.get().queries.filter(split="test").order_by("pk")
    names = [query.clip.name for query in queries[1:] if query.clip_id != queries[0].clip_id]
    assert [query.clip.name for query in restored] == names
    assert [query.verdicts.count() for query in restored] == [0] * (len(names) - 1) + [1]
