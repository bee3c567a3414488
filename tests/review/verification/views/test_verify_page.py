"""Verifying: its page, its plain form, and who may do it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import Caption, Project
from review.verification.content import sentences_key
from review.verification.models import Verification
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import machine_caption
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    MENDED_TEXT,
    form_data,
    hold_verification,
    open_verification,
)
from tests.work import fill_draft, hold, make_work, post_json

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> A pool. {{ clip }} \"' onclick=x. </p><img src=x>"


@pytest.fixture
def clip(project):
    return make_clip(project)


@pytest.fixture
def caption(clip):
    return machine_caption(clip, CAPTION)


@pytest.fixture
def held(caption, anna):
    return hold_verification(anna, caption)


def page(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk]))


def submit(person, held, caption, content):
    data = {"key": uuid4(), "base_version": held.draft_version, **form_data(caption, content)}
    return client_of(person).post(reverse("annotate:submit", args=[held.pk]), data)


def test_it_shows_every_sentence_undecided(held, caption, anna):
    response = page(anna, held)
    assert [(row.text, row.verdict, row.begins_paragraph) for row in response.context["rows"]] == [
        ("A man opens a door.", "", False),
        ("He wears a red cap.", "", False),
        ("It is a door.", "", False),
        ("A dog barks.", "", True),
    ]
    assert "".join(span.text for span in response.context["changes"]) == CAPTION
    assert response.context["decided"] == 0
    assert response.text.count('name="correction-') == 1  # the template's


def test_a_correction_begins_with_its_sentence_without_scripts_too(held, caption, anna):
    fill_draft(held, **form_data(caption, {"verdict-1": "A", "verdict-2": "B", "delete-2": "1"}))
    rows = page(anna, held).context["rows"]
    assert [row.correction for row in rows] == ["", "He wears a red cap.", "", ""]


def test_what_was_set_aside_stays_in_the_draft_and_out_of_the_judgment(held, caption, anna):
    aside = {"before-mend-1": '["<b>His</b> cap."]', "before-missing-4": '["A rope","1","99"]'}
    fill_draft(held, **form_data(caption, ALL_OK | aside))
    response = page(anna, held)
    assert [[kept.name for kept in row.aside] for row in response.context["rows"]] == [
        [], ["before-mend-1"], [], [],
    ]  # fmt: skip
    assert [kept.name for kept in response.context["end_aside"]] == ["before-missing-4"]
    assert "<b>His</b>" not in response.text
    assert submit(anna, held, caption, ALL_OK | aside).status_code == 302
    assert Verification.objects.get().corrected is None


def test_a_draft_comes_back_with_its_fields(held, caption, anna):
    fill_draft(held, **form_data(caption, MENDED))
    response = page(anna, held)
    assert response.context["decided"] == 4
    assert [row.is_open for row in response.context["rows"]] == [False, True, True, False]
    assert "His cap is orange.</textarea>" in response.text
    assert "He climbs a rope.</textarea>" in response.text
    assert "<ins>" in response.text
    assert "<del>" in response.text


def test_a_draft_about_other_sentences_is_not_shown(held, caption, anna):
    fill_draft(held, **MENDED, sentences="1, an older splitter")
    assert page(anna, held).context["decided"] == 0


def test_it_works_without_javascript(held, caption, anna):
    refused = submit(anna, held, caption, ALL_OK | {"verdict-1": "A#C", "verdict-2": "B"})
    assert refused.status_code == 422
    assert [row.is_open for row in refused.context["rows"]] == [False, True, True, False]
    assert 'name="correction-1"' in refused.text
    assert 'name="missing-1-start"' in refused.text
    assert "Sentence 2 is marked A#C: write the corrected sentence." in refused.text
    held.refresh_from_db()
    assert submit(anna, held, caption, MENDED).status_code == 302
    assert Caption.objects.get(source=Caption.Source.CORRECTED).text == MENDED_TEXT


def test_without_javascript_each_sentence_has_the_fields_of_its_frames(held, caption, anna):
    assert page(anna, held).text.count('name="span-2-start"') == 1
    half = ALL_OK | {"span-2-start": "5"}
    refused = submit(anna, held, caption, half)
    assert refused.status_code == 422
    assert 'value="5"' in refused.text
    assert "Sentence 3 has only one of start and end frame" in refused.text
    held.refresh_from_db()
    assert submit(anna, held, caption, half | {"span-2-end": "9"}).status_code == 302
    assert Verification.objects.get().verdicts.get(number=2).end_frame == 9


def test_a_clip_shorter_than_anything_missing_says_so(project, anna):
    caption = machine_caption(make_clip(project, start_frame=0, end_frame=74), CAPTION)
    held = hold_verification(anna, caption)
    fill_draft(held, **form_data(caption, {"verdict-0": "C"}))
    text = page(anna, held).text
    assert "This clip is shorter than 3 s, so C doesn’t apply." in text
    assert 'name="missing-0-text"' not in text


def test_the_pages_script_submits_and_gets_what_is_wrong(held, caption, anna):
    client = client_of(anna)
    body = {"key": str(uuid4()), "base_version": 0, "content": form_data(caption, {})}
    reply = post_json(client, "submit", held, body)
    assert reply.status_code == 422
    assert [problem["field"] for problem in reply.json()["problems"]] == ["verdict-0", "theme"]
    body["content"] = form_data(caption, ALL_OK)
    assert post_json(client, "submit", held, body).status_code == 200
    assert Verification.objects.count() == 1


def test_hostile_text_is_shown_as_text(clip, anna):
    caption = machine_caption(clip, HOSTILE)
    held = hold_verification(anna, caption)
    fill_draft(held, **form_data(caption, {"verdict-0": "A", "correction-0": "</textarea><b>x"}))
    text = page(anna, held).text
    for tag in ("<script>alert", "<img src=x", "</textarea><b>"):
        assert tag not in text


def test_submitted_work_is_shown_as_it_was_sent(held, caption, anna):
    submit(anna, held, caption, MENDED)
    response = page(anna, held)
    assert response.context["is_submitted"] is True
    assert "His cap is orange.</textarea>" in response.text


def test_my_work_describes_a_draft_in_words(held, caption, anna, project):
    Project.objects.update(protocol="lovr")
    fill_draft(held, **form_data(caption, MENDED))
    response = client_of(anna).get(reverse("annotate:my_work", args=[project.slug]))
    [held] = [assignment for kind in response.context["work"] for assignment in kind.held]
    assert held.preview == "4 decided. His cap is orange. He climbs a rope."


def test_work_without_its_caption_says_so(clip, anna, caption):
    item = make_work(clip, "verify", 1, context={"caption": caption.pk + 99})
    assert "This work names no caption of its clip" in page(anna, hold(anna, item)).text


def test_somebody_who_judges_may_claim_it_and_nobody_else_sees_it(caption, rita, emil, ada, olaf):
    item = open_verification(caption)
    address = reverse("annotate:claim", args=[caption.project.slug, "verify"])
    assert [client_of(person).post(address).status_code for person in (emil, ada, olaf)] == [
        403,
        403,
        404,
    ]
    reply = client_of(rita).post(address)
    held = item.assignments.get()
    assert reply.url == reverse("annotate:work", args=[held.pk])
    assert page(rita, held).status_code == 200
    assert page(ada, held).status_code == 404


def test_the_queries_of_the_page_do_not_grow_with_its_sentences(project, anna):
    counts = []
    for text in ("One.", "One. Two. Three."):
        caption = machine_caption(make_clip(project), text)
        held = hold_verification(anna, caption)
        with count_queries() as count:
            page(anna, held)
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_ten_thousand_sentences_are_one_page_and_one_draft(clip, anna, ada):
    caption = machine_caption(clip, "\n".join(f"Step {n}" for n in range(10_000)))
    held = hold_verification(anna, caption)
    response = page(anna, held)
    assert len(response.context["rows"]) == 10_000
    assert [len(rows) for rows in response.context["lists"]] == [100] * 100
    assert len(response.content) < 4_000_000
    content = {f"verdict-{n}": "ok" for n in range(10_000)}
    content |= {"sentences": sentences_key(caption.pk), "theme": "ok"}
    content |= {"verdict-5000": "B", "delete-5000": "1"}
    client = client_of(anna)
    saved = post_json(client, "save_draft", held, {"base_version": 0, "content": content})
    assert saved.status_code == 200
    held.refresh_from_db()
    assert submit(anna, held, caption, content).status_code == 302
    stored = Verification.objects.get()
    assert (stored.sentences, stored.verdicts.count(), stored.content_errors) == (10_000, 10_000, 1)
    assert stored.corrected.text == caption.text.replace("Step 5000\n", "")
    # Its page shows them 200 at a time.
    url = reverse("review:verification", args=[clip.project.slug, stored.pk])
    last = client_of(ada).get(url, {"page": "50"}).context["rows"]
    assert (len(last), last[-1].number, last[-1].text) == (200, 10_000, "Step 9999")
