"""The page of one verification: what was said of each sentence, and where it is seen."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.models import Caption
from review.verification.models import Verification
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.review.verification.verifying import ALL_OK, MENDED, verified


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


def page_of(person, caption, **query):
    verification = Verification.objects.get(caption=caption)
    address = reverse(
        "review:verification", args=[verification.caption.project.slug, verification.pk]
    )
    return client_of(person).get(address, query)


def kinds(spans):
    return [(span.op, span.text) for span in spans]


def test_each_sentence_has_what_was_said_of_it(project, anna, ada):
    spans = {"span-2-start": "10", "span-2-end": "30"}
    caption = verified(anna, make_clip(project), MENDED | spans)
    door, cap, again, dog = page_of(ada, caption).context["rows"]
    assert (door.types, door.changes, door.missing) == ([], None, None)
    assert cap.types == [("A", "wrong"), ("C", "missing content")]
    assert ("delete", "He wears a red cap.") not in kinds(cap.changes)
    assert "".join(text for op, text in kinds(cap.changes) if op != "delete") == (
        "His cap is orange."
    )
    assert cap.missing.text == "He climbs a rope."
    assert kinds(again.changes) == [("delete", "It is a door.")]
    assert (again.stretch.first, again.stretch.end) == (10, 30)
    assert dog.text == "A dog barks."


def test_times_are_the_clips_and_the_player_gets_the_videos_frames(project, anna, ada):
    part = make_clip(project, video=make_clip(project).video, start_frame=50, end_frame=250)
    caption = verified(anna, part)
    response = page_of(ada, caption)
    stretch = response.context["rows"][1].missing.stretch
    assert (stretch.first, stretch.end) == (75, 175)
    page = response.content.decode()
    assert 'data-first="75" data-end="175">1.00 to 5.00 s</a>' in page
    assert "#t=3.000,7.000" in page


def test_the_whole_caption_is_compared_with_its_correction(project, anna, ada):
    response = page_of(ada, verified(anna, make_clip(project)))
    changes = kinds(response.context["changes"])
    corrected = Caption.objects.get(source=Caption.Source.CORRECTED)
    assert "".join(text for op, text in changes if op != "delete") == corrected.text
    assert ("delete", " It is a door.") in changes
    assert "<ins> He climbs a rope.</ins>" in response.content.decode()


def test_each_sentence_is_compared_with_its_own_correction_alone(project, anna, ada):
    content = ALL_OK | {"verdict-1": "B", "delete-1": "1", "verdict-2": "A"}
    content["correction-2"] = "He wears a coat."
    response = page_of(ada, verified(anna, make_clip(project), content))
    assert kinds(response.context["changes"])[:2] == [
        ("equal", "A man opens a door."),
        ("delete", " He wears a red cap."),
    ]


def test_a_caption_without_fault_says_that_nothing_changed(project, anna, ada):
    response = page_of(ada, verified(anna, make_clip(project), ALL_OK))
    assert "No changes." in response.content.decode()


def test_a_missing_segment_at_the_end_is_shown_there(project, anna, ada):
    end = {"verdict-3": "C", "missing-4-text": "It leaves.", "missing-4-start": "0"}
    caption = verified(anna, make_clip(project), ALL_OK | end | {"missing-4-end": "80"})
    assert page_of(ada, caption).context["missing_at_end"].text == "It leaves."


def test_it_says_where_the_caption_comes_from(project, anna, ada, emil):
    caption = verified(anna, make_clip(project))
    text = "One. Two. Three. Four."
    from_model = Caption.objects.create(
        project=project,
        clip=caption.clip,
        kind="general",
        source="machine",
        text=text,
        word_count=4,
        provenance=[{"model": "Qwen2.5-VL-7B", "spec": 1, "run": 7}],
    )
    original = Verification.objects.get()
    verification = Verification.objects.create(
        **{
            field.name: getattr(original, field.name)
            for field in Verification._meta.fields
            if field.name not in {"id", "caption", "assignment", "corrected"}
        },
        caption=from_model,
    )
    address = reverse("review:verification", args=[project.slug, verification.pk])
    run = reverse("inference:run", args=[project.slug, 7])
    page = client_of(ada).get(address).content.decode()
    assert "Qwen2.5-VL-7B" in page
    assert f'<a href="{run}">run 7</a>' in page
    assert run not in client_of(emil).get(address).content.decode()


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> He runs. <img src=x onerror=alert(2)>. Three.\nFour.",
        "הוא הולך. He runs.\nשלום <b>. 😀\u200b",
    ],
)
def test_hostile_text_is_shown_as_text(project, anna, ada, text):
    clip = make_clip(project, original_name="<i>door.mp4")
    content = {"verdict-0": "A", "correction-0": "<script>alert(3)</script>", "theme": "ok"}
    content |= {f"verdict-{number}": "ok" for number in range(1, 4)}
    page = page_of(ada, verified(anna, clip, content, text=text)).content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "<b>. " not in page
    assert "<i>door" not in page
    assert "&lt;script&gt;" in page


def test_the_queries_do_not_grow_with_the_sentences(project, anna, ada):
    def queries(caption):
        with count_queries() as count:
            page_of(ada, caption)
        return count

    short = verified(anna, make_clip(project), {"verdict-0": "ok", "theme": "ok"}, text="One.")
    long = verified(anna, make_clip(project))
    queries(short)  # what the session asks once
    assert int(queries(short)) == int(queries(long))
