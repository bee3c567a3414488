"""Leakage as a report: the objects that a run found, with how it found them in the signature."""

import pytest

from annotate.models import Caption
from inference.models import ModelSpec
from review.elements.models import Extraction
from review.reports.models import Report
from review.reports.services import recompute
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return [described_clip(project), described_clip(project, category="Sports")]


def report(project) -> Report:
    [made] = recompute(project=project, name="leakage")
    return made


def test_objects_are_counted_in_both_captions_of_a_clip(project, clips):
    # Spatial: woman, red coat, kitchen. Temporal: woman, knife, tomato.
    judge(run=start(project, None, word_overlap(project)))
    made = report(project)
    assert (made.result["spatial"]["mean"], made.result["temporal"]["mean"]) == (3.0, 3.0)
    assert (made.result["ratio"], made.result["n_both"]) == (1.0, 2)
    assert made.signature.startswith(
        "leakage|extractor:word-overlap 1|clips:2|checked:0/4|bootstrap:1000|"
    )


def test_what_a_person_corrected_is_counted(project, clips, anna):
    judge(run=start(project, None, word_overlap(project)))
    extraction = Extraction.objects.filter(caption__kind="temporal", kind="objects").first()
    Extraction.objects.create(
        caption=extraction.caption, kind="objects", elements=[], author=anna, parent=extraction,
        recipe=extraction.recipe, method=extraction.method,
    )  # fmt: skip
    made = report(project)
    assert (made.result["temporal"]["mean"], made.parameters["checked"]) == (1.5, "1/4")


def test_a_caption_whose_objects_nobody_found_is_unknown(project, clips):
    captions = predictions(project, "Model A", dict.fromkeys(clips, PREDICTION))
    # It finds the objects of spatial captions alone.
    judge(run=start(project, captions, word_overlap(project)))
    made = report(project)
    assert (made.result["temporal"]["n"], made.result["temporal"]["n_unknown"]) == (0, 2)
    assert (made.result["ratio"], made.result["reason"]) == (
        None,
        "No clip has both numbers.",
    )


def test_each_extraction_method_has_its_report(project, clips):
    judge(run=start(project, None, word_overlap(project)))
    other = ModelSpec.objects.create(project=project, name="Other", backend="lexical")
    caption = Caption.objects.filter(kind="temporal").first()
    Extraction.objects.create(
        caption=caption, kind="objects", elements=["x"], recipe="f" * 64, method="other",
        model=other,
    )  # fmt: skip
    made = {stored.subject: stored for stored in recompute(project=project, name="leakage")}
    assert len(made) == 2
    assert made["f" * 64].result["temporal"] | {"quantiles": None, "sd": None} == {
        "n": 1, "n_unknown": 1, "total": 1, "mean": 1.0, "sd": None, "quantiles": None,
    }  # fmt: skip


def test_without_elements_there_is_no_report(project, clips):
    assert recompute(project=project, name="leakage") == []
