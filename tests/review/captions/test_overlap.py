"""BLEU-4, METEOR, ROUGE-L and CIDEr of sets of captions, by hand and by what follows what."""

from importlib.metadata import version

import pytest

from annotate.models import Caption
from metrics.overlap.compare import caption_overlap
from review.captions.references import human_references, references_digest
from review.captions.report import is_old, overlap_inputs
from review.captions.services import add_set, offer_set
from review.leaderboard.metrics_by_set import metrics_by_set
from review.reports.services import recompute
from tests.cast import count_queries, make_clip
from tests.review.comparisons.comparing import make_set, predict
from tests.review.reports.computing import due_reports

pytestmark = pytest.mark.django_db
HUMAN = ("A diver jumps from a tower.", "A man opens a red door.", "Two dogs run on the beach.")
NAME = "overlap"


@pytest.fixture
def clips(project):
    """Three clips that people have described, and one that nobody has."""
    clips = [make_clip(project) for _ in range(4)]
    for clip, text in zip(clips, HUMAN, strict=False):
        describe(clip, text)
    return clips


def describe(clip, text, kind="general", source="merged"):
    return Caption.objects.create(
        project_id=clip.project_id, clip=clip, kind=kind, source=source, text=text,
        word_count=len(text.split()),
    )  # fmt: skip


def set_of(project, name, texts, kind="general"):
    captions = {clip.pk: predict(clip, text, name).pk for clip, text in texts.items()}
    return add_set(project=project, name=name, kind=kind, captions=captions, admin=None)


def scores(report):
    return {key: report.result[key]["value"] for key in ("bleu4", "meteor", "rouge_l", "cider")}


def test_a_model_that_says_what_people_said_has_the_highest_scores(project, clips):
    set_of(project, "Heron", dict(zip(clips, HUMAN, strict=False)))
    [report] = recompute(project=project, name=NAME)
    # METEOR never reaches 100: of m words it is 1 - 0.5 / m³.
    assert scores(report) == pytest.approx(
        {"bleu4": 100, "meteor": 100 * (1 - 0.5 / 216), "rouge_l": 100, "cider": 1000}
    )
    assert report.inputs == report.result["n"] == 3
    assert report.result["missing"] == 0


def test_captions_in_chinese_are_compared_by_characters(project):
    texts = ["一个男人骑自行车。", "两只狗在草地上跑。"]
    clips = [make_clip(project) for _ in texts]
    for clip, text in zip(clips, texts, strict=True):
        describe(clip, text)
    set_of(project, "Heron", dict(zip(clips, texts, strict=True)))
    [report] = recompute(project=project, name=NAME)
    assert scores(report)["cider"] == pytest.approx(1000)
    assert report.result["mean_words"] == 8
    assert f"|words:sacrebleu {version('sacrebleu')} zh,rules 3,no punctuation|" in report.signature


def test_rouge_l_by_hand(project, clips):
    # "a diver turns" against "a diver jumps from a tower": 2 words in common of 3 and of 6.
    set_of(project, "Heron", {clips[0]: "A diver turns."})
    [report] = recompute(project=project, name=NAME)
    precision, recall, beta = 2 / 3, 2 / 6, 1.2
    due = (1 + beta**2) * precision * recall / (recall + beta**2 * precision)
    assert report.result["rouge_l"]["value"] == pytest.approx(100 * due)
    assert (report.result["n"], report.result["missing"]) == (1, 2)
    assert report.result["mean_words"] == 3


def test_it_is_what_the_metric_says_with_its_intervals_and_signature(project, clips):
    texts = {clips[0]: "A diver falls from a tower.", clips[1]: "A red cat.", clips[3]: "A boat."}
    made = set_of(project, "A|b:c", texts)
    [report] = recompute(project=project, name=NAME)
    due = caption_overlap(
        {clip.pk: texts[clip] for clip in clips[:2]},
        {clip.pk: [text] for clip, text in zip(clips, HUMAN, strict=False)},
    )
    for key in ("bleu4", "meteor", "rouge_l", "cider"):
        score = getattr(due, key)
        assert report.result[key] == pytest.approx(score.__dict__)
    assert report.subject == str(made.pk)
    assert report.signature.startswith(
        f"overlap|model:A b c|set:{made.pk}|kind:general|"
        "prompt:unknown|frames:unknown|theme:unknown|references"
    )
    assert "|labels:2|seed:0|method:metrics.overlap 3|inputs:" in report.signature
    assert {metric.key for metric in metrics_by_set(project, {made.pk})} >= {"bleu4", "cider"}


def test_the_longest_name_leaves_a_signature_that_can_be_stored(project, clips):
    set_of(project, "h" * 80, {clips[0]: "A dive."})
    [report] = recompute(project=project, name=NAME)
    assert len(report.signature) <= 500
    assert len(report.code_version) <= 40


def test_each_kind_is_held_against_human_captions_of_its_kind(project, clips):
    describe(clips[3], "A blue boat on a lake.", "spatial", "human")
    made = set_of(project, "Heron", {clips[3]: "A blue boat."}, kind="spatial")
    set_of(project, "Egret", {clips[3]: "A blue boat."}, kind="temporal")
    assert [inputs.subject for inputs in overlap_inputs(project)] == [str(made.pk)]


def test_a_set_that_shares_no_clip_or_is_not_offered_has_no_report(project, clips):
    make_set(project, "Egret", clips[3:])
    made = make_set(project, "Heron", clips)
    assert [inputs.subject for inputs in overlap_inputs(project)] == [str(made.pk)]
    offer_set(caption_set=made, is_used=False, admin=None)
    assert list(overlap_inputs(project)) == []


def test_it_is_computed_again_when_a_human_caption_has_changed_and_only_then(project, clips):
    set_of(project, "Heron", {clips[0]: "A diver."})

    def digest():
        return references_digest(human_references(project, "general"))

    [report] = recompute(project=project, name=NAME)
    machine = describe(clips[0], "A machine's.", source="machine")
    assert not is_old(report, digest())
    assert recompute(project=project, name=NAME) == [report]
    assert machine.pk not in human_references(project, "general").values()
    describe(clips[3], "A boat.")
    assert is_old(report, digest())
    [newer] = recompute(project=project, name=NAME)
    assert newer.pk != report.pk
    assert not is_old(newer, digest())


def test_a_caption_without_words_is_no_zero_of_people(project, clips):
    describe(clips[3], "…")
    set_of(project, "Heron", {clips[3]: "A boat.", clips[0]: "A dive."})
    [report] = recompute(project=project, name=NAME)
    assert (report.result["n"], report.result["without_reference"]) == (1, 1)


def test_a_new_set_asks_a_worker_for_its_numbers(
    project, clips, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        make_set(project, "Heron", clips)
    assert due_reports(project) == [NAME]


def test_the_number_of_statements_does_not_grow_with_the_clips(project):
    def count(name, many):
        clips = [make_clip(project) for _ in range(many)]
        for clip in clips:
            describe(clip, "A diver jumps.")
        made = make_set(project, name, clips)
        with count_queries() as counted:
            [inputs] = [each for each in overlap_inputs(project) if each.subject == str(made.pk)]
            inputs.compute()
        offer_set(caption_set=made, is_used=False, admin=None)
        return int(counted)

    assert count("One", 1) == count("Three", 3)
