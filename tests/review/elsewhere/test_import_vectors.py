"""Vectors made elsewhere become finished embed runs with their frames, which recall compares."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from django.urls import reverse

from inference.models import Embedding, InferenceRun
from inference.runs.preview import preview_run
from review.elsewhere.services import import_results, preview_results
from review.elsewhere.statement import Statement
from review.errors import ReviewError
from review.reports.services import recompute
from review.retrieval.queries import settings_of
from review.retrieval.row_faults import VectorsInvalid
from tests.cast import client_of
from tests.inference.cast import make_model
from tests.review.retrieval.vector_files import npz, two_clips

pytestmark = pytest.mark.django_db

STATED = Statement("CLIP-L", "middle:12")


@pytest.fixture
def clips(project):
    project.min_clip_seconds, project.min_frame_side = 0, 1
    project.save()
    return two_clips(project)


def bring_in(project, file, stated=STATED):
    return import_results(
        project=project, kind="embed", file=file, file_name="a.npz", stated=stated, admin=None
    )


def test_each_part_is_a_run_and_recall_compares_them(project, clips):
    runs = bring_in(project, npz())
    assert [(run.recipe["options"]["of"], run.total) for run in runs] == [
        ("clips", 2),
        ("captions", 2),
    ]
    vectors = Embedding.objects.filter(clip=clips[0]).get()
    assert np.frombuffer(vectors.vector, "<f4").tolist() == pytest.approx([0.6, 0.8])
    assert vectors.sampling == {"kind": "middle", "count": 12}
    assert vectors.item.clip == clips[0]
    (setting,) = settings_of(project)
    assert (setting.model, setting.kinds) == ("CLIP-L", ["general"])
    assert "12" in setting.frames


def test_the_preview_stores_nothing_and_the_same_file_is_refused(project, clips):
    sentences = preview_results(
        project=project, kind="embed", file=npz(), file_name="a.npz", stated=STATED
    ).sentences
    assert sentences[0].startswith(
        "2 vectors by CLIP-L of “Clips” are imported as a finished embed"
    )
    assert sentences[-1] == "No caption changes."
    assert not InferenceRun.objects.exists()
    bring_in(project, npz())
    with pytest.raises(ReviewError, match="already imported as run"):
        bring_in(project, npz())
    assert (InferenceRun.objects.count(), Embedding.objects.count()) == (2, 4)


def test_vectors_of_an_encoder_of_the_project_are_not_made_again(project, clips, settings):
    settings.VERICAP_ALLOWED_MODELS = ["*"]
    encoder = make_model(project, "transformers-dual", model_id="openai/clip")
    bring_in(project, npz(), Statement(encoder.name, "middle:32"))
    options = {"of": "captions"}
    preview = preview_run(project=project, kind="embed", model=encoder, options=options)
    assert (preview.total, preview.to_do) == (2, 0)


def test_two_samplings_of_one_model_are_one_study(project, clips, ada):
    """As in LoVR's Table 4."""
    bring_in(project, npz())
    turned = np.array([[0, 1], [1, 0]], dtype="f4")
    bring_in(project, npz(clip_vectors=turned), Statement("CLIP-L", "middle:24"))
    recompute(project=project, name="recall")
    page = client_of(ada).get(reverse("review:report_page", args=[project.slug, "recall"]))
    [study] = page.context["studies"]
    assert study.model == "CLIP-L"
    names = [(row.name, row.cells[0].value) for row in study.table.rows]
    assert names == [("12 frames, evenly spread", 100.0), ("24 frames, evenly spread", 0.0)]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"clips": np.array(["a", "x"])}, "clips, row 2: the project has no clip 'x'"),
        (
            {"clip_vectors": np.array([[1, 0], [np.nan, 0]], dtype="f4")},
            "clip_vectors, row 2: it contains NaN",
        ),
        ({"clips": np.array(["a", "a"])}, "clips, row 2: 'a' is also in row 1. Keep one."),
    ],
)
def test_an_error_names_its_row_and_stores_nothing(project, clips, changes, words):
    with pytest.raises(ReviewError, match=words):
        bring_in(project, npz(**changes))
    assert not InferenceRun.objects.exists()
    assert not Embedding.objects.exists()


def test_rows_with_an_error_are_left_out_if_the_admin_chose_so(project, clips):
    file = npz(
        clips=np.array(["x", "b", "b"]),
        clip_vectors=np.array([[1, 0], [0, 2], [1, 1]], dtype="f4"),
        general_vectors=np.array([[0, 0], [0, 1]], dtype="f4"),
    )
    preview = preview_results(
        project=project, kind="embed", file=file, file_name="a.npz", stated=STATED, skips_bad=True
    )
    assert [(fault.row, fault.field) for fault in preview.left_out.faults] == [
        ("row 1 of clips", "clips"),
        ("row 1 of general", "general_vectors"),
        ("row 3 of clips", "clips"),
    ]
    with pytest.raises(VectorsInvalid, match="3 problems in the file") as error:
        bring_in(project, file)
    assert error.value.rows() == [asdict(fault) for fault in preview.left_out.faults]
    runs = import_results(
        project=project, kind="embed", file=file, file_name="a.npz", stated=STATED, admin=None,
        skips_bad=True,
    )  # fmt: skip
    assert [run.total for run in runs] == [1, 1]
    assert Embedding.objects.count() == 2
    assert preview.sentences[-2] == "3 rows with an error left out."


def test_a_file_without_a_good_row_is_refused_in_any_case(project, clips):
    nothing = npz(clips=np.array(["x", "y"]), general=np.array(["x", "y"]))
    with pytest.raises(VectorsInvalid, match="4 problems"):
        import_results(
            project=project, kind="embed", file=nothing, file_name="a.npz", stated=STATED,
            admin=None, skips_bad=True,
        )  # fmt: skip
    assert not InferenceRun.objects.exists()


def test_vectors_of_another_length_or_without_frames_are_refused(project, clips):
    with pytest.raises(ReviewError, match="State the frames of the vectors"):
        bring_in(project, npz(), Statement("CLIP-L"))
    bring_in(project, npz())
    longer = {
        "clip_vectors": np.eye(2, 3, dtype="f4"),
        "general_vectors": np.eye(2, 3, dtype="f4"),
    }
    with pytest.raises(ReviewError, match="The vectors of CLIP-L have 2 numbers, and these 3"):
        bring_in(project, npz(**longer))
