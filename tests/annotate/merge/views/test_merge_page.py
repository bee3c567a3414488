"""The Merge page as the server draws it, and as a plain form without JavaScript."""

import re
from html import unescape

import pytest
from django.urls import reverse

from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, Caption, User
from annotate.queue.content import merge_content, merge_rows
from annotate.split.services import reopen_merge
from annotate.text.merging import WriteUpText, propose_rows, provenance
from annotate.text.parts import PARTS
from tests.annotate.text.samples import ANNA, BEN
from tests.cast import client_of, count_queries, join, make_clip, make_person
from tests.merge_work import (
    BIKES_A,
    BIKES_B,
    all_of,
    hold_merge,
    open_merge,
    resume_merge,
    rewrite,
    save,
    submit_merge,
    write_up_of,
)
from tests.work import expire, fill_draft, hold, make_work, post_json

FIELD = re.compile(r'<(?:input|textarea)[^>]* name="([a-z]+-\d+-\w+)"(?:[^>]* value="([^"]*)")?')
TEXT = re.compile(r'<textarea[^>]* name="([^"]+)"[^>]*>\n?(.*?)</textarea>', re.DOTALL)


@pytest.fixture
def clip(project):
    return make_clip(project)


@pytest.fixture
def held(clip, emil, anna, ben):
    return hold_merge(clip, emil, anna, ben)


def get(assignment) -> str:
    response = client_of(assignment.annotator).get(reverse("annotate:work", args=[assignment.pk]))
    assert response.status_code == 200
    return response.content.decode()


def form_of(html: str) -> dict[str, str]:
    """The rows of the page as a browser would send them."""
    html = re.sub(r"<template.*?</template>", "", html, flags=re.DOTALL)
    fields = {name: unescape(value) for name, value in FIELD.findall(html)}
    return fields | {
        name: unescape(text) for name, text in TEXT.findall(html) if name.endswith("-text")
    }


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def post_form(assignment, fields, **changes):
    page = get(assignment)
    key = re.search(r'name="key" value="([^"]+)"', page)[1]
    return client_of(assignment.annotator).post(
        reverse("annotate:submit", args=[assignment.pk]),
        {**fields, "key": key, "base_version": assignment.draft_version, **changes},
    )


def test_it_shows_every_sentence_of_both(held):
    text = plain(get(held))
    for part in PARTS:
        for row in propose_rows(WriteUpText(BIKES_A), WriteUpText(BIKES_B))[part]:
            assert row["a_text"] in text
            assert row["b_text"] in text


def test_it_names_no_writer(project, clip, emil, db):
    writers = [
        User.objects.create_user(f"{name}@writers.example", "x", name=name, pk=pk)
        for name, pk in (("Zebulon", 7654321), ("Quillia", 7654322))
    ]
    for writer in writers:
        join(project, writer, "annotator")
    held = hold_merge(clip, emil, *writers)
    pages = [get(held)]
    send_back_write_up(
        merge_assignment_id=held.pk,
        expert=emil,
        caption_id=write_up_of(writers[0], clip).pk,
        comment="Which hand?",
    )
    pages.append(get(held))
    rewrite(writers[0], clip, overview="Traffic in a city.")
    pages += [get(held), get(resume_merge(held))]
    for html in pages:
        assert not re.search(r"zebulon|quillia|writers\.example|765432[12]", html, re.IGNORECASE)


def test_words_that_only_one_has_are_marked_in_it(clip, emil, anna, ben):
    html = get(hold(emil, open_merge(clip, (anna, ANNA), (ben, BEN))))
    assert 'a <mark class="contradiction">red</mark> T-shirt' in html
    assert 'a <mark class="contradiction">blue</mark> T-shirt' in html


def test_conflicts_are_listed_on_top_and_in_their_row(clip, emil, anna, ben):
    held = hold(emil, open_merge(clip, (anna, ANNA), (ben, BEN)))
    html = get(held)
    assert "5 conflicts to look at" in plain(html)
    summary = html[html.index('id="conflicts"') : html.index('id="merge-sources"')]
    assert "A “red T-shirt” B “blue T-shirt”" in plain(summary)
    row = html[html.index('id="objects-0"') : html.index('id="objects-1"')]
    assert "A “red T-shirt” B “blue T-shirt”" in plain(row)
    name = re.search(r'name="(looked-\w+)"', summary)[1]
    fill_draft(held, **{name: "on"})
    html = get(held)
    assert re.search(rf'name="{name}"[^>]* checked', html)
    assert "1 of 5 looked at" in plain(html)


def test_hostile_text_is_shown_as_text(clip, emil, anna, ben):
    evil = {**BIKES_A, "overview": "<script>alert('A')</script> \"quoted' & more."}
    held = hold(emil, open_merge(clip, (anna, evil), (ben, BIKES_B)))
    html = get(held)
    assert "<script>alert" not in html
    assert form_of(html)["overview-0-a_text"] == evil["overview"]


def test_the_page_sends_back_what_it_shows(held):
    fields = form_of(get(held))
    assert merge_rows(fields) == {
        part: [row | {"before": ""} for row in rows]
        for part, rows in propose_rows(WriteUpText(BIKES_A), WriteUpText(BIKES_B)).items()
    }


def test_it_works_as_a_plain_form(held):
    fields = form_of(get(held)) | {
        name: value for name, value in merge_content(all_of("a")).items() if name.endswith("-text")
    }
    response = post_form(held, fields)
    assert response.status_code == 302
    assert Caption.objects.get(source="merged").parts == BIKES_A


def test_a_plain_form_that_breaks_the_rules_keeps_every_word(held):
    rows = all_of("a")
    rows["overview"][0]["text"] = "\nTwo sentences. Here they are."
    response = post_form(held, merge_content(rows))
    assert response.status_code == 422
    html = response.content.decode()
    assert "Overview has 2 sentences; write exactly 1." in html
    assert form_of(html)["overview-0-text"] == "\nTwo sentences. Here they are."
    assert form_of(html)["actions-0-text"] == rows["actions"][0]["text"]


def test_a_late_plain_form_is_refused_and_kept(held):
    fields = merge_content(all_of("a"))
    expire(held)
    response = post_form(held, fields)
    assert response.status_code == 410
    assert form_of(response.content.decode())["overview-0-text"] == BIKES_A["overview"]
    held.refresh_from_db()
    assert merge_rows(held.draft)["overview"][0]["text"] == BIKES_A["overview"]
    assert Caption.objects.filter(source="merged").count() == 0


def test_rows_stay_where_they_were_moved(held):
    rows = all_of("a")
    rows["actions"].reverse()
    rows["misc"].insert(1, {"a": None, "b": None, "a_text": "", "b_text": "", "text": "Mine."})
    save(held, rows)
    page_rows = merge_rows(form_of(get(held)))
    assert [row["text"] for row in page_rows["actions"]] == [row["text"] for row in rows["actions"]]
    assert page_rows["misc"][1]["text"] == "Mine."


def test_replaced_texts_are_part_of_the_draft(held):
    fill_draft(
        held,
        **merge_content(all_of("a")) | {"overview-0-before": '["What I had <typed>."]'},
    )
    assert form_of(get(held))["overview-0-before"] == '["What I had <typed>."]'


def test_a_rewrite_is_marked_and_every_text_is_still_there(held, clip, anna):
    rows = all_of("b")
    rows["overview"][0]["text"] = "My own overview."
    rows["objects"][0]["before"] = '["Older."]'
    save(held, rows)
    send_back_write_up(
        merge_assignment_id=held.pk,
        expert=held.annotator,
        caption_id=write_up_of(anna, clip).pk,
        comment="Which bus?",
    )
    sentences = BIKES_A["objects"].split(". ")
    rewrite(
        anna,
        clip,
        overview=BIKES_A["overview"].replace("six short shots", "six very short shots"),
        objects=". ".join(sentences[1:]),
    )
    html = get(resume_merge(held))
    assert "A was rewritten." in plain(html)
    assert "<ins>very </ins>" in html
    assert f"A no longer says {sentences[0]}." in plain(html)
    page_rows = merge_rows(form_of(html))
    assert page_rows["overview"][0]["text"] == "My own overview."
    assert "six very short shots" in page_rows["overview"][0]["a_text"]
    for part in PARTS:
        texts = [row["text"] for row in rows[part] if row["text"]]
        assert [row["text"] for row in page_rows[part] if row["text"]] == texts
    assert '["Older."]' in [row["before"] for row in page_rows["objects"]]


def test_a_change_is_no_news_once_it_is_merged(held, clip, anna, ada):
    send_back_write_up(
        merge_assignment_id=held.pk,
        expert=held.annotator,
        caption_id=write_up_of(anna, clip).pk,
        comment="Which bus?",
    )
    rewrite(anna, clip, overview="Traffic and bicycles in a city.")
    submit_merge(resume_merge(held), merge_content(all_of("a", a=write_up_of(anna, clip).parts)))
    reopen_merge(clip=clip, expert=ada, comment="The bus is white.")
    html = get(resume_merge(held))
    assert "rewritten" not in plain(html)
    assert "Ada sent this back" in plain(html)
    assert "The bus is white." in html
    assert form_of(html)["overview-0-text"] == "Traffic and bicycles in a city."


def test_with_one_writer_it_is_a_review(clip, emil, anna):
    held = hold(emil, open_merge(clip, (anna, BIKES_A)))
    html = get(held)
    assert "Take all of B" not in html
    assert 'data-side="b"' not in html
    assert 'id="conflicts"' not in html
    assert form_of(html)["overview-0-text"] == BIKES_A["overview"]
    assert "From A" in html
    assert post_form(held, form_of(html)).status_code == 302
    assert Caption.objects.get(source="merged").parts == BIKES_A


def test_it_asks_the_database_equally_often_at_any_size(project, held, emil, anna, ben):
    short = dict.fromkeys(PARTS, "One thing is here. Another too.") | {"overview": "A city."}
    project.min_words = 1
    project.save()
    small = hold(emil, open_merge(make_clip(project), (anna, short), (ben, short)))
    save(held, all_of("a"))
    counts = []
    for assignment in (held, small):
        client = client_of(emil)
        url = reverse("annotate:work", args=[assignment.pk])
        client.get(url)
        with count_queries() as count:
            client.get(url)
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_the_origins_it_shows_are_those_that_are_stored(held):
    rows = all_of("a")
    rows["objects"][0]["text"] = rows["objects"][0]["b_text"]
    rows["objects"][1]["text"] = rows["objects"][1]["a_text"].replace("a man", "a tall man")
    rows["misc"][0]["text"] = "Nobody wrote this."
    answer = post_json(
        client_of(held.annotator), "merge_origins", held, {"content": merge_content(rows)}
    ).json()
    stored = [origin["origin"] for origin in provenance(rows)]
    assert {"a", "b", "edited", "new"} == set(stored)
    assert answer["origins"]["overview-0"] == "From A"
    assert answer["origins"]["objects-0"] == "From B"
    assert answer["origins"]["objects-1"].startswith("Edited from A")
    assert answer["origins"]["misc-0"] == "New"
    assert answer["sentences"]["overview"] == 1
    assert sum(answer["sentences"].values()) == len(stored)


def test_asking_for_origins_saves_nothing(held):
    post_json(
        client_of(held.annotator),
        "merge_origins",
        held,
        {"content": merge_content(all_of("a"))},
    )
    held.refresh_from_db()
    assert (held.draft, held.draft_version) == ({}, 0)


@pytest.mark.parametrize("body", ["[]", "{", '{"content": {"overview-0-text": 3}}', "{}"])
def test_origins_of_nonsense_are_refused(held, body):
    assert post_json(client_of(held.annotator), "merge_origins", held, body).status_code == 400


def test_origins_are_for_the_expert_who_holds_it(project, held, anna, olaf):
    fred = make_person("Fred", project, "expert")
    body = {"content": {}}
    replies = [
        post_json(client_of(person), "merge_origins", held, body).status_code
        for person in (held.annotator, fred, anna, olaf)
    ]
    assert replies == [200, 404, 404, 404]
    writing = hold(anna, make_work(make_clip(project)))
    assert post_json(client_of(anna), "merge_origins", writing, body).status_code == 404


def test_what_is_submitted_is_only_read(held):
    submit_merge(held, merge_content(all_of("a")))
    html = get(Assignment.objects.get(pk=held.pk))
    assert "It is shown as you sent it." in html
    assert "data-take-all" not in html
    assert "send-back-a" not in html
    assert form_of(html)["overview-0-text"] == BIKES_A["overview"]
