"""Pages of rows that are counted before they are read."""

from django.core.paginator import Paginator

from annotate.paging import CountedRows


def counted_letters(asked):
    def read(start, stop):
        asked.append((start, stop))
        return "abcdefg"[start:stop]

    return CountedRows(7, read)


def test_a_page_reads_its_own_rows_once():
    asked = []
    page = Paginator(counted_letters(asked), 3).get_page(2)
    assert (list(page), list(page), page.paginator.num_pages) == (["d", "e", "f"],) * 2 + (3,)
    assert asked == [(3, 6)]


def test_the_last_page_ends_with_the_last_row():
    asked = []
    assert list(Paginator(counted_letters(asked), 3).get_page("last")) == ["a", "b", "c"]
    assert list(Paginator(counted_letters(asked), 3).get_page(9)) == ["g"]
    assert asked == [(0, 3), (6, 7)]


def test_one_row_is_read_alone():
    asked = []
    assert (counted_letters(asked)[4], asked) == ("e", [(4, 5)])
