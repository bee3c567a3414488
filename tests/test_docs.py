"""The documentation keeps up: what people can use is named in it, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

from annotate.imports.services.refusals import TRY_AGAIN
from annotate.kinds import all_kinds
from annotate.media.errors import Code
from annotate.queue.work_kinds import work_kind
from inference.planning.options import OPTIONS
from inference.specs.services import BUILT_IN
from scripts.write_key_tables import with_key_tables
from tests.test_permissions import BY_ROLE, SIGNED_IN

NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six"}
ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += sorted((ROOT / "docs").glob("*.md"))
TEXT = "\n".join(page.read_text() for page in PAGES)
COMMANDS = sorted(
    path.stem
    for app in ("annotate", "fixtures", "inference", "review")
    for path in (ROOT / app / "management" / "commands").glob("*.py")
    if path.stem != "__init__"
)
TARGETS = sorted(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
READ = re.compile(
    r"env\.(?:text|whole_number|switch|listing|folder|database|secret|site|model_servers|hosts)\(\s*\"([A-Z_]+)\""
)
VARIABLES = sorted(
    {name for path in (ROOT / "config").rglob("*.py") for name in READ.findall(path.read_text())}
)
TEST_VARIABLES = {
    *("TEST_DATABASE_URL", "TEST_REDIS_URL", "VERICAP_TEST_DIR", "BROKER_KEY_PREFIX"),
}
APPS = ("annotate", "inference", "metrics", "review")
OF_A_RELEASE = "the version of a release, the table and the day"
STATISTICS_FILES = "**CSV**, **LaTeX** and **JSON** have the same numbers"
ASSESSMENT_FILES = "**CSV**, **LaTeX** and **JSON** have every row"
# What a person reads in the documentation to find each page.
NAMED = {
    "account_change_password": "Change password",
    "annotate:projects": "**Projects",
    "review:find": "**Find**, goes to a page, a clip",
    "review:find_project": "or another project by a part of its name",
    "annotate:my_work": "**My work**",
    "annotate:choices": "**My work → Choose**",
    "annotate:questions": "**My work → Questions**",
    "annotate:notices": "**Notices**, the bell",
    "annotate:notice_choices": "**Choose notices**",
    "annotate:project_settings": "**Settings**",
    "annotate:consent": "**My work → What you agreed to**",
    "annotate:download_consent": "download what you agreed to",
    "annotate:consent_text": "**Settings → Consent text**",
    "annotate:watching": "**Settings → Watching**",
    "annotate:duplicate_project": "**Settings → Duplicate**",
    "annotate:download_dataset": "labeled clips and the labels on the page of a set",
    "annotate:guideline": "**Settings → Examples in guidelines**",
    "annotate:new_example": "**Use** takes finished work",
    "annotate:example": "**Change** edits an example",
    "annotate:deactivate_member": "**Members → Change → Deactivate**",
    "annotate:members": "**Members",
    "annotate:api_tokens": "**Settings → API tokens**",
    "annotate:webhooks": "**Settings → Webhooks**",
    "api_reference": "**Reference:** `/api/`",
    "annotate:corpus": "**Corpus → Clips**",
    "annotate:change_clips": "**Change…** then offers these actions",
    "annotate:clip_change": "**Earlier changes** lists each change with **Undo**",
    "annotate:corpus_balance": "**Corpus → Balance**",
    "annotate:near_duplicates": "**Corpus → Near-duplicates**",
    "annotate:disputed_videos": "**Quality → Undecided videos**",
    "annotate:clip": "**Corpus → a clip**",
    "annotate:candidates": "**Corpus → Candidates**",
    "annotate:candidate": "**Decide one by one**",
    "annotate:add_candidates": "**Corpus → Candidates → Import candidates**",
    "review:report_page corpus/statistics": "**Corpus → Statistics**",
    "review:report_file corpus/statistics statistics.csv": STATISTICS_FILES,
    "review:report_file corpus/statistics statistics.tex": STATISTICS_FILES,
    "review:report_file corpus/statistics statistics.json": STATISTICS_FILES,
    "review:report_file corpus/statistics table-1.csv": "The table has files of its own",
    "review:report_file corpus/statistics table-1.tex": "The table has files of its own",
    "review:report_file corpus/statistics table-1.json": "The table has files of its own",
    "annotate:labels": "**Labels**",
    "annotate:label": "**Labels → a label**",
    "annotate:dataset": "**Labels → Import labeled clips**",
    "annotate:upload": "**Corpus → Upload videos**",
    "annotate:addresses": "**Corpus → Upload videos → Import from addresses**",
    "annotate:imports": "**Imports**",
    "annotate:import_batch": "batch page",
    "inference:video": "**Corpus → a clip → Whole video**",
    "inference:clip_scores": "**Corpus → a clip → Scores**",
    "review:report_page threshold": "**Threshold**",
    "review:adopt_threshold": "**Adopt** says first",
    "inference:models": "**Models**",
    "inference:new_model": "**Models → Add a model**",
    "inference:model": "**Models → a model**",
    "annotate:archive": "**Settings → Archive**",
    "annotate:archived_thing": "**Archive or delete the video…**",
    "annotate:jobs": "**Jobs**",
    "annotate:job": "**Jobs → a job**",
    "review:import_results": "**Runs → Import results**",
    "review:import_triplets": "**Triplets → Import triplets**",
    "inference:themes": "**Runs → Themes**",
    "inference:runs": "**Runs**",
    "inference:new_run": "**Runs → New run**",
    "inference:run": "**Runs → a run**",
    "review:overview": "## Overview",
    "review:activity": "**Overview → Activity**",
    "review:report_page agreement": "**Quality → Agreement**",
    "review:report_page ratings": "**Ratings**",
    "review:rating_examples": "**Ratings → Training examples**",
    "review:new_rating_example": "Choose a caption",
    "review:training": "**My work → Start training**",
    "review:training_example": "captions to rate one by one",
    "review:votes": "**Your votes**",
    "review:split_videos": "**Queries → Video splits**",
    "review:verifications": "**Verifications**",
    "review:verification": "open a verification",
    "review:study_corrections": "**Quality → Study corrections**",
    "review:study_correction": "each sentence of the machine caption with its proposed corrections",
    "review:annotation_table": "**Verifications → Annotation table**",
    "review:download_annotations": "Download the annotation table",
    "review:label_pairs": "**Label pairs**",
    "review:modifications": "**Modifications**",
    "review:modification": "**Modifications → Change**",
    "review:modification_prompts": "**Modifications → Prompt**",
    "review:triplets": "**Triplets**",
    "review:triplet_set": "**Triplets → a set**",
    "review:download_triplets": "**Triplets → a set** downloads",
    "review:triplet_words": "**Triplets → a set → Words**",
    "review:triplet_statistics": "**Triplets → a set → Words** counts",
    "review:triplet_figure": "a figure (SVG) of a query with its targets",
    "review:retrieval_figure": "**Figure** downloads",
    "review:vectors": "**Tables → Vectors**",
    "review:download_vectors": "**Tables → Vectors** has a worker write",
    "review:tables": "**Queries → Tables**",
    "review:download_table": "**Queries → Tables** downloads",
    "review:report_page leaderboard": "**Evaluation → Leaderboard**",
    "review:report_page leaderboard round_id": "**Evaluation → Leaderboard** shows",
    "review:filtered_votes": "**Leaderboard → View votes left out**",
    "review:report_file leaderboard round_id ratings.csv": "**Leaderboard → Download**",
    "review:report_file leaderboard round_id ratings.json": "**Leaderboard → Download**",
    "review:report_file leaderboard round_id votes.csv": "**Leaderboard → Download**",
    "review:report_file leaderboard round_id votes.json": "**Leaderboard → Download**",
    "review:report_page caption-sets": "**Models → Model captions**",
    "review:caption_set": "A set's own page",
    "review:human_captions": "**Corpus → Human captions**",
    "review:human_import": "The preview is the import's own page",
    "review:human_import_faults": "all of them can be downloaded as CSV",
    "annotate:import_faults": "all of them can be downloaded as CSV, here and where",
    "review:device_hours": "**Runs → Device hours**",
    "review:download_device_hours": "on the page and as CSV (LoVR, appendix A.2)",
    "review:comparisons": "**Evaluation → Comparisons**",
    "review:comparison_round": "**Comparisons → Earlier rounds**",
    "review:report_page correlation": "**Evaluation → Correlation**",
    "review:report_page correlation round_id": "**Evaluation → Correlation** compares",
    "review:report_page metrics": "**Evaluation → Metrics**",
    "review:report_file metrics overlap.csv": "**CSV**, **LaTeX** and **JSON** have a table",
    "review:report_file metrics overlap.tex": "**CSV**, **LaTeX** and **JSON** have a table",
    "review:report_file metrics overlap.json": "**CSV**, **LaTeX** and **JSON** have a table",
    "review:report_page metrics version": "**Releases → a release → Metrics**",
    "review:report_file metrics version overlap.csv": OF_A_RELEASE,
    "review:report_file metrics version overlap.tex": OF_A_RELEASE,
    "review:report_file metrics version overlap.json": OF_A_RELEASE,
    "review:report_page assessment": "**Quality → Human assessment**",
    "review:report_page reliability": "**Quality → Reliability**",
    "review:report_page programs": "**Quality → Programs**",
    "review:report_file assessment assessment.csv": ASSESSMENT_FILES,
    "review:report_file assessment assessment.json": ASSESSMENT_FILES,
    "review:report_file assessment assessment.tex": ASSESSMENT_FILES,
    "review:quality": "**Quality → Training and gold**",
    "review:quality_kind": "**Quality → Training and gold → the kind of work**",
    "review:known_answer_sources": "**Add a known answer**",
    "review:add_known_answer": "choose one, check its answer against the clip",
    "review:kind_training": "**Training: the kind of work**",
    "review:people": "**Quality → People**",
    "review:person": "A person’s name leads to",
    "review:own_numbers": "**Your numbers**",
    "review:spot_checks": "**Quality → Spot checks**",
    "review:spot_check": "**Quality → Spot checks → Results**",
    "review:spot_check_item": "**Change** goes back to the previous item",
    "review:judge_next": "Experts, reviewers and admins open **Judge**",
    "review:panels": "**Quality → Panels**",
    "review:new_panel": "**New panel** asks for",
    "review:panel": "The page of a panel lists who joined",
    "review:change_panel": "**Change** saves",
    "review:download_panel": "**CSV** has a row for each person",
    "review:own_panel": "your page says how many you have finished",
    "review:pay": "**Work → Pay**",
    "review:pay_statement": "**Approved statements** keep what was approved",
    "review:pay_people": "**Work → Pay → Everybody’s pay**",
    "review:person_pay": "**Check** shows what is open",
    "review:download_pay": "**Approved as CSV**",
    "review:pay_rates": "**Settings → Rates of pay**",
    "review:audit_log": "**Settings → Audit log**",
    "review:download_audit_log": "download what matches as CSV",
    "review:report_page identification": "**Quality → Identification**",
    "review:report_page recall": "**Evaluation → Recall**",
    "review:report_file recall recall.csv": "**CSV** and **JSON** have all numbers",
    "review:report_file recall recall.json": "**CSV** and **JSON** have all numbers",
    "review:report_file recall recall-curve.csv": "**Curves** has recall at every K",
    "review:recall_model": "**Recall → a model**",
    "review:recall_queries": "**Recall → a model → Queries**",
    "review:recall_query": "**Queries → a query**",
    "review:report_page reports report_id": "**Each number links to its report.**",
    "review:report_file reports report_id report.json": "A report's own JSON",
    "review:report_page retrieval": "**Retrieval**",
    "review:report_file retrieval map.csv": "Download the numbers as CSV or JSON",
    "review:report_file retrieval map.json": "Download the numbers as CSV or JSON",
    "review:composed_results": "**Retrieval → Results of models**",
    "review:download_composed_results": "Download all tables as CSV or JSON",
    "review:retrieval_queries": "**Retrieval → Its queries**",
    "review:retrieval_query": "**Retrieval → Its queries → a query**",
    "review:report_page capst": "**CapST**",
    "review:capst_run": "**CapST → a model**",
    "review:capst_clip": "**CapST → a model → a clip**",
    "review:report_page leakage": "**CapST → Leakage**",
    "review:releases": "**Releases**",
    "review:release_studio": "**Releases → Prepare the next release**",
    "review:release_card": "**Preview the dataset card**",
    "review:release_checks": "The counts and the checks appear",
    "review:release_changes": "**All changes with their texts**",
    "review:takedowns": "**Releases → Takedowns**",
    "review:preview_takedown": "first shows which releases are affected",
    "review:release": "open a release",
    "review:download_release": "download it",
    "review:release_hashes": "**as a file**",
    "review:benchmarks": "**Evaluation → Benchmarks**",
    "review:download_benchmarks": "Each of the three tables is a file",
    "review:benchmark_rows": "**Statistics → Edit other benchmarks**",
    "review:benchmark_row": "**Change** corrects or removes a row",
    "review:release_statistics": "counted in what the release froze",
}
# A part of a page, and what a script asks for.
NO_PAGES = {
    "review:overview_live",
    "review:try_threshold",
    "review:label_pairs_live",
    "review:modifications_live",
    "review:triplets_live",
    "review:releases_live",
    "review:release_archive",
    "annotate:project_menu",
    "annotate:import_rows",
    "annotate:import_item",
    "annotate:import_state",
    "annotate:cutting_live",
    "annotate:jobs_live",
    "annotate:job_live",
    "inference:runs_live",
    "inference:run_live",
}


def given_codes() -> set[str]:
    """Return the codes that the import services write as literals."""
    files = (ROOT / "annotate" / "imports" / "services").glob("*.py")
    source = "\n".join(path.read_text() for path in files)
    pattern = r"(?:FileRefused\(|refuse\(item,|\bcode=|\.code, [^\n]*=[^\n\"]*)\s*\"(\w+)\""
    codes = set(re.findall(pattern, source))
    assert codes, "The import services are in another folder now."
    return codes


def failure_codes() -> set[str]:
    """The codes with which an item of a run fails, or a run stops."""
    files = [*(ROOT / "inference").rglob("*.py"), ROOT / "annotate" / "media" / "cuts.py"]
    source = "\n".join(path.read_text() for path in files)
    pattern = r"(?:(?:Backend|Media)Error\(|ItemFailed\(|\bcode ?=|code, reason =)\s*\"(\w+)\""
    return set(re.findall(pattern, source))


def test_every_page_is_described():
    pages = SIGNED_IN | {name for name, (method, _) in BY_ROLE.items() if method == "get"}
    pages = {name for name in pages if not name.startswith("review:report_live ")}
    assert set(NAMED) == pages - NO_PAGES
    guides = "\n".join(page.read_text() for page in PAGES if page.parent.name == "docs")
    assert [name for name, words in NAMED.items() if words not in guides] == []


def test_every_make_target_and_command_is_described():
    assert [name for name in TARGETS if name != "help" and f"make {name}" not in TEXT] == []
    assert [name for name in COMMANDS if f"manage.py {name}" not in TEXT] == []


def test_the_reference_names_each_variable_that_is_read_and_no_other():
    page = (ROOT / "docs" / "deploy.md").read_text()
    table = page.partition("| variable | default | meaning |")[2].partition("\n\n")[0]
    cells = "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("|"))
    described = set(re.findall(r"`([A-Z_]+)`", cells)) - {"VERICAP_MODEL_KEY_"}
    assert described == set(VARIABLES) - TEST_VARIABLES
    assert [name for name in VARIABLES if f"`{name}`" not in page] == []
    example = (ROOT / "deploy" / "env.example").read_text()
    names = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    assert names <= {*VARIABLES, "DJANGO_SETTINGS_MODULE"}


def test_only_the_configuration_reads_the_environment():
    reading = re.compile(r"os\.(environ|getenv)")
    sources = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    sources += [path for path in (ROOT / "config").rglob("*.py") if path.name != "environment.py"]
    lines = [line for path in sources for line in path.read_text().splitlines()]
    setting = "os.environ.setdefault("
    assert [line for line in lines if reading.search(line) and setting not in line] == []


def test_each_unit_runs_one_command_that_exists():
    """The failure of a command would stop those after it."""
    texts = [unit.read_text() for unit in (ROOT / "deploy").glob("*.service")]
    assert {text.count("\nExecStart=") for text in texts} == {1}
    units = "\n".join(texts)
    timers = (ROOT / "docs" / "deploy.md").read_text()
    names = re.findall(r"manage\.py (\w+)", units) + re.findall(r"vericap-task@(\w+)", timers)
    assert sorted(set(names) - set(COMMANDS)) == []


def test_every_reason_to_refuse_a_file_is_documented():
    page = (ROOT / "docs" / "administer.md").read_text()
    codes = {*Code.__args__, *TRY_AGAIN, *given_codes()}
    assert [code for code in sorted(codes) if f"`{code}`" not in page] == []


def test_every_setting_of_a_run_and_every_way_in_which_one_fails_is_documented():
    page = (ROOT / "docs" / "running-models.md").read_text()
    assert [code for code in sorted(failure_codes()) if f"`{code}`" not in page] == []
    settings = {name for kind in OPTIONS for name in OPTIONS[kind]().as_dict()}
    assert [name for name in sorted(settings) if f"`{name}`" not in page] == []


def test_the_tables_of_keys_are_those_of_the_pages():
    page = (ROOT / "docs" / "annotate.md").read_text()
    assert with_key_tables(page) == page, "Run .venv/bin/python scripts/write_key_tables.py"
    kinds = {kind for kind in all_kinds() if work_kind(kind).keys}
    others = {"work", "player", "spot-check"}
    assert kinds | others == set(re.findall(r"<!-- keys: ([\w-]+) -->", page))


def test_links_lead_somewhere():
    pattern = re.compile(r"\]\((?!https?:)([^)#\s]+)")
    links = [(page, link) for page in PAGES for link in pattern.findall(page.read_text())]
    assert [link for page, link in links if not (page.parent / link).exists()] == []


def test_commands_in_the_documentation_exist():
    django_own = {"migrate", "makemigrations", "collectstatic", "createsuperuser"}
    documented = set(re.findall(r"manage\.py ([a-z_]+)", TEXT))
    assert documented - django_own - set(COMMANDS) == set()


def test_make_targets_in_the_documentation_exist():
    assert set(re.findall(r"`make ([a-z]+)", TEXT)) - set(TARGETS) == set()


def test_the_readme_says_how_to_run_and_test_it():
    readme = (ROOT / "README.md").read_text()
    assert "make demo" in readme
    assert "make test" in readme


def test_the_commands_for_the_demo_name_its_models():
    """The demo has the models that the documentation's commands for it name."""
    commands = re.findall(r"^manage\.py run_inference lovr-demo .*$", TEXT, re.MULTILINE)
    model_names = {
        name for command in commands for name in re.findall(r'--model "([^"]+)"', command)
    }
    assert model_names
    assert model_names <= set(BUILT_IN.values())
    assert f"Its {NUMBERS[len(BUILT_IN)]} models need no download" in TEXT
