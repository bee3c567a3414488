"""A set from a release is refused with the place and the fix of a fault; nothing is stored."""

import pytest

from review.errors import ReviewError
from review.exchange.bundle import Folder
from review.triplets.circo_source import CircoSource
from review.triplets.folder_source import FolderSource
from review.triplets.import_file import import_set
from review.triplets.models import TargetVerdict, TripletSet, TripletVerdict
from tests.cast import make_project
from tests.review.triplets.triplets import labelled_clip, make_label

pytestmark = pytest.mark.django_db
TRAIN = "annotations/train_finegd.csv"
TEST = "annotations/test_finegd.csv"
TEST_COLUMNS = "query_id,query_video,target_video,modification,target_videos_ids\n"
VERDICT = (
    '{"split": "test", "query": 0, "by": "person-1", "right": true, "enough": true, '
    '"needed": true, "corrected": "", "valid": ["d"], "wrong": ["e"], "added": []}\n'
)
RELEASE = {
    "clips.csv": "clip,label,split\na,1,train\nb,2,train\n",
    "labels.csv": "label,caption,source,counts_as\n1,Dive 1,diving,\n2,Dive 2,diving,\n",
    "modifications.csv": "label1,label2,kind,modification\n1,2,temporal,show two turns\n",
    TRAIN: "query_video,target_video,label1,label2,modification\n"
    "a,b,1,2,{'2': {'modification': 'show two turns'}}\n",
    "annotations/val_finegd.csv": TEST_COLUMNS,
    TEST: TEST_COLUMNS + "0,c,d,show two turns,['d']\n",
    "verdicts.jsonl": VERDICT,
    "manifest.json": '{"generated": {"seed": 3, "most_targets": 10, "other_sources": ""}}',
}
CIRCO = {
    "clips.csv": "id,clip,label,split\n1,c,1,test\n2,d,2,test\n",
    "annotations/test_targets.json": '[{"id": 0, "reference_img_id": 1, "target_img_id": 2, '
    '"gt_img_ids": [2], "relative_caption": "show two turns"}]',
}
CLIPS = (("a", 1, "train"), ("b", 2, "train"), ("c", 1, "test"), ("d", 2, "test"), ("e", 2, "test"),
         ("g", 1, "test"), ("free", None, "test"))  # fmt: skip


@pytest.fixture(scope="module")
def made(kept):
    project = make_project(protocol="tfcovr")
    labels = {key: make_label(project, str(key)) for key in (1, 2)}
    for name, key, split in CLIPS:
        clip = labelled_clip(project, labels.get(key), split)
        type(clip).objects.filter(pk=clip.pk).update(name=name)
    return {"project": project}


@pytest.fixture
def refusal(project, tmp_path):
    """Import the files with a changed one, and return why they are refused."""

    def refuse(files, name, old, new, source=FolderSource):
        changed = files | {name: files[name].replace(old, new)}
        assert changed != files
        (tmp_path / "annotations").mkdir()
        for path, text in changed.items():
            (tmp_path / path).write_text(text)
        with pytest.raises(ReviewError) as refused:
            import_set(project=project, source=source(Folder(tmp_path)), admin=None)
        assert not TripletSet.objects.exists()
        return str(refused.value)

    return refuse


def test_it_is_imported_without_faults(project, tmp_path):
    (tmp_path / "annotations").mkdir()
    for path, text in RELEASE.items():
        (tmp_path / path).write_text(text)
    triplets = import_set(project=project, source=FolderSource(Folder(tmp_path)), admin=None)
    assert (triplets.triplet_count, triplets.seed) == (3, 3)
    assert TripletVerdict.objects.get().label == "person-1"
    assert sorted(TargetVerdict.objects.values_list("clip__name", "is_valid")) == [
        ("d", True), ("e", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("clips.csv", "a,", "z,",
         "clips.csv, line 2: the project has no clip 'z'. Import the labeled clips first."),
        ("labels.csv", "\n1,", "\n9,",
         "labels.csv, line 2: the project has no label '9'. Import the labels first."),
        ("labels.csv", "Dive 1", "Jump",
         "labels.csv, line 2: label 1 is “Dive 1” in this project. Use its caption and domain."),
        ("labels.csv", "Dive 2,diving,", "Dive 2,diving,1",
         "labels.csv, line 3: label 2 counts as 1 in the file, but not in this project."),
        ("modifications.csv", "1,2,", "1,9,",
         "modifications.csv, line 2: the project has no label '9'. Import the labels first."),
        ("modifications.csv", "turns\n", "turns\n2,1,event,show one turn\n",
         "modifications.csv, line 3: another line gives this pair another kind. Use one kind."),
        ("modifications.csv", "turns\n", "turns\n1,2,temporal,show one turn\n",
         "modifications.csv, line 3: another line has a text from 1 to 2. A direction has one "
         "text, so a release with several can’t be imported."),
        ("modifications.csv", "show two turns", "turn",
         "modifications.csv, line 2: Write at least 2 words that say what to change: “show with 2 "
         "turns”."),
        (TRAIN, "\na,b,", "\na,a,",
         f"{TRAIN}, line 2: the clips are labeled 1 and 1 in this project."),
        (TRAIN, "turns'}}\n", "turns'}}\n" + "a,b,1,2,{'2': {'modification': 'show two turns'}}\n",
         f"{TRAIN}, line 3: this triplet is also on an earlier line. Keep one."),
        (TEST, "['d']", "\"['d', 'c']\"",
         f"{TEST}, line 2: c can't be its own target. Remove it."),
        (TEST, "['d']\n", "['d']\n1,c,e,show two turns,['e']\n",
         f"{TEST}, line 3: this query is also on an earlier line. Keep one."),
        (TEST, "c,d,show two turns,['d']", "c,g,show two turns,['g']",
         f"{TEST}, line 2: the query and its target are both labeled 1. Use another target."),
        (TEST, "0,c,", "0,free,",
         f"{TEST}, line 2: free has no label in this project. Label it first."),
        (TEST, "['d']", "[]",
         f"{TEST}, line 2: target_videos_ids must be a list of names, not empty."),
        ("verdicts.jsonl", '"split": "test"', '"split": "dev"',
         "verdicts.jsonl, line 1: split must be train, validation or test."),
        ("verdicts.jsonl", '"query": 0', '"query": "0"',
         "verdicts.jsonl, line 1: query must be a whole number, from 0."),
        ("verdicts.jsonl", '"query": 0', '"query": 4',
         "verdicts.jsonl, line 1: test has no query 4. Remove the verdict."),
        ("verdicts.jsonl", '"right": true', '"right": 1',
         "verdicts.jsonl, line 1: right of a verdict is missing or has another type."),
        ("verdicts.jsonl", '"added": []', '"added": [7]',
         "verdicts.jsonl, line 1: added of a verdict must list names of clips."),
        ("verdicts.jsonl", "person-1", "",
         "verdicts.jsonl, line 1: by must be a name of 1 to 60 characters."),
        ("verdicts.jsonl", '"added": []', '"added": ["d"]',
         "verdicts.jsonl, line 1: valid, wrong and added name a clip twice. Keep it in one of "
         "them."),
        ("verdicts.jsonl", VERDICT, VERDICT + VERDICT,
         "verdicts.jsonl, line 2: person-1 has another verdict on this query. Keep one."),
        ("verdicts.jsonl", VERDICT, VERDICT + VERDICT.replace("n-1", "n-2").replace('["d"]', "[]"),
         "verdicts.jsonl, line 2: valid and wrong must list each target of the query once."),
        ("verdicts.jsonl", '"added": []', '"added": ["a"]',
         "verdicts.jsonl, line 1: added: 'a' can’t be a target of this query. Remove it."),
        ("verdicts.jsonl", '"corrected": ""', '"corrected": "turn"',
         "verdicts.jsonl, line 1: corrected: Write at least 2 words that say what to change: “show "
         "with 2 turns”."),
        ("verdicts.jsonl", '"corrected": ""', '"corrected": "two\\u0000 turns"',
         "verdicts.jsonl, line 1: corrected contains a character that can’t be stored. Remove it."),
        ("modifications.csv", "modification\n1,2,temporal,show two turns\n",
         "modification,pair_verdicts\n1,2,temporal,show two turns,person-1 other\n",
         "pair_verdicts 'person-1 other' isn’t such as person-1 temporal."),
        ("manifest.json", '"most_targets": 10', '"most_targets": 0',
         "manifest.json: most_targets must be a whole number from 1 to 100."),
        ("manifest.json", '"other_sources": ""', '"other_sources": "some"',
         "manifest.json: other_sources must be one of '', 'test', 'held_out', 'all'."),
        ("manifest.json", '"seed": 3', '"seed": 3, "test_queries": -1',
         "manifest.json: test_queries must be a whole number, 0 for all."),
        ("manifest.json", '"seed": 3', '"seed": 3, "most_per_query": "5"',
         "manifest.json: most_per_query must be a whole number, 0 for no limit."),
    ],
)  # fmt: skip
def test_each_fault_of_a_release(refusal, name, old, new, message):
    assert refusal(RELEASE, name, old, new) == message


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("annotations/test_targets.json", '"target_img_id": 2', '"target_img_id": 1',
         "annotations/test_targets.json, entry 1: target_img_id must be the first of gt_img_ids."),
    ],
)  # fmt: skip
def test_each_fault_in_circos_form(refusal, name, old, new, message):
    assert refusal(CIRCO, name, old, new, CircoSource) == message


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["clips.csv"], "{name} has no annotations/val.json or annotations/test_targets.json. "
                        "Choose a release in CIRCO’s form."),
        (["annotations/test_targets.json"],
         "{name} has no clips.csv, which names the clip of each number."),
    ],
)  # fmt: skip
def test_a_folder_that_lacks_a_file_of_circo(tmp_path, names, message):
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(CIRCO[name])
    bundle = Folder(tmp_path)
    with pytest.raises(ReviewError) as refused:
        CircoSource(bundle)
    assert str(refused.value) == message.format(name=bundle.name)


def test_files_without_rows(refusal):
    files = {name: text.split("\n")[0] + "\n" for name, text in RELEASE.items() if ".csv" in name}
    message = refusal(files | {"x.csv": "a"}, "x.csv", "a", "b")
    assert message.endswith("have no rows. There is nothing to import.")
