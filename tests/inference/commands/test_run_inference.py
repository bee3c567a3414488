"""run_inference, run as from a shell."""

import pytest
from django.core.management import CommandError, call_command

from annotate.jobs.services.working import work_on
from annotate.models import Caption
from inference.management.commands import run_inference as command
from inference.models import InferenceRun, Segmentation
from inference.planning.presets import options_for
from inference.planning.services import plan_items
from inference.recipes import read_recipe
from inference.runs.services import build_recipe
from tests.cast import make_clip
from tests.inference.cast import make_model
from tests.inference.outcomes import EMPTY, hold, leave


@pytest.fixture
def clips(project):
    return [make_clip(project) for _ in range(3)]


@pytest.fixture
def draft(project):
    return make_model(project, name="Draft")


def run(*arguments) -> None:
    call_command("run_inference", *arguments)


@pytest.fixture
def clock(monkeypatch):
    """Seconds pass only by waiting; `clock.then(f)` has f done during the next wait."""

    class Clock:
        now, steps = 0.0, []

        def then(self, *steps):
            self.steps = [*self.steps, *steps]

        def sleep(self, seconds):
            self.now += seconds
            if self.steps:
                self.steps.pop(0)()

    clock = Clock()
    monkeypatch.setattr(command.time, "sleep", clock.sleep)
    monkeypatch.setattr(command.time, "monotonic", lambda: clock.now)
    return clock


def the_run() -> InferenceRun:
    return InferenceRun.objects.get()


def test_it_starts_what_the_page_would_start(project, clips, draft, capsys):
    run("dives", "caption", "--model", "Draft")
    started = the_run()
    assert (started.kind, started.model) == ("caption", draft)
    presets = options_for(project, "caption")
    assert read_recipe(started.recipe) == build_recipe(
        project=project, kind="caption", model=draft, options=presets
    )
    assert capsys.readouterr().out == f"Run {started.pk} is queued.\n"


def test_options_are_numbers_words_and_frames(project, clips):
    make_model(project, "lexical", name="Vectors")
    run("dives", "segment", "--option", "min_clips=3", "--option", "threshold=27.5")
    options = the_run().recipe["options"]
    assert (options["min_clips"], options["threshold"]) == (3, 27.5)
    assert command._options(
        project, "caption", ["use_theme=no", "sampling=seconds:4:16", "prompt=a=b"]
    ) == {
        "use_theme": False,
        "sampling": command.Sampling("seconds", low=4, high=16),
        "prompt": "a=b",
    }


def test_the_keyword_model_is_named_as_on_its_page(project):
    joiner = make_model(project, "plain-joiner", name="Joiner")
    options = command._options(project, "score", ["keyword_model=Joiner"])
    assert options == {"keyword_model": joiner.pk}


def test_lovrs_preset_can_be_changed_by_options(project, settings):
    settings.VERICAP_MODEL_SERVERS = {"here": object()}
    make_model(project, "lexical", name="Vectors")
    with pytest.raises(CommandError, match="It needs a model that names keywords"):
        run("dives", "score", "--model", "Vectors", "--preset", "lovr")
    namer = make_model(
        project, "openai-compatible", name="N", model_id="a", parameters={"server": "here"}
    )
    Caption.objects.create(
        project=project,
        clip=make_clip(project),
        kind="general",
        source="machine",
        text="A dive.",
        word_count=2,
    )
    run("dives", "score", "--model", "Vectors", "--preset", "lovr", "--option", "seed=3")
    options = the_run().recipe["options"]
    assert (options["keyword_model"], options["keywords_at_most"], options["seed"]) == (
        namer.pk,
        100,
        3,
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("waves", "caption"), "There is no project 'waves'. Choose one of: dives."),
        (
            ("dives", "sing"),
            "'sing' isn’t a kind of run. "
            "Kinds: segment, theme, caption, embed, score, refine, fuse.",
        ),
        (
            ("dives", "caption", "--model", "Nobody"),
            "Dives has no model 'Nobody' in use. Models: Draft.",
        ),
        (
            ("dives", "caption"),
            "Choose the model for this caption run with --model. Models that can do it: Draft.",
        ),
        (
            ("dives", "embed"),
            "Choose the model for this embed run with --model. Models that can do it: none yet; "
            "add one on the page Models.",
        ),
        (
            ("dives", "segment", "--option", "depth=3"),
            "--option depth=3 can't be understood. Write NAME=VALUE, where NAME is one of: "
            "min_video_seconds, threshold, min_scene_seconds, min_clips, downscale, cut_detector.",
        ),
        (
            ("dives", "segment", "--option", "min_clips=many"),
            "Min clips is 'many'. Give a whole number.",
        ),
        (
            ("dives", "caption", "--model", "Draft", "--option", "sampling=every"),
            "--option sampling=every does not say which frames. Write one of: middle:count, "
            "every:step, seconds:low:high, pairs:count:step.",
        ),
        (
            ("dives", "caption", "--model", "Draft", "--option", "use_theme=maybe"),
            "--option use_theme=maybe: write yes or no.",
        ),
    ],
)
def test_what_it_does_not_know_it_says_with_what_there_is(
    project, clips, draft, arguments, sentence
):
    with pytest.raises(CommandError) as refusal:
        run(*arguments)
    assert str(refusal.value) == sentence
    assert not InferenceRun.objects.exists()


def test_only_what_is_missing_is_started(project, clips, draft, capsys):
    run("dives", "caption", "--model", "Draft")
    leave(the_run(), done=2, state="done")
    run("dives", "caption", "--model", "Draft", "--only-missing", "--option", "seed=1")
    second = InferenceRun.objects.first()
    assert len(plan_items(second)) == 1


def test_waiting_shows_the_progress_to_its_end(project, clips, draft, clock, capsys):
    clock.then(lambda: hold(the_run(), 3), lambda: leave_done(2), lambda: leave_done(1, "done"))
    run("dives", "caption", "--model", "Draft", "--wait")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == ["Waiting to be planned", "0 of 3 (0 %)"]
    assert lines[3].startswith("2 of 3 (66 %), ")
    assert lines[3].endswith("left")
    assert lines[4] == "3 of 3 (100 %)"
    assert lines[5].startswith("Done in ")


def leave_done(number: int, state: str | None = None) -> None:
    started = the_run()
    started.items.filter(state="running").update(state="waiting", lease_until=None)
    leave(started, done=number, state=state)
    hold(started, 3)


def test_items_that_failed_are_an_exit_status(project, clips, draft, clock):
    clock.then(lambda: leave(the_run(), done=2, failed=(EMPTY,), state="done"))
    with pytest.raises(CommandError, match="1 of 3 items failed") as refusal:
        run("dives", "caption", "--model", "Draft", "--wait")
    assert refusal.value.returncode == 1


def test_a_stopped_run_says_why(project, clips, draft, clock):
    def stop():
        InferenceRun.objects.update(state="failed", reason="No GPU is here.")

    clock.then(stop)
    with pytest.raises(CommandError, match="The run stopped: No GPU is here"):
        run("dives", "caption", "--model", "Draft", "--wait")


def test_without_a_worker_it_says_so_every_30_seconds(project, clips, draft, clock, capsys):
    def nothing():
        pass

    clock.then(*[nothing] * 64, lambda: leave(the_run(), done=3, state="done"))
    run("dives", "caption", "--model", "Draft", "--wait")
    message = "No worker has taken the run for 30 s. Start one with: make worker"
    assert capsys.readouterr().err.splitlines() == [message, message]


def test_with_a_living_worker_it_waits_in_silence(project, clips, draft, clock, capsys):
    clock.then(
        lambda: hold(the_run(), 3, seconds=3600),
        *[lambda: None] * 90,
        lambda: leave_done(3, "done"),
    )
    run("dives", "caption", "--model", "Draft", "--wait")
    assert capsys.readouterr().err == ""


def test_ctrl_c_leaves_the_run_going(project, clips, draft, clock, capsys):
    def interrupt():
        raise KeyboardInterrupt

    clock.then(interrupt)
    with pytest.raises(SystemExit) as left:
        run("dives", "caption", "--model", "Draft", "--wait")
    assert left.value.code == 130
    assert "continues without this command" in capsys.readouterr().err
    assert the_run().state == "waiting"


def test_what_was_done_before_ends_at_once(project, clips, draft, clock, capsys):
    run("dives", "caption", "--model", "Draft")
    leave(the_run(), done=3, state="done")
    clock.then(lambda: work_on(job_id=InferenceRun.objects.first().pk))
    run("dives", "caption", "--model", "Draft", "--wait")
    assert "Everything was already done with exactly this recipe." in capsys.readouterr().out


def test_a_segment_run_that_kept_no_video_says_so(project, clips, clock, capsys):
    def leave_all_out():
        leave(the_run(), done=3, state="done")
        for item in the_run().items.all():
            Segmentation.objects.create(
                project=project, video=item.video, item=item, cuts=[], threshold=34, curve=b"",
            absolute_curve=b"", means_curve=b"",
                is_kept=False, excluded_because="2 s long",
            )  # fmt: skip

    clock.then(leave_all_out)
    run("dives", "segment", "--wait")
    assert "Every video was left out. The page of the run says why." in capsys.readouterr().out
