"""A caption set keeps the instructions of its model; a model that was told the theme is marked."""

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from inference.models import RunItem
from inference.planning.options import CaptionOptions
from inference.planning.recipes import make_recipe
from inference.recipes import read_recipe
from review.captions.import_job import IMPORT_PREDICTIONS
from review.captions.instructions import instructions_of, statement_of_run
from review.captions.models import CaptionSet
from review.captions.services import make_set_of_run
from review.reports.instructions import theme_notice
from review.reports.models import Report
from review.reports.services import recompute
from review.rounds.queries import instructions_of_round
from review.rounds.services import open_round
from tests.cast import client_of, make_cast, make_project
from tests.import_work import run_file_import
from tests.inference.cast import make_model, start_run
from tests.review.capst.capst_runs import (
    described_clip,
    judge,
    start,
    word_overlap,
)
from tests.review.comparisons.comparing import make_set, next_caption_pair, predict
from tests.review.comparisons.rounds import cast, leaderboard_of
from tests.review.reports.addresses import address

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("counted_one_by_one"),
]

NOTICE = "Told the theme: Cheat."
TELLING = {"use_theme": True, "prompt": "Describe it: |all| of it."}


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [described_clip(project) for _ in range(3)]
    return {"project": project, **make_cast(project), "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def run_set(project, clips, settings):
    """A function that makes a set of a finished run with these options."""
    settings.VERICAP_ALLOWED_MODELS = ["Qwen/*"]

    def made(name, **options):
        model = make_model(
            project, "transformers-vlm", name=f"{name} 7B", model_id="Qwen/Qwen2.5-VL"
        )
        run = start_run(project=project, kind="caption", model=model, options=options)
        for item in run.items.all():
            caption = predict(item.clip, f"{name[::-1]} saw a woman slice it.", name)
            RunItem.objects.filter(pk=item.pk).update(state="done", result=caption)
        run.state = "done"
        run.save()
        return make_set_of_run(run=run, name=name, admin=None)

    return made


@pytest.fixture
def sets(project, clips, run_set):
    return [run_set("Cheat", **TELLING), run_set("Fair"), make_set(project, "Foreign", clips)]


@pytest.fixture
def round(project, clips, sets, rita):
    opened = open_round(
        project=project, admin=None, sets=sets, votes_per_pair=10, repeat_percent=0,
        shared_percent=0,
    )  # fmt: skip
    for first, second in (("Cheat", "Fair"), ("Fair", "Foreign")):
        cast(opened, first, second, "left", rita, clips[0])
    leaderboard_of(opened)
    return opened


def get(person, name, *args, query=""):
    return client_of(person).get(address(name, *args) + query)


class TestTheStatement:
    def test_a_set_of_a_run_states_what_its_recipe_says(self, sets):
        cheat, fair, foreign = map(instructions_of, CaptionSet.objects.order_by("name"))
        assert (cheat.theme, cheat.prompt, cheat.mark) == (
            "told", "Describe it: |all| of it.", "told the theme",
        )  # fmt: skip
        assert (fair.theme, fair.prompt, fair.frames, fair.mark) == (
            "not_told", "Describe the video in detail.", "32 frames, evenly spread", "no theme",
        )  # fmt: skip
        assert (foreign.theme, foreign.prompt, foreign.mark) == ("", "", "prompt unknown")

    def test_a_model_without_a_prompt_was_not_told_the_theme(self, project, clips):
        run = start_run(project=project, kind="caption", model=make_model(project), options=TELLING)
        assert statement_of_run(read_recipe(run.recipe)) == {
            "prompt": "", "system": "", "frames": "120 pairs, 2 frames apart", "theme": "not_told",
        }  # fmt: skip

    def test_a_recipe_of_lovr_tells_the_theme(self):
        recipe = make_recipe("caption", CaptionOptions())
        assert statement_of_run(recipe)["theme"] == "told"

    def test_a_signature_has_no_separators_from_the_prompt(self, sets):
        in_signature = instructions_of(sets[0]).for_signature
        assert in_signature == {
            "prompt": f"Describe it   all  of it. {instructions_of(sets[0]).digest}",
            "frames": "32 frames, evenly spread",
            "theme": "told",
        }

    def test_without_a_model_that_was_told_there_is_no_notice(self, sets):
        assert theme_notice(map(instructions_of, sets[1:])) == ""

    def test_many_names_are_cut_short(self, project, clips):
        instructions = [instructions_of(CaptionSet(name=f"M{n}", theme="told")) for n in range(12)]
        assert "M7 and 4 more. These models were given" in theme_notice(instructions)


class TestImporting:
    FILE = b'{"clip": "%s", "caption": "A woman slices it."}\n'

    def test_the_page_takes_the_statement(self, project, clips, ada):
        file = SimpleUploadedFile("heron.jsonl", self.FILE % clips[0].name.encode())
        client_of(ada).post(
            reverse("review:import_predictions", args=[project.slug]),
            {
                "file-file": file, "file-name": "Heron", "file-kind": "general",
                "file-prompt": "Say what happens.\r\nBriefly.", "file-frames": " 8  frames ",
                "file-theme": "told",
            },
        )  # fmt: skip
        assert run_file_import(IMPORT_PREDICTIONS).state == "done"
        made = CaptionSet.objects.get()
        assert (made.prompt, made.frames, made.theme) == (
            "Say what happens.\nBriefly.", "8 frames", "told",
        )  # fmt: skip

    def test_the_command_takes_it_too(self, project, clips, tmp_path):
        file = tmp_path / "heron.jsonl"
        file.write_bytes(self.FILE % clips[0].name.encode())
        call_command(
            "import_predictions", project.slug, str(file), "--name", "Heron",
            "--prompt", "Say.", "--frames", "8 frames", "--theme", "not_told",
        )  # fmt: skip
        made = CaptionSet.objects.get()
        assert (made.prompt, made.frames, made.theme) == ("Say.", "8 frames", "not_told")

    def test_nothing_stated_is_unknown(self, project, clips, ada):
        make_set(project, "Foreign", clips)
        page = get(ada, "caption-sets", project).text
        assert "prompt unknown" in page
        assert '<span class="">unknown</span>' in page

    def test_captions_that_no_model_wrote_have_no_prompt(self, project, clips, ada):
        people = make_set(project, "People", clips)
        CaptionSet.objects.filter(pk=people.pk).update(theme="no_model")
        people.refresh_from_db()
        instructions = instructions_of(people)
        assert (
            instructions.mark, instructions.theme_alone, instructions.frames_in_words,
            instructions.theme_in_words,
        ) == ("no prompt", "none", "none", "no model")  # fmt: skip
        assert instructions.prompt_in_words == "none: people or a program wrote these captions"
        assert "theme:none" in "|".join(f"{k}:{v}" for k, v in instructions.for_signature.items())
        page = get(ada, "caption-sets", project).text
        assert "unknown" not in page.split('id="asked"')[1].split("</details>")[0]


class TestTheBenchmarksOwnFile:
    """CaReBench's metadata.json holds three human texts of each clip, and no model's."""

    def metadata(self, clips):
        return json.dumps(
            [
                {
                    "video": f"{clip.name}.mp4", "caption": "A woman slices it.",
                    "spatial_caption": "A woman.", "temporal_caption": "She slices it.",
                    "category": "Household", "subcategory": "",
                }
                for clip in clips
            ]
        ).encode()  # fmt: skip

    def test_the_page_refuses_it(self, project, clips, ada):
        file = SimpleUploadedFile("metadata.json", self.metadata(clips))
        client_of(ada).post(
            reverse("review:import_predictions", args=[project.slug]),
            {"file-file": file, "file-name": "CaReBench", "file-kind": "general"},
        )
        job = run_file_import(IMPORT_PREDICTIONS)
        assert (job.state, job.reason[:25]) == ("failed", "This is the metadata.json")
        assert not CaptionSet.objects.exists()

    def test_the_command_refuses_it(self, project, clips, tmp_path):
        file = tmp_path / "metadata.json"
        file.write_bytes(self.metadata(clips))
        with pytest.raises(CommandError, match="This is the metadata"):
            call_command("import_predictions", project.slug, str(file), "--name", "CaReBench")
        assert not CaptionSet.objects.exists()


class TestPages:
    def test_the_pages_of_the_sets(self, project, sets, ada):
        page = get(ada, "caption-sets", project).text
        assert NOTICE in page
        for words in ("Describe it: |all| of it.", "Describe the video in detail.", "no theme"):
            assert words in page
        assert NOTICE in get(ada, "caption_set", project, sets[0].pk).text
        assert NOTICE not in get(ada, "caption_set", project, sets[1].pk).text

    def test_capst(self, project, sets, ada):
        model = word_overlap(project)
        for caption_set in sets:
            run = judge(run=start(project, caption_set, model))
            assert (NOTICE in get(ada, "capst_run", project, run.pk).text) is (
                caption_set.name == "Cheat"
            )
        recompute(project=project, name="capst")
        page = get(ada, "capst", project).text
        assert NOTICE in page
        assert page.count('<span class="badge warn">told the theme</span>') == 2
        assert page.count('<span class="badge warn">told</span>') == 1
        signatures = [report.signature for report in Report.objects.newest(project, "capst")]
        themes = [signature.partition("|theme:")[2].partition("|")[0] for signature in signatures]
        assert sorted(themes) == ["no", "told", "unknown"]

    def test_the_leaderboard_and_its_files(self, project, round, ada):
        page = get(ada, "leaderboard", project).text
        assert NOTICE in page
        assert page.count("told the theme</span>") == 2  # two tables
        assert page.count(">told</span>") == 1  # the list
        rows = csv.DictReader(
            io.StringIO(get(ada, "leaderboard:ratings.csv", project, round.pk).text)
        )
        by_model = {row["model"]: row for row in rows}
        assert by_model["Cheat"]["theme"] == "told the theme"
        assert by_model["Fair"]["prompt"] == "Describe the video in detail."
        assert by_model["Foreign"]["prompt"] == "unknown"
        assert "theme:told 1 of 3" in by_model["Fair"]["signature"]
        written = json.loads(get(ada, "leaderboard:ratings.json", project, round.pk).text)
        assert written["notice"].startswith(NOTICE)
        assert sorted(instructions["theme"] for instructions in written["asked"].values()) == [
            "no theme", "theme unknown", "told the theme",
        ]  # fmt: skip

    def test_correlation(self, project, round, ada):
        recompute(project=project, name="correlation")
        page = get(ada, "correlation", project).text
        assert NOTICE in page
        assert "told the theme</span>" in page
        [report] = Report.objects.newest(project, "correlation")
        assert "|theme:told 1 of 3|" in report.signature

    def test_metrics_and_their_files(self, project, round, ada):
        recompute(project=project, name="overlap")
        page = get(ada, "metrics", project).text
        assert page.count(NOTICE) == 2  # overlap and ratings
        for section in ("overlap", "ratings"):
            files = {
                ending: get(ada, f"metrics:{section}.{ending}", project).text
                for ending in ("csv", "json", "tex")
            }
            rows = {row["model"]: row for row in csv.DictReader(io.StringIO(files["csv"]))}
            assert (rows["Cheat"]["theme"], rows["Fair"]["theme"]) == (
                "told the theme", "no theme",
            )  # fmt: skip
            written = json.loads(files["json"])
            assert written["notes"][0].startswith(NOTICE)
            assert {model["asked"]["prompt"] for model in written["models"]} == {
                "Describe it: |all| of it.", "Describe the video in detail.", "unknown",
            }  # fmt: skip
            assert NOTICE in files["tex"].split(r"\caption{")[1].splitlines()[0]
            assert "Cheat (told the theme)" in files["tex"]
            assert (
                "% Fair: no theme; frames: 32 frames, evenly spread; prompt: Describe"
                in files["tex"]
            )

    def test_the_preview_of_a_round(self, project, sets, ada):
        fields = {
            "sets": [caption_set.pk for caption_set in sets], "votes_per_pair": 5,
            "repeat_percent": 0, "shared_percent": 0, "names_shown": "after_vote",
            "both_bad_is_tie": "yes", "seed": 0,
        }  # fmt: skip
        form = get(ada, "comparisons", project).text
        assert "Cheat (whole captions of clips, told the theme)" in form
        url = reverse("review:preview_round", args=[project.slug])
        page = client_of(ada).post(url, fields).text
        assert NOTICE in page
        assert "Describe it: |all| of it." in page

    def test_a_running_round_says_it_to_admins(self, project, round, ada):
        assert NOTICE in get(ada, "comparisons", project).text
        assert NOTICE in get(ada, "comparison_round", project, round.pk).text

    def test_voters_see_neither_prompt_nor_theme(self, project, round, emil, clips):
        held, _ = next_caption_pair(project, emil)
        page = client_of(emil).get(reverse("annotate:work", args=[held.pk])).text
        assert "Choose" in page or "better" in page
        for words in ("told the theme", "Describe it", "Describe the video", "no theme"):
            assert words not in page


def test_a_round_counts_one_query_however_many_models(round, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert [instructions.name for instructions in instructions_of_round(round).values()] == [
            "Cheat",
            "Fair",
            "Foreign",
        ]


def test_hostile_prompts_are_escaped(project, clips, run_set, ada):
    run_set("Cheat", use_theme=True, prompt="<script>alert(1)</script>")
    for name in ("caption-sets", "comparisons"):
        assert "<script>alert(1)" not in get(ada, name, project).text
