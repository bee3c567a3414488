"""Captions and scores made elsewhere enter the chain as finished runs, wholly or not at all."""

from __future__ import annotations

import io
import json
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from annotate.corpus.precedence import current_caption
from annotate.models import AuditEvent, Caption, Video
from inference.models import InferenceRun, ModelSpec, QualityScore, RunItem
from inference.planning.recipes import hash_of, scorer_recipe
from inference.queries import outdated_videos
from inference.runs.preview import preview_run
from inference.runs.services import build_recipe, options_for
from inference.scores.services import adopt_threshold
from review.captions.exchange import PredictionsInvalid
from review.captions.instructions import instructions_of
from review.captions.services import make_set_of_run
from review.elsewhere.services import import_results, preview_results
from review.elsewhere.statement import Statement
from review.errors import ReviewError
from tests.cast import make_clip, make_project
from tests.inference.cast import make_model
from tests.inference.scored import make_clips, write

pytestmark = pytest.mark.django_db

STATED = Statement("Qwen 72B", "seconds:8:64", "Describe it.", "not_told", "v3", date(2026, 3, 1))
SCORED = Statement("CLIP elsewhere", "every:30")


@pytest.fixture
def clips(project):
    return make_clips(project, 3)


def jsonl(*rows):
    return "\n".join(json.dumps(row) for row in rows).encode()


def captions_of(clips):
    rows = [{"clip": clip.name, "caption": f"A diver jumps {n}."} for n, clip in enumerate(clips)]
    return jsonl(*rows)


def scores_of(clips, *values):
    return jsonl(*({"clip": c.name, "score": v} for c, v in zip(clips, values, strict=True)))


def bring_in(project, kind, data, stated, *, name="results.jsonl", admin=None):
    (run,) = import_results(
        project=project,
        kind=kind,
        file=io.BytesIO(data),
        file_name=name,
        stated=stated,
        admin=admin,
    )
    return run


def preview(project, kind, data, stated):
    return preview_results(
        project=project, kind=kind, file=io.BytesIO(data), file_name="results.jsonl", stated=stated
    ).sentences


def test_captions_become_a_finished_run_with_what_was_stated(project, clips, ada):
    run = bring_in(project, "caption", captions_of(clips), STATED, admin=ada)
    assert (run.state, run.total, run.counts, run.has_results) == ("done", 3, {"done": 3}, True)
    assert run.parameters["elsewhere"]["made_on"] == "2026-03-01"
    assert run.recipe["options"] == {
        "prompt": "Describe it.",
        "sampling": {"kind": "seconds", "low": 8, "high": 64},
        "use_theme": False,
    }
    assert (run.model.backend, run.model.name) == ("elsewhere", "Qwen 72B")
    for number, clip in enumerate(clips):
        caption = current_caption(clip)
        assert caption.text == f"A diver jumps {number}."
        assert caption.source == "machine"
        assert caption.provenance == [{"model": "Qwen 72B", "spec": run.model.pk, "run": run.pk}]
        assert caption.made_by_items.get().run == run
    event = AuditEvent.objects.get(verb="import run")
    assert (event.actor, event.after["results"]) == (ada, 3)
    instructions = instructions_of(make_set_of_run(run=run, name="Qwen", admin=ada))
    assert (instructions.prompt, instructions.frames, instructions.theme) == (
        "Describe it.",
        "a frame a second, 8 to 64",
        "not_told",
    )


def test_no_human_caption_changes_and_the_preview_says_so(project, clips):
    human = write(clips[0], "A pool.", source="merged")
    write(clips[1], "A board.")
    data = captions_of(clips)
    assert preview(project, "caption", data, STATED) == [
        "3 captions by Qwen 72B are imported as a finished caption run, marked “made elsewhere”.",
        "Qwen 72B is added to the models. It can’t be run here.",
        "0 of 1 human captions change.",
        "1 machine caption is replaced.",
    ]
    assert not InferenceRun.objects.exists()
    assert not ModelSpec.objects.exists()
    bring_in(project, "caption", data, STATED)
    assert current_caption(clips[0]) == human
    assert current_caption(clips[1]).text == "A diver jumps 1."


def test_a_file_imported_before_is_refused_and_changes_nothing(project, clips):
    run = bring_in(project, "caption", captions_of(clips), STATED)
    with pytest.raises(ReviewError, match=f"already imported as run {run.pk} on "):
        bring_in(project, "caption", captions_of(clips), STATED)
    assert (InferenceRun.objects.count(), Caption.objects.count()) == (1, 3)


def test_every_wrong_row_is_named_and_nothing_is_stored(project, clips):
    data = jsonl(
        {"clip": clips[0].name, "caption": "A diver jumps."},
        {"clip": clips[0].name, "caption": "Again."},
        {"clip": "nowhere", "caption": "A board."},
        {"clip": clips[1].name, "caption": " "},
        {"caption": "Without a clip."},
    )
    with pytest.raises(PredictionsInvalid) as invalid:
        bring_in(project, "caption", data, STATED)
    assert [(fault.row, fault.field) for fault in invalid.value.faults] == [
        ("line 2", "clip"),
        ("line 3", "clip"),
        ("line 4", "caption"),
        ("line 5", "clip"),
    ]
    assert not any(model.objects.exists() for model in (InferenceRun, Caption, ModelSpec, RunItem))


def test_scores_can_be_studied_and_the_captions_below_refined(project, clips):
    """With the project's own encoder, the scorer is the same as that of a score run here."""
    encoder = make_model(project, "lexical")
    make_model(project, refine_order=1, name="Writer")
    run = bring_in(project, "caption", captions_of(clips), STATED)
    stated = Statement(encoder.name, "every:30")
    scored = bring_in(project, "score", scores_of(clips, 0.1, 0.25, 0.6), stated)
    options = options_for(project, "score")
    recipe = build_recipe(project=project, kind="score", model=encoder, options=options)
    scorer = hash_of(scorer_recipe(recipe))
    scores = QualityScore.objects.order_by("value")
    assert [(s.clip, s.value, s.scorer) for s in scores] == [
        (clips[0], 0.1, scorer),
        (clips[1], 0.25, scorer),
        (clips[2], 0.6, scorer),
    ]
    assert {score.caption_id for score in scores} == {item.result_id for item in run.items.all()}
    assert scored.recipe_hash == hash_of(recipe)
    # A score run here repeats nothing, and refine takes what is below the threshold.
    assert preview_run(project=project, kind="score", model=encoder, options={}).to_do == 0
    adopt_threshold(project=project, scorer=scorer, value=0.3, admin=None)
    refine = preview_run(project=project, kind="refine", model=encoder, options={})
    assert (refine.to_do, refine.threshold) == (2, 0.3)


def test_scores_of_two_models_elsewhere_are_never_mixed(project, clips):
    for clip in clips:
        write(clip)
    bring_in(project, "score", scores_of(clips, 0.1, 0.2, 0.3), SCORED)
    bring_in(project, "score", scores_of(clips, 0.3, 0.2, 0.1), Statement("SigLIP", "every:30"))
    assert QualityScore.objects.values("scorer").distinct().count() == 2
    assert QualityScore.objects.count() == 6


def test_a_csv_of_scores_with_keywords_and_the_caption_scored(project, clips):
    write(clips[0], "A diver, in a pool.")
    data = (
        f'clip,score,keywords,caption\n{clips[0].name},0.31,"diver, pool","A diver, in a pool."\n'
    )
    bring_in(project, "score", data.encode(), SCORED, name="scores.csv")
    score = QualityScore.objects.get()
    assert (score.value, score.keywords) == (0.31, ["diver", "pool"])
    assert score.scorer_name.startswith("EVQAScore v3, CLIP elsewhere, every 30th frame")


@pytest.mark.parametrize(
    ("row", "field", "mend"),
    [
        ({"score": "high"}, "score", "It must be a finite number, such as 0.31."),
        ({}, "score", "It is missing. Give the caption's score as a number."),
        ({"score": True}, "score", "It must be a finite number, such as 0.31."),
        ({"score": 1.5}, "score", "1.5 is not between -1 and 1, as scores of v3 are. Correct it."),
        ({"score": 0.2, "keywords": [1]}, "keywords", None),
        ({"score": 0.2, "caption": "Another."}, "caption", None),
    ],
)
def test_a_wrong_score_names_its_row_and_field(project, clips, row, field, mend):
    write(clips[0])
    with pytest.raises(PredictionsInvalid) as invalid:
        bring_in(project, "score", jsonl({"clip": clips[0].name, **row}), SCORED)
    (fault,) = invalid.value.faults
    assert (fault.row, fault.field) == ("line 1", field)
    assert mend in (None, fault.mend)
    assert not QualityScore.objects.exists()


def test_a_caption_has_one_score_of_a_scorer(project, clips):
    write(clips[0])
    bring_in(project, "score", scores_of(clips[:1], 0.5), SCORED)
    with pytest.raises(PredictionsInvalid) as invalid:
        bring_in(project, "score", scores_of(clips[:1], 0.6), SCORED)
    (fault,) = invalid.value.faults
    assert fault.mend == "The caption already has a score of this scorer, 0.500. Remove it."


@pytest.mark.parametrize(
    ("kind", "stated", "sentence"),
    [
        ("score", Statement("X"), "State the frames of the scores, such as every:30."),
        ("caption", Statement("X", "fps:2"), "“fps:2” does not say which frames. Write one of: "),
        ("caption", Statement("X" * 81), "Name the model in at most 80 characters."),
        ("caption", Statement("X", prompt="y" * 8001), "The prompt has 8,001 letters. Keep it to"),
        ("caption", Statement("X", theme="maybe"), "Set the theme to “told” or “not_told”, or"),
        ("caption", Statement("Encoder"), "The project’s model Encoder can’t make these."),
    ],
)
def test_a_statement_that_can_t_be_understood_is_refused(project, clips, kind, stated, sentence):
    make_model(project, "lexical", name="Encoder")
    with pytest.raises(ReviewError) as refusal:
        bring_in(project, kind, captions_of(clips), stated)
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"clip,clip\na,b\n", "The file can’t be read. The column 'clip' appears twice. Keep one."),
        (b"clip,caption\n", "The file has no row. Choose the file with the results."),
        (b"", "The file can’t be read. It is empty. Its first line must name the columns."),
        (b"clip,caption\n\xff,b\n", "The file isn't UTF-8 text. Save it in UTF-8."),
    ],
)
def test_a_csv_that_can_t_be_read_is_refused(project, clips, data, sentence):
    with pytest.raises(ReviewError) as refusal:
        bring_in(project, "caption", data, STATED, name="a.csv")
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        ("MAX_BYTES", 9, "The file is larger than 0 MiB. Split it."),
        ("MAX_ROWS", 2, "The file has more than 2 rows. Split it."),
    ],
)
def test_a_file_above_a_limit_is_refused(project, clips, monkeypatch, limit, value, message):
    monkeypatch.setattr(f"review.elsewhere.rows.{limit}", value)
    with pytest.raises(ReviewError) as refusal:
        bring_in(project, "caption", captions_of(clips), STATED)
    assert str(refusal.value) == message
    assert not InferenceRun.objects.exists()


def test_reading_ends_after_the_most_faults_that_are_listed(project, clips, monkeypatch):
    monkeypatch.setattr("review.elsewhere.rows.MAX_FAULTS", 2)
    with pytest.raises(PredictionsInvalid) as invalid:
        bring_in(project, "caption", jsonl("a", ["b"], "c", "d"), STATED)
    mend = "It must be an object with a clip."
    assert [(fault.row, fault.mend) for fault in invalid.value.faults] == [
        ("line 1", mend), ("line 2", mend),
    ]  # fmt: skip


def test_only_results_of_these_kinds_are_imported(project, clips):
    with pytest.raises(ReviewError) as refusal:
        bring_in(project, "vote", captions_of(clips), STATED)
    assert str(refusal.value) == ("“vote” is not one of caption, fuse, score, embed. Choose one.")


def test_the_preview_counts_the_clips_that_are_not_in_the_file(project, clips):
    sentences = preview(project, "caption", captions_of(clips[:1]), STATED)
    assert "2 other clips are not in the file." in sentences


def test_a_file_name_of_several_videos_is_refused(project):
    make_clip(project, original_name="dive.mp4")
    other = make_clip(project, original_name="second.mp4")
    Video.objects.filter(pk=other.video_id).update(original_name="dive.mp4")
    with pytest.raises(PredictionsInvalid) as refused:
        preview(project, "caption", jsonl({"clip": "dive.mp4", "caption": "A."}), STATED)
    [fault] = refused.value.faults
    assert fault.mend.startswith("The file name 'dive.mp4' belongs to the clips dive and second.")


def test_the_command_lists_the_rows_that_it_leaves_out(project, clips, tmp_path, capsys):
    file = tmp_path / "captions.jsonl"
    file.write_bytes(captions_of(clips) + b"\n" + jsonl({"clip": "x", "caption": "A."}))
    arguments = [project.slug, str(file), "--kind", "caption", "--model", "Qwen 72B"]
    call_command("import_results", *arguments, "--skip-bad")
    assert "line 4, clip: The project has no clip 'x'" in capsys.readouterr().err
    assert InferenceRun.objects.get().total == 3


def test_the_command_previews_and_imports(project, clips, tmp_path, capsys):
    file = tmp_path / "captions.jsonl"
    file.write_bytes(captions_of(clips))
    arguments = [project.slug, str(file), "--kind", "caption", "--model", "Qwen 72B"]
    call_command("import_results", *arguments, "--preview")
    assert capsys.readouterr().out.startswith("3 captions by Qwen 72B are imported as a finished")
    assert not InferenceRun.objects.exists()
    call_command("import_results", *arguments, "--made-on", "2026-03-01")
    run = InferenceRun.objects.get()
    assert capsys.readouterr().out.endswith(f"Imported as run {run.pk}.\n")
    with pytest.raises(CommandError, match="already imported"):
        call_command("import_results", *arguments)
    file.write_bytes(jsonl({"clip": "x", "caption": "A."}))
    with pytest.raises(CommandError, match="line 1, clip: The project has no clip 'x'"):
        call_command("import_results", *arguments)


def test_captions_of_whole_videos_go_out_of_date_with_those_of_their_clips():
    project = make_project(protocol="lovr")
    whole = make_clip(project, original_name="walk.mp4", frames=300)
    first, second = (
        make_clip(project, video=whole.video, start_frame=start, end_frame=start + 150)
        for start in (0, 150)
    )
    write(first, "A street.")
    data = jsonl({"vid": "walk", "cap": "Somebody walks."})
    sentences = preview(project, "fuse", data, STATED)
    assert sentences[0] == (
        "1 caption of a whole video by Qwen 72B is imported as a finished fuse run, marked “made "
        "elsewhere”."
    )
    run = bring_in(project, "fuse", data, STATED)
    caption = current_caption(whole, "full_video")
    assert (caption.text, caption.made_by_items.get().run) == ("Somebody walks.", run)
    assert outdated_videos(project) == 0
    write(second, "A bridge.")
    assert outdated_videos(project) == 0
    write(first, "A wide street.")
    assert outdated_videos(project) == 1
    with pytest.raises(PredictionsInvalid) as invalid:
        bring_in(project, "fuse", jsonl({"clip": first.name, "caption": "A part."}), STATED)
    assert "is not a video that is cut into clips" in invalid.value.faults[0].mend
