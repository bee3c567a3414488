"""manage.py run_inference PROJECT KIND [--model NAME] [--option NAME=VALUE] [--wait]"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.errors import Refused
from annotate.management.following import INTERRUPTED, ProgressLine
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from annotate.models import Project
from inference.errors import InferenceError, UndecidedVideos, UnfinishedCaptions
from inference.models import InferenceRun, ModelSpec
from inference.planning.options import OPTIONS
from inference.planning.presets import lovr_score_options
from inference.planning.replacement import RANK_OF
from inference.planning.typed_options import Options
from inference.runs.preview import preview_run
from inference.runs.progress import RunProgress, progress_of
from inference.runs.services import ROLE_OF_KIND, fits_kind, start_run
from inference.sampling import FIELDS, Sampling

State = InferenceRun.State
# Kinds whose preview lists what they replace.
TOLD_BEFORE = {*RANK_OF, InferenceRun.Kind.THEME, InferenceRun.Kind.SEGMENT}
EVERY_SECONDS = 1.0
# Seconds without progress until the command says that no worker responds.
PATIENCE_SECONDS = 30.0
NO_WORKER = "No worker has taken the run for {seconds:.0f} s. Start one with: make worker"
YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Command(QuickCommand):
    help = "Run a model over a project's videos, clips or captions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("kind", help=f"the kind of run: {', '.join(InferenceRun.Kind.values)}")
        parser.add_argument(
            "--model", metavar="NAME", help="the model's name, as on the page Models"
        )
        parser.add_argument(
            "--only-missing",
            action="store_true",
            help="leave out what this model has already done, with any settings",
        )
        parser.add_argument(
            "--option",
            metavar="NAME=VALUE",
            action="append",
            default=[],
            help="a setting of this kind of run; write frames as every:30 or seconds:8:64",
        )
        parser.add_argument(
            "--preset",
            choices=["lovr"],
            help="for score: EVQAScore as LoVR ran it; --option changes single settings of it",
        )
        parser.add_argument(
            "--join-unfinished",
            action="store_true",
            help="for fuse: also join captions that people have not finished yet",
        )
        parser.add_argument(
            "--caption-undecided",
            action="store_true",
            help="for caption: also describe videos about which people disagree whether they are "
            "dynamic",
        )
        parser.add_argument(
            "--count-again",
            action="store_true",
            help="for score: count the words of the current captions, which makes a new scorer",
        )
        parser.add_argument(
            "--wait",
            action="store_true",
            help="show the progress; exit with status 1 if items failed or the run stopped",
        )

    def handle(self, *, project: str, kind: str, model: str | None, **options: Any) -> None:
        source = find_project(project)
        if kind not in InferenceRun.Kind.values:
            kinds = ", ".join(InferenceRun.Kind.values)
            raise CommandError(f"{kind!r} isn’t a kind of run. Kinds: {kinds}.")
        if model is None and kind in ROLE_OF_KIND:
            raise CommandError(_choose_model(source, kind))
        settings: dict[str, Any] = {
            "project": source,
            "kind": kind,
            "model": _model(source, model) if model else None,
            "options": {
                **_preset(source, kind, options["preset"]),
                **_options(source, kind, options["option"]),
            },
            "only_missing": options["only_missing"],
            "counts_again": options["count_again"],
        }
        try:
            preview = preview_run(**settings) if kind in TOLD_BEFORE else None
            for sentence in preview.replaces.sentences if preview and preview.replaces else ():
                self.stdout.write(sentence)
            if preview and preview.themes:
                self.stdout.write(preview.themes)
            for sentence in (preview.too_short, preview.told_otherwise) if preview else ():
                if sentence:
                    self.stdout.write(sentence)
            if preview and preview.left_out:
                self.stdout.write(preview.left_out)
            run = start_run(
                **settings,
                joins_unfinished=options["join_unfinished"],
                captions_undecided=options["caption_undecided"],
            )
        except UnfinishedCaptions as error:
            raise CommandError(f"{error} Pass --join-unfinished to join them.") from error
        except UndecidedVideos as error:
            raise CommandError(f"{error} Pass --caption-undecided to describe them.") from error
        except Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Run {run.pk} is queued.")
        if options["wait"]:
            self._wait(run)

    def _wait(self, run: InferenceRun) -> None:
        try:
            progress = self._watch(run)
        except KeyboardInterrupt:
            self.stderr.write(
                f"\nRun {run.pk} continues without this command. The page Runs shows it."
            )
            sys.exit(INTERRUPTED)
        failed = progress.counts["failed"]
        if run.state == State.FAILED:
            raise CommandError(f"The run stopped: {run.reason}")
        if run.state == State.CANCELLED:
            raise CommandError("The run was canceled.")
        if failed:
            raise CommandError(
                f"{failed} of {run.total} items failed. The page of the run says why."
            )
        if progress.is_all_excluded:
            self.stdout.write("Every video was left out. The page of the run says why.")
        self.stdout.write(run.reason or f"Done in {progress.took}.")

    def _watch(self, run: InferenceRun) -> RunProgress:
        """Show a line of progress until the run has ended."""
        line = ProgressLine(self.stdout)
        progress = progress_of([run])[run.pk]
        ended, moved_at = progress.ended, time.monotonic()
        while run.is_active:
            line.show(_words(progress))
            time.sleep(EVERY_SECONDS)
            run.refresh_from_db()
            progress = progress_of([run])[run.pk]
            silent = time.monotonic() - moved_at
            if progress.has_worker or progress.ended != ended:
                ended, moved_at = progress.ended, time.monotonic()
            elif silent >= PATIENCE_SECONDS and run.is_active:
                line.end()
                self.stderr.write(NO_WORKER.format(seconds=silent))
                moved_at = time.monotonic()
        line.show(_words(progress))
        line.end()
        return progress


def _words(progress: RunProgress) -> str:
    if not progress.total:
        return "Waiting to be planned"
    text = f"{progress.ended} of {progress.total} ({progress.percent} %)"
    if progress.rate is not None:
        text += f", {progress.speed}"
    if progress.in_progress and progress.left is not None:
        text += f", {progress.time_left} left"
    failed = progress.counts["failed"]
    return f"{text}, {failed} failed" if failed else text


def _model(project: Project, name: str) -> ModelSpec:
    models = ModelSpec.objects.filter(project=project, is_active=True)
    model = models.filter(name=name).first()
    if model is None:
        names = ", ".join(models.values_list("name", flat=True))
        raise CommandError(
            f"{project.name} has no model {name!r} in use. "
            f"Models: {names or 'none yet; add one on the page Models'}."
        )
    return model


def _choose_model(project: Project, kind: str) -> str:
    models = ModelSpec.objects.filter(project=project, is_active=True).order_by("name")
    names = ", ".join(spec.name for spec in models if fits_kind(spec, kind))
    return (
        f"Choose the model for this {kind} run with --model. "
        f"Models that can do it: {names or 'none yet; add one on the page Models'}."
    )


def _preset(project: Project, kind: str, name: str | None) -> Mapping[str, Any]:
    if name is None:
        return {}
    if kind != InferenceRun.Kind.SCORE:
        raise CommandError(f"--preset {name} is for score runs. Leave it out.")
    models = ModelSpec.objects.filter(project=project, is_active=True).order_by("name")
    try:
        return lovr_score_options(models).as_dict()
    except InferenceError as error:
        raise CommandError(str(error)) from error


def _options(project: Project, kind: str, pairs: list[str]) -> Mapping[str, Any]:
    """Return the options for `start_run`, each text converted to the type of its default."""
    presets = OPTIONS[kind]()
    names = [option.name for option in fields(presets)]
    options = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or name not in names:
            raise CommandError(
                f"--option {pair} can't be understood. Write NAME=VALUE, where NAME is one of: "
                f"{', '.join(names)}."
            )
        options[name] = _value(project, presets, name, text)
    return options


def _value(project: Project, presets: Options, name: str, text: str) -> Any:
    preset = getattr(presets, name)
    if name in {"keyword_model", "detector"}:
        return _model(project, text).pk
    if isinstance(preset, bool):
        if text.lower() not in YES_NO:
            raise CommandError(f"--option {name}={text}: write yes or no.")
        return YES_NO[text.lower()]
    return _sampling(name, text) if isinstance(preset, Sampling) else text


def _sampling(name: str, text: str) -> Sampling:
    kind, *numbers = text.split(":")
    forms = ", ".join(":".join([rule, *parts]) for rule, parts in FIELDS.items())
    try:
        return Sampling(kind, **dict(zip(FIELDS[kind], map(int, numbers), strict=True)))
    except (KeyError, ValueError) as error:
        raise CommandError(
            f"--option {name}={text} does not say which frames. Write one of: {forms}."
        ) from error
