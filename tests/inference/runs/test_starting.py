"""What a run is to do, and what it need not do again."""

from __future__ import annotations

import pytest

from annotate.jobs.kinds import job_kind
from annotate.jobs.services.control import retry_job
from annotate.jobs.services.starting import JobInProgress
from annotate.models import AuditEvent, Caption
from inference.backends.protocols import BackendError
from inference.errors import InferenceError
from inference.models import InferenceRun, RunItem
from inference.planning.staleness import make_run_current, mark_stale_by_model
from tests.cast import make_clip, make_project, make_video
from tests.inference.cast import bare_recipe, make_model, run_through, start_run, states

pytestmark = pytest.mark.django_db


def test_the_same_work_twice_is_recognized(project, draft_model, clips, captioner, ada):
    run_through(start_run(project=project, kind="caption", model=draft_model, admin=ada))
    again = run_through(start_run(project=project, kind="caption", model=draft_model, admin=ada))
    assert (again.state, states(again)) == ("done", ["skipped"] * 5)
    assert again.reason == (
        "Everything was already done with exactly this recipe. Nothing was repeated."
    )
    assert Caption.objects.count() == 5


def test_only_what_is_new_is_done(project, draft_model, clips, captioner, make_playable_clip):
    run_through(start_run(project=project, kind="caption", model=draft_model))
    make_playable_clip(project)
    again = start_run(project=project, kind="caption", model=draft_model)
    assert sorted(states(again)) == ["skipped"] * 5 + ["waiting"]
    assert run_through(again).state == "done"
    assert Caption.objects.count() == 6


@pytest.mark.parametrize(
    ("change", "because"),
    [
        ({"prompt": "Say it in one sentence."}, "prompt"),
        ({"seed": 7}, "seed"),
        ({"max_tokens": 99}, "options"),
    ],
)
def test_a_changed_recipe_makes_earlier_results_stale(
    project, draft_model, clips, captioner, change, because
):
    first = run_through(start_run(project=project, kind="caption", model=draft_model))
    second = start_run(project=project, kind="caption", model=draft_model, options=change)
    assert states(second) == ["waiting"] * 5
    assert set(first.items.values_list("stale_because", flat=True)) == {""}
    run_through(second)
    assert set(first.items.values_list("stale_because", flat=True)) == {because}


def test_a_run_that_fails_outdates_nothing(project, draft_model, clips, captioner):
    first = run_through(start_run(project=project, kind="caption", model=draft_model))
    captioner.replies = {10: BackendError("cut_off", "Cut off.")}
    failed = run_through(
        start_run(project=project, kind="caption", model=draft_model, options={"seed": 1})
    )
    assert set(states(failed)) == {"failed"}
    assert set(first.items.values_list("stale_because", flat=True)) == {""}


def test_other_frames_make_other_vectors_and_the_earlier_ones_stale(project, clips, monkeypatch):
    model = make_model(project, "transformers-dual", model_id="tiny/clip")
    monkeypatch.setattr("django.conf.settings.VERICAP_ALLOWED_MODELS", ["tiny/*"])
    first = start_run(project=project, kind="embed", model=model)
    first.items.update(state="done")
    few = {"sampling": {"kind": "middle", "count": 4}}
    make_run_current(start_run(project=project, kind="embed", model=model, options=few))
    assert set(first.items.values_list("stale_because", flat=True)) == {"sampling"}


def test_the_measured_draft_has_its_own_sampling(project, draft_model, clips):
    few = {"sampling": {"kind": "middle", "count": 4}}
    run = start_run(project=project, kind="caption", model=draft_model, options=few)
    assert run.recipe["options"]["sampling"] == {"kind": "pairs", "count": 120, "step": 2}


def test_going_back_to_an_earlier_recipe_makes_its_results_fresh(
    project, draft_model, clips, captioner
):
    first = run_through(start_run(project=project, kind="caption", model=draft_model))
    other = {"prompt": "Say it in one sentence."}
    run_through(start_run(project=project, kind="caption", model=draft_model, options=other))
    start_run(project=project, kind="caption", model=draft_model)
    assert set(first.items.values_list("stale_because", flat=True)) == {""}


def test_staleness_is_carried_to_what_was_made_of_it(project, draft_model, clips, captioner):
    run_through(start_run(project=project, kind="caption", model=draft_model))
    lexical = make_model(project, "lexical")
    embedded = run_through(
        start_run(project=project, kind="embed", model=lexical, options={"of": "captions"})
    )
    assert states(embedded) == ["done"] * 5
    run_through(start_run(project=project, kind="caption", model=draft_model, options={"seed": 3}))
    assert set(embedded.items.values_list("stale_because", flat=True)) == {"input"}


def test_only_missing_leaves_stale_results_alone(project, draft_model, clips, captioner):
    run_through(start_run(project=project, kind="caption", model=draft_model))
    run = start_run(
        project=project,
        kind="caption",
        model=draft_model,
        options={"seed": 3},
        only_missing=True,
    )
    assert (run.state, run.items.count()) == ("failed", 0)
    assert run.reason.startswith("Nothing is missing")


def test_the_very_same_run_is_not_started_beside_itself(project, draft_model, clips):
    run = start_run(project=project, kind="caption", model=draft_model)
    with pytest.raises(JobInProgress, match=f"in progress: run {run.pk}"):
        start_run(project=project, kind="caption", model=draft_model)
    assert RunItem.objects.count() == 5


def test_without_clips_there_is_nothing_to_do(project, draft_model):
    with pytest.raises(InferenceError, match="Import videos first"):
        start_run(project=project, kind="caption", model=draft_model)


def test_a_cut_video_is_described_part_by_part(project, draft_model):
    video = make_video(project, frames=100)
    parts = [make_clip(project, video=video, start_frame=n, end_frame=n + 50) for n in (0, 50)]
    whole = make_clip(project)
    run = start_run(project=project, kind="caption", model=draft_model)
    assert set(run.items.values_list("clip", flat=True)) == {parts[0].pk, parts[1].pk, whole.pk}


def test_an_excluded_video_is_left_out(project, draft_model):
    make_video(project, excluded_because="Not dynamic.")
    kept = make_clip(project)
    run = start_run(project=project, kind="caption", model=draft_model)
    assert list(run.items.values_list("clip", flat=True)) == [kept.pk]


def test_another_projects_model_is_refused(project, clips):
    stranger = make_model(make_project(slug="other", name="Other"))
    with pytest.raises(InferenceError, match="not among this project's models"):
        start_run(project=project, kind="caption", model=stranger)


def test_a_model_is_asked_only_for_what_it_can_do(project, clips):
    lexical = make_model(project, "lexical")
    with pytest.raises(InferenceError, match="can’t be used as captioner"):
        start_run(project=project, kind="caption", model=lexical)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"sampling": {"kind": "middle", "count": 65}},
            "gets at most 64 frames of a clip, but the run chooses up to 65",
        ),
        ({"longest_side": 1024}, "gets frames of at most 768 pixels, but the run chooses 1024"),
    ],
)
def test_frames_that_a_server_would_not_get_are_refused(project, clips, settings, options, message):
    settings.VERICAP_MODEL_SERVERS = {"here": object()}
    server = make_model(
        project, "openai-compatible", model_id="qwen", parameters={"server": "here"}
    )
    with pytest.raises(InferenceError, match=message):
        start_run(project=project, kind="caption", model=server, options=options)
    assert InferenceRun.objects.count() == 0


def test_a_model_of_keywords_that_needs_a_gpu_takes_the_run_there(
    project, draft_model, clips, captioner, settings
):
    settings.VERICAP_ALLOWED_MODELS = ["tiny/*"]
    run_through(start_run(project=project, kind="caption", model=draft_model))
    lexical = make_model(project, "lexical")
    words = make_model(project, "transformers-vlm", model_id="tiny/vlm")
    runs = [
        start_run(project=project, kind="score", model=lexical, options=options)
        for options in ({}, {"keyword_model": words.pk})
    ]
    assert [run.queue for run in runs] == ["cpu", "gpu"]


def test_an_id_off_the_list_never_starts(project, clips, settings):
    settings.VERICAP_ALLOWED_MODELS = ["openai/clip-*"]
    model = make_model(project, "transformers-vlm", model_id="evil/model")
    with pytest.raises(InferenceError, match="VERICAP_ALLOWED_MODELS"):
        start_run(project=project, kind="caption", model=model)


def test_a_wrong_setting_names_itself(project, draft_model, clips):
    with pytest.raises(InferenceError, match=r"Temperature is 9\. Keep it between 0 and 2"):
        start_run(project=project, kind="caption", model=draft_model, options={"temperature": 9})
    assert InferenceRun.objects.count() == 0


def test_a_notice_says_which_run_ended():
    def name(kind, **options):
        run = InferenceRun(
            pk=12, kind=kind, title="Lexical", recipe=bare_recipe(kind, options=options)
        )
        return job_kind(kind).name_of(run)

    assert name("embed", of="spatial") == "Embed run 12 of spatial captions: Lexical"
    assert name("caption") == "Caption run 12: Lexical"


def test_starting_is_audited(project, draft_model, clips, ada):
    run = start_run(project=project, kind="caption", model=draft_model, admin=ada)
    event = AuditEvent.objects.get(verb="start run")
    assert (event.actor, event.object_id, event.after["kind"]) == (ada, run.pk, "caption")


def test_how_fast_a_model_works_makes_nothing_stale(project, clips, settings):
    settings.VERICAP_ALLOWED_MODELS = ["tiny/*"]
    model = make_model(project, "transformers-dual", model_id="tiny/clip")
    first = start_run(project=project, kind="embed", model=model)
    first.items.update(state="done")
    InferenceRun.objects.update(state="done")
    model.parameters = {"batch_size": 2, "device": "cpu"}
    model.save()
    again = start_run(project=project, kind="embed", model=model)
    assert states(again) == ["skipped"] * 5


def test_a_model_changed_and_changed_back_is_fresh_again(project, clips, settings):
    settings.VERICAP_ALLOWED_MODELS = ["tiny/*"]
    model = make_model(project, "transformers-dual", model_id="tiny/clip", revision="a")
    first = start_run(project=project, kind="embed", model=model)
    first.items.update(state="done")
    make_run_current(first)
    for revision, because in [("b", "model"), ("a", "")]:
        model.revision = revision
        model.save()
        mark_stale_by_model(model)
        assert set(first.items.values_list("stale_because", flat=True)) == {because}


def reasons(run):
    return sorted(run.items.values_list("stale_because", flat=True))


def test_changing_a_model_back_does_not_bring_back_other_settings(project, clips, settings):
    settings.VERICAP_ALLOWED_MODELS = ["tiny/*"]
    model = make_model(project, "transformers-dual", model_id="tiny/clip", revision="a")
    few = {"sampling": {"kind": "middle", "count": 4}}
    first, second = (
        start_run(project=project, kind="embed", model=model, options=options)
        for options in ({}, few)
    )
    RunItem.objects.update(state="done")
    make_run_current(first)
    make_run_current(second)
    for revision, because in [("b", ("model", "model")), ("a", ("sampling", ""))]:
        model.revision = revision
        model.save()
        mark_stale_by_model(model)
        assert (reasons(first), reasons(second)) == ([because[0]] * 5, [because[1]] * 5)


def test_an_older_run_that_has_its_first_result_later_outdates_no_newer_one(
    project, draft_model, clips, captioner
):
    older = start_run(project=project, kind="caption", model=draft_model)
    newer = run_through(
        start_run(project=project, kind="caption", model=draft_model, options={"seed": 3})
    )
    run_through(older)
    assert (reasons(older), reasons(newer)) == (["seed"] * 5, [""] * 5)


def test_what_a_run_made_after_a_newer_one_began_is_out_of_date_too(
    project, draft_model, clips, captioner
):
    older = start_run(project=project, kind="caption", model=draft_model)
    captioner.replies = {10: BackendError("cut_off", "Cut off.")}
    run_through(older)
    captioner.replies = {}
    run_through(start_run(project=project, kind="caption", model=draft_model, options={"seed": 3}))
    retry_job(job=older, admin=None)
    run_through(older)
    assert reasons(older) == ["seed"] * 5


def test_vectors_of_captions_do_not_outdate_those_of_clips(project, clips, draft_model, captioner):
    run_through(start_run(project=project, kind="caption", model=draft_model))
    lexical = make_model(project, "lexical")
    of_clips, of_captions = (
        run_through(start_run(project=project, kind="embed", model=lexical, options={"of": of}))
        for of in ("clips", "captions")
    )
    assert (reasons(of_clips), reasons(of_captions)) == ([""] * 5, [""] * 5)
