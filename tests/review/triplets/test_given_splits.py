"""Splits come in from other data sets' files, a source video whole."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import DatasetFile
from annotate.models import AuditEvent, Video
from review.errors import ReviewError
from review.triplets.models import SplitOrigin, TripletSet
from review.triplets.splits import import_splits
from tests.cast import make_project, make_video
from tests.review.triplets.triplets import make_label

Split = Video.Split
GYM = {"0LtLS9wROrk": ("E_002407_002435_A_0003_0005",), "xAbc123": ("E_001781_001789_A_0002_0004",)}
FILES = {
    "tfcovr": (
        "train.csv",
        "query_video,target_video,label1,label2,modification\n{train}_0,{train}_1,1,2,x\n",
        "query_id,query_video,target_video,modification,target_videos_ids\n"
        "0,{test}_0,{test}_1,x,\"['{test}_1', '{test}_2']\"\n",
    ),
    "dives": ("train.csv", "competition,number\n{train},0\n", "competition,number\n{test},1\n"),
    "dives as json": ("train.json", '[["{train}", 0]]', '[["{test}", 1]]'),
    "sources": ("train.csv", "source_video\n{train}\n", "source_video\n{test}.mp4\n"),
    "names": ("train.txt", "{train}_0 12\n", "{test}_1 12\n\n{test}_0\n"),
}


@pytest.fixture
def project(db):
    """Two competitions of FineDiving with three dives each, as files of their own."""
    project = make_project(protocol="tfcovr")
    label = make_label(project, "1")
    for source in ("Rio_10m", "Oslo_3m"):
        for number in range(3):
            name = f"{source}_{number}"
            video = make_video(project, original_name=f"{name}.mp4", cut_from=source)
            video.clips.update(label=label, name=name)
    return project


def file(text: str, name: str = "train.csv") -> DatasetFile:
    return DatasetFile(name, text.encode())


def bring_in(project, *, table: str = "", **texts: str):
    files = [(file(text, f"{split}.csv"), Split(split)) for split, text in texts.items()]
    if table:
        files.append((file(table, "splits.csv"), None))
    return import_splits(project=project, admin=None, files=files)


def stored(project) -> dict[str, set[str]]:
    splits: dict[str, set[str]] = {}
    for source, split in project.videos.values_list("cut_from", "split"):
        splits.setdefault(source, set()).add(split)
    return splits


@pytest.mark.parametrize("kind", FILES)
def test_each_source_video_gets_the_split_of_its_clips(project, kind):
    name, *texts = FILES[kind]
    train, test = (
        file(text.replace("{train}", "Rio_10m").replace("{test}", "Oslo_3m"), name)
        for text in texts
    )
    result = import_splits(
        project=project, admin=None, files=[(train, Split.TRAIN), (test, Split.TEST)]
    )
    assert stored(project) == {"Rio_10m": {"train"}, "Oslo_3m": {"test"}}
    assert (result.unknown, result.missing) == ([], [])
    assert AuditEvent.objects.get(verb="split videos").after["files"] == [name, name]
    origin = SplitOrigin.objects.get(project=project)
    assert (origin.files, origin.seed) == ([name, name], None)


def test_a_table_says_the_split_of_each_row(project):
    bring_in(project, table="clip,split\nRio_10m_0,val\nOslo_3m_2,test\n")
    assert stored(project) == {"Rio_10m": {"validation"}, "Oslo_3m": {"test"}}


def test_finegym_names_lead_to_their_video(db):
    project = make_project(protocol="tfcovr")
    label = make_label(project, "1")
    for name in GYM:
        video = make_video(project, original_name=f"{name}.mp4")
        video.clips.update(label=label)
    lines = [f"{name}_{part} 57" for name, (part,) in GYM.items()]
    bring_in(project, train=lines[0], test=lines[1])
    assert sorted(project.videos.values_list("original_name", "split")) == [
        ("0LtLS9wROrk.mp4", "train"), ("xAbc123.mp4", "test"),
    ]  # fmt: skip


def test_a_source_video_in_two_splits_names_both_rows(project):
    with pytest.raises(DatasetInvalid) as refused:
        bring_in(project, train="Rio_10m_0\n", test="Oslo_3m_0\nRio_10m_2\n")
    assert list(map(str, refused.value.faults)) == [
        "test.csv, line 2: It puts source video Rio_10m in test, but train.csv, line 1 puts it in "
        "train. Put all clips of a source video in one split."
    ]
    assert stored(project) == {"Rio_10m": {""}, "Oslo_3m": {""}}


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("clip,split\nRio_10m_0,dev\n", "row 2, split: It must be train, validation (or val) or"),
        ("a,b\n1,2\n", "row 1: Give one of the columns source_video, clip, query_video"),
        ("clip,split\nNile_1,test\n", "none of the clips or source videos, such as 'Nile_1'"),
        ("clip,split\nRio_10m_0,test\n", "Oslo_3m: No file names this source video."),
        ("query_video,target_video,target_videos_ids,split\na,b,open(1),test\n",
         "row 2, target_videos_ids: It must be a list of names"),
        ("[{}]", "entry 1: It must be a name, or [competition, number]."),
        ('{"a": 1}', "It must be a list of names, or of [competition, number]."),
        ("Rio_10m_0 1 2\n", "line 1: It must be a name, then at most a label."),
    ],
)  # fmt: skip
def test_each_fault_is_named_with_its_place(project, table, fault):
    with pytest.raises(DatasetInvalid) as refused:
        bring_in(project, table=table)
    assert any(fault in str(problem) for problem in refused.value.faults)
    assert stored(project) == {"Rio_10m": {""}, "Oslo_3m": {""}}


def test_names_of_other_projects_are_counted_and_the_rest_may_go_to_train(project):
    result = import_splits(
        project=project, admin=None, rest_to_train=True,
        files=[(file(json.dumps(["Oslo_3m_0", "Nile_1"])), Split.TEST)],
    )  # fmt: skip
    assert (result.unknown, result.missing) == (["Nile_1"], ["Rio_10m"])
    assert stored(project) == {"Rio_10m": {"train"}, "Oslo_3m": {"test"}}


def test_a_split_with_too_few_source_videos_is_refused(project):
    files = [(file("Rio_10m\n"), Split.TRAIN), (file("Oslo_3m\n"), Split.TEST)]
    with pytest.raises(ReviewError, match="1 source video in test, and the minimum is 2"):
        import_splits(project=project, admin=None, files=files, min_sources=2)


def test_splits_are_refused_once_there_are_triplets(project):
    TripletSet.objects.create(project=project, number=1, state="finished")
    with pytest.raises(ReviewError, match="The split can't be changed"):
        bring_in(project, train="Rio_10m\n", test="Oslo_3m\n")


def test_the_command_reads_files(project, tmp_path, capsys):
    for name in ("train", "test"):
        (tmp_path / name).write_text("Rio_10m\n" if name == "train" else "Oslo_3m\n")
    options = {"train": tmp_path / "train", "test": tmp_path / "test"}
    call_command("import_splits", project.slug, **options)
    assert "Split 2 source videos" in capsys.readouterr().out
    (tmp_path / "test").write_text("Rio_10m\n")
    with pytest.raises(CommandError, match="1 thing has to be fixed first"):
        call_command("import_splits", project.slug, **options)
    (tmp_path / "test").write_text("Oslo_3m\nNile_1\n")
    call_command("import_splits", project.slug, **options)
    assert "Ignored 1 name that is not in the project." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (None, "Give --train, --validation, --test or --table."),
        (2, "The files put 1 source video in test, and the minimum is 2. Add source videos, or "
            "lower the minimum."),
    ],
)  # fmt: skip
def test_the_command_says_what_it_needs(project, tmp_path, sources, message):
    for name in ("Rio_10m", "Oslo_3m"):
        (tmp_path / name).write_text(name)
    options = {"train": tmp_path / "Rio_10m", "test": tmp_path / "Oslo_3m", "min_sources": sources}
    with pytest.raises(CommandError) as refused:
        call_command("import_splits", project.slug, **options if sources else {})
    assert str(refused.value) == message
    assert stored(project) == {"Rio_10m": {""}, "Oslo_3m": {""}}
