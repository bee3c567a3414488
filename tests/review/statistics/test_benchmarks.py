"""Table 1: rows of other benchmarks beside the project's own."""

import csv
import io
import json

import pytest
from django.urls import reverse

from annotate.models import AuditEvent, Project, WorkItem
from annotate.protocols import registered_protocols
from review.reports.services import recompute
from review.statistics.columns import columns_of
from review.statistics.models import BenchmarkRow
from review.statistics.own_rows import own_rows
from review.statistics.pages import printed_rows
from review.statistics.report import count_statistics
from review.statistics.services import RowsInvalid, read_rows
from review.triplets.models import TripletSet
from tests.cast import client_of, make_clip
from tests.markup import squeezed
from tests.review.statistics.corpus import caption, cut
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db
PASTED = 'benchmark,source,samples,words,static_focus\nMSVD,"Chen, 2011","1,000",7.01,no\n'


def url(name, *keys):
    return reverse(f"review:{name}", args=["dives", *keys])


def texts(response):
    return squeezed(response.text)


def test_rows_are_pasted_with_their_sources_and_shown_to_everybody(project, ada, anna):
    clip, draft = make_clip(project), make_clip(project)
    caption(draft, 10, "machine")
    caption(draft, 20, "human")
    [unfinished] = own_rows(project, count_statistics(project))
    assert (unfinished.source, unfinished.values) == (
        "human texts of 0 finished clips",
        {"samples": 0},
    )
    merged = caption(clip, 200, "merged")
    for kind in ("write", "merge", "split"):
        WorkItem.objects.create(
            project=project, clip=clip, kind=kind, state="done", needed=1, open_slots=0
        )
    for kind in ("spatial", "temporal"):
        caption(clip, 80, "human", kind).parents.add(merged)
    recompute(project=project, name="statistics")
    client_of(ada).post(url("paste_benchmark_rows"), {"rows": PASTED})
    page = reverse("review:report_page", args=["dives", "corpus/statistics"])
    response = client_of(anna).get(page)
    other, own = response.context["benchmarks"].rows
    assert (other.name, other.source) == ("MSVD", "Chen, 2011")
    assert [text for text, _ in other.cells] == ["1,000", "–", "7.01", "–", "–", "✗", "–"]
    seconds = f"{clip.duration_ms / 1000:,.2f}"
    assert [text for text, _ in own.cells] == ["1", seconds, "200.00", "Human", "✓", "✓", "✓"]
    assert own.source == "human texts of 1 finished clip"
    assert "Edit other benchmarks" not in response.text
    latex = client_of(anna).get(f"{page}table-1.tex").text
    assert r"MSVD (Chen, 2011) & 1,000 & -- & 7.01 & -- & -- & $\times$ & -- \\" in latex
    rows = list(csv.DictReader(io.StringIO(client_of(anna).get(f"{page}table-1.csv").text)))
    assert [(row["benchmark"], row["own"], row["words"]) for row in rows] == [
        ("MSVD", "no", "7.01"),
        ("Dives", "yes", "200"),
    ]
    numbers = json.loads(client_of(anna).get(f"{page}table-1.json").text)
    assert [row["static_focus"] for row in numbers["rows"]] == [False, True]


def test_a_row_is_typed_changed_and_removed(project, ada):
    client = client_of(ada)
    typed = {"name": "VDC", "source": "Chai et al.", "samples": "1.03K", "hierarchical": "yes"}
    client.post(url("add_benchmark_row"), typed)
    row = BenchmarkRow.objects.get()
    assert row.values == {"samples": 1030.0, "hierarchical": True}
    page = client.get(url("benchmark_row", row.pk)).text
    assert 'value="1030"' in page
    client.post(url("benchmark_row", row.pk), typed | {"samples": ""})
    row.refresh_from_db()
    assert row.values == {"hierarchical": True}
    refused = client.post(url("remove_benchmark_row", row.pk))
    assert (refused.status_code, BenchmarkRow.objects.count()) == (422, 1)
    client.post(url("remove_benchmark_row", row.pk), {"confirm": "on"})
    assert not BenchmarkRow.objects.exists()
    event = AuditEvent.objects.get(verb="remove benchmark")
    assert event.before["values"] == {"hierarchical": True}


def test_wrong_rows_are_named_and_nothing_is_added(project, ada):
    pasted = (
        "benchmark,source,samples,hierarchical\n"
        "MSVD,,670,no\n"
        "VDC,Chai,many,maybe\n"
        "VDC,Chai,1,no\n"
        "DiDeMo,Hendricks,1,037,no\n"
    )
    response = client_of(ada).post(url("paste_benchmark_rows"), {"rows": pasted})
    assert response.status_code == 422
    page = texts(response)
    for sentence in (
        "Line 2: The source is empty. Write it.",
        "Line 3: # Samples is “many”. Write a number such as 1,000 or 14.35, or leave it empty.",
        "Line 3: Hierarchical is “maybe”. Write yes or no, or leave it empty.",
        "Line 4: VDC is in the rows twice. Leave one out.",
        "Line 5: It has 5 cells, but the header has 4. Put values with a comma in quotation marks.",
    ):
        assert sentence in page
    assert "VDC,Chai,many,maybe" in response.text
    assert not BenchmarkRow.objects.exists()


@pytest.mark.parametrize(
    ("pasted", "sentence"),
    [
        ("", "Paste a line of column names"),
        ("benchmark,samples\nMSVD,1", "The column source is missing."),
        ("benchmark,source,length\nMSVD,Chen,1", "There is no column “length”. Use: benchmark,"),
        ("benchmark,source,source\nMSVD,Chen,1", "The column 'source' appears twice."),
        ("benchmark,source\n", "There is no line below the column names."),
        ('benchmark,source\n"MSVD,Chen', "quotation marks don’t match"),
    ],
)
def test_a_wrong_head_says_what_to_write(project, pasted, sentence):
    with pytest.raises(RowsInvalid) as refusal:
        read_rows(project, pasted)
    assert sentence in " ".join(refusal.value.errors)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (f"{'x' * 81},Chen", "Line 2: The benchmark needs at most 80 visible characters."),
        ("MSVD,", "Line 2: The source is empty. Write it."),
    ],
)
def test_a_wrong_row_is_named_at_the_field_of_a_program(project, line, error):
    with pytest.raises(RowsInvalid) as refusal:
        read_rows(project, f"benchmark,source\n{line}")
    assert refusal.value.by_field() == [("rows", error)]


def test_a_paste_has_a_limited_number_of_rows(project, monkeypatch):
    monkeypatch.setattr("review.statistics.services.MAX_ROWS", 2)
    with pytest.raises(RowsInvalid) as refusal:
        read_rows(project, "benchmark,source\nMSVD,Chen\nMSR-VTT,Xu")
    assert refusal.value.errors == ["There are more than 1 rows. Paste fewer."]


def test_a_benchmark_is_in_the_table_once(project, ada):
    client = client_of(ada)
    send_in_place(client, url("benchmark_rows"), url("paste_benchmark_rows"), {"rows": PASTED})
    again = client.post(url("paste_benchmark_rows"), {"rows": PASTED.replace("MSVD", "msvd")})
    assert "msvd is in the table already. Change that row instead." in again.text
    typed = client.post(url("add_benchmark_row"), {"name": "MSVD", "source": "Chen"})
    assert (typed.status_code, BenchmarkRow.objects.count()) == (422, 1)


@pytest.mark.parametrize("protocol", [protocol.key for protocol in registered_protocols()])
def test_the_rows_that_the_paper_prints_can_be_added_as_they_are(project, ada, protocol):
    Project.objects.update(protocol=protocol)
    project.refresh_from_db()
    client = client_of(ada)
    assert "MSVD,&quot;Chen" in client.get(f"{url('benchmark_rows')}?rows=printed").text or (
        protocol == "tfcovr"
    )
    pasted = printed_rows(project)
    assert client.post(url("paste_benchmark_rows"), {"rows": pasted}).status_code == 302
    rows = BenchmarkRow.objects.count()
    assert rows == len(pasted.splitlines()) - 1 > 6
    keys = {column.key for column in columns_of(project)}
    assert all(row.values.keys() <= keys for row in BenchmarkRow.objects.all())
    assert len(printed_rows(project).splitlines()) == 1


def test_lovr_has_a_row_for_clips_and_one_for_videos(project):
    project.protocol = "lovr"
    project.min_clip_seconds = 1
    project.save()
    first, second = cut(project, 250, 250)
    caption(first, 10, "machine")
    caption(second, 20, "corrected")
    clips, videos = own_rows(project, count_statistics(project))
    assert clips.values == {
        "samples": 2,
        "seconds": 10.0,
        "words": 15.0,
        "annotator": "VLM + Human",
    }
    assert videos.values == {"samples": 1, "seconds": 20.0, "words": None, "annotator": None}


def test_tf_covr_has_the_row_of_its_newest_set_of_triplets(project):
    project.protocol = "tfcovr"
    project.save()
    statistics = count_statistics(project)
    assert own_rows(project, statistics) == []
    first, second = make_label(project, "1"), make_label(project, "2")
    change = modify(first, second)
    query = labelled_clip(project, first, "test")
    for _ in range(2):
        make_triplet(query, change, labelled_clip(project, second, "test"))
    TripletSet.objects.update(triplet_count=2)
    [row] = own_rows(project, statistics)
    assert row.values == {
        "type": "Video",
        "triplets": 2,
        "train": False,
        "eval": True,
        "multi_gt": True,
        "metric": "mAP@K",
        "sub_actions": 2,
    }
