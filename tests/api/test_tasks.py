"""Every kind of work can be done by a program, by what its task says alone."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from jsonschema import Draft202012Validator

from annotate.api.schema import api_schema
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.kinds import all_kinds
from annotate.models import Caption, DynamicsVerdict, SignOff
from annotate.protocols import registered_protocols
from annotate.queue.work_kinds import work_kind
from review.elements.models import Extraction
from review.elements.services import hand_out_elements
from review.identification.models import IdentifiedClip
from review.identification.services import start_test
from review.triplets.models import TripletVerdict
from tests.api.asking import problem, program_of
from tests.cast import make_clip, make_person, make_project
from tests.hand_work import open_hand
from tests.merge_work import hold_merge
from tests.review.capst.capst_runs import described_clip, judge, start, word_overlap
from tests.review.identification.identifying import make_complete
from tests.review.triplets.verifying_triplets import hold_query, make_query
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


def take(program, kind):
    answer = program.ask("post", f"work/take/{kind}/")
    assert answer.status_code == 200, answer.text
    return answer.json()


def shape_of(kind):
    return api_schema()["components"]["schemas"][f"{kind.capitalize()}Content"]


def submit(program, work, content):
    """Saved as a draft first: the draft and its version are those of the page."""
    assert Draft202012Validator(shape_of(work["kind"])).is_valid(content)
    address = f"work/{work['id']}/"
    saved = program.ask(
        "put", f"{address}draft/", {"base_version": work["draft_version"], "content": content}
    )
    assert saved.status_code == 200, saved.text
    assert program.get(address).json()["draft"] == content
    request = {"base_version": saved.json()["version"], "content": content, "key": str(uuid4())}
    answer = program.ask("post", f"{address}submit/", request)
    assert answer.status_code == 200, answer.text
    assert program.get(address).json()["task"] == {}


@pytest.mark.parametrize("kind", all_kinds())
def test_a_submit_is_refused_outside_the_schema_of_its_kind(project, anna, kind):
    schema = Draft202012Validator(shape_of(kind))
    held = hold(anna, make_work(make_clip(project), kind))
    program = program_of(anna, project)
    fields = work_kind(kind).fields
    # One name for each field; a value outside, where it allows only some.
    names = {re.sub("<digest>", "0" * 16, re.sub("<(n|clip)>", "7", f.name)): f for f in fields}
    wrong = {name: "?!" for name, field in names.items() if field.values or field.pattern}
    wrong |= {"colour": "red"}
    request = {"base_version": 0, "content": dict.fromkeys(names, "") | wrong, "key": str(uuid4())}
    refused = program.ask("post", f"work/{held.pk}/submit/", request)
    assert problem(refused) == (422, "invalid")
    assert {error["field"] for error in refused.json()["errors"]} == wrong.keys()
    for name, value in wrong.items():
        assert not schema.is_valid({name: value}), name
    assert schema.is_valid(dict.fromkeys(names, ""))
    for name, field in names.items():
        assert all(schema.is_valid({name: value}) for value in field.values), name


def test_every_kind_of_work_has_a_task():
    steps = {step.key for protocol in registered_protocols() for step in protocol.steps}
    kinds = (steps & set(all_kinds())) - {"signoff", "elements"}
    without = {kind for kind in kinds if "task" not in vars(type(work_kind(kind)))}
    assert without == set()


def test_write_ups_are_merged_without_their_authors(project, anna, ben, emil):
    clip = make_clip(project)
    held = hold_merge(clip, emil, anna, ben)
    program = program_of(emil, project)
    answer = program.get(f"work/{held.pk}/")
    assert "Anna" not in answer.text
    assert "Ben" not in answer.text
    work = answer.json()
    task = work["task"]
    assert [(each["label"], sorted(each["parts"])) for each in task["write_ups"]] == [
        (label, ["actions", "misc", "objects", "overview"]) for label in "AB"
    ]
    rows = dict(task["rows"])
    for field in task["rows"]:
        if field.endswith("-text"):
            row = field.removesuffix("-text")
            rows[field] = rows[f"{row}-a_text"]
    ticks = {conflict["field"]: "yes" for conflict in task["conflicts"]}
    submit(program, work, rows | ticks)
    merged = Caption.objects.get(clip=clip, source="merged")
    assert merged.author == emil
    assert rows["overview-0-text"] in merged.text


def test_a_video_is_judged_and_a_clip_written_by_hand():
    project = make_project("Films", protocol="lovr")
    anna = make_person("Ida", project, "annotator")
    program = program_of(anna, project)
    clip = make_clip(project)
    make_work(clip, "dynamics", needed=1)
    work = take(program, "dynamics")
    assert work["task"]["video"] == clip.video_id
    submit(program, work, {"verdict": "dynamic", "remark": "It cuts often.", "looked": "yes"})
    assert DynamicsVerdict.objects.get().is_dynamic

    attempt = {"model": "Egret", "text": "A dive.", "score": 0.1, "reason": "", "run": 1}
    open_hand(clip, attempt)
    work = take(program, "hand")
    assert work["task"]["attempts"] == [
        {"model": "Egret", "text": "A dive.", "score": 0.1, "reason": ""}
    ]
    submit(program, work, {"text": "A woman dives."})
    assert Caption.objects.get(source="human").text == "A woman dives."


def test_texts_are_signed_off(project, ben, ada):
    make_complete(project, ben, "heron")
    project.sign_offs = 1
    project.save()
    open_sign_offs(project)
    program = program_of(make_person("Eva", project, "expert"), project)
    work = take(program, "signoff")
    assert set(work["task"]) == {"general", "spatial", "temporal"}
    assert "heron" in work["task"]["spatial"]
    submit(program, work, {"verdict": "agree"})
    assert SignOff.objects.get().verdict == "agree"


def test_a_text_is_identified_without_the_keys_of_its_clips(project, ben, ada, anna):
    for word in ("boat", "horse", "kettle", "ladder"):
        make_complete(project, ben, word)
    start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)
    program = program_of(anna, project)
    work = take(program, "identify")
    assert work["clip"] is None
    assert [choice["place"] for choice in work["task"]["choices"]] == ["1", "2", "3", "4"]
    assert set(work["task"]["choices"][0]) == {"place", "video", "start_frame", "end_frame"}
    submit(program, work, {"place": "3"})
    pick = IdentifiedClip.objects.get()
    assert pick.clip.video_id == work["task"]["choices"][2]["video"]


def test_elements_are_checked_line_by_line(project, ada, anna):
    described_clip(project)
    judge(run=start(project, None, word_overlap(project)))
    hand_out_elements(project=project, preset="default", admin=ada)
    program = program_of(anna, project)
    work = take(program, "elements")
    lists = work["task"]["lists"]
    content = {}
    for kind, of_kind in lists.items():
        content |= {kind: "\n".join([*of_kind["elements"], "A red ball"])}
        content |= {f"{kind}_list": of_kind[f"{kind}_list"]}
    submit(program, work, content)
    checked = Extraction.objects.filter(author=anna)
    assert {row.kind for row in checked} == set(lists)
    assert all("A red ball" in row.elements for row in checked)


def test_a_triplet_is_verified_target_by_target():
    project = make_project("Actions", protocol="tfcovr")
    query = make_query(project)
    anna = make_person("Ida", project, "annotator")
    held = hold_query(anna, query)
    program = program_of(anna, project)
    work = program.get(f"work/{held.pk}/").json()
    task = work["task"]
    assert (task["query"], len(task["targets"])) == (query.clip_id, 2)
    content = {question["field"]: "yes" for question in task["questions"]}
    content |= {target["field"]: "valid" for target in task["targets"]}
    submit(program, work, content)
    assert TripletVerdict.objects.get().query == query
