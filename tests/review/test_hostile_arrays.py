"""Files of vectors, rankings, candidates and tables made to break an import: a clear error, and
nothing is stored. One line of threats a test, as in test_hostile_files.py."""

import gzip
import io
import json
import pickle
import zipfile

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from numpy.lib import format as npy

from annotate.datasets.files import MAX_BYTES
from annotate.models import Candidate
from annotate.text.csv_rows import MAX_LENGTH_OF_ALL
from inference.models import InferenceRun
from review.composed.models import ImportedRanking
from review.modifications.models import Modification
from review.pairs.models import LabelPair, PairVerdict
from review.retrieval.models import ImportedVector, VectorSet
from review.triplets.models import TripletVerdict
from tests.cast import make_project
from tests.review.composed.retrieval import ask
from tests.review.retrieval.vector_files import good, npz, two_clips
from tests.review.tables.tables import labels_of

pytestmark = pytest.mark.django_db
MODELS = (
    VectorSet, ImportedVector, InferenceRun, ImportedRanking, Candidate,
    LabelPair, PairVerdict, Modification, TripletVerdict,
)  # fmt: skip
VECTORS = {
    "vectors": ("import_vectors", {"name": "A"}),
    "results": ("import_results", {"kind": "embed", "model": "A", "frames": "every:30"}),
}
TABLES = ("pairs", "pair-verdicts", "modifications", "examples", "query-verdicts")


@pytest.fixture
def refusal(tmp_path, capsys):
    """Import a file and return why that was refused, in one line or more."""

    def refuse(project, command, file_name, data, /, *arguments, **options):
        path = tmp_path / file_name
        path.write_bytes(data)
        before = [model.objects.count() for model in MODELS]
        with pytest.raises(CommandError) as error:
            call_command(command, project.slug, *arguments, path, **options)
        assert [model.objects.count() for model in MODELS] == before
        return str(error.value) + capsys.readouterr().err

    return refuse


class Harmful:
    def __reduce__(self):
        return (pytest.fail, ("The import has unpickled an object.",))


def member(name, array=None, *, header=None, tail=b""):
    """Return an .npz whose array `name` is replaced, or has this header before its numbers."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, numbers in good(**({name: array} if array is not None else {})).items():
            made = io.BytesIO()
            if part == name and header is not None:
                npy.write_array_header_1_0(made, header)
                made.write(tail)
            else:
                npy.write_array(made, numbers)
            archive.writestr(f"{part}.npy", made.getvalue())
    return data.getvalue()


def pickled():
    return npz(clips=np.array([Harmful(), Harmful()], dtype=object)).getvalue()


def with_member(name, data=b"x"):
    content = npz()
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return content.getvalue()


def header(shape, descr="<f4"):
    return {"descr": descr, "fortran_order": False, "shape": shape}


ARRAYS = [
    ("pickled objects", pickled(), "Python objects"),
    ("a pickle by the name of an archive", pickle.dumps({"clips": ["a"]}), "not an .npz archive"),
    ("bomb", member("clip_vectors", header=header((2, 2)), tail=b"\0" * 50_000_000), "size"),
    ("many rows", member("clips", header=header((10**12,), "<U1"), tail=b"aaaa"), "1,000,000 ids"),
    ("shape of more", member("clip_vectors", header=header((2, 4)), tail=b"\0" * 16), "size"),
    ("shape below 0", member("clip_vectors", header=header((-2, -2)), tail=b"\0" * 16), "shape"),
    ("shape too wide", member("clip_vectors", header=header((1, 2**40)), tail=b""), "shape"),
    ("numbers as texts", npz(clip_vectors=np.array([["3", "4"], ["0", "2"]])).getvalue(), "type"),
    ("complex", npz(clip_vectors=np.ones((2, 2), dtype="c8")).getvalue(), "type"),
    ("NaN", npz(clip_vectors=np.array([[3, np.nan], [0, 2]], "f4")).getvalue(), "NaN"),
    ("infinite", npz(clip_vectors=np.array([[3, 4], [0, -np.inf]], "f8")).getvalue(), "infinite"),
    ("no direction", npz(clip_vectors=np.zeros((2, 2), "f4")).getvalue(), "are 0"),
    (
        "a name twice",
        npz(clips=np.array(["a", "a"])).getvalue(),
        "'a' is also in row 1",
    ),
    ("leads out", with_member("../../evil.npy"), "'../../evil'"),
    ("absolute", with_member("/etc/passwd.npy"), "'/etc/passwd'"),
    ("cut off", npz().getvalue()[:-40], "not an .npz archive"),
    ("empty", b"", "not an .npz archive"),
]


@pytest.mark.parametrize("importer", VECTORS)
@pytest.mark.parametrize(("data", "reason"), [threat[1:] for threat in ARRAYS],
                         ids=[threat[0] for threat in ARRAYS])  # fmt: skip
def test_npz(refusal, project, importer, data, reason):
    two_clips(project)
    command, options = VECTORS[importer]
    assert reason in refusal(project, command, "vectors.npz", data, **options)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_that_is_there_twice(refusal, project):
    two_clips(project)
    twice = with_member("clips.npy")
    assert "'clips' twice" in refusal(project, "import_vectors", "twice.npz", twice, name="A")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 200_000, "neither JSON"),
        (b'{"0":' * 100_000, "neither JSON"),
        (b'{"0": ["a"], "0": ["a"], "1": ["a"]}', "in the file twice"),
        (b'{"0": [NaN], "1": [1]}', "no clip 'nan'"),
        (b'{"0": [1e999], "1": [1]}', "no clip 'inf'"),
        (b'{"0": [' + b"9" * 4_000 + b'], "1": [1]}', "no clip"),
        (b'{"0": [' + b"9" * 10_000 + b'], "1": [1]}', "neither JSON"),
        (b'{"0": [true], "1": [1]}', "no clip 'True'"),
        (b'{"0": {"a": 1}, "1": [1]}', "give a list"),
        (b'{"0": [], "1": [1]}', "give a list"),
        (b'{"0": ["../evil"], "1": [1]}', "no clip '../evil'"),
        (b'{"0": [1], "-1": [1]}', "no such query_id"),
        (b"\xff\xfe" + b'{"0": [1]}', "neither JSON"),
        (pickle.dumps({"0": ["a"]}), "neither JSON"),
        (b"", "neither JSON"),
    ],
)
def test_rankings(refusal, project, data, reason):
    ask(project, 2)
    assert reason in refusal(project, "import_rankings", "ranked.json", data, name="A")


def test_vectors_to_rank_are_not_unpickled(refusal, project):
    ask(project, 2)
    objects = np.array([Harmful()], dtype=object)
    file = io.BytesIO()
    np.savez(file, queries=objects, query_vectors=np.ones((1, 2)), clips=objects)
    reason = refusal(project, "import_rankings", "ranked.npz", file.getvalue(), name="A")
    assert "Python objects" in reason


def annotated(segment, name="dive"):
    return f'{{"database": {{"{name}": {{"annotations": [{segment}]}}}}}}'.encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 200_000, "nested too deeply"),
        (b'{"database": {"a": {}, "a": {}}}', "twice"),
        (annotated('{"label": "dig", "segment": [NaN, 2]}'), "pair of seconds"),
        (annotated('{"label": "dig", "segment": [1, 1e999]}'), "pair of seconds"),
        (annotated('{"label": "dig", "segment": [1, 2, 3]}'), "pair of seconds"),
        (annotated('{"label": "dig", "segment": ["1", true]}'), "pair of seconds"),
        (annotated('{"label": "\\u0000", "segment": [1, 2]}'), "label"),
        (annotated('{"label": "dig", "segment": [1, 2]}', name="\\u0007"), "name of a video"),
        (annotated("7"), "label"),
        (gzip.compress(b"{}", mtime=0)[:-9], "database"),
        (b"\x1f\x8b" + b"\0" * 50, "damaged"),
        (json.dumps({"database": {}}).encode("utf-16"), "UTF-8"),
    ],
)
def test_candidates(refusal, data, reason):
    project = make_project("Wide")
    assert reason in refusal(project, "import_candidates", "annotations.json", data, here=True)


def test_candidates_that_unpack_to_more_than_is_read(refusal):
    bomb = gzip.compress(b" " * (MAX_BYTES + 2))
    reason = refusal(make_project("Wide"), "import_candidates", "bomb.gz", bomb, here=True)
    assert "larger than" in reason


@pytest.fixture(params=TABLES)
def table(request):
    return request.param


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("deep.json", b"[" * 200_000),
        ("deeper.json", b'[{"label1": ' + b"[" * 99_999),
        ("twice.json", b'[{"label1": "a", "label1": "b"}]'),
        ("nan.json", b'[{"label1": NaN, "domain": NaN, "query_video": NaN}]'),
        ("objects.json", b'{"label1": "a"}'),
        ("twice.csv", b"label1,label1,label2\na,b,c\n"),
        ("nul.csv", b"label1,label2\na,b\0\n"),
        ("open.csv", b'label1,label2\n"a,b\n'),
        ("bytes.csv", b"label1,label2\n\xff,b\n"),
        ("wide.json", json.dumps([{"label1": "a"}]).encode("utf-16")),
        ("none.csv", b"label1,label2\n"),
        ("empty.csv", b""),
        ("pickle.csv", pickle.dumps([("a", "b")])),
    ],
)
def test_tables(refusal, project, table, name, data):
    labels_of(project)
    assert refusal(project, "import_table", name, data, table)


def test_a_table_with_an_endless_cell(refusal, project, table):
    labels_of(project)
    huge = b'label1,label2\na,"' + b"a" * (MAX_LENGTH_OF_ALL + 1) + b'"\n'
    assert refusal(project, "import_table", "huge.csv", huge, table)
