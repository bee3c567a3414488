"""The demo's four projects: a release of each in every format, read by those who read such files.

The demo is loaded once a run, by the command that `make demo` runs, in a process of its own. Less
is simulated and measured than in the demo: a release of more is made in the same way.
"""

import ast
import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.demo_content import load_demo, load_demos
from review.proof.verifying.folder import Folder
from review.proof.verifying.hashes import Hashes
from tests import migrated_database
from tests.made_once import made_once
from tests.review.proof.bare import numpy_alone, run_bare
from tests.review.releases.readers import records_of

pytestmark = pytest.mark.filterwarnings("ignore")  # of the libraries
ROOT = Path(__file__).parents[3]
# The own format of each project first: that of its protocol, which has the proof.
OWN = {
    "everyday-moments": "carebench",
    "lovr-demo": "lovr",
    "simulated-study": "lovr",
    "made-up-dives": "tfcovr",
}
# Of each form: the tables, and where their Parquet files are.
TABLES = {
    "carebench": {"clips": "metadata.parquet"},
    "lovr": {"clips": "metadata.parquet", "videos": "videos/metadata.parquet"},
    "tfcovr": {"queries": "*/metadata.parquet", "clips": "*/clips/metadata.parquet"},
}
LOAD = """
import sys
from functools import partial
from pathlib import Path
sys.modules |= dict.fromkeys(("scipy", "sklearn"))  # nltk loads them where they are
from inference import sampling
sampling.MEASURED = sampling.Sampling("pairs", count=8, step=2)
import django
django.setup()
from django.core.management import call_command
from inference.backends.opencv_draft import facts
from fixtures.loading import simulated_study
from fixtures.management.commands import load_demo
load_demo.load_simulated_round = partial(load_demo.load_simulated_round, votes=500)
simulated_study.JUDGED, simulated_study.UNSAMPLED = 100, 20
facts.STEPS, facts.LOOKS = 8, 2
call_command("migrate", verbosity=0)
call_command(load_demo.Command())
from annotate.models import AuditEvent, Notice, Project
logs = [AuditEvent.objects.filter(project=project) for project in Project.objects.all()]
for log, when in (*((log, "at") for log in logs), (Notice.objects.all(), "created_at")):
    times = list(log.order_by("pk").values_list(when, flat=True))
    assert len(times) > 1 and times == sorted(times), f"not in the order of their days: {log}"
from review.frozen.models import Release
from review.releases.formats import export_release
from review.releases.formats import formats_of
for release in Release.objects.select_related("project"):
    for entry in formats_of(release):
        target = Path(sys.argv[1]) / release.project.slug / entry.name
        export_release(release=release, format_name=entry.name, target=target)
"""


@pytest.fixture(scope="module")
def released(tmp_path_factory) -> Path:
    """A folder with a folder of each project, which has one of each format."""
    return made_once(tmp_path_factory, "demo-releases", load_demo_and_export)


def load_demo_and_export(target: Path) -> None:
    data = target.with_name("demo-data")
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(mode=0o700)
    migrated_database.copy_to(data / "vericap.sqlite3")  # the rest of its migrations are run
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    loaded = subprocess.run(
        [sys.executable, "-c", LOAD, str(target)],
        cwd=ROOT,
        env={
            **kept,
            "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
            "VERICAP_DATA_DIR": str(data),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert loaded.returncode == 0, loaded.stderr[-2000:]
    shutil.rmtree(data)


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    packages = numpy_alone(tmp_path_factory.mktemp("bare"))
    assert run_bare(packages, "-c", "import django").returncode == 1
    return packages


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_each_project_has_a_release_in_every_format_that_fits(released):
    everywhere = {"huggingface", "webdataset", "native"}
    offered = {
        project.name: {folder.name for folder in project.iterdir()}
        for project in released.iterdir()
    }
    assert offered == {
        "everyday-moments": {"carebench", *everywhere},
        "lovr-demo": {"lovr", *everywhere},
        "simulated-study": {"lovr", *everywhere},
        "made-up-dives": {"tfcovr", "circo", *everywhere},
    }
    assert OWN.keys() == {demo.project.slug for demo in load_demos()}


@pytest.mark.parametrize("project", OWN)
def test_hugging_face_pandas_and_croissant_read_the_same_rows(released, project, readers):
    folder = released / project / "huggingface"
    for name, files in TABLES[OWN[project]].items():
        by_split = readers.load(folder, name)
        rows = [row for of_split in by_split.values() for row in of_split]
        assert rows
        assert all(Path(row["video"]["path"]).stat().st_size for row in rows)
        parquet = [readers.read_parquet(path) for path in folder.glob(files)]
        assert sum(map(len, parquet)) == len(rows)
        tables = [f"{name}-{split}" for split in by_split] if len(by_split) > 1 else [name]
        described = [record for table in tables for record in records_of(readers, folder, table)]
        assert len(described) == len(rows)


@pytest.mark.parametrize("project", OWN)
def test_webdataset_reads_every_sample_with_its_video(released, project, readers):
    folder = released / project / "webdataset"
    shards = sorted(str(path) for path in folder.glob("*.tar"))
    samples = list(readers.shards.WebDataset(shards, shardshuffle=False).decode())
    assert len({(sample["__url__"], sample["__key__"]) for sample in samples}) == len(samples) > 0
    assert all(sample["mp4"][4:8] == b"ftyp" and sample["json"] for sample in samples)


@pytest.mark.parametrize("project", OWN)
def test_native_lines_have_the_keys_of_their_schema(released, project):
    folder = released / project / "native"
    schemas = json.loads((folder / "schema.json").read_text())["$defs"]
    for name, schema in schemas.items():
        assert all(line.keys() <= schema["properties"].keys() for line in lines(folder / name))


def test_carebenchs_code_reads_everyday_moments(released):
    """Its loader joins the folder of the videos with `video`, and takes each text as it is."""
    folder = released / "everyday-moments" / "carebench"
    records = json.loads((folder / "json/metadata.json").read_text())
    finished = {video.file for video in load_demo().videos if video.state == "finished"}
    assert {record["video"] for record in records} == finished
    for record in records:
        assert (folder / "videos" / record["video"]).is_file()
        for field in ("caption", "spatial_caption", "temporal_caption"):
            assert len(record[field].split()) > 20
        assert record["category"]
        assert record["subcategory"]


@pytest.mark.parametrize(("project", "clips", "videos"), [("lovr-demo", 10, 2)])
def test_lovrs_code_reads_clips_and_whole_videos(released, project, clips, videos):
    """It takes the name of a file for the clip, and a name with "Scene" for that of a clip."""
    folder = released / project / "lovr" / "caption_data"
    keys = [Path(line["path"]).stem for line in lines(folder / "all_clip.jsonl")]
    wholes = lines(folder / "all_video.jsonl")
    assert (len(set(keys)), len(wholes)) == (clips, videos)
    assert all("Scene" in key for key in keys)
    for whole in wholes:
        assert "Scene" not in whole["vid"]
        assert whole["vid"] in {key.rpartition("-Scene-")[0] for key in keys}
        assert whole["cap"]


def test_tfcovrs_code_reads_the_dives(released):
    """Train: the text by the label of the target. Test: the row's number, and at most ten targets.
    Clips: by the name of their file."""
    folder = released / "made-up-dives" / "tfcovr"
    names = {path.stem for path in (folder / "videos").iterdir()}
    train = table(folder / "annotations/train_finegd.csv")
    for row in train:
        text = ast.literal_eval(row["modification"])[str(row["label2"])]["modification"]
        assert text.startswith("show ")
        assert {row["query_video"], row["target_video"]} <= names
    for name in ("val", "test"):
        for place, row in enumerate(table(folder / f"annotations/{name}_finegd.csv")):
            targets = ast.literal_eval(row["target_videos_ids"])
            assert int(row["query_id"]) == place
            assert 1 <= len(targets) <= 10
            assert {row["query_video"], *targets} <= names
    assert len(train) > 100


def test_circos_evaluation_reads_the_dives(released):
    folder = released / "made-up-dives" / "circo"
    names = {int(row["id"]) for row in table(folder / "clips.csv")}
    entries = json.loads((folder / "annotations/test_targets.json").read_text())
    assert entries
    for place, entry in enumerate(entries):
        assert entry["id"] == place
        assert entry["target_img_id"] == entry["gt_img_ids"][0]
        assert entry["reference_img_id"] not in entry["gt_img_ids"]
        assert {entry["reference_img_id"], *entry["gt_img_ids"]} <= names


@pytest.mark.parametrize("project", OWN)
def test_it_proves_its_numbers_to_a_bare_interpreter(released, project, packages):
    folder = released / project / OWN[project]
    checked = run_bare(packages, folder / "verify.pyz")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "recomputed, the same numbers." in checked.stdout
    assert checked.stdout.endswith("OK\n")


@pytest.mark.parametrize("project", OWN)
def test_its_proof_refuses_a_changed_byte(released, project, tmp_path):
    """The program's first step, without the numbers that it then computes again."""
    folder = tmp_path / "changed"
    shutil.copytree(released / project / OWN[project], folder)
    changed = max((path for path in folder.rglob("*.mp4")), key=lambda path: path.stat().st_size)
    content = bytearray(changed.read_bytes())
    content[len(content) // 2] ^= 1
    changed.write_bytes(content)
    hashes = Hashes(Folder(folder))
    hashes.check()
    refusal = (
        f"{changed.relative_to(folder).as_posix()}: The content has changed: expected SHA-256 "
    )
    assert any(str(problem).startswith(refusal) for problem in hashes.problems)
