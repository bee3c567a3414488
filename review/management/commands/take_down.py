"""manage.py take_down PROJECT (--clip NAME | --video NAME | --caption ID | --undo ID)
[--reason REASON] [--note TEXT] [--dry-run]"""

from django.core.management.base import CommandError, CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from annotate.models import Clip, Project, Video
from inference.words import counted
from review.frozen.takedowns import Takedown
from review.takedowns.queries import Preview, preview_of, proposed, takedowns_of
from review.takedowns.services import take_down, undo_takedown


class Command(QuickCommand):
    help = "Take a clip, a video or a caption out of all releases, or undo that."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        item = parser.add_mutually_exclusive_group(required=True)
        item.add_argument("--clip", help="the name of a clip")
        item.add_argument("--video", help="the file name of a video; takes all its clips")
        item.add_argument("--caption", type=int, help="the id of a caption, as in the API")
        item.add_argument("--undo", type=int, help="the id of a takedown, as in TOMBSTONES")
        parser.add_argument(
            "--reason", choices=Takedown.Reason.values, help="why; the releases state it"
        )
        parser.add_argument("--note", default="", help="for admins; no release shows it")
        parser.add_argument("--dry-run", action="store_true", help="only say what this affects")

    def handle(self, *, project: str, undo: int | None, dry_run: bool, **options: object) -> None:
        source = find_project(project)
        with command_errors():
            if undo is not None:
                self._undo(source, undo)
                return
            what, key = _item(source, options)
            proposal = proposed(source, what, key)
            if proposal is None:
                raise CommandError(f"{source.name} has no {what} {key}.")
            self._show(preview_of(proposal))
            if dry_run:
                self.stdout.write("Nothing was changed.")
                return
            if not options["reason"]:
                raise CommandError("Say why with --reason. The releases state it.")
            takedown = take_down(
                project=source,
                what=what,
                key=key,
                reason=str(options["reason"]),
                note=str(options["note"]),
                admin=None,
            )
        self.stdout.write(f"Taken down. To undo it: take_down {project} --undo {takedown.pk}")

    def _undo(self, project: Project, key: int) -> None:
        takedown = takedowns_of(project).filter(pk=key).first()
        if takedown is None:
            raise CommandError(f"{project.name} has no takedown {key}.")
        undo_takedown(takedown=takedown, admin=None)
        self.stdout.write("Undone. Releases offer it again.")

    def _show(self, preview: Preview) -> None:
        self.stdout.write(f"{preview.subject.title} ({counted(preview.clips, ('clip', 'clips'))})")
        for entry in preview.affected:
            more = f" and {entry.unlisted} more" if entry.unlisted else ""
            self.stdout.write(f"  {entry.release.version}: {', '.join(entry.listed)}{more}")
        if not preview.affected:
            self.stdout.write("  No release has it.")
        if preview.shown_in:
            self.stdout.write(f"  The whole video {preview.shown_in} still shows this clip.")


def _item(project: Project, options: dict[str, object]) -> tuple[str, int]:
    if options["caption"] is not None:
        return Takedown.What.CAPTION, int(str(options["caption"]))
    if options["clip"] is not None:
        clips = Clip.objects.filter(project=project, name=options["clip"])
        return Takedown.What.CLIP, _only(clips.values_list("pk", flat=True), "clip", options)
    videos = Video.objects.filter(project=project, original_name=options["video"])
    return Takedown.What.VIDEO, _only(videos.values_list("pk", flat=True), "video", options)


def _only(keys: object, what: str, options: dict[str, object]) -> int:
    matches = list(keys)  # type: ignore[call-overload]  # a queryset of keys
    if len(matches) != 1:
        raise CommandError(
            f"The project has {len(matches) or 'no'} {what}{'s' if len(matches) > 1 else ''} "
            f"called {options[what]!r}. Take it down on its page, or by the API."
        )
    return int(matches[0])
