"""GET the work page of a split: its sentences, texts, warnings, and what a later merge changed."""

import re

import pytest
from django.urls import reverse

from annotate.models import Assignment, Caption
from tests.cast import client_of, count_queries, make_clip
from tests.split_work import MERGED, hold_split, make_merged, submit_split
from tests.work import fill_draft, hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold_split(make_clip(project), anna)


def context(assignment):
    return get(assignment).context


def get(assignment):
    return client_of(assignment.annotator).get(reverse("annotate:work", args=[assignment.pk]))


def sentences(assignment):
    return [s for group in context(assignment)["groups"] for s in group["sentences"]]


def targets(assignment):
    return [sentence["target"] for sentence in sentences(assignment)]


def seen(**targets_by_number):
    """The draft of a page that showed MERGED, with some targets."""
    texts = [s.strip().rstrip(".") + "." for part in MERGED.values() for s in part.split(". ")]
    content = {f"sentence-{n}": text for n, text in enumerate(texts)}
    return content | {f"target-{n[1:]}": target for n, target in targets_by_number.items()}


def test_it_numbers_the_sentences_of_the_merged_text(held):
    page_context = context(held)
    assert [(g["name"], len(g["sentences"])) for g in page_context["groups"]] == [
        ("Overview", 1),
        ("Objects", 2),
        ("Actions", 2),
        ("Misc", 2),
    ]
    assert [s["shown_number"] for s in sentences(held)] == [1, 2, 3, 4, 5, 6, 7]
    assert " ".join(s["text"] for s in sentences(held)) == Caption.objects.get().text


def test_an_untouched_split_begins_with_the_overview_in_both(held):
    page_context = context(held)
    assert [page_context["fields"][name]["text"] for name in ("spatial", "temporal")] == [
        MERGED["overview"]
    ] * 2
    assert targets(held) == ["both", *[""] * 6]
    assert page_context["is_changed"] is False


def test_emptied_texts_stay_empty(held):
    fill_draft(held, spatial="", temporal="", **seen(n0="neither"))
    assert context(held)["fields"]["spatial"]["text"] == ""
    assert targets(held)[0] == "neither"


def test_it_shows_the_draft_with_its_warnings_in_utf16_places(held):
    fill_draft(held, spatial=f"{MERGED['overview']} 😀 He runs.", **seen(n1="both", n2="nonsense"))
    html = get(held).content.decode()
    assert targets(held)[:3] == ["", "both", ""]
    start = len(f"{MERGED['overview']} 😀 He ".encode("utf-16-le")) // 2
    assert f'data-places="{start}-{start + 4}"' in html
    assert "Movement in the spatial text" in html
    assert '<mark class="motion">runs</mark>' in html


def test_kept_words_are_no_warnings_any_more(held):
    text = f"{MERGED['overview']} He jumps and runs."
    kept = {"keep-spatial-motion": "runs", "keep-spatial-novel": "jumps\nruns"}
    fill_draft(held, spatial=text, **seen(), **kept)
    field = context(held)["fields"]["spatial"]
    assert [(w["kind"], [s["key"] for s in w["subjects"]]) for w in field["warnings"]] == [
        ("motion", ["jumps"])
    ]
    assert [(w["kind"], [s["key"] for s in w["subjects"]]) for w in field["kept"]] == [
        ("motion", ["runs"]),
        ("novel", ["jumps", "runs"]),
    ]
    assert 'value="jumps\nruns"' in get(held).content.decode()


def test_a_near_duplicate_is_shown_side_by_side(project, ben, held):
    text = f"{MERGED['overview']} He turns the melon twice and cuts it."
    other = hold_split(make_clip(project), ben)
    submit_split(other, spatial=text, temporal=text)
    fill_draft(held, spatial="", temporal=f"{text} Slowly.", **seen())
    field = context(held)["fields"]["temporal"]
    (warning,) = [w for w in field["warnings"] if w["kind"] == "near_duplicate"]
    name = other.item.clip.short_name
    assert warning["title"] == f"Very close to {name} (similarity 0.94)"
    assert [s["title"] for s in warning["sides"]] == ["This text", name]
    assert ["".join(p["text"] for p in s["pieces"]) for s in warning["sides"]] == [
        f"{text} Slowly.",
        text,
    ]
    assert [p["text"] for p in warning["sides"][0]["pieces"] if not p["mark"]] == [" Slowly."]


def test_a_clip_of_another_subcategory_or_project_is_no_neighbor(project, ben, held):
    text = f"{MERGED['overview']} He turns the melon twice and cuts it."
    other = hold_split(make_clip(project, subcategory="Sewing"), ben)
    submit_split(other, spatial=text, temporal=text)
    fill_draft(held, spatial=text, temporal=text, **seen())
    kinds = [w["kind"] for f in context(held)["fields"].values() for w in f["warnings"]]
    assert "near_duplicate" not in kinds


@pytest.fixture
def changed(held, emil):
    """Anna had decided two sentences and written; then Emil changed the merged text."""
    begun = Caption.objects.get().pk
    fill_draft(
        held,
        merged=str(begun),
        spatial=f"{MERGED['overview']} The man wears a grey shirt.",
        temporal="Typed.",
        **seen(n0="both", n1="spatial", n3="temporal"),
    )
    objects = "The man wears a blue shirt. A green melon lies on a wooden board."
    make_merged(held.item.clip, emil, objects=objects, misc=f"{MERGED['misc']} A dog barks.")
    return held


def test_a_changed_merge_keeps_what_is_the_same_and_marks_what_is_new(changed):
    page_context = context(changed)
    assert page_context["is_changed"] is True
    assert targets(changed) == ["both", "", "", "temporal", "", "", "", ""]
    assert [(s["text"], s["was"]) for s in page_context["new_sentences"]] == [
        ("The man wears a blue shirt.", "The man wears a grey shirt."),
        ("A dog barks.", ""),
    ]
    assert page_context["gone"] == [{"text": "The man wears a grey shirt.", "now": 1}]
    assert page_context["fields"]["temporal"]["text"] == "Typed."


def test_what_is_gone_and_not_in_the_texts_is_not_named(changed):
    fill_draft(changed, **{**changed.draft, "spatial": "Rewritten."})
    page_context = context(changed)
    assert page_context["gone"] == []
    assert page_context["is_changed"] is True


def test_new_sentences_stay_marked_after_a_save_of_the_new_page(changed):
    now = {f"sentence-{s['number']}": s["text"] for s in sentences(changed)}
    fill_draft(changed, **{**changed.draft, **now, "target-1": "spatial"})
    page_context = context(changed)
    assert [s["number"] for s in page_context["new_sentences"]] == [1, 7]
    assert targets(changed)[1] == "spatial"


@pytest.mark.parametrize("merged", ["", "x", "٣", "9" * 30, "1' OR '1", "-1"])
def test_a_draft_that_names_no_text_is_compared_by_its_own_sentences(changed, merged):
    fill_draft(changed, **{**changed.draft, "merged": merged})
    assert [s["number"] for s in context(changed)["new_sentences"]] == [1, 7]


def test_a_text_of_another_clip_is_never_shown_as_the_earlier_one(project, emil, changed):
    secret = make_merged(make_clip(project), emil, overview="A secret of another clip.")
    fill_draft(changed, **{**changed.draft, "merged": str(secret.pk)})
    assert "secret" not in get(changed).content.decode()


def test_sentences_that_occur_twice_keep_their_own_targets(project, anna):
    held = hold_split(make_clip(project), anna, actions="He taps it. He lifts it. He taps it.")
    fill_draft(
        held,
        **{f"sentence-{s['number']}": s["text"] for s in sentences(held)},
        **{"target-3": "temporal", "target-5": "neither"},
    )
    assert targets(held)[3:6] == ["temporal", "", "neither"]


def test_hostile_text_is_escaped_everywhere(project, anna, ben, emil):
    evil = "A <script>alert(1)</script> \"runs\" & '<b>jumps</b>' for ever and a day here."
    other = hold_split(make_clip(project), ben, objects=evil)
    submit_split(other, spatial=evil, temporal=evil)
    held = hold_split(make_clip(project), anna, objects=evil)
    fill_draft(
        held,
        spatial=evil,
        temporal=evil,
        merged=str(Caption.objects.filter(source="merged").last().pk),
        **{"keep-spatial-motion": "<i>\nruns", "sentence-0": "<u>"},
    )
    make_merged(held.item.clip, emil, objects=evil.replace("day", "<s>night</s>"))
    html = get(held).content.decode()
    form = html[html.index('id="split-changes"') : html.index('id="stored-draft"')]
    assert "night&lt;/s&gt;" in form
    for raw in ("<script>alert", "<b>jumps", "<i>", "<s>night"):
        assert raw not in form
    assert re.findall(r"<u>(?!.</u>)", form) == []


def test_without_a_merged_text_it_says_so(project, anna):
    held = hold(anna, make_work(make_clip(project), "split", needed=1))
    html = get(held).content.decode()
    assert "No merged text yet" in html
    assert 'name="spatial"' not in html


def test_what_was_submitted_can_only_be_read(held):
    submit_split(held, spatial=f"{MERGED['overview']} A parrot.", temporal="He cuts.", **seen())
    html = get(held).content.decode()
    assert html.count(" readonly>") == 2
    assert html.count(" disabled>") >= 7 * 4
    assert "A parrot." in html


def test_work_that_is_not_held_keeps_its_choices_in_the_form(held):
    Assignment.objects.filter(pk=held.pk).update(state="expired")
    html = get(held).content.decode()
    assert html.count(" readonly>") == 2
    assert not re.search(r'name="target-0"[^>]* disabled', html)


def test_a_refused_plain_form_is_shown_again_as_it_was_typed(held):
    client = client_of(held.annotator)
    form = {
        "key": "6f1f0a43-6f5c-4a4e-a8a2-0a3d7c4b1d11",
        "base_version": "0",
        "spatial": "A parrot runs.\r\nBelow.",
        "temporal": "",
        **seen(n1="neither"),
    }
    reply = client.post(reverse("annotate:submit", args=[held.pk]), form)
    html = reply.content.decode()
    assert reply.status_code == 422
    assert "\nA parrot runs.\nBelow.</textarea>" in html
    assert "The temporal caption is empty." in html
    assert reply.context["fields"]["spatial"]["count"] > 0
    warnings = html.split('id="spatial-warnings"')[1].split('id="temporal-warnings"')[0]
    assert re.search(r"<noscript>.*?<mark[^>]*>parrot</mark>", warnings, re.S)
    held.refresh_from_db()
    assert held.draft["target-1"] == "neither"


def test_it_asks_the_database_equally_often_at_any_size(project, anna, ben, emil):
    def queries(number, neighbors):
        for _ in range(neighbors):
            other = hold_split(make_clip(project), ben)
            submit_split(other, spatial="Same words here.", temporal="Same words here.")
        objects = " ".join(f"Object {n} lies there." for n in range(number))
        held = hold_split(make_clip(project), anna, objects=objects)
        fill_draft(held, spatial="A parrot runs. " * number, temporal="Same words here.")
        client = client_of(anna)
        client.get(reverse("annotate:work", args=[held.pk]))
        with count_queries() as count:
            client.get(reverse("annotate:work", args=[held.pk]))
        return int(count)

    few = queries(1, 1)
    assert queries(60, 3) == few
