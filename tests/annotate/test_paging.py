"""Pages of rows that are counted before they are read."""

from django.core.paginator import Paginator

from annotate.paging import CountedRows


def counted_letters(ranges):
    def read(start, stop):
        ranges.append((start, stop))
        return "abcdefg"[start:stop]

    return CountedRows(7, read)


def test_a_page_reads_its_own_rows_once():
    ranges = []
    page = Paginator(counted_letters(ranges), 3).get_page(2)
    assert (list(page), list(page), page.paginator.num_pages) == (["d", "e", "f"],) * 2 + (3,)
    assert ranges == [(3, 6)]


def test_the_last_page_ends_with_the_last_row():
    ranges = []
    assert list(Paginator(counted_letters(ranges), 3).get_page("last")) == ["a", "b", "c"]
    assert list(Paginator(counted_letters(ranges), 3).get_page(9)) == ["g"]
    assert ranges == [(0, 3), (6, 7)]


def test_one_row_is_read_alone():
    ranges = []
    assert (counted_letters(ranges)[4], ranges) == ("e", [(4, 5)])
