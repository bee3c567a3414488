"""The rules of the house that a machine can check."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAX_FILE_LINES = 320
MAX_TEST_LINES = MAX_STYLE_SHEET_LINES = 400
MAX_TEMPLATE_LINE = 120
MAX_PARAGRAPH, MAX_PAGE_LINES = 40, 250
TEXT = {".py", ".html", ".css", ".js", ".md", ".toml", ".in", ".txt", ".json", ".yml", ".conf", ""}


def files(*patterns: str) -> list[Path]:
    """The project's own files: tracked, or new and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in sorted(set(listed.stdout.split("\0"))) if name]


def existing(*patterns: str) -> list[Path]:
    return [path for path in files(*patterns) if path.is_file()]


def path_from_root(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


TEMPLATES = existing("templates/*.html")
WHOLE_PAGES = {"base.html", "500.html"}  # these extend nothing
PARTIALS = [
    path
    for path in TEMPLATES
    if "{% extends" not in path.read_text() and path.name not in WHOLE_PAGES
]


def longest(path: Path) -> int:
    if path.suffix == ".css":
        return MAX_STYLE_SHEET_LINES
    return MAX_TEST_LINES if ROOT / "tests" in path.parents else MAX_FILE_LINES


def test_no_file_is_too_long_to_read():
    sources = existing("*.py", "*.js", "*.css", "*.html")
    assert [
        path_from_root(path)
        for path in sources
        if "migrations" not in path.parts and len(path.read_text().splitlines()) > longest(path)
    ] == []


def test_no_template_line_is_too_long_to_read():
    lines = {
        f"{path_from_root(path)}:{number}": len(line)
        for path in TEMPLATES
        for number, line in enumerate(path.read_text().splitlines(), 1)
    }
    assert {at: length for at, length in lines.items() if length > MAX_TEMPLATE_LINE} == {}


def test_no_module_is_a_drawer_for_the_rest():
    banned = {"utils", "util", "helpers", "common", "misc", "signals"}
    assert [
        path_from_root(p) for p in existing("*.py", "*.js") if banned & {p.stem, *p.parent.parts}
    ] == []


EMPTY_NAMES = {"found", "known", "one", "said", "shown", "some", "told", "wanted"}
# Where a name is bound, a sign follows it, the end of a line, "in" or "if". Few modules have that,
# and only these are parsed.
MAY_BIND_ONE = re.compile(
    rf"\b(?:{'|'.join(sorted(EMPTY_NAMES))})[ \t]*(?:[^\w\s.]|$|(?:in|if)\b)", re.MULTILINE
)
# Stored in reports, and a parameter of addresses that people keep.
LASTING_NAMES = {
    "metrics/reliability/one_coin.py: known",
    "review/composed/forms.py: found",
    "review/reliability/results.py: known",
    "review/retrieval/forms.py: found",
}


def bound_names(path: Path) -> Iterator[str]:
    """Yield the names of a module's variables, arguments, attributes, functions and classes, if an
    empty name can be among them.
    """
    source = path.read_text()
    for node in ast.walk(ast.parse(source)) if MAY_BIND_ONE.search(source) else ():
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.MatchAs(name=str(name)) | ast.alias(asname=str(name)):
                yield name


def test_a_name_says_what_it_names():
    assert {
        f"{path_from_root(path)}: {name}"
        for path in existing("*.py")
        if "migrations" not in path.parts
        for name in EMPTY_NAMES & set(bound_names(path))
    } == LASTING_NAMES


def test_no_view_builds_a_query():
    querying = re.compile(
        r"\.objects\b|\.(of_any\w+|filter|exclude|select_related|prefetch_related|annotate"
        r"|aggregate|values_list|order_by|get_or_create)\("
    )
    views = [
        path
        for path in existing("annotate/*.py", "inference/*.py", "review/*.py")
        if path.stem.endswith("views") or path.parent.name == "views"
    ]
    assert [
        f"{path_from_root(path)}:{number}"
        for path in views
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if querying.search(line)
    ] == []


def test_a_type_error_is_ignored_for_a_reason():
    ignoring = re.compile(r"# type: ignore(?!\[[a-z, -]+\]  # \w)")
    sources = existing("*.py")
    assert [
        f"{path_from_root(path)}:{number}"
        for path in sources
        if not path.is_relative_to(ROOT / "tests")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if ignoring.search(line)
    ] == []


def test_no_signal_is_received():
    receiving = re.compile(
        r"^\s*(@receiver\(|from django\.(db\.models|dispatch)\S* import .*receiver)"
    )
    assert [
        path_from_root(path)
        for path in existing("annotate/*.py", "inference/*.py", "review/*.py", "config/*.py")
        if any(receiving.search(line) for line in path.read_text().splitlines())
    ] == []


def test_the_audit_log_is_read_by_histories_alone():
    """What a feature must know later, it stores in a row of its own."""
    reading = re.compile(r"\bAuditEvent\.objects(?!\.create\b)|\baudit_events\b(?!\")")
    assert {
        path_from_root(path)
        for path in existing("annotate/*.py", "inference/*.py", "review/*.py")
        if "migrations" not in path.parts and reading.search(path.read_text())
    } == {
        "annotate/candidates/queries.py",  # the decisions on a candidate
        "annotate/corpus/exclusions.py",  # why a video was left out, and when
        "annotate/corpus/labels.py",  # the corrections of a label
        "annotate/projects/queries.py",  # when something last changed in a project
        "review/audit_log/queries.py",
        "review/retrieval/counts.py",  # whether anything has changed since
        "review/studio/comparing.py",  # whether anything has changed since
    }


def test_a_stored_result_is_read_as_its_dataclass():
    by_key = re.compile(
        r"\.result(\[|\.get\()|\bresult__\w+__|\breport\.result\."
        r"|\.results(\[|\.get\()[\"']|\bresults__\w+|\bitem\.results\."
    )
    assert [
        f"{path_from_root(path)}:{number}"
        for path in existing("review/*.py", "templates/review/*.html")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if by_key.search(line)
    ] == []


def test_the_parameters_of_a_report_are_read_as_their_dataclass():
    by_key = re.compile(
        r"\breport\.parameters(\[|\.\w)|= ?(\w+\.)*report\.parameters( %\}|$)"
        r"|\bparameters__(?!elsewhere)"
        r"|(?<!job\.)(?<!run\.)\bparameters(\[|\.get\()[\"'](?!\w+\"\] = )",
        re.MULTILINE,
    )
    assert [
        path_from_root(path)
        for path in existing("review/*.py", "templates/review/*.html")
        if by_key.search(path.read_text())
    ] == []


def test_a_recipe_is_read_as_its_dataclass():
    by_key = re.compile(r"recipe(\.options)?(\[[\"']|\.get\()|\brun\.recipe\.")
    sources = existing("*.py", "templates/*.html")
    assert [
        f"{path_from_root(path)}:{number}"
        for path in sources
        if not path.is_relative_to(ROOT / "tests")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if by_key.search(line)
    ] == []


def test_the_parameters_of_a_job_are_read_as_their_dataclass():
    by_key = re.compile(r"\b(job|run|locked)\.parameters(\[|\.)")
    shared = {"annotate/jobs/file_imports.py"}  # the values of any form, to begin the form with
    assert {
        path_from_root(path)
        for path in existing("*.py", "templates/*.html")
        if not path.is_relative_to(ROOT / "tests") and by_key.search(path.read_text())
    } == shared


def test_a_partial_says_what_it_is_and_needs():
    first_lines = {path_from_root(path): path.read_text().split("\n", 1)[0] for path in PARTIALS}
    described = re.compile(r"\{# \S.*[.\w] #\}")
    assert {name: line for name, line in first_lines.items() if not described.fullmatch(line)} == {}


# A row with three forms, deep in a table.
PARTS_OF_THEIR_OWN = {"review/panels/participant.html"}


def test_a_partial_is_returned_by_a_view_or_included_more_than_once():
    """Otherwise it is a paragraph of the template that includes it, if that stays readable."""
    texts = {
        path.relative_to(ROOT / "templates").as_posix(): path.read_text() for path in TEMPLATES
    }
    lines = {name: len(text.splitlines()) for name, text in texts.items()}
    code = "".join(
        path.read_text() for path in existing("annotate/*.py", "inference/*.py", "review/*.py")
    )
    mentions = Counter(re.findall(r'"([\w/]+\.html)"', "".join(texts.values())))
    assert {
        name
        for page, text in texts.items()
        for name in re.findall(r'{% include "([\w/]+\.html)"', text)
        if mentions[name] == 1
        and name not in code
        and (lines[name] <= MAX_PARAGRAPH or lines[page] + lines[name] <= MAX_PAGE_LINES)
    } == PARTS_OF_THEIR_OWN


@pytest.mark.parametrize(
    "inline",
    [
        r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")",
        r"<style\b",
        r"<[^>]*\sstyle\s*=",
        r"<[^>]*\son[a-z]+\s*=",
    ],
)
def test_no_script_or_style_is_inline_in_a_template(inline):
    assert [path_from_root(path) for path in TEMPLATES if re.search(inline, path.read_text())] == []


def test_scripts_neither_evaluate_text_nor_write_markup():
    unsafe = re.compile(r"\beval\(|new Function\(|\.innerHTML\s*=|\bdocument\.write\(")
    scripts = existing("static/js/*.js")
    assert [path_from_root(path) for path in scripts if unsafe.search(path.read_text())] == []


def test_csv_is_read_with_limits_that_do_not_leak():
    """Of the csv module, only its writers and its error are used elsewhere. What verify.pyz has
    can't import the reader.
    """
    reads = re.compile(r"csv\.(reader|DictReader|field_size_limit)")
    sources = existing("annotate/*.py", "inference/*.py", "review/*.py")
    assert [path_from_root(path) for path in sources if reads.search(path.read_text())] == [
        "annotate/text/csv_rows.py",
        "review/proof/verifying/released.py",
    ]


def test_nothing_names_a_machine_or_a_registry():
    # Written apart, so that this file does not hold what it looks for.
    folders = "|".join(["wo" + "rk", "ho" + "me", "ro" + "ot"])
    words = re.compile(rf"(?<![\w>.]){chr(47)}({folders}){chr(47)}|pyp" + r"i\.org|index" + "-url")
    mentions = [
        f"{path_from_root(path)}:{number}: {line.strip()}"
        for path in existing()
        if path.suffix in TEXT
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if words.search(line.replace("--no-emit-index" + "-url", ""))
    ]
    assert mentions == []


def test_license_has_its_american_spelling():
    """Except as the key of a release's manifest, whose bytes are hashed, and in older manifests."""
    older = "licen" + "ce"
    kept = re.compile(
        rf'["`\']{older}["`\']'  # a key
        rf"|--{older}|tests/(metrics|annotate/imports|annotate/commands)/"
    )
    wrong = [
        f"{path_from_root(path)}:{number}: {line.strip()}"
        for path in existing()
        if path.suffix in TEXT and path.parent.name != "migrations"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if older in line.lower() and not kept.search(f"{path_from_root(path)} {line}")
    ]
    assert wrong == []


# Prompts for models, which a new wording would make new prompts.
PROMPTS = {"review/capst/prompts.py", "inference/planning/prompts.py", "inference/keywords.py"}
UNCLEAR = re.compile(
    r"\b(?:whoever|in force|there (?:is|are) none|that (?:is|are) none|which there (?:is|are)"
    r"|go(?:es|ing)? on|be it|shall|rests? on|stands? (?:above|below|beside|here|there|in)"
    r"|(?<!there )(?:is|are) no(?! (?:longer|more|better|larger|smaller|higher|wider)))\b",
    re.IGNORECASE,
)
BETWEEN_STRINGS = re.compile(r"""["']\s*\n\s*[fr]{0,2}["']""")  # of one text in several lines


def python_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module, without docstrings and other strings that are statements.

    A module without unclear words has none in its texts, so it isn't parsed.
    """
    source = path.read_text()
    in_one_line = BETWEEN_STRINGS.sub("", source).replace("\\n", " ")
    if not UNCLEAR.search(" ".join(in_one_line.split())):
        return
    tree = ast.parse(source)
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node.value


def texts_for_people() -> Iterator[tuple[Path, str]]:
    for path in TEMPLATES:
        visible = re.sub(
            r"\{#.*?#\}|\{% comment.*?endcomment %\}", "", path.read_text(), flags=re.S
        )
        yield path, re.sub(r"<[^>]*>", " ", visible)
    for path in existing("*.md"):
        yield path, path.read_text()
    for app in ("annotate", "config", "inference", "metrics", "review", "scripts"):
        for path in existing(f"{app}/*.py"):
            if path_from_root(path) not in PROMPTS:
                yield from ((path, text) for text in python_texts(path))


def test_a_text_runs_in_the_direction_of_its_script():
    """Fields of text have dir="auto", and so have texts that people read."""
    tag = re.compile(
        r'<(?:textarea|input|(?:p|div|td) class="reading)\b(?:\{\{.*?\}\}|\{%.*?%\}|[^>])*>', re.S
    )
    other = re.compile(r'type="(?!text|search)|inputmode=|readonly value=|hidden>')
    assert [
        element
        for path in TEMPLATES
        for element in tag.findall(path.read_text())
        if "dir=" not in element and not other.search(element) and element != "<textarea>"
    ] == []


def test_a_time_on_a_page_has_its_zone():
    """The filter `moment` writes days with their times; a time of today is followed by UTC."""
    without_zone = re.compile(r"""\|date:["'][^"']*H:i[^"']*["'][^}]*\}\}(?! UTC)""")
    assert [
        line
        for path in TEMPLATES
        for line in path.read_text().splitlines()
        if without_zone.search(line) and "(UTC)" not in line
    ] == []


def test_what_people_read_has_no_unclear_words():
    assert {
        f"{path_from_root(path)}: {' '.join(match[0].split())}"
        for path, text in texts_for_people()
        for match in UNCLEAR.finditer(" ".join(text.split()))
    } == set()
