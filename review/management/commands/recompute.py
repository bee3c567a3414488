"""manage.py recompute PROJECT NAME"""

from django.core.management.base import CommandParser
from django.utils import timezone

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.reports.registry import REPORTS
from review.reports.services import recompute


class Command(QuickCommand):
    help = "Recompute a report of a project if its labels have changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "name",
            choices=sorted(REPORTS),
            metavar="name",
            help=f"the report: {', '.join(sorted(REPORTS))}",
        )

    def handle(self, *, project: str, name: str, **options: object) -> None:
        began = timezone.now()
        with command_errors():
            reports = recompute(project=find_project(project), name=name, asked=True)
        for report in reports:
            since = timezone.localtime(report.created_at)
            unchanged = f"Nothing has changed since {since:%Y-%m-%d %H:%M} UTC: "
            self.stdout.write(f"{unchanged if report.created_at < began else ''}{report.signature}")
        if not reports:
            self.stdout.write(
                f"Nothing to compute {name} from yet. The page Metrics says what to start."
            )
