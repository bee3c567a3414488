"""How the list of labels is searched."""

from __future__ import annotations

from django import forms


class LabelSearchForm(forms.Form):
    """A GET parameter. What isn't valid is no filter, so that an old link still opens the page."""

    q = forms.CharField(label="Id, or words of the caption", max_length=200, required=False)

    @property
    def words(self) -> str:
        return self.cleaned_data["q"] if self.is_valid() else ""
