"""The forms that announce an upload, and that import from addresses."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.corpus.forms import FileFactsForm
from annotate.imports.addresses import FACTS, AddressRow, read_lines, read_table
from annotate.imports.manifest import ManifestInvalid

MAX_BYTES = 2**53  # the largest exact integer in JavaScript


class AnnouncedFileForm(FileFactsForm):
    """A file that a browser is about to send. The service checks its name."""

    name = forms.CharField(required=False, strip=False, validators=[])
    size = forms.IntegerField(min_value=0, max_value=MAX_BYTES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The service refuses a name with a NUL and shows the reason in the file's row.
        self.fields["name"].validators.clear()


class AddressesForm(FileFactsForm):
    """Addresses of videos, as lines with shared facts or as a table with facts for each. A valid
    form has the result in `rows` and the faults in `row_problems`.
    """

    addresses = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
        help_text="One per line, beginning with https://, each of the video file itself.",
    )
    table = forms.FileField(label="Or a CSV file", required=False, allow_empty_file=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows: list[AddressRow] = []
        self.row_problems: list[str] = []
        self.fields["table"].widget.attrs["accept"] = ".csv,text/csv"

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        text, table = values.get("addresses", "").strip(), values.get("table")
        if bool(text) == bool(table):
            self.add_error(
                "addresses",
                "Enter addresses, or choose a CSV file, not both."
                if text
                else "Enter the addresses of the videos, or choose a CSV file.",
            )
        elif not self.errors:
            facts = {name: values[name] for name in FACTS}
            try:
                self.rows = read_table(table.read()) if table else read_lines(text, facts)
            except ManifestInvalid as error:
                self.row_problems = error.problems
                self.add_error(None, str(error))
        return values
