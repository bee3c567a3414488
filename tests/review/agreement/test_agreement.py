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
    label_sentences,
    rate_all,
    task_of,
)
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair
from tests.review.triplets.verifying_triplets import make_query, more_clips

pytestmark = pytest.mark.django_db


def report_of(project: Project, task: str):
    [report] = [
        report for report in recompute(project=project, name="agreement") if report.subject == task
    ]
    return report


def question_of(project: Project, task: str, name: str) -> dict:
    questions = report_of(project, task).result["questions"]
    [question] = [question for question in questions if question["name"] == name]
    return question


def measures(question: dict) -> dict[str, dict]:
    return {
        f"{measure['measure']} {measure['distance']}": measure for measure in question["measures"]
    }


def counted(question: dict, rater: str) -> dict:
    counts = question["counts"][question["raters"].index(rater)]
    return {category: n for category, n in zip(question["categories"], counts, strict=True) if n}


@pytest.fixture
def captions(project):
    """Two captions of three sentences, so that six sentences can be judged."""
    return [machine_caption(make_clip(project), THREE) for _ in range(2)]


def test_a_project_without_labels_has_no_report(project, captions):
    assert recompute(project=project, name="agreement") == []


def test_sentence_types_are_compared_as_sets_and_letter_by_letter(project, captions, anna, ben):
    first, second = captions
    label_sentences(first, anna, "", "A", "A#B")
    label_sentences(first, ben, "", "A", "A")
    label_sentences(second, anna, "D", "", "")
    label_sentences(second, ben, "", "", "C")
    theirs = (["ok", "A", "A#B", "D", "ok", "ok"], ["ok", "A", "A", "ok", "ok", "C"])

    types = question_of(project, "sentences", "types")
    by = measures(types)
    assert by["percent_agreement nominal"]["value"] == 3 / 6
    assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(cohen_kappa_score(*theirs))
    # 12 labels, ok 6, A 3, A#B, D and C once: expected apart 144 - 48; observed 3 pairs of units.
    assert by["krippendorff_alpha nominal"]["value"] == pytest.approx(1 - 11 * 6 / (144 - 48))
    assert by["krippendorff_alpha nominal"]["n_units"] == 6
    assert counted(types, f"user:{anna.pk}") == {"ok": 3, "A": 1, "A#B": 1, "D": 1}

    letters = {name: measures(question_of(project, "sentences", name)) for name in "ABCD"}
    shares = {name: by["percent_agreement nominal"]["value"] for name, by in letters.items()}
    assert shares == {"A": 1, "B": 5 / 6, "C": 5 / 6, "D": 5 / 6}
    for name, by in letters.items():
        sides = [[name in label for label in side] for side in theirs]
        assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(
            cohen_kappa_score(*sides)
        )


def test_a_type_that_nobody_found_has_no_kappa_or_alpha_and_says_why(project, captions, anna, ben):
    for person in (anna, ben):
        label_sentences(captions[0], person, "", "", "")
    by = measures(question_of(project, "sentences", "D"))
    assert by["percent_agreement nominal"]["value"] == 1
    for name in ("mean_pairwise_kappa nominal", "krippendorff_alpha nominal"):
        assert by[name]["value"] is None
        assert "undefined" in by[name]["reason"]


def test_sentences_are_aligned_by_position_and_not_by_number(project, captions, anna, ben):
    """Ben's text was cut into two sentences, so its last one has another number than Anna's."""
    [first, _] = captions
    label_sentences(first, anna, "", "A", "D")
    verification = label_sentences(first, ben, "", "A", "D", missing=[2])
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
    by = measures(question_of(project, "sentences", "types"))["percent_agreement nominal"]
    assert (by["n_units"], by["value"]) == (1, 1)
    # The gaps before the first and the last sentence and at the end; Ben misses something in one.
    by = measures(question_of(project, "sentences", "missing"))["percent_agreement nominal"]
    assert (by["n_units"], by["value"]) == (3, 2 / 3)


def test_missing_segments_are_compared_gap_by_gap(project, captions, anna, ben):
    label_sentences(captions[0], anna, "", "", "", missing=[0, 3])
    label_sentences(captions[0], ben, "", "", "", missing=[1, 3])
    question = question_of(project, "sentences", "missing")
    by = measures(question)
    assert by["percent_agreement nominal"]["value"] == 2 / 4
    assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(0)
    assert counted(question, f"user:{ben.pk}") == {"no": 2, "yes": 2}


def test_the_theme_is_a_verdict_by_a_person_or_an_imported_label(project, captions, anna):
    for caption, fits in zip(captions, (True, False), strict=True):
        label_sentences(caption, anna, "", "", "", fits=fits)
        label_sentences(caption, "A<1>", "", "", "", fits=True)
    question = question_of(project, "theme", "theme")
    assert question["raters"] == [f"user:{anna.pk}", "label:A<1>"]
    assert measures(question)["percent_agreement nominal"]["value"] == 1 / 2
    assert counted(question, "label:A<1>") == {"fits": 2}


def test_with_one_person_it_says_that_agreement_takes_two(project, captions, anna):
    label_sentences(captions[0], anna, "", "", "")
    for measure in report_of(project, "theme").result["questions"][0]["measures"]:
        assert measure["value"] is None
        assert measure["reason"] == "Only one person has labeled; agreement takes two."


def test_ratings_are_ordered_and_every_two_people_are_compared(project, anna, ben, rita):
    rows = [(5, 4, 5), (3, 3, None), (0, 1, 0), (4, 4, 2), (None, 2, 2)]
    rate_all(project, [anna, ben, rita], rows)
    question = question_of(project, "ratings", "rating")
    by = measures(question)
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
    assert question["raters"] == [f"user:{rater.pk}" for rater in (anna, ben, rita)]
    kappas = []
    for pair in question["pairs"]:
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


def test_a_persons_newest_verdict_counts_for_dynamics_and_label_pairs(project, anna, ben):
    clips = [make_clip(project) for _ in range(3)]
    for clip, (by_anna, by_ben) in zip(clips, [(1, 1), (1, 0), (0, 0)], strict=True):
        call_dynamic(clip, anna, bool(by_anna))
        call_dynamic(clip, ben, bool(by_ben))
    question = question_of(project, "dynamics", "dynamics")
    assert measures(question)["mean_pairwise_kappa nominal"]["value"] == pytest.approx(
        cohen_kappa_score([1, 1, 0], [1, 0, 0])
    )
    labels = [make_label(project, key) for key in ("1", "2", "3")]
    pair_clip = labelled_clip(project, labels[0], "train")
    pairs = [make_pair(labels[0], labels[1]), make_pair(labels[1], labels[2])]
    call_pair(pairs[0], pair_clip, anna, "reject")
    call_pair(pairs[0], pair_clip, ben, "temporal")
    call_pair(pairs[1], pair_clip, anna, "event")
    call_pair(pairs[1], pair_clip, ben, "event")
    assert (
        measures(question_of(project, "pairs", "kind"))["percent_agreement nominal"]["value"] == 0.5
    )
    before = report_of(project, "pairs")
    second = task_of(anna, make_clip(project), "pair", pairs[0].pk)
    pairs[0].verdicts.create(person=anna, assignment=second, kind="temporal")
    after = report_of(project, "pairs")
    assert after != before
    share = measures(after.result["questions"][0])["percent_agreement nominal"]
    assert (share["value"], share["n_units"], after.inputs) == (1, 2, 4)


def test_each_target_of_a_triplet_counts_but_no_added_clip(project, anna, ben):
    query = make_query(project, 3)
    [added] = more_clips(query)
    call_targets(query, anna, True, True, False, added=added)
    call_targets(query, ben, True, False, False, right=False, added=added)
    question = question_of(project, "triplets", "targets")
    by = measures(question)
    assert (by["percent_agreement nominal"]["n_units"], question["n_labels"]) == (3, 6)
    assert by["mean_pairwise_kappa nominal"]["value"] == pytest.approx(
        cohen_kappa_score([1, 1, 0], [1, 0, 0])
    )
    right = measures(question_of(project, "triplets", "right"))["percent_agreement nominal"]
    assert (right["value"], right["n_units"]) == (0, 1)
    enough = measures(question_of(project, "triplets", "enough"))["percent_agreement nominal"]
    assert enough["value"] == 1


def test_a_report_counts_only_labels_of_its_own_project(project, captions, anna, ben):
    label_sentences(captions[0], anna, "", "", "")
    label_sentences(captions[0], ben, "", "", "")
    theme = report_of(project, "theme")
    other = make_project("Other")
    label_sentences(machine_caption(make_clip(other), THREE), ben, "D", "D", "D", fits=False)
    assert report_of(project, "theme") == theme
    label_sentences(captions[1], ben, "", "", "")
    newer = report_of(project, "theme")
    assert newer.pk > theme.pk
    assert (newer.inputs, newer.result["stored"]["count"]) == (3, 3)
    assert [inputs.subject for inputs in agreement_inputs(other)] == ["sentences", "theme"]


def test_the_signature_says_how_it_was_made(project, captions, anna, ben):
    label_sentences(captions[0], anna, "", "", "")
    label_sentences(captions[0], ben, "", "", "A")
    report = report_of(project, "sentences")
    assert report.signature == (
        "agreement|task:sentences|units:3|raters:2|interval:units|bootstrap:1000|"
        f"labels:6|seed:0|method:metrics.agreement 1, units 2|inputs:{report.inputs_hash[:8]}"
    )
