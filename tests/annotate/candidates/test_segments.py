"""FineAction's annotation file, whole and broken."""

from __future__ import annotations

import gzip
from fractions import Fraction

import pytest

from annotate.candidates.segments import Segment, read_annotations
from annotate.datasets import files
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import DatasetFile
from tests.annotate.candidates.cast import annotated, as_file


def faults_of(data):
    with pytest.raises(DatasetInvalid) as raised:
        read_annotations(as_file(data))
    return [(fault.row, fault.field, fault.mend) for fault in raised.value.faults]


def test_each_annotation_is_a_segment_with_its_exact_times():
    data = annotated(v_00000044=[("dig_hole", 3.2, 8.75), ("plant_tree", 10, 11.5)], v_2=[])
    data["database"]["v_00000044"]["duration"] = 42.125
    read = read_annotations(as_file(data))
    assert read.segments == [
        Segment("v_00000044", 1, "", "dig_hole", Fraction("3.2"), Fraction("8.75")),
        Segment("v_00000044", 2, "", "plant_tree", Fraction(10), Fraction("11.5")),
    ]
    assert read.seconds == {"v_00000044": Fraction("42.125")}


def test_ids_may_have_a_suffix_and_withheld_annotations_are_none():
    data = {
        "database": {"v_1.mp4": {"annotations": [{"label": "a", "segment": [0, 1]}]}, "v_2": {}}
    }
    assert [segment.source for segment in read_annotations(as_file(data)).segments] == ["v_1"]


def test_the_taxonomy_gives_the_highest_group_of_a_label():
    data = annotated(v_1=[("dig_hole", 0, 1), ("odd", 0, 1)])
    data["taxonomy"] = [
        {"nodeName": "dig_hole", "parentName": "gardening"},
        {"nodeName": "gardening", "parentName": "household activities"},
        {"nodeName": "household activities", "parentName": "Root"},
        {"nodeName": "odd", "parentName": "even"},
        {"nodeName": "even", "parentName": "odd"},
    ]
    read = read_annotations(as_file(data))
    assert [segment.category for segment in read.segments] == ["household activities", "even"]


def test_a_compressed_file_is_unpacked_up_to_the_limit(monkeypatch):
    data = as_file(annotated(v_1=[("a", 0, 1)])).data
    packed = DatasetFile("annotations_gt.json.gz", gzip.compress(data))
    assert len(read_annotations(packed).segments) == 1
    monkeypatch.setattr(files, "MAX_BYTES", 1024)
    bomb = DatasetFile("bomb.gz", gzip.compress(b" " * 10_000_000))
    with pytest.raises(DatasetInvalid) as raised:
        read_annotations(bomb)
    assert "larger than" in raised.value.faults[0].mend
    with pytest.raises(DatasetInvalid) as raised:
        read_annotations(DatasetFile("broken.gz", packed.data[:12] + b"xxxxxxxx"))
    assert "gzip can't unpack it" in raised.value.faults[0].mend


@pytest.mark.parametrize("data", [[], {"videos": {}}, {"database": []}])
def test_another_form_is_refused(data):
    [(_, field, mend)] = faults_of(data)
    assert (field, "“database”" in mend) == ("database", True)


def test_a_start_before_the_video_is_a_fault():
    data = annotated(v_1=[("a", -0.5, 3), ("a", -0.0, 3)])
    assert faults_of(data) == [
        ("v_1, annotation 1", "segment", "It begins before its video. Start it at 0 or later.")
    ]


def test_every_fault_names_video_annotation_and_field():
    data = annotated(v_1=[("", 0, 1), ("a", 0, "soon"), ("b" * 101, 0, 1), ("ok", 1, 2)])
    data["database"]["v_2"] = {"annotations": {"label": "a"}}
    data["database"]["v_3"] = {"annotations": [{"label": "a", "segment": [1]}, "a"]}
    data["database"]["v_4"] = 7
    assert [(row, field) for row, field, _ in faults_of(data)] == [
        ("v_1, annotation 1", "label"),
        ("v_1, annotation 2", "segment"),
        ("v_1, annotation 3", "label"),
        ("v_2", "annotations"),
        ("v_3, annotation 1", "segment"),
        ("v_3, annotation 2", "label"),
        ("v_4", ""),
    ]
