"""manage.py build_release PROJECT VERSION [--notes TEXT]"""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from review.errors import ReviewError
from review.management.lookup import find_project
from review.releases.queries import latest_release
from review.releases.services import build_release


class Command(BaseCommand):
    help = "Freeze what is complete in a project under a version."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("version", help="such as 0.1.0")
        parser.add_argument("--notes", default="", help="what is new, in a sentence or two")

    def handle(self, *, project: str, version: str, notes: str, **options: object) -> None:
        try:
            found = find_project(project)
            previous = latest_release(found)
            release = build_release(project=found, version=version, admin=None, notes=notes)
        except ReviewError as error:
            raise CommandError(str(error)) from error
        clips = f"{release.clip_count} clip{'' if release.clip_count == 1 else 's'}"
        self.stdout.write(f"Built {release}: {clips}, sha256 {release.content_hash}")
        if previous and previous.content_hash == release.content_hash:
            self.stdout.write(f"Its content is the same as that of {previous.version}.")
