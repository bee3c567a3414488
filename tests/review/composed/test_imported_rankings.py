"""Rankings and vectors of models that ran elsewhere: read, refused, scored."""

import csv
import io
import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from annotate.models import AuditEvent
from review.composed.models import ImportedRanking
from review.composed.result_files import (
    results_signature,
    results_table,
)
from review.composed.results import result_tables
from review.composed.services import RunFacts, import_ranking, remove_ranking
from review.errors import ReviewError
from review.triplets.models import TripletSet
from tests.cast import make_project
from tests.review.composed.retrieval import ask, judge
from tests.review.triplets.triplets import labelled_clip

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    """Two queries, with the same near and far targets, and one more clip."""
    project = make_project()
    ask(project, 2)
    return {"project": project, "triplets": TripletSet.objects.get(project=project)}


@pytest.fixture
def triplets(shared) -> TripletSet:
    return shared["triplets"]


def names(triplets) -> dict[str, str]:
    """Return the names of the clips: near, far, other, and those of the two queries."""
    first, second = triplets.queries.order_by("pk")
    near, far = first.targets.values_list("target__name", flat=True)
    clips = {"near": near, "far": far, "first": first.clip.name, "second": second.clip.name}
    others = triplets.project.clips.filter(label__isnull=False).exclude(name__in=clips.values())
    return clips | {"other": others.get().name}


def bring_in(triplets, content, *, file_name="x.json", verified_only=False, **facts):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return import_ranking(
        triplets=triplets, facts=RunFacts(**{"name": "Mine", **facts}), file_name=file_name,
        data=data, verified_only=verified_only, admin=None,
    )  # fmt: skip


def oracle(triplets, **facts):
    clips = names(triplets)
    ranked = [clips["near"], clips["far"], clips["other"]]
    return bring_in(triplets, {"0": ranked, "1": ranked}, **facts)


def only_row(triplets, convention="circo"):
    [table] = [table for table in result_tables(triplets, convention) if table.groups]
    [row] = table.rows
    return row


def means(row) -> list[float]:
    return [spread.mean for spread in row.cells]


def test_a_perfect_oracle_gets_100(triplets):
    oracle(triplets)
    assert means(only_row(triplets)) == [1.0] * 4
    assert AuditEvent.objects.get(verb="import rankings").after["name"] == "Mine"


def test_an_oracle_over_right_clips_beyond_the_limit_gets_100_too(triplets):
    triplets.queries.first().targets.last().delete()
    triplets.queries.last().targets.last().delete()
    ranked = [names_of[key] for names_of in [all_names(triplets)] for key in ("far", "near")]
    bring_in(triplets, {"0": ranked, "1": ranked})
    assert means(only_row(triplets)) == [1.0] * 4
    assert means(only_row(triplets, "unlimited")) == [1.0] * 4
    assert means(only_row(triplets, "tfcovr")) == [2.0] * 4  # one row for each of the two queries


def all_names(triplets) -> dict[str, str]:
    label = triplets.queries.first().modification.target
    near, far = label.clips.order_by("pk").values_list("name", flat=True)
    return {"near": near, "far": far}


def test_ids_of_clips_csv_are_read_and_the_query_clip_is_left_out(triplets):
    clips = names(triplets)
    number = {name: str(place) for place, name in enumerate(sorted(clips.values()))}
    ranked = [int(number[clips[key]]) for key in ("first", "near", "other", "far")]
    ranking = bring_in(triplets, {"0": ranked, "1": ranked})
    first = triplets.queries.order_by("pk").first()
    assert first.clip_id not in ranking.clips[first.pk]
    # Right, wrong, right: 1 and 2/3. For the second query its clip is another's: wrong, right, …
    assert means(only_row(triplets))[0] == pytest.approx((5 / 6 + (1 / 2 + 2 / 4) / 2) / 2)


def test_vectors_are_ranked_here(triplets):
    clips = names(triplets)
    order = ["other", "far", "near", "second", "first"]
    file = io.BytesIO()
    np.savez(
        file,
        queries=np.array([1, 0]), query_vectors=np.eye(3, dtype="f4")[[0, 0]],
        clips=np.array([clips[key] for key in order]),
        clip_vectors=np.array([[0, 0, 1], [1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]], "f4"),
    )  # fmt: skip
    bring_in(triplets, file.getvalue(), file_name="mine.npz")
    assert means(only_row(triplets)) == [1.0] * 4


def with_clips(change):
    return lambda clips: {"0": [clips["near"]], "1": [clips["near"]]} | change(clips)


REFUSED = {
    "a missing query": (lambda c: {"0": [c["near"]]}, "query 1: it is missing, with 0 others."),
    "another set's query": (with_clips(lambda c: {"2": [c["near"]]}), "no such query_id. They go"),
    "a clip twice": (with_clips(lambda c: {"1": [c["far"]] * 2}), "place 2: .* at place 1"),
    "another project's clip": (with_clips(lambda _: {"1": ["there"]}), "1: the set has no clip"),
    "an id beyond the clips": (with_clips(lambda _: {"1": [99]}), "has no clip '99'. Use the"),
    "no number": (with_clips(lambda _: {"1": [True]}), "query 1, place 1: the set has no clip"),
    "no list": (with_clips(lambda _: {"1": "x"}), "query 1: give a list of clips"),
    "no object": (lambda _: [1], "must be an object from each query_id"),
    "no JSON": (lambda _: b"\x80\x04", "neither JSON, .npz nor .safetensors"),
    "a query twice": (lambda _: b'{"0": [], "0": []}', "query '0' is in the file twice"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_ranking_is_named_and_nothing_is_stored(triplets, case):
    content, message = REFUSED[case]
    with pytest.raises(ReviewError, match=message):
        bring_in(triplets, content(names(triplets)))
    assert not ImportedRanking.objects.exists()


def test_a_clip_outside_of_the_gallery_is_refused(project, triplets):
    clip = labelled_clip(project, two_labels_of(project), "train")
    with pytest.raises(ReviewError, match="is not in the test gallery"):
        bring_in(triplets, {"0": [clip.name], "1": [clip.name]})


def two_labels_of(project):
    return project.action_labels.first()


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"queries": ["0", "0"]}, "queries has an id twice"),
        ({"clips": ["near", "near", "far", "first", "second"]}, "clips has a clip twice"),
        (
            {"clips": ["near", "far"], "clip_vectors": np.eye(2, 5)},
            "clips: 3 of 5 clips of the test",
        ),
        ({"query_vectors": np.eye(2)}, "vectors of 2 dimensions and clip_vectors of 5"),
        ({"query_vectors": np.zeros((2, 5))}, "can't be ranked: row 0 of queries"),
        ({"general": ["a"]}, "an array 'general', which isn't known"),
    ],
)
def test_vectors_that_do_not_fit_are_named(triplets, arrays, message):
    clips = names(triplets)
    file_arrays = {
        "queries": ["0", "1"], "query_vectors": np.eye(2, 5),
        "clips": list(clips), "clip_vectors": np.eye(5), **arrays,
    }  # fmt: skip
    file_arrays["clips"] = [clips[key] for key in file_arrays["clips"]]
    file = io.BytesIO()
    np.savez(file, **{key: np.array(value) for key, value in file_arrays.items()})
    with pytest.raises(ReviewError, match=message):
        bring_in(triplets, file.getvalue(), file_name="mine.npz")


def test_seeds_of_one_model_are_one_row_with_their_spread(triplets):
    clips = names(triplets)
    worse = [clips["other"], clips["near"], clips["far"]]
    oracle(triplets, seed=1)
    bring_in(triplets, {"0": worse, "1": worse}, seed=2)
    row = only_row(triplets)
    low = (1 / 2 + 2 / 3) / 2
    assert row.seeds == [1, 2]
    assert row.cells[0].mean == pytest.approx((1 + low) / 2)
    assert row.cells[0].sd == pytest.approx((1 - low) / 2**0.5)
    # Two queries are too few for an interval.
    assert (row.cells[0].low, row.cells[0].reason) == (
        None, "From 2 queries; an interval needs at least 10.",
    )  # fmt: skip
    with pytest.raises(ReviewError, match="Mine, seed 2 already has rankings for"):
        oracle(triplets, seed=2)


def test_a_removed_run_is_in_no_table_but_kept(triplets):
    ranking = oracle(triplets)
    remove_ranking(ranking=ranking, admin=None)
    remove_ranking(ranking=ranking, admin=None)
    assert all(not table.groups for table in result_tables(triplets, "circo"))
    assert AuditEvent.objects.filter(verb="remove rankings").count() == 1
    oracle(triplets)


def test_ids_of_verified_only_count_what_people_verified(triplets, anna):
    query = triplets.queries.order_by("pk").last()
    judge(query, anna, valid=query.targets.values_list("target", flat=True))
    clips = names(triplets)
    bring_in(triplets, {"0": [clips["near"], clips["far"]]}, verified_only=True)
    row = only_row(triplets)
    assert (row.n_queries, means(row)) == (1, [1.0] * 4)


def test_a_query_without_a_ranking_is_counted_in_the_reason(triplets, anna):
    query = triplets.queries.order_by("pk").last()
    judge(query, anna, valid=query.targets.values_list("target", flat=True))
    bring_in(triplets, {"0": [names(triplets)["near"]]}, verified_only=True)
    other = triplets.queries.order_by("pk").first()
    judge(other, anna, valid=other.targets.values_list("target", flat=True))
    row = only_row(triplets)
    assert row.reason == "1 of 2 queries have no ranking. Import it again."
    assert row.cells == [None] * 4


def test_the_tables_have_the_paper_s_groups(triplets):
    for group in ("zero_shot", "fine_tuned", "general"):
        oracle(triplets, group=group, fusion="MLP", query_frames=12, target_frames=15)
    fine_tuned, others = result_tables(triplets, "circo")
    assert [group.name for group in fine_tuned.groups] == ["Fine-tuned on TF-CoVR"]
    assert [group.name for group in others.groups] == [
        "General multimodal embeddings (TF-CoVR)", "Not fine-tuned on TF-CoVR",
    ]  # fmt: skip


def test_the_numbers_are_exported_as_files(triplets):
    oracle(triplets, name="A_b & <c>", fusion="CA", target_frames=15, has_text=False)
    table = results_table(triplets, "circo")
    rows = list(csv.DictReader(io.StringIO(table.text("csv"))))
    assert [row["convention"] for row in rows] == ["circo", "unlimited", "tfcovr"]
    assert (rows[0]["map_at_50"], rows[0]["map_at_50_sd"], rows[0]["text"]) == ("1.0", "", "0")
    assert "|beyond_limit:left_out|" in rows[0]["signature"]
    assert json.loads(table.text("json"))[0]["model"] == "A_b & <c>"
    latex = table.text("tex")
    assert (
        r"\checkmark & $\times$ & A\_b \& \textless{}c\textgreater{} & CA & - & 15 & 100.00"
    ) in latex
    assert r"\multicolumn{10}{c}{Not fine-tuned on TF-CoVR}" in latex


def test_the_signature_changes_with_the_targets(triplets, anna):
    oracle(triplets)
    before = results_signature(triplets, "circo")
    assert "|queries:2|verified:0|" in before
    query = triplets.queries.first()
    near, far = query.targets.values_list("target", flat=True)
    judge(query, anna, valid=[near], wrong=[far])
    after = results_signature(triplets, "circo")
    assert "|verified:1|" in after
    assert before.rpartition("inputs:")[2] != after.rpartition("inputs:")[2]


def test_the_command_reads_a_file(triplets, tmp_path):
    clips = names(triplets)
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"0": [clips["near"]], "1": [clips["far"]]}))
    call_command(
        "import_rankings", triplets.project.slug, file, name="E5-V", group="general", seed=3
    )
    made = ImportedRanking.objects.get()
    assert (made.name, made.group, made.seed, made.has_text) == ("E5-V", "general", 3, True)
    with pytest.raises(CommandError, match="can't be read"):
        call_command("import_rankings", triplets.project.slug, tmp_path / "no.json", name="x")
