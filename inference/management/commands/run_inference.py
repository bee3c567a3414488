"""Start a run from the command line, and watch it."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.errors import Refused
from annotate.management.following import INTERRUPTED, ProgressLine
from annotate.models import Project
from inference.errors import UnfinishedCaptions
from inference.models import InferenceRun, ModelSpec
from inference.planning.options import OPTIONS, Options
from inference.planning.replacement import RANK_OF
from inference.registry import Role, has_role
from inference.runs.preview import preview_run
from inference.runs.progress import RunProgress, progress_of
from inference.runs.services import ROLE_OF_KIND, start_run
from inference.sampling import FIELDS, Sampling

State = InferenceRun.State
EVERY_SECONDS = 1.0
# Seconds without progress until the command says that no worker responds.
PATIENCE_SECONDS = 30.0
NOBODY = "No worker has taken the run for {seconds:.0f} s. Start a worker: make worker"
YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Command(BaseCommand):
    help = "Run a model over a project's videos, clips or captions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("kind", help=", ".join(InferenceRun.Kind.values))
        parser.add_argument("--model", metavar="NAME", help="as on the Models page")
        parser.add_argument(
            "--only-missing",
            action="store_true",
            help="leave out what this model has done before, whatever its settings were",
        )
        parser.add_argument(
            "--option",
            metavar="NAME=VALUE",
            action="append",
            default=[],
            help="a setting of this kind of run; frames are written every:30 or seconds:8:64",
        )
        parser.add_argument(
            "--join-unfinished",
            action="store_true",
            help="of fuse: join captions that still wait for people, too",
        )
        parser.add_argument(
            "--count-again",
            action="store_true",
            help="of score: TF-IDF counts the captions of now, which makes another scorer",
        )
        parser.add_argument(
            "--wait",
            action="store_true",
            help="show the progress; the exit status is 1 when items failed or the run stopped",
        )

    def handle(self, *, project: str, kind: str, model: str | None, **options: Any) -> None:
        found = _project(project)
        if kind not in InferenceRun.Kind.values:
            kinds = ", ".join(InferenceRun.Kind.values)
            raise CommandError(f"There is no kind of run {kind!r}. Kinds: {kinds}.")
        if model is None and kind in ROLE_OF_KIND:
            raise CommandError(_choose_model(found, kind))
        asked: dict[str, Any] = {
            "project": found,
            "kind": kind,
            "model": _model(found, model) if model else None,
            "options": _options(found, kind, options["option"]),
            "only_missing": options["only_missing"],
            "counts_again": options["count_again"],
        }
        try:
            preview = preview_run(**asked) if kind in RANK_OF else None
            for sentence in preview.replaces.sentences if preview and preview.replaces else ():
                self.stdout.write(sentence)
            if preview and preview.left_out:
                self.stdout.write(preview.left_out)
            run = start_run(**asked, joins_unfinished=options["join_unfinished"])
        except UnfinishedCaptions as error:
            raise CommandError(f"{error} Pass --join-unfinished to join them.") from error
        except Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Run {run.pk} is queued.")
        if options["wait"]:
            self._wait(run)

    def _wait(self, run: InferenceRun) -> None:
        try:
            progress = self._watch(run)
        except KeyboardInterrupt:
            self.stderr.write(f"\nRun {run.pk} goes on without this command. See the Runs page.")
            sys.exit(INTERRUPTED)
        failed = progress.counts["failed"]
        if run.state == State.FAILED:
            raise CommandError(f"The run stopped: {run.reason}")
        if run.state == State.CANCELLED:
            raise CommandError("The run was canceled.")
        if failed:
            raise CommandError(f"{failed} of {run.total} items failed. Their run says why.")
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
                self.stderr.write(NOBODY.format(seconds=silent))
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


def _project(slug: str) -> Project:
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        slugs = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise CommandError(f"There is no project {slug!r}. Projects: {slugs or 'none yet'}.")
    return found


def _model(project: Project, name: str) -> ModelSpec:
    models = ModelSpec.objects.filter(project=project, is_active=True)
    found = models.filter(name=name).first()
    if found is None:
        names = ", ".join(models.values_list("name", flat=True))
        raise CommandError(
            f"{project.name} has no model {name!r} in use. "
            f"Models: {names or 'none yet; add them on the Models page'}."
        )
    return found


def _choose_model(project: Project, kind: str) -> str:
    role = Role(ROLE_OF_KIND[InferenceRun.Kind(kind)])
    models = ModelSpec.objects.filter(project=project, is_active=True).order_by("name")
    names = ", ".join(spec.name for spec in models if has_role(spec, role))
    return (
        f"Choose the model for this {kind} run with --model. "
        f"Models that can do it: {names or 'none yet; add one on the Models page'}."
    )


def _options(project: Project, kind: str, pairs: list[str]) -> Mapping[str, Any]:
    """Return the options for `start_run`, each text converted to the type of its default."""
    presets = OPTIONS[kind]()
    known = [option.name for option in fields(presets)]
    found = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or name not in known:
            raise CommandError(
                f"--option {pair} can't be understood. Write NAME=VALUE, where NAME is one of: "
                f"{', '.join(known)}."
            )
        found[name] = _value(project, presets, name, text)
    return found


def _value(project: Project, presets: Options, name: str, text: str) -> Any:
    preset = getattr(presets, name)
    if name == "keyword_model":
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
