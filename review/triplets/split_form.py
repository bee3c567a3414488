"""Forms to split the source videos, by shares or by files."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.datasets.files import DatasetFile
from annotate.forms import MAX_UPLOADED, UPLOAD_LIMIT
from annotate.models import Video
from review.triplets.split_plan import Shares

MAX_SOURCES = 100
SPLIT_OF_FIELD = {**{split.value: split for split in Video.Split}, "table": None}
# The test split needs two, so that targets can be from another source video than the query.
USUAL = {"train": 70, "validation": 10, "test": 20, "seed": 0, "min_sources": 2}


def _min_sources() -> forms.IntegerField:
    return forms.IntegerField(
        label="Minimum source videos per split",
        min_value=1,
        max_value=MAX_SOURCES,
        initial=USUAL["min_sources"],
        required=False,
        help_text="With one, no target can be from another source video.",
    )


class SplitForm(forms.Form):
    train = forms.IntegerField(label="Train, percent of clips", min_value=1, max_value=100)
    validation = forms.IntegerField(label="Validation, percent", min_value=0, max_value=99)
    test = forms.IntegerField(label="Test, percent", min_value=0, max_value=99)
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        help_text="Another seed gives another split of the same quality.",
    )
    min_sources = _min_sources()

    def clean(self) -> dict[str, Any]:
        typed = (self.cleaned_data.get(name) for name in ("train", "validation", "test"))
        shares = [percent for percent in typed if percent is not None]
        if len(shares) == 3 and sum(shares) != 100:
            raise forms.ValidationError(
                f"The three add up to {sum(shares)} %. They must add up to 100 %."
            )
        return self.cleaned_data

    @property
    def choice(self) -> dict[str, Any]:
        """Return `shares`, `seed` and `min_sources` of a valid form."""
        chosen = self.cleaned_data
        shares = Shares(chosen["train"], chosen["validation"], chosen["test"])
        return {
            "shares": shares,
            "seed": chosen["seed"],
            "min_sources": chosen["min_sources"] or 1,
        }


class GivenSplitsForm(forms.Form):
    """Files of other data sets with the split of each clip or source video."""

    prefix = "given"
    train = forms.FileField(label="Train", required=False)
    validation = forms.FileField(label="Validation", required=False)
    test = forms.FileField(label="Test", required=False)
    table = forms.FileField(
        label="Or one table", required=False, help_text="source_video or clip, and split."
    )
    rest_to_train = forms.BooleanField(
        label="Put source videos that no file names in train", required=False
    )
    min_sources = _min_sources()

    def clean(self) -> dict[str, Any]:
        uploads = [file for file in self.files.values() if isinstance(file, UploadedFile)]
        if not uploads:
            raise forms.ValidationError("Choose at least one file.")
        if sum(upload.size or 0 for upload in uploads) > MAX_UPLOADED:
            raise forms.ValidationError(
                f"The files are larger than {UPLOAD_LIMIT} together. Import them on "
                "the server with manage.py import_splits."
            )
        return self.cleaned_data

    @property
    def choice(self) -> dict[str, Any]:
        """Return `files`, `rest_to_train` and `min_sources` of a valid form."""
        chosen = self.cleaned_data
        uploads = [(chosen[name], split) for name, split in SPLIT_OF_FIELD.items()]
        return {
            "files": [
                (DatasetFile(upload.name or "", upload.read()), split)
                for upload, split in uploads
                if upload
            ],
            "rest_to_train": chosen["rest_to_train"],
            "min_sources": chosen["min_sources"] or 1,
        }
