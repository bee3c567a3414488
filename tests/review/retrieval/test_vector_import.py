"""Vectors from files: what is taken, and that hostile or wrong files change nothing."""

import io
import pickle
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count

from annotate.models import AuditEvent
from review.errors import ReviewError
from review.frozen.models import Release, ReleasedClip
from review.retrieval import vector_arrays
from review.retrieval.exchange import remove_vector_set
from review.retrieval.models import ImportedVector, VectorSet
from review.retrieval.row_faults import VectorsInvalid
from tests.cast import NO_PROOF, make_clip
from tests.review.retrieval.vector_files import EXPECTED, good, npz, stored, take, two_clips
from tests.review.retrieval.vectors import report_of, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return two_clips(project)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_an_npz_is_stored_as_unit_vectors(project, clips, save):
    made = take(project, npz(save))
    assert stored(made) == EXPECTED
    assert (made.dimension, len(made.sha256), made.file_name) == (2, 64, "care.npz")
    event = AuditEvent.objects.get(verb="import vectors")
    assert event.after == {"name": "Elsewhere", "release": "", "clips": 2, "general": 2}


@pytest.mark.parametrize("dtype", ["<f2", ">f4", "<f8"])
def test_other_precisions_are_accepted(project, clips, dtype):
    changed = {name: array.astype(dtype) for name, array in good().items() if "vectors" in name}
    vectors = stored(take(project, npz(**changed)))
    assert vectors[0][2] == pytest.approx([0.6, 0.8])


def test_numbers_beyond_single_precision_are_brought_to_length_1(project, clips):
    large = np.array([[3e300, 4e300], [0, 1e-9]])
    assert stored(take(project, npz(clip_vectors=large)))[0][2] == pytest.approx([0.6, 0.8])


def test_any_vector_but_0_has_a_direction(project, clips):
    tiny = np.array([[3e-320, 4e-320], [0, 1e-30]])
    vectors = stored(take(project, npz(clip_vectors=tiny)))
    assert vectors[0][2] == pytest.approx([0.6, 0.8], abs=1e-3)


def test_file_names_and_bytes_are_ids_too(project, clips):
    ids = np.array([b"a.mp4", b"b.mp4"])
    assert stored(take(project, npz(clips=ids, general=ids))) == EXPECTED


def test_a_number_names_any_caption_so_that_a_clip_may_have_several(project, clips):
    first = clips[0].captions.get(kind="general")
    newer = write(clips[0], "A newer text.")
    keys = np.array([first.pk, newer.pk])
    made = take(project, npz(general=keys))
    of_captions = ImportedVector.objects.filter(vector_set=made, caption__isnull=False)
    assert {row.caption_id for row in of_captions} == {first.pk, newer.pk}
    assert report_of(project).result["kinds"]["general"]["v2t"]["n_queries"] == 1


def test_the_newest_caption_is_what_a_name_stands_for(project, clips):
    newer = write(clips[0], "A newer text.")
    made = take(project, npz())
    assert ImportedVector.objects.filter(vector_set=made, caption=newer).count() == 1


def damaged(file: io.BytesIO, at: int) -> io.BytesIO:
    data = bytearray(file.getvalue())
    data[at] ^= 0xFF
    return io.BytesIO(bytes(data))


def with_member(name: str, data: bytes) -> io.BytesIO:
    file = npz()
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, data)
    return file


def npy(header: str, data: bytes = b"") -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def with_array(name: str, data: bytes) -> io.BytesIO:
    """As `npz`, with these bytes as one of the arrays."""
    file = npz(**{name: None})
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}.npy", data)
    return file


def without_vectors(data: bytes) -> io.BytesIO:
    return with_array("clip_vectors", data)


def with_a_name_that_is_no_text() -> io.BytesIO:
    return io.BytesIO(with_member("\xe9.npy", b"").getvalue().replace(b"\xc3\xa9", b"\xff\xff"))


def beyond_the_end() -> io.BytesIO:
    """With a member that begins where no file reaches."""
    file = npz(clips=None)
    member = zipfile.ZipInfo("clips.npy")
    member.extra = struct.pack("<HHQ", 1, 8, 2**63)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(member, b"")
    data = bytearray(file.getvalue())
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 42 : entry + 46] = b"\xff" * 4
    return io.BytesIO(bytes(data))


V = np.ones((2, 2), dtype="f4")
REFUSED = {
    "not a zip": (io.BytesIO(b"\x80\x04junk"), "The file is not an .npz archive"),
    "pickled ids": (
        npz(clips=np.array(["a", "b"], dtype=object)),
        r"clips contains Python objects, which are not unpickled here",
    ),
    "pickled vectors": (
        npz(clip_vectors=np.array([[1, 0], [0, 1]], dtype=object)),
        r"clip_vectors contains Python objects",
    ),
    "a bare pickle": (io.BytesIO(pickle.dumps({"clips": 1})), "The file is not an .npz archive"),
    "whole numbers": (npz(clip_vectors=V.astype(int)), "has the type int64. Save it as"),
    "complex": (npz(clip_vectors=V.astype(complex)), "clip_vectors has the type complex128"),
    "extended": (npz(clip_vectors=V.astype(np.longdouble)), r"has the type float\d+\."),
    "flat": (npz(clip_vectors=np.ones(2, "f4")), r"clip_vectors has the shape \(2,\)"),
    "cube": (npz(clip_vectors=np.ones((2, 2, 1), "f4")), r"clip_vectors has the shape \(2, 2, 1\)"),
    "no numbers": (npz(clip_vectors=np.ones((2, 0), "f4")), r"shape \(2, 0\)"),
    "too wide": (npz(clip_vectors=np.ones((2, 16_385), "f2")), r"1 to 16384 dimensions"),
    "by columns": (npz(clip_vectors=np.asfortranarray(V)), "clip_vectors is stored by columns"),
    "two dimensions": (
        npz(general_vectors=np.ones((2, 3), "f4")),
        "clip_vectors has vectors of 2 dimensions and general_vectors of 3",
    ),
    "fewer ids": (
        npz(clips=np.array(["a"])),
        r"clips has 1 id and clip_vectors 2 rows\. Give each row one id\.",
    ),
    "no clips": (npz(clips=None, clip_vectors=None), "The file needs clips with clip_vectors"),
    "no captions": (npz(general=None, general_vectors=None), "at least one kind of captions"),
    "no vectors": (npz(general_vectors=None), "The file has general but not general_vectors"),
    "no ids": (npz(spatial_vectors=V), "The file has spatial_vectors but not spatial"),
    "strange": (npz(weights=V), "an array 'weights', which isn't known"),
    "outside": (with_member("../../clips.npy", b""), r"an array '\.\./\.\./clips'"),
    "unknown clip": (
        npz(clips=np.array(["a", "<script>"])),
        r"clips, row 2: the project has no clip '<script>'",
    ),
    "numbered clips": (npz(clips=np.array([1, 2])), r"clips, row 1: .* Give the clip's name"),
    "no such number": (
        npz(general=np.array([10**9, 1])),
        r"general, row 1: .* no general caption with the number 10{9}\.",
    ),
    "no such caption": (
        npz(temporal=np.array(["a"]), temporal_vectors=V[:1]),
        r"temporal, row 1: 'a' has no temporal caption in the project. Remove it",
    ),
    "twice": (npz(clips=np.array(["a", "a"])), r"clips, row 2: 'a' is also in row 1"),
    "NaN": (
        npz(clip_vectors=np.array([[1, 0], [np.nan, 1]])),
        r"clip_vectors, row 2: it contains NaN or an infinite number",
    ),
    "infinite": (npz(general_vectors=np.array([[np.inf, 0], [1, 1]])), r"general_vectors, row 1: "),
    "zero": (npz(general_vectors=V * [[1.0], [0]]), "general_vectors, row 2: all its"),
    "table of ids": (npz(clips=np.array([["a"], ["b"]])), r"clips has the shape \(2, 1\)"),
    "ids of floats": (npz(clips=np.array([1.0, 2.0])), "the type float64"),
    "ids in Latin-1": (npz(clips=np.array([b"\xe9", b"b"])), "clips contains something other than"),
    "ids of no character": (
        with_array(
            "clips", npy("{'descr':'<U1','fortran_order':False,'shape':(2,)}", b"\xff" * 8)
        ),
        "clips contains something other than text. Save ids with",
    ),
    "evil header": (
        without_vectors(npy("{'descr': __import__('os'), 'fortran_order': False, 'shape': (2,2)}")),
        "clip_vectors can't be read",
    ),
    **{
        f"header {header}": (without_vectors(npy(header)), "clip_vectors can't be read")
        for header in ("{[]: 1}", "{'a': 1, 2: 3}", "({'a'", "-" * 9000 + "1", "{'descr': 1}", "")
    },
    "a name that is no text": (with_a_name_that_is_no_text(), "The file is not an .npz archive"),
    "beyond the end": (beyond_the_end(), "clips can't be read"),
    "said to be huge": (
        without_vectors(npy("{'descr':'<f4','fortran_order':False,'shape':(10000000000, 768)}")),
        "The size of clip_vectors does not match its shape",
    ),
    "shorter than said": (
        without_vectors(npy("{'descr':'<f4','fortran_order':False,'shape':(2, 2)}", b"\0" * 8)),
        "The size of clip_vectors does not match its shape",
    ),
    "negative": (
        without_vectors(npy("{'descr':'<f4','fortran_order':False,'shape':(-2, -2)}", b"\0" * 16)),
        r"clip_vectors has the shape \(-2, -2\)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("is_damaged", [False, True])
def test_what_numpy_does_not_compress_so_is_refused_damaged_or_not(
    project, clips, compression, is_damaged
):
    file = npz(clip_vectors=None)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("clip_vectors.npy", b"\0" * 999, compression)
        at = archive.getinfo("clip_vectors.npy").header_offset
    if is_damaged:
        file = damaged(file, at + 30 + len("clip_vectors.npy") + 4)
    with pytest.raises(ReviewError, match=r"clip_vectors is compressed in a way .* numpy\.savez"):
        take(project, file)
    assert not VectorSet.objects.exists()


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_wrong_file_changes_nothing_and_says_what_to_mend(project, clips, name):
    file, message = REFUSED[name]
    file.seek(0)
    with pytest.raises(ReviewError, match=message):
        take(project, file)
    assert not VectorSet.objects.exists()
    assert not AuditEvent.objects.filter(verb="import vectors").exists()


def test_the_first_fault_of_each_array_is_named(project, clips):
    ids = npz(
        clips=np.array(["x", "y"]), temporal=np.array(["a"]), temporal_vectors=np.ones((1, 2))
    )
    with pytest.raises(VectorsInvalid) as refused:
        take(project, ids)
    assert refused.value.total == 3
    assert refused.value.lines == [
        "clips, row 1: the project has no clip 'x'. Give the clip's name.",
        "temporal, row 1: 'a' has no temporal caption in the project. Remove it.",
    ]
    nothing = np.zeros((2, 2))
    with pytest.raises(VectorsInvalid) as refused:
        take(project, npz(clip_vectors=nothing, general_vectors=nothing))
    assert [line.partition(":")[0] for line in refused.value.lines] == [
        "clip_vectors, row 1",
        "general_vectors, row 1",
    ]
    assert not VectorSet.objects.exists()


def test_a_name_twice_in_the_archive_is_refused(project, clips):
    with pytest.warns(UserWarning, match="Duplicate"):
        file = with_member("clips.npy", b"")
    with pytest.raises(ReviewError, match="The file has 'clips' twice"):
        take(project, file)


def test_a_file_with_a_damaged_byte_is_never_stored_in_part(project, clips):
    undamaged = npz(np.savez_compressed)
    for at in range(0, len(undamaged.getvalue()), 17):
        try:
            made = take(project, damaged(undamaged, at))
        except ReviewError:
            assert not VectorSet.objects.exists()
        else:
            # Such a byte says nothing, as the time of a file.
            assert stored(made) == EXPECTED
            made.delete()


def test_a_file_that_unpacks_to_too_much_is_refused_unread(project, clips, monkeypatch):
    monkeypatch.setattr("review.retrieval.vector_npz.MAX_BYTES", 10_000_000)
    bomb = npz(np.savez_compressed, clip_vectors=np.zeros((1000, 10_001), "f4"))
    assert len(bomb.getvalue()) < 100_000
    with pytest.raises(ReviewError, match="unpacks to more than"):
        take(project, bomb)
    assert vector_arrays.MAX_BYTES == 4 * 2**30


def test_no_more_of_a_header_is_read_than_one_can_have(project, clips):
    length = 40_000_000
    header = b"\x93NUMPY\x02\x00" + struct.pack("<I", length) + b" " * length
    bomb = without_vectors(header)
    tracemalloc.start()
    with pytest.raises(ReviewError, match="clip_vectors can't be read"):
        take(project, bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < length / 10


def test_more_ids_than_a_project_has_are_refused_unread(project, clips, monkeypatch):
    monkeypatch.setattr("review.retrieval.vector_npz.MAX_ROWS", 1)
    with pytest.raises(ReviewError, match=r"clips has more than 1 ids\. Import fewer clips"):
        take(project, npz())


def test_other_files_are_refused(project, clips):
    with pytest.raises(ReviewError, match=r"care\.pt is neither"):
        take(project, npz(), file_name="care.pt")


@pytest.mark.parametrize("name", ["   ", "x" * 81, "a\nb"])
def test_it_needs_a_name(project, clips, name):
    with pytest.raises(ReviewError, match="name"):
        take(project, npz(), name=name)


def test_a_name_is_taken_once_even_after_it_was_removed(project, clips, ada):
    made = take(project, npz())
    with pytest.raises(ReviewError, match="The name “Elsewhere” is or was already taken"):
        take(project, npz())
    with pytest.raises(ReviewError, match="The name “elseWHERE” is or was already taken"):
        take(project, npz(), name="elseWHERE ")
    remove_vector_set(vector_set=made, admin=ada)
    remove_vector_set(vector_set=made, admin=ada)
    assert AuditEvent.objects.filter(verb="remove vectors").count() == 1
    with pytest.raises(ReviewError, match="is or was already taken"):
        take(project, npz())


def release_of(project, clip):
    made = Release.objects.create(
        project=project, version="1.0.0", content_hash="0" * 64, clip_count=1, proof=NO_PROOF
    )
    general, spatial = (clip.captions.filter(kind=kind).first() for kind in ("general", "spatial"))
    ReleasedClip.objects.create(
        release=made, clip=clip, file_name=f"{clip.name}.mp4",
        caption=general, spatial_caption=spatial, temporal_caption=write(clip, kind="temporal"),
    )  # fmt: skip
    return made


def test_vectors_for_a_release_belong_to_its_own_captions(project, clips):
    release = release_of(project, clips[0])
    frozen = clips[0].captions.get(kind="general")
    write(clips[0], "A newer text.")
    arrays = {name: array[:1] for name, array in good().items()}
    made = take(project, npz(**arrays), release=release)
    assert ImportedVector.objects.get(vector_set=made, caption__isnull=False).caption == frozen
    assert AuditEvent.objects.get(verb="import vectors").after["release"] == "1.0.0"


def test_vectors_for_a_release_may_not_be_of_other_clips(project, clips):
    release = release_of(project, clips[0])
    with pytest.raises(ReviewError, match=r"release 1\.0\.0 has no clip 'b'"):
        take(project, npz(), release=release)


def test_the_command_imports_a_file(project, clips, tmp_path, capsys):
    path = tmp_path / "care.npz"
    path.write_bytes(npz().getvalue())
    call_command("import_vectors", project.slug, str(path), "--name", "CARE")
    assert "Imported 4 vectors of 2 numbers as CARE." in capsys.readouterr().out
    for arguments, message in (
        (["--name", "CARE"], "is or was already taken"),
        (["--name", "New", "--release", "9.9.9"], "has no release 9.9.9"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("import_vectors", project.slug, str(path), *arguments)
    with pytest.raises(CommandError, match="can't be read"):
        call_command("import_vectors", project.slug, str(Path("/no/such.npz")), "--name", "New")


def test_many_rows_are_read_a_block_at_a_time(project, monkeypatch):
    monkeypatch.setattr("review.retrieval.vector_arrays.BATCH_BYTES", 40)
    clips = [make_clip(project, original_name=f"c{number}.mp4") for number in range(12)]
    for clip in clips:
        clip.project = project
        write(clip)
    names = np.array([clip.name for clip in clips])
    pictures = np.arange(1, 25, dtype="f4").reshape(12, 2)
    made = take(project, npz(clips=names, clip_vectors=pictures, general=names,
                             general_vectors=pictures[::-1]))  # fmt: skip
    counts = made.vectors.values_list("caption__kind").annotate(n=Count("pk")).order_by("n")
    assert sorted(counts, key=str) == [("general", 12), (None, 12)]
    last = ImportedVector.objects.get(vector_set=made, clip=clips[-1], caption=None)
    unit = pictures[-1] / np.linalg.norm(pictures[-1])
    assert np.frombuffer(last.vector, "<f4").tolist() == pytest.approx(unit.tolist())
