"""What a spreadsheet would run is only text, and comes back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.spreadsheets import guarded, unguarded


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "＝1", "'=1"])
def test_a_cell_that_a_spreadsheet_would_run_is_guarded(cell):
    assert guarded(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["", "0", "A man.", "'tis so.", "''", "a=1"])
def test_any_other_cell_stays(cell):
    assert (guarded(cell), unguarded(cell)) == (cell, cell)


@given(st.text("'=+-@\t\r\n＝ a", max_size=6))
def test_each_cell_comes_back_from_its_guard(cell):
    assert unguarded(guarded(cell)) == cell
