"""The number from which a caption is kept, as an admin types it."""

from __future__ import annotations

from django import forms

from inference.forms.models import bounded
from inference.services.thresholds import LEAST, MOST


class ThresholdForm(forms.Form):
    """`scorer` says whose threshold it is; the form of each has ids of its own."""

    scorer = forms.CharField(widget=forms.HiddenInput)
    value = bounded(
        forms.FloatField,
        LEAST,
        MOST,
        label="New threshold",
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="From -1 to 1. Captions with a lower score are written again by refine.",
    )
