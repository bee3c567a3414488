"""manage.py import_rankings PROJECT FILE --name NAME"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from review.composed.models import ImportedRanking
from review.composed.ranking_files import MOST_BYTES
from review.composed.services import RunFacts, import_ranking
from review.errors import ReviewError
from review.management.lookup import find_project
from review.triplets.queries import find_set


class Command(BaseCommand):
    help = "Take in rankings of test queries, or their vectors, by a model that was run elsewhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help=".json, .npz or .safetensors (docs/formats.md)")
        parser.add_argument("--name", required=True, help="what people call the model")
        parser.add_argument("--set", type=int, dest="number", help="its number; else the newest")
        parser.add_argument("--group", choices=ImportedRanking.Group.values, default="zero_shot")
        parser.add_argument("--modalities", choices=["both", "video", "text"], default="both")
        parser.add_argument("--fusion", default="", help="MLP, CA, Avg or MLLM, say")
        parser.add_argument("--query-frames", type=int)
        parser.add_argument("--target-frames", type=int)
        parser.add_argument("--seed", type=int)
        parser.add_argument(
            "--verified-only",
            action="store_true",
            help="the ids are those of export_triplets --verified-only",
        )

    def handle(self, *, project: str, file: Path, name: str, **options: Any) -> None:
        try:
            triplets = find_set(find_project(project), options["number"])
            with file.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
            made = import_ranking(
                triplets=triplets,
                facts=RunFacts(
                    name=name,
                    group=options["group"],
                    has_video=options["modalities"] != "text",
                    has_text=options["modalities"] != "video",
                    fusion=options["fusion"],
                    query_frames=options["query_frames"],
                    target_frames=options["target_frames"],
                    seed=options["seed"],
                ),
                file_name=file.name,
                data=data,
                verified_only=options["verified_only"],
                admin=None,
            )
        except ReviewError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        self.stdout.write(f"Imported the rankings of {made} for {triplets}")
