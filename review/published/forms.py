"""The forms of imports of human captions."""

from __future__ import annotations

from dataclasses import fields

from django import forms

from annotate.forms import UPLOAD_LIMIT, FileToImport, LeavesOutRows, validate_visible
from review.captions.model_names import MAX_NAME_LENGTH
from review.published.bundled import ZIP
from review.published.plan import Options


class CheckForm(LeavesOutRows):
    field_order = ("name", "file", "leaves_out", "joins", "skips_bad")

    name = forms.CharField(
        label="Data set",
        max_length=MAX_NAME_LENGTH,
        help_text="The name of the data set, such as “CaReBench v1”. It stays with each caption.",
        validators=[validate_visible],
    )
    file = FileToImport(
        takes=ZIP,
        accept=".json,.jsonl,.csv,.tsv,.txt,.vtt,.srt,.parquet,.zip",
        help_text="JSON, JSONL, CSV, Parquet, WebVTT, SRT or lines of text, or a ZIP of WebVTT or "
        f"SRT files or of a release without its videos, at most {UPLOAD_LIMIT}. For a larger "
        "file, use manage.py import_human_captions.",
        choose="Choose the file with the captions.",
        mend="Import it on the server with manage.py import_human_captions.",
    )
    leaves_out = forms.BooleanField(
        required=False,
        label="Leave out rows about videos that the project doesn’t have",
    )
    joins = forms.BooleanField(
        required=False,
        label="Join several texts of a video into one paragraph, as for DiDeMo",
    )

    @property
    def options(self) -> Options:
        return Options(**{field.name: self.cleaned_data[field.name] for field in fields(Options)})


class RemoveForm(forms.Form):
    confirm = forms.BooleanField(
        label="Remove these captions from the project",
        error_messages={"required": "Tick this box to remove them."},
    )
