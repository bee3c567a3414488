"""The form to import a vector file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.forms import offer_rows, validate_visible
from annotate.models import Project
from review.captions.model_names import LONGEST_NAME
from review.frozen.models import Release

LARGEST_MB = 8


class ImportForm(forms.Form):
    name = forms.CharField(
        label="Model",
        max_length=LONGEST_NAME,
        help_text="The name that tables show.",
        validators=[validate_visible],
    )
    vectors = forms.FileField(
        label="File",
        widget=forms.FileInput(attrs={"accept": ".npz,.safetensors"}),
        help_text=f".npz or .safetensors, at most {LARGEST_MB} MB. For a larger file, use "
        "manage.py import_vectors.",
        error_messages={
            "required": "Choose the file with the vectors.",
            "empty": "The file is empty. Choose another.",
        },
    )
    release = forms.ModelChoiceField(
        queryset=Release.objects.none(),
        to_field_name="version",
        required=False,
        empty_label="The project as it is now",
        help_text="If you choose a release, only its clips and captions are accepted.",
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        releases = project.releases.order_by("-pk")
        offer_rows(self, "release", releases, lambda release: f"Release {release.version}")

    def clean_vectors(self) -> UploadedFile[bytes]:
        vectors: UploadedFile[bytes] = self.cleaned_data["vectors"]
        if (vectors.size or 0) > LARGEST_MB * 1024 * 1024:
            raise forms.ValidationError(
                f"The file is larger than {LARGEST_MB} MB. Use manage.py import_vectors."
            )
        return vectors
