"""What an admin types to bring in human captions, as values."""

from __future__ import annotations

from dataclasses import fields

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.forms import validate_visible
from review.captions.model_names import LONGEST_NAME
from review.published.plan import Options

MOST_UPLOADED = 8 * 1024 * 1024


class CheckForm(forms.Form):
    name = forms.CharField(
        label="Data set",
        max_length=LONGEST_NAME,
        help_text="The name of the data set, such as “CaReBench v1”. It stays with each caption.",
        validators=[validate_visible],
    )
    file = forms.FileField(
        widget=forms.FileInput(attrs={"accept": ".json,.jsonl,.csv,.txt,.vtt,.parquet,.zip"}),
        help_text="JSON, JSONL, CSV, Parquet, WebVTT or lines of text, or a ZIP of WebVTT files "
        f"or of a release without its videos, at most {MOST_UPLOADED // 2**20} MiB. For a larger "
        "file, use manage.py import_human_captions.",
        error_messages={
            "required": "Choose the file with the captions.",
            "empty": "The file is empty. Choose the file with the captions.",
        },
    )
    leaves_out = forms.BooleanField(
        required=False,
        label="Leave out rows about videos that the project doesn’t have",
    )
    joins = forms.BooleanField(
        required=False,
        label="Join several texts of a video into one paragraph, as for DiDeMo",
    )

    skips_bad = forms.BooleanField(
        required=False,
        label="Leave out rows with an error and import the others",
    )

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_UPLOADED:
            raise forms.ValidationError(
                f"The file is larger than {MOST_UPLOADED // 2**20} MiB. Import it on the server "
                "with manage.py import_human_captions."
            )
        return file

    @property
    def options(self) -> Options:
        return Options(**{field.name: self.cleaned_data[field.name] for field in fields(Options)})


class RemoveForm(forms.Form):
    confirm = forms.BooleanField(
        label="Remove these captions from the project",
        error_messages={"required": "Tick this box to remove them."},
    )
