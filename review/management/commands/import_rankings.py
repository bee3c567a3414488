"""manage.py import_rankings PROJECT FILE --name NAME"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.composed.models import ImportedRanking
from review.composed.ranking_files import MAX_BYTES
from review.composed.services import RunFacts, import_ranking
from review.triplets.queries import find_set


class Command(QuickCommand):
    help = "Import rankings of the test queries, or their vectors, of a model that ran elsewhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help="a .json, .npz or .safetensors file")
        parser.add_argument("--name", required=True, help="the name of the model")
        parser.add_argument(
            "--set", type=int, dest="number", help="the number of the set (the newest)"
        )
        parser.add_argument(
            "--group",
            choices=ImportedRanking.Group.values,
            default="zero_shot",
            help="the group of rows in the table of results (zero_shot)",
        )
        parser.add_argument(
            "--modalities",
            choices=["both", "video", "text"],
            default="both",
            help="what the query consists of (both)",
        )
        parser.add_argument(
            "--fusion",
            default="",
            help="how the model fuses video and text, such as MLP, CA, Avg or MLLM",
        )
        parser.add_argument("--query-frames", type=int, help="frames of each query video")
        parser.add_argument("--target-frames", type=int, help="frames of each target video")
        parser.add_argument("--seed", type=int, help="the seed of the run")
        parser.add_argument(
            "--verified-only",
            action="store_true",
            help="the file uses the ids of export_triplets --verified-only",
        )

    def handle(self, *, project: str, file: Path, name: str, **options: Any) -> None:
        with command_errors(reading=file):
            triplets = find_set(find_project(project), options["number"])
            with file.open("rb") as opened:
                data = opened.read(MAX_BYTES + 1)
            ranking = import_ranking(
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
        self.stdout.write(f"Imported the rankings of {ranking} for {triplets}.")
