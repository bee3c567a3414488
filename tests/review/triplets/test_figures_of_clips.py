"""The figure of a query: its pictures, its text, its targets, right and wrong."""

import base64
import io
from xml.etree import ElementTree

import pytest
from PIL import Image

from annotate.models import Clip
from review.composed.figure_file import ranking_figure
from review.display.clip_figure import FigureClip, FigureRow, draw_figure
from review.triplets.clip_pictures import pictures_of
from review.triplets.figure_file import send_figure, triplet_figure
from tests.cast import make_clip
from tests.review.composed.retrieval import ask, report_of
from tests.review.triplets.verifying_triplets import make_query

SVG = "{http://www.w3.org/2000/svg}"
pytestmark = pytest.mark.django_db


def picture(address: str) -> Image.Image:
    kind, _, content = address.partition(",")
    assert kind == "data:image/jpeg;base64"
    return Image.open(io.BytesIO(base64.b64decode(content)))


class TestPictures:
    def test_they_are_tiles_of_the_filmstrip_or_the_poster(self, project, make_playable_clip):
        clip = make_playable_clip(project)
        tile = clip.video.filmstrip["tile_width"]
        assert [picture(address).width for address in pictures_of(clip, 3)] == [tile] * 3
        assert [picture(address).width for address in pictures_of(clip, 1)] == [320]

    def test_a_clip_without_enough_tiles_has_its_poster(self, project, make_playable_clip):
        clip = make_playable_clip(project, start_frame=1, end_frame=3)
        assert len(pictures_of(clip, 3)) == 1

    def test_a_clip_without_files_has_none(self, project):
        assert pictures_of(make_clip(project), 3) == []


class TestLayout:
    def test_clips_that_do_not_fit_go_below_each_other(self):
        clips = [FigureClip(str(n), "A dive", [], rank=n, mark="right") for n in range(1, 9)]
        drawing = draw_figure([FigureRow("Ranking", clips)])
        assert len({cell.y for cell in drawing.cells}) == 2
        assert max(cell.x + drawing.cell_width for cell in drawing.cells) <= drawing.width
        assert max(line.y for line in drawing.captions) < drawing.height

    def test_a_long_text_is_broken_and_stays_within_the_picture(self):
        clip = FigureClip("a", "", ["x", "y", "z"])
        drawing = draw_figure([FigureRow("Query", [clip], "show with many more twists " * 6)])
        assert len(drawing.texts) > 1
        assert max(line.y for line in drawing.texts) < drawing.height


def test_a_triplet_is_its_query_its_text_and_its_targets(project):
    query = make_query(project, targets=7, text="show <b>2</b> & more")
    drawing = triplet_figure(query)
    assert [line.text for line in drawing.headings] == ["Query", "5 of 7 targets"]
    assert [line.text for line in drawing.texts] == ["+ “show <b>2</b> & more”"]
    assert len(drawing.cells) == 1 + 5
    # What people wrote is text of a well-formed file, whatever is in it.
    svg = ElementTree.fromstring(send_figure(drawing, query, "query.svg").content)
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert "+ “show <b>2</b> & more”" in texts
    assert "Forward <b>1.5</b>" in texts


def test_ranked_clips_are_marked_and_those_left_out_are_missing(project):
    [query] = ask(project)
    report = report_of(project)
    drawing = ranking_figure(report, query, 2)
    rows = [line.text for line in drawing.headings]
    assert rows == [
        "Query",
        "Lexical vectors: query clip only",
        "Lexical vectors: modification only",
        "Lexical vectors: average of both",
    ]
    # By the query clip alone: the near target, then the other clip.
    assert [(mark.rank, mark.sign) for mark in drawing.marks[:2]] == [(1, "✓"), (2, "✗")]
    assert len(drawing.marks) == 6
    near = Clip.objects.get(pk=query.targets.first().target_id)
    assert near.label.caption in [line.text for line in drawing.captions]
