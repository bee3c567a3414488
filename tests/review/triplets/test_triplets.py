"""A set leaves as TF-CoVR's and CIRCO's files, and comes in again as the same bytes."""

import ast
import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Clip, Video, WorkItem
from review.errors import ReviewError
from review.modifications.models import Modification
from review.triplets.exchange import triplet_files
from review.triplets.import_file import import_triplets
from review.triplets.models import TargetVerdict, TripletSet, TripletVerdict
from review.triplets.queries import test_gallery as gallery_of
from review.triplets.queries import test_queries as queries_of_test
from review.triplets.sets import generate, start_triplet_set
from tests.cast import make_project
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db
HOSTILE = "show 'it' \"with\" 2.5 {turns}, \\n and\na 😀"
CLIPS = (
    ("107b", "train", 3),
    ("109b", "train", 2),
    ("109b", "validation", 1),
    ("307c", "validation", 2),
    ("107b", "test", 2),
    ("109b", "test", 4),
)


def labelled_project(slug: str):
    """The same labeled clips whatever the project, in another order of labels each time."""
    project = make_project(slug)
    keys = ["107b", "109b", "307c"]
    labels = {
        key: make_label(project, key, "The same caption")
        for key in sorted(keys, reverse="b" in slug)
    }
    number = 0
    for key, split, times in CLIPS:
        for _ in range(times):
            number += 1
            clip = labelled_clip(project, labels[key], split)
            Video.objects.filter(pk=clip.video_id).update(original_name=f"source-{number}")
            clip.name = f"clip-{number:02}"
            clip.save(update_fields=["name"])
    return project, labels


@pytest.fixture(scope="module")
def made(kept):
    """A finished set with its files, and the same clips in another project without a set."""
    project, labels = labelled_project("a")
    modify(labels["107b"], labels["109b"], HOSTILE)
    make_pair(labels["107b"], labels["307c"], "event")
    modify(labels["307c"], labels["109b"], "show =1+1 turns")
    started = start_triplet_set(project=project, seed=3, most_targets=3, admin=None)
    triplets = generate(triplets=started)
    return {"triplets": triplets, "files": exported(triplets), "other": labelled_project("b")}


@pytest.fixture
def triplets(shared) -> TripletSet:
    return shared["triplets"]


@pytest.fixture
def files(shared) -> dict[str, bytes]:
    """The files of `triplets` as they are without changes."""
    return shared["files"]


@pytest.fixture
def other(shared):
    """The other project and its labels."""
    return shared["other"]


def exported(triplets, **options) -> dict[str, bytes]:
    return {f.path: b"".join(f.chunks()) for f in triplet_files(triplets, **options)}


def rows(files, name) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[name].decode(), newline="")))


def test_texts_stay_as_they_are_since_loaders_read_the_cells_themselves(triplets):
    """Guarded against formulas as other CSVs are, a text would reach models with an apostrophe."""
    direction = Modification.objects.order_by("pk").last()
    Modification.objects.filter(pk=direction.pk).update(text="=1+1 turns")
    files = exported(triplets)
    texts = {row["modification"] for row in rows(files, "modifications.csv")}
    assert "=1+1 turns" in texts
    assert "import the columns as text" in files["README.md"].decode()


def verify(triplets, person, query, *, wrong=(), added=(), corrected="") -> TripletVerdict:
    item = WorkItem.objects.filter(subject=query.pk).first()
    item = item or make_work(query.clip, "triplet", subject=query.pk, needed=3)
    verdict = TripletVerdict.objects.create(
        query=query,
        person=person,
        assignment=hold(person, item),
        is_right=not corrected,
        is_enough=True,
        is_needed=True,
        corrected=corrected,
    )
    for target in query.targets.values_list("target", flat=True):
        TargetVerdict.objects.create(
            verdict=verdict, clip_id=target, is_valid=target not in {c.pk for c in wrong}
        )
    for clip in added:
        TargetVerdict.objects.create(verdict=verdict, clip=clip, is_valid=True, is_added=True)
    return verdict


def test_train_has_a_row_a_triplet_with_a_literal_by_the_target_label(files):
    train = rows(files, "train.csv")
    assert list(train[0]) == ["query_video", "target_video", "label1", "label2", "modification"]
    assert len(train) == 6
    first = train[0]
    assert (first["query_video"], first["target_video"]) == ("clip-01", "clip-04")
    assert (first["label1"], first["label2"]) == ("107b", "109b")
    assert ast.literal_eval(first["modification"]) == {"109b": {"modification": HOSTILE}}


def test_test_has_a_row_a_query_with_all_its_targets(files):
    test = rows(files, "test.csv")
    assert [row["query_id"] for row in test] == ["0", "1"]
    assert {row["modification"] for row in test} == {HOSTILE}
    for row in test:
        targets = ast.literal_eval(row["target_videos_ids"])
        assert (len(set(targets)), targets[0]) == (3, row["target_video"])
    assert [row["query_video"] for row in rows(files, "val.csv")] == [
        "clip-07",
        "clip-08",
    ]


def test_circo_has_the_same_queries_by_number(files):
    names = {int(row["id"]): row["clip"] for row in rows(files, "clips.csv")}
    entries, public = (json.loads(files[f"circo/{n}.json"]) for n in ("test", "test_public"))
    for row, entry in zip(rows(files, "test.csv"), entries, strict=True):
        assert entry["id"] == int(row["query_id"])
        assert names[entry["reference_img_id"]] == row["query_video"]
        assert entry["target_img_id"] == entry["gt_img_ids"][0]
        assert [names[n] for n in entry["gt_img_ids"]] == ast.literal_eval(row["target_videos_ids"])
        assert (entry["relative_caption"], entry["shared_concept"]) == (HOSTILE, "diving")
        assert entry["semantic_aspects"] == ["temporal change"]
    assert [set(entry) for entry in public] == [
        {"reference_img_id", "relative_caption", "shared_concept", "id"}
    ] * 2


def test_the_files_say_which_clip_lies_where(files):
    assert rows(files, "clips.csv")[0] == {
        "id": "0", "clip": "clip-01", "label": "107b", "split": "train", "test_gallery": "0",
        "source_video": "source-1", "first_frame": "1", "end_frame": "11",
        "start": "0.040000", "end": "0.440000",
    }  # fmt: skip
    assert [row["label"] for row in rows(files, "labels.csv")] == ["107b", "109b", "307c"]
    assert json.loads(files["set.json"])["seed"] == 3


def test_the_gallery_is_every_labelled_test_clip_whether_or_not_a_triplet_has_it(triplets):
    lone = labelled_clip(triplets.project, make_label(triplets.project, "5b"), "test")
    labelled_clip(triplets.project, None, "test")
    files = exported(triplets)
    listed = {row["clip"]: row for row in rows(files, "clips.csv")}
    queries = queries_of_test(triplets)
    gallery = Clip.objects.filter(pk__in=gallery_of(triplets.project, queries))
    assert {name for name, row in listed.items() if row["test_gallery"] == "1"} == {
        clip.name for clip in gallery
    }
    assert lone.name in listed
    assert len(listed) == 15
    assert "5b" in [row["label"] for row in rows(files, "labels.csv")]


def test_where_the_frame_rate_varies_a_clip_has_seconds_alone_and_a_cut_file_neither(triplets):
    Video.objects.filter(original_name="source-1").update(probe={"variable_frame_rate": True})
    Video.objects.filter(original_name="source-2").update(cut_from="long")
    varying, cut, *_ = rows(exported(triplets), "clips.csv")
    assert (varying["first_frame"], varying["end"]) == ("", "0.440000")
    assert (cut["source_video"], cut["first_frame"], cut["end"]) == ("long", "", "")


def test_clips_that_people_added_are_in_the_gallery_of_what_is_verified(triplets, anna):
    added = labelled_clip(triplets.project, None, "test")
    query = triplets.queries.filter(split="test").first()
    verify(triplets, anna, query, wrong=[query.targets.first().target], added=[added])
    row_by_clip = {
        row["clip"]: row for row in rows(exported(triplets, verified_only=True), "clips.csv")
    }
    assert (row_by_clip[added.name]["test_gallery"], row_by_clip[added.name]["label"]) == ("1", "")
    assert added.name not in {row["clip"] for row in rows(exported(triplets), "clips.csv")}


def test_a_set_in_the_making_is_refused(triplets):
    TripletSet.objects.update(state="running")
    with pytest.raises(ReviewError, match="not finished"):
        triplet_files(TripletSet.objects.get())


@pytest.mark.parametrize("size", [1, 2, 500])
def test_rows_are_read_some_at_a_time(triplets, files, monkeypatch, size):
    monkeypatch.setattr("review.triplets.rows.QUERY_BATCH_SIZE", size)
    monkeypatch.setattr("review.triplets.exchange.PIECE_BATCH_SIZE", size)
    assert exported(triplets) == files


def test_verified_only_keeps_what_most_found_valid(triplets, anna, rita, ben):
    first = triplets.queries.filter(split="test").first()
    targets = [row.target for row in first.targets.select_related("target")]
    others = list(
        Clip.objects.filter(
            project=triplets.project, label__key="109b", video__split="test"
        ).exclude(pk__in=[clip.pk for clip in targets])
    )
    verify(triplets, anna, first, wrong=targets[:2], added=others, corrected="show with 2 twists")
    verify(triplets, rita, first, wrong=targets[:1], added=others, corrected="show with 2 twists")
    verify(triplets, ben, first, wrong=targets[:1], corrected="show with two twists or so")
    files = exported(triplets, verified_only=True)
    [row] = rows(files, "test.csv")
    assert row["query_id"] == "0"
    assert row["modification"] == "show with 2 twists"
    kept = [targets[1].name, targets[2].name, others[0].name]
    assert ast.literal_eval(row["target_videos_ids"]) == kept
    assert json.loads(files["circo/test.json"])[0]["relative_caption"] == "show with 2 twists"
    assert b"that people verified" in files["README.md"]
    plain = exported(triplets)
    assert len(rows(plain, "test.csv")) == 2
    assert files["train.csv"] == plain["train.csv"]


def test_a_query_without_a_valid_target_is_left_out(triplets, anna):
    query = triplets.queries.filter(split="test").first()
    verify(triplets, anna, query, wrong=[row.target for row in query.targets.all()])
    assert rows(exported(triplets, verified_only=True), "test.csv") == []


class TestRoundTrip:
    def test_export_import_export_gives_the_same_bytes(self, triplets, files, other, tmp_path):
        out, again = tmp_path / "out", tmp_path / "again"
        call_command("export_triplets", triplets.project.slug, out=out)
        project, _ = other
        call_command("import_triplets", project.slug, str(out))
        call_command("export_triplets", project.slug, out=again)
        for name, content in files.items():
            assert (out / name).read_bytes() == (again / name).read_bytes() == content
        taken = TripletSet.objects.get(project=project)
        assert (taken.state, taken.triplet_count, taken.seed) == ("finished", 14, 3)
        kinds = Modification.objects.filter(pair__project=project)
        assert set(kinds.values_list("pair__kind", flat=True)) == {"temporal"}

    def test_tfcovrs_own_three_files_suffice(self, files, other, tmp_path):
        for name in ("train.csv", "val.csv", "test.csv"):
            (tmp_path / name).write_bytes(files[name])
        project, labels = other
        own = modify(labels["107b"], labels["109b"], HOSTILE)
        taken = import_triplets(project=project, folder=tmp_path, kind="event", admin=None)
        assert exported(taken)["train.csv"] == files["train.csv"]
        assert taken.queries.filter(modification=own).exists()
        new = Modification.objects.get(pair__project=project, text="show =1+1 turns")
        assert new.pair.kind == "event"

    def test_a_project_that_does_not_exist(self, tmp_path):
        with pytest.raises(CommandError, match="There is no project"):
            call_command("import_triplets", "nowhere", str(tmp_path))

    def test_a_project_without_a_set(self, tmp_path):
        make_project("empty")
        with pytest.raises(CommandError, match="This set of triplets doesn't exist"):
            call_command("export_triplets", "empty", out=tmp_path / "x")


BOMB = "[" * 5_000


class TestRefusals:
    @pytest.fixture
    def folder(self, files, tmp_path):
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(content)
        return tmp_path

    @pytest.mark.parametrize(
        ("name", "old", "new", "sentence"),
        [
            ("train.csv", "query_video", "video", "columns are missing: query_video"),
            ("train.csv", "clip-04", "clip-99", "train.csv, line 2: the project has no clip"),
            ("train.csv", "clip-04", "clip-10", "clip-10 is in test in this project"),
            ("train.csv", ",107b,109b,", ",109b,109b,", "the clips are labeled 107b and 109b"),
            ("train.csv", "'109b'", "'1'", "modification must be a Python literal such as"),
            ("train.csv", "\"{'109b'", "\"__import__('os').system('x') or {'109b'", "not a Python"),
            ("train.csv", "{turns}", "\\x00", "a character that can't be stored"),
            ("val.csv", "show =1+1 turns", "turn", "val.csv, line 2: Write at least 2 words"),
            ("test.csv", "\n0,", "\n1,", "query_id is '1'; it must be 0"),
            ("test.csv", "['clip-", f"{BOMB}['clip-", "is not a Python literal"),
            ("test.csv", "['clip-", "['x', 'clip-", "must be the first of"),
            (
                "clips.csv",
                "clip-01,107b,train",
                "clip-01,107b,test",
                "clip-01 is 107b, test in the file",
            ),
            (
                "labels.csv",
                "The same caption",
                "Another",
                "label 107b is “The same caption” in this project",
            ),
            ("modifications.csv", ",temporal,", ",other,", "kind must be temporal or event"),
            ("set.json", '"seed": 3', '"seed": -3', "seed must be a whole number"),
            ("set.json", "{", "[", "set.json: it isn’t JSON"),
            ("train.csv", "query_video", '"query_video"x', "can’t be read. Its quotation marks"),
            ("train.csv", "{turns}", "{turn}", "to 109b. Use one text."),
            ("set.json", '"format": "', '"format": "x', "set.json must say that its format is"),
        ],
    )
    def test_a_fault_is_named_with_its_place(self, folder, other, name, old, new, sentence):
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))
        project, _ = other
        with pytest.raises(ReviewError) as refused:
            import_triplets(project=project, folder=folder, admin=None)
        assert sentence in str(refused.value)
        assert not TripletSet.objects.filter(project=project).exists()

    def test_a_triplet_twice(self, folder, other):
        text = (folder / "train.csv").read_text()
        (folder / "train.csv").write_text(text + text.split("\n", 1)[1])
        with pytest.raises(ReviewError, match="is also on an earlier line"):
            import_triplets(project=other[0], folder=folder, admin=None)

    def test_a_file_that_is_no_utf_8(self, folder, other):
        (folder / "test.csv").write_bytes((folder / "test.csv").read_text().encode("utf-16"))
        with pytest.raises(ReviewError, match="save the file as UTF-8"):
            import_triplets(project=other[0], folder=folder, admin=None)

    def test_a_missing_file(self, folder, other):
        (folder / "val.csv").unlink()
        with pytest.raises(ReviewError, match="is missing"):
            import_triplets(project=other[0], folder=folder, admin=None)

    def test_a_clip_whose_video_lies_in_another_split_here(self, folder, other):
        project, _ = other
        for extra in ("clips.csv", "set.json"):
            (folder / extra).unlink()
        Video.objects.filter(project=project, original_name="source-1").update(split="test")
        with pytest.raises(ReviewError, match="clip-01 is in test in this project"):
            import_triplets(project=project, folder=folder, admin=None)

    def test_a_query_has_a_limited_number_of_targets(self, folder, other, monkeypatch):
        monkeypatch.setattr("review.triplets.import_file.MAX_TARGETS", 2)
        with pytest.raises(ReviewError) as refused:
            import_triplets(project=other[0], folder=folder, admin=None)
        # The text of the row has two lines and begins on line 2.
        assert str(refused.value) == (
            "test.csv, line 2: a query may have at most 2 targets. Remove some."
        )

    def test_a_pair_that_is_rejected_here(self, folder, other):
        project, labels = other
        pair = make_pair(labels["107b"], labels["109b"], "reject")
        with pytest.raises(ReviewError) as refused:
            import_triplets(project=project, folder=folder, admin=None)
        assert str(refused.value) == f"{pair} is already decided in this project: reject."
        assert not TripletSet.objects.filter(project=project).exists()

    def test_another_text_of_a_direction_in_the_project(self, folder, other):
        project, labels = other
        modify(labels["107b"], labels["109b"], "show something else")
        with pytest.raises(ReviewError, match="the project has “show something else”"):
            import_triplets(project=project, folder=folder, admin=None)
