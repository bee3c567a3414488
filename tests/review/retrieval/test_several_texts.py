"""Recall of a data set with several texts per clip, such as MSVD (CaReBench, Table 7)."""

import numpy as np
import pytest

from annotate.models import Caption
from inference.planning.plans import subjects_of
from inference.planning.presets import options_for
from inference.planning.recipes import make_recipe
from review.errors import ReviewError
from review.retrieval.models import ImportedVector
from tests.cast import make_clip
from tests.review.published.publishing import as_json, import_captions
from tests.review.retrieval.vector_files import npz, take
from tests.review.retrieval.vectors import embed, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return [make_clip(project, original_name=f"{name}.mp4") for name in "ab"]


def numbers(report, kind, way="t2v"):
    return report.result["kinds"][kind][way]


def test_all_texts_of_a_clip_search(project, clips):
    texts = {"a": ["Far.", "Near.", "Half."], "b": ["Near b."]}
    rows = [{"video": f"{name}.mp4", "caption": list_of} for name, list_of in texts.items()]
    import_captions(project, as_json(*rows), name="MSVD")
    run = make_recipe("embed", options_for(project, "embed", {"of": "captions"}))
    captions = list(Caption.objects.order_by("pk"))
    assert [subject.pk for subject in subjects_of(project, run)] == [
        caption.pk for caption in captions
    ]
    for clip, picture in zip(clips, ((1, 0), (0, 1)), strict=True):
        embed(clip, *picture)
    numbers_of = {"Far.": (-1, 0.1), "Near.": (1, 0.1), "Half.": (0.5, 0.6), "Near b.": (0, 1)}
    for caption in captions:
        embed(caption, *numbers_of[caption.text])
    report = report_of(project)
    # Of four texts, two find their clip first; each clip finds one of its texts first.
    assert numbers(report, "general")["hits"]["1"] == 2
    assert numbers(report, "general")["n_queries"] == 4
    assert numbers(report, "general", "v2t")["recall"]["1"] == 1.0
    assert numbers(report, "general", "v2t")["n_queries"] == 2
    # Once somebody writes another caption, the further texts are none of the benchmark's.
    write_newer = {"source": "merged", "text": "B.", "word_count": 1, "kind": "general"}
    Caption.objects.create(project=project, clip=clips[0], **write_newer)
    assert report_of(project).result["kinds"]["general"]["t2v"]["n_queries"] == 1


def test_a_repeated_name_means_the_next_text_of_its_clip(project, clips):
    rows = [{"video": "a.mp4", "caption": ["One.", "Two."]}, {"video": "b.mp4", "caption": "B."}]
    import_captions(project, as_json(*rows), name="MSVD")
    ids, vectors = np.array(["a", "b", "a"]), np.array([[1, 0], [0, 1], [1, 1]], dtype="f4")
    made = take(project, npz(general=ids, general_vectors=vectors))
    of_captions = ImportedVector.objects.filter(vector_set=made, caption__isnull=False)
    texts = of_captions.order_by("pk").values_list("caption__text", flat=True)
    assert list(texts) == ["One.", "B.", "Two."]
    report = report_of(project)
    assert (report.parameters["general"], report.parameters["newer"]) == (3, 0)
    with pytest.raises(ReviewError, match=r"general, row 4: .a. is also in row 3"):
        take(
            project,
            npz(
                general=np.array(["a", "b", "a", "a"]), general_vectors=np.eye(4, 2, dtype="f4") + 1
            ),
            "Again",
        )
