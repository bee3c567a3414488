"""Forms that take a file say what a binary file is."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.candidates.forms import AnnotationsForm
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import DatasetFile, read_text
from annotate.forms import FileToImport
from review.annotation_table.forms import TableForm
from review.captions.forms import ImportForm
from review.composed.result_forms import ImportRankingForm
from review.elsewhere.forms import ResultsForm

VIDEO = b"\0\0\0\x20ftypisom\0\0\2\0" + bytes(600)
FORMS = (AnnotationsForm, TableForm, ImportForm, ImportRankingForm, ResultsForm)


@pytest.mark.parametrize("form", FORMS)
def test_a_video_is_refused_by_its_kind(form):
    (field,) = (f for f in form.base_fields.values() if isinstance(f, FileToImport))
    with pytest.raises(ValidationError) as refused:
        field.clean(SimpleUploadedFile("captions.json", VIDEO))
    assert refused.value.messages == [
        "This is a video, not a text. Upload it under Corpus → Upload videos."
    ]


def test_binary_files_that_a_form_takes_are_left_to_their_readers():
    field = FileToImport(choose="Choose it.", takes=(".npz", ".zip"))
    archive = SimpleUploadedFile("vectors.NPZ", b"PK\3\4" + bytes(60))
    assert field.clean(archive).read(2) == b"PK"


def test_a_data_set_that_is_a_picture_is_refused_by_its_kind():
    with pytest.raises(DatasetInvalid) as refused:
        read_text(DatasetFile("labels.csv", b"\x89PNG\r\n\x1a\n\0"))
    (fault,) = refused.value.faults
    assert "This is a picture, not a text." in str(fault)
