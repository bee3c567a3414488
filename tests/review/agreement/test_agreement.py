"""How far people agree, from hand-made labels of each kind of task."""

import krippendorff
import pytest
from sklearn.metrics import cohen_kappa_score

from annotate.models import Project
from review.agreement.report import agreement_inputs
from review.reports.services import recompute
from review.verification.models import MissingSegment, SentenceVerdict
from tests.cast import make_clip, make_project
from tests.hand_work import machine_caption
from tests.review.agreement.agreeing import (
    THREE,
    call_dynamic,
    call_pair,
    call_targets,
    found,
    rate_all,
    task_of,
)
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair
from tests.review.triplets.verifying_triplets import make_query, more_clips

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def report_of(project: Project, task: str):
    [report] = [one for one in recompute(project=project, name="agreement") if one.subject == task]
    return report


def question(project: Project, task: str, name: str) -> dict:
    asked = report_of(project, task).result["questions"]
    [one] = [one for one in asked if one["name"] == name]
    return one


def measures(asked: dict) -> dict[str, dict]:
    return {f"{one['measure']} {one['distance']}": one for one in asked["measures"]}


def counted(asked: dict, rater: str) -> dict:
    counts = asked["counts"][asked["raters"].index(rater)]
    return {category: n for category, n in zip(asked["categories"], counts, strict=True) if n}


@pytest.fixture
def captions(project):
    """Two captions of three sentences, so that six sentences can be judged."""
    return [machine_caption(make_clip(project), THREE) for _ in range(2)]


def test_a_project_without_labels_has_no_report(project, captions):
    assert recompute(project=project, name="agreement") == []


def test_sentence_types_are_compared_as_sets_and_letter_by_letter(project, captions, anna, ben):
    first, second = captions
    found(first, anna, "", "A", "A#B")
    found(first, ben, "", "A", "A")
    found(second, anna, "D", "", "")
    found(second, ben, "", "", "C")
    theirs = (["ok", "A", "A#B", "D", "ok", "ok"], ["ok", "A", "A", "ok", "ok", "C"])

    types = question(project, "sentences", "types")
    by = measures(types)
    assert by["percent_agreement nominal"]["value"] == 3 / 6
    assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(cohen_kappa_score(*theirs))
    # 12 labels, ok 6, A 3, A#B, D and C once: expected apart 144 - 48; observed 3 pairs of units.
    assert by["krippendorff_alpha nominal"]["value"] == pytest.approx(1 - 11 * 6 / (144 - 48))
    assert by["krippendorff_alpha nominal"]["n_units"] == 6
    assert counted(types, f"user:{anna.pk}") == {"ok": 3, "A": 1, "A#B": 1, "D": 1}

    letters = {name: measures(question(project, "sentences", name)) for name in "ABCD"}
    shares = {name: by["percent_agreement nominal"]["value"] for name, by in letters.items()}
    assert shares == {"A": 1, "B": 5 / 6, "C": 5 / 6, "D": 5 / 6}
    for name, by in letters.items():
        sides = [[name in one for one in side] for side in theirs]
        assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(
            cohen_kappa_score(*sides)
        )


def test_what_nobody_ever_found_says_why_it_has_no_value(project, captions, anna, ben):
    for person in (anna, ben):
        found(captions[0], person, "", "", "")
    by = measures(question(project, "sentences", "D"))
    assert by["percent_agreement nominal"]["value"] == 1
    for name in ("mean_pairwise_kappa nominal", "krippendorff_alpha nominal"):
        assert by[name]["value"] is None
        assert "undefined" in by[name]["reason"]


def test_sentences_are_aligned_by_where_they_stand_and_not_by_their_number(
    project, captions, anna, ben
):
    """Ben's caption was cut into two: its last sentence has another number than Anna's."""
    [first, _] = captions
    found(first, anna, "", "A", "D")
    verification = found(first, ben, "", "A", "D", missing=[2])
    rows = SentenceVerdict.objects.filter(verification=verification)
    cut = [(row.start, row.end, row.types) for row in rows]
    MissingSegment.objects.filter(verification=verification).delete()
    rows.delete()
    SentenceVerdict.objects.create(
        verification=verification, number=0, start=cut[0][0], end=cut[1][1], types="A"
    )
    SentenceVerdict.objects.create(
        verification=verification, number=1, start=cut[2][0], end=cut[2][1], types="D"
    )
    MissingSegment.objects.create(
        verification=verification, place=1, text="A rope.", start_frame=0, end_frame=9
    )
    by = measures(question(project, "sentences", "types"))["percent_agreement nominal"]
    assert (by["n_units"], by["value"]) == (1, 1)
    # The gaps before the first and the last sentence and at the end; Ben misses something in one.
    by = measures(question(project, "sentences", "missing"))["percent_agreement nominal"]
    assert (by["n_units"], by["value"]) == (3, 2 / 3)


def test_missing_segments_are_compared_gap_by_gap(project, captions, anna, ben):
    found(captions[0], anna, "", "", "", missing=[0, 3])
    found(captions[0], ben, "", "", "", missing=[1, 3])
    asked = question(project, "sentences", "missing")
    by = measures(asked)
    assert by["percent_agreement nominal"]["value"] == 2 / 4
    assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(0)
    assert counted(asked, f"user:{ben.pk}") == {"no": 2, "yes": 2}


def test_the_theme_is_a_verdict_on_the_caption_also_by_an_imported_label(project, captions, anna):
    for caption, fits in zip(captions, (True, False), strict=True):
        found(caption, anna, "", "", "", fits=fits)
        found(caption, "A<1>", "", "", "", fits=True)
    asked = question(project, "theme", "theme")
    assert asked["raters"] == [f"user:{anna.pk}", "label:A<1>"]
    assert measures(asked)["percent_agreement nominal"]["value"] == 1 / 2
    assert counted(asked, "label:A<1>") == {"fits": 2}


def test_one_person_alone_is_told_that_it_takes_two(project, captions, anna):
    found(captions[0], anna, "", "", "")
    for one in report_of(project, "theme").result["questions"][0]["measures"]:
        assert one["value"] is None
        assert one["reason"] == "Only one person has labeled; agreement takes two."


@pytest.mark.both_databases
def test_ratings_are_ordered_and_every_two_people_are_compared(project, anna, ben, rita):
    rows = [(5, 4, 5), (3, 3, None), (0, 1, 0), (4, 4, 2), (None, 2, 2)]
    rate_all(project, [anna, ben, rita], rows)
    asked = question(project, "ratings", "rating")
    by = measures(asked)
    assert set(by) == {
        "percent_agreement nominal",
        "mean_pairwise_kappa quadratic",
        "krippendorff_alpha ordinal",
        "krippendorff_alpha interval",
    }
    data = [
        [float("nan") if value is None else value for value in person]
        for person in zip(*rows, strict=True)
    ]
    for level in ("ordinal", "interval"):
        assert by[f"krippendorff_alpha {level}"]["value"] == pytest.approx(
            krippendorff.alpha(data, level_of_measurement=level, value_domain=list(range(6)))
        )
    assert asked["raters"] == [f"user:{one.pk}" for one in (anna, ben, rita)]
    kappas = []
    for pair in asked["pairs"]:
        shared = [
            (row[pair["first"]], row[pair["second"]])
            for row in rows
            if None not in (row[pair["first"]], row[pair["second"]])
        ]
        expected = cohen_kappa_score(
            *zip(*shared, strict=True), weights="quadratic", labels=list(range(6))
        )
        assert pair["n_units"] == len(shared)
        assert pair["kappa"] == pytest.approx(expected)
        assert pair["equal"] == sum(a == b for a, b in shared) / len(shared)
        kappas.append((len(shared), expected))
    assert by["mean_pairwise_kappa quadratic"]["value"] == pytest.approx(
        sum(n * kappa for n, kappa in kappas) / sum(n for n, _ in kappas)
    )


def test_of_dynamics_and_of_label_pairs_the_newest_verdict_of_a_person_counts(project, anna, ben):
    clips = [make_clip(project) for _ in range(3)]
    for clip, (one, other) in zip(clips, [(1, 1), (1, 0), (0, 0)], strict=True):
        call_dynamic(clip, anna, bool(one))
        call_dynamic(clip, ben, bool(other))
    asked = question(project, "dynamics", "dynamics")
    assert measures(asked)["mean_pairwise_kappa nominal"]["value"] == pytest.approx(
        cohen_kappa_score([1, 1, 0], [1, 0, 0])
    )
    labels = [make_label(project, key) for key in ("1", "2", "3")]
    shown = labelled_clip(project, labels[0], "train")
    pairs = [make_pair(labels[0], labels[1]), make_pair(labels[1], labels[2])]
    call_pair(pairs[0], shown, anna, "reject")
    call_pair(pairs[0], shown, ben, "temporal")
    call_pair(pairs[1], shown, anna, "event")
    call_pair(pairs[1], shown, ben, "event")
    assert measures(question(project, "pairs", "kind"))["percent_agreement nominal"]["value"] == 0.5
    before = report_of(project, "pairs")
    second = task_of(anna, make_clip(project), "pair", pairs[0].pk)
    pairs[0].verdicts.create(person=anna, assignment=second, kind="temporal")
    after = report_of(project, "pairs")
    assert after != before
    share = measures(after.result["questions"][0])["percent_agreement nominal"]
    assert (share["value"], share["n_units"], after.inputs) == (1, 2, 4)


def test_of_triplets_each_target_counts_but_none_that_was_added(project, anna, ben):
    query = make_query(project, 3)
    [added] = more_clips(query)
    call_targets(query, anna, True, True, False, added=added)
    call_targets(query, ben, True, False, False, right=False, added=added)
    asked = question(project, "triplets", "targets")
    by = measures(asked)
    assert (by["percent_agreement nominal"]["n_units"], asked["n_labels"]) == (3, 6)
    assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(
        cohen_kappa_score([1, 1, 0], [1, 0, 0])
    )
    right = measures(question(project, "triplets", "right"))["percent_agreement nominal"]
    assert (right["value"], right["n_units"]) == (0, 1)
    enough = measures(question(project, "triplets", "enough"))["percent_agreement nominal"]
    assert enough["value"] == 1


def test_a_report_follows_the_labels_of_its_own_project_alone(project, captions, anna, ben):
    found(captions[0], anna, "", "", "")
    found(captions[0], ben, "", "", "")
    theme = report_of(project, "theme")
    other = make_project("Other")
    found(machine_caption(make_clip(other), THREE), ben, "D", "D", "D", fits=False)
    assert report_of(project, "theme") == theme
    found(captions[1], ben, "", "", "")
    newer = report_of(project, "theme")
    assert newer.pk > theme.pk
    assert (newer.inputs, newer.result["stored"]["count"]) == (3, 3)
    assert [one.subject for one in agreement_inputs(other)] == ["sentences", "theme"]


def test_the_signature_says_how_it_was_made(project, captions, anna, ben):
    found(captions[0], anna, "", "", "")
    found(captions[0], ben, "", "", "A")
    report = report_of(project, "sentences")
    assert report.signature == (
        "agreement|task:sentences|units:3|raters:2|interval:units|bootstrap:1000|"
        f"labels:6|seed:0|method:metrics.agreement 1, units 2|inputs:{report.inputs_hash[:8]}"
    )
