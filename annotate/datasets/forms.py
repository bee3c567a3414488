"""The form that imports the files of a data set."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.datasets.files import DatasetFile
from annotate.datasets.formats import FORMATS
from annotate.forms import MAX_UPLOADED, UPLOAD_LIMIT, LeavesOutRows


class DatasetForm(LeavesOutRows):
    field_order = ("format", "annotations", "times", "labels", "skips_bad")

    format = forms.ChoiceField(choices=list(FORMATS.items()), initial="csv")
    annotations = forms.FileField(
        label="Clips",
        required=False,
        help_text="The label of each clip, and its place in the video.",
    )
    times = forms.FileField(
        required=False,
        help_text="FineGym only: finegym_annotation_info_v1.1.json. Without it, each clip must be "
        "a file of its own.",
    )
    labels = forms.FileField(
        required=False,
        help_text="The meaning of each label: label, caption, source, event. CSV, JSON or "
        "FineGym's list.",
    )

    def clean(self) -> dict[str, Any]:
        if not (self.files.get("annotations") or self.files.get("labels")):
            raise forms.ValidationError("Choose the clips, the labels, or both.")
        uploads = [file for file in self.files.values() if isinstance(file, UploadedFile)]
        if sum(upload.size or 0 for upload in uploads) > MAX_UPLOADED:
            raise forms.ValidationError(
                f"The files have more than {UPLOAD_LIMIT} together. Import them "
                "on the server with manage.py import_dataset."
            )
        return self.cleaned_data

    def chosen_files(self) -> dict[str, DatasetFile]:
        """Return the chosen files by the name of their field."""
        uploads = {field: self.cleaned_data[field] for field in ("annotations", "times", "labels")}
        return {
            field: DatasetFile(upload.name or "", upload.read())
            for field, upload in uploads.items()
            if upload
        }
