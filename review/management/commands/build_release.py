"""manage.py build_release PROJECT VERSION [--notes TEXT] [--[no-]clip-files] [--all] [--here]"""

from argparse import BooleanOptionalAction
from dataclasses import replace

from django.core.management.base import CommandError, CommandParser
from django.template.defaultfilters import filesizeformat

from annotate.jobs.parameters import read_parameters
from annotate.management.errors import command_errors
from annotate.management.following import JobFollower, add_here_option, refuse_unfinished
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from annotate.models.jobs import Job
from review.frozen.models import Release
from review.releases.archives import archive_state, ready_archive
from review.releases.choice import ALL
from review.releases.content import size_in_words
from review.releases.formats import FORMATS
from review.releases.hashes import hashes_of
from review.releases.queries import choice_of, latest_release, notes_of
from review.releases.services import BuildParameters, start_release


class Command(QuickCommand):
    help = "Build a release: freeze the complete clips or the triplets of a project."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("version", help="the version, such as 0.1.0")
        parser.add_argument(
            "--notes", help="what is new, in a sentence or two; by default those kept on the page"
        )
        parser.add_argument(
            "--clip-files",
            action=BooleanOptionalAction,
            default=None,
            help="include the clips as files, each cut from its video; in LoVR projects; by "
            "default as chosen on the page",
        )
        parser.add_argument(
            "--all",
            action="store_true",
            help="include everything, instead of what was chosen on the page",
        )
        add_here_option(parser)

    def handle(
        self,
        *,
        project: str,
        version: str,
        notes: str | None,
        clip_files: bool | None,
        here: bool,
        **options: object,
    ) -> None:
        with command_errors():
            source = find_project(project)
            previous = latest_release(source)
            choice = ALL if options["all"] else choice_of(source)
            if clip_files is not None:
                choice = replace(choice, clip_files=clip_files)
            job = start_release(
                project=source,
                version=version,
                admin=None,
                notes=notes_of(source) if notes is None else notes,
                choice=choice,
            )
        follower = JobFollower(self, is_here=here)
        follower.finish(job)
        refuse_unfinished(job)
        release = Release.objects.get(
            project=source, version=read_parameters(job, BuildParameters).version
        )
        size = size_in_words(release)
        self.stdout.write(f"Built {release}: {size}, sha256 {release.content_hash}")
        if previous and previous.content_hash == release.content_hash:
            self.stdout.write(f"Its content is the same as that of {previous.version}.")
        self._write_archive(release, follower)

    def _write_archive(self, release: Release, follower: JobFollower) -> None:
        state = archive_state(release, FORMATS[release.format])
        if state.job:
            follower.finish(state.job)
            if state.job.state != Job.State.DONE:
                reason = state.job.reason or "The job was canceled."
                raise CommandError(
                    f"{release} is built, but its {release.format} ZIP isn't. {reason}"
                )
        archive = ready_archive(release, release.format)
        if archive:
            size = filesizeformat(archive.size)
            self.stdout.write(f"Wrote the {release.format} ZIP: {size}, sha256 {archive.sha256}")
        hashes = hashes_of(release)
        if hashes.of_release:
            self.stdout.write(f"Release hash, all formats: {hashes.of_release}")
        for name, sha256 in hashes.listed:
            self.stdout.write(f"Release hash of the format {name}: {sha256}")
