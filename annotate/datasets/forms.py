"""The files of a data set, from the page that brings them in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.datasets.files import DatasetFile
from annotate.datasets.formats import FORMATS, read_clips
from annotate.datasets.label_files import read_labels

MOST_UPLOADED = 8 * 1024 * 1024


class DatasetForm(forms.Form):
    format = forms.ChoiceField(choices=list(FORMATS.items()), initial="csv")
    annotations = forms.FileField(
        label="Clips", required=False, help_text="What each clip shows, and where it lies."
    )
    times = forms.FileField(
        required=False,
        help_text="FineGym only: finegym_annotation_info_v1.1.json. Without it, each clip must be "
        "a file of its own.",
    )
    labels = forms.FileField(
        required=False,
        help_text="What each label means: label, caption, source. CSV, JSON or FineGym's list.",
    )

    def clean(self) -> dict[str, Any]:
        if not (self.files.get("annotations") or self.files.get("labels")):
            raise forms.ValidationError("Choose the clips, the labels, or both.")
        if sum(upload.size for upload in self.files.values()) > MOST_UPLOADED:
            raise forms.ValidationError(
                f"The files are larger than {MOST_UPLOADED // 2**20} MiB together. Bring them in "
                "on the server with manage.py import_dataset."
            )
        return self.cleaned_data

    def read(self) -> dict[str, Any]:
        """What `import_dataset` stores. Raises DatasetInvalid."""
        chosen = self.cleaned_data
        clips, times, labels = (
            _file(chosen[field]) for field in ("annotations", "times", "labels")
        )
        return {
            "clips": read_clips(chosen["format"], clips, times) if clips else [],
            "clips_file": clips.name if clips else "",
            "labels": read_labels(labels) if labels else [],
            "labels_file": labels.name if labels else "",
        }


def _file(upload: UploadedFile | None) -> DatasetFile | None:
    if not upload:
        return None
    return DatasetFile(upload.name or "", upload.read())
