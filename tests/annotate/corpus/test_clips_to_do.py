"""What lists, pages, Find and the API hide of clips that a person could still work on."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.clips_to_do import hide
from annotate.models import Clip, Tag, WorkItem, WorkRules
from tests.api.asking import program_of
from tests.cast import client_of, make_clip, make_person, make_project
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


def clip_of(project, name):
    clip = make_clip(project)
    Clip.objects.filter(pk=clip.pk).update(name=name)
    video = clip.video
    video.original_name, video.category, video.subcategory = f"{name}.mp4", "Springboard", "High"
    video.source_url = f"https://example.org/{name}"
    video.save()
    clip.refresh_from_db()
    return clip


def listed(client, project, query=""):
    page = client.get(reverse("annotate:corpus", args=[project.slug]) + query).context["page"]
    return {row.clip.name: (row.clip.video.category, row.tags) for row in page}


def names_for(person, project, clips):
    membership = person.memberships.select_related("project").get(project=project)
    clips = list(Clip.objects.filter(pk__in=[clip.pk for clip in clips]))
    hide(membership, clips)
    return {clip.name for clip in clips}


def test_no_page_names_a_clip_that_its_reader_could_still_be_given(project, anna, emil, ada):
    hidden, seen = clip_of(project, "twist"), clip_of(project, "tuck")
    item = make_work(hidden, "rate", subject=1, needed=2)
    Tag.objects.create(project=project, name="hard").clips.add(hidden, seen)
    facts_of = {"tuck": ("Springboard", ["hard"]), "twist": ("Springboard", ["hard"])}
    short = hidden.short_name
    client, program = client_of(anna), program_of(anna, project)
    for person in (emil, ada):  # experts arrange work by names
        assert listed(client_of(person), project) == facts_of
    assert listed(client, project) == {"tuck": facts_of["tuck"], short: ("", [])}
    by_facts = ("q=tw", "category=Springboard", "subcategory=High", "tagged=hard", "sort=category")
    for query in (*by_facts, "sort=name&descending=1"):
        assert set(listed(client, project, f"?{query}")) <= {"tuck"}, query
    for number in (short, hidden.pk):
        assert set(listed(client, project, f"?q={number}")) == {short}
        for query in (*by_facts[1:], "sort=name"):  # would tell more than the number
            assert short not in listed(client, project, f"?q={number}&{query}"), query
        assert set(listed(client_of(ada), project, f"?q={number}")) == {"twist"}
    assert set(listed(client, project, "?stage=rate&length=band")) == {short}

    pages = [reverse(name, args=[project.slug, key]) for name, key in (
        ("annotate:clip", hidden.pk), ("inference:clip_scores", hidden.pk),
        ("inference:video", hidden.video_id),
    )]  # fmt: skip
    find = reverse("review:find", args=[project.slug])
    for address in (*pages, f"{find}?q=twist"):
        text = client.get(address).text
        assert "Springboard" not in text, address
        assert "example.org" not in text, address
        assert "twist" not in text.replace('value="twist"', "").replace("q=twist", ""), address
    assert "tuck" in client.get(f"{find}?q=tuck").text
    for number in (short, hidden.pk):
        assert f">{short}</a>" in client.get(f"{find}?q={number}").text
        assert f">twist ({short})</a>" in client_of(ada).get(f"{find}?q={number}").text

    rows = {row["id"]: row for row in program.rows("clips/")}
    facts = ("name", "category", "subcategory", "tags")
    assert [rows[hidden.pk][name] for name in facts] == [short, "", "", []]
    assert [rows[seen.pk][name] for name in facts] == ["tuck", "Springboard", "High", ["hard"]]
    detail = program.get(f"clips/{hidden.pk}/").json()
    assert [detail[name] for name in facts] == [short, "", "", []]
    assert [row["id"] for row in program.rows("clips/?category=Springboard")] == [seen.pk]
    assert [row["id"] for row in program.rows("clips/?order=name")] == [seen.pk]
    assert [row["id"] for row in program.rows("videos/?category=Springboard")] == [seen.video_id]
    videos = {row["id"]: row for row in program.rows("videos/")}
    video = program.get(f"videos/{hidden.video_id}/").json()
    for row in (videos[hidden.video_id], video):
        read = [row[name] for name in ("original_name", "category", "source_url")]
        assert read == [f"Video {hidden.video_id}", "", ""]
    hidden.video.refresh_from_db()
    assert hidden.video.category == "Springboard"  # nothing was saved

    held = hold(anna, item)
    held.state = "submitted"
    held.save()
    assert listed(client, project) == facts_of


@pytest.mark.parametrize(
    ("work", "role", "is_hidden"),
    [
        ({"kind": "rate"}, "annotator", True),
        ({"kind": "rate"}, "reviewer", True),
        ({"kind": "merge"}, "annotator", False),
        ({"kind": "pair"}, "reviewer", True),
        ({"kind": "rate", "state": "waiting"}, "annotator", True),
        ({"kind": "rate", "state": "done"}, "annotator", False),
        ({"kind": "rate", "state": "cancelled"}, "annotator", False),
        ({"kind": "rate", "purpose": "training"}, "annotator", False),
        # The project doesn't ask for gold of this kind.
        ({"kind": "rate", "purpose": "gold"}, "annotator", False),
        ({"kind": "dynamics", "purpose": "gold"}, "annotator", True),
    ],
)
def test_who_could_still_be_given_a_clip(project, work, role, is_hidden):
    WorkRules.objects.create(project=project, kind="dynamics", has_gold=True)
    clip = clip_of(project, "twist")
    WorkItem.with_known_answers.create(project=project, clip=clip, subject=1, **work)
    person = make_person("Pia", project, role)
    assert names_for(person, project, [clip]) == {clip.short_name if is_hidden else "twist"}


def test_work_that_bars_a_person_from_the_rest_shows_the_clip(project, anna, ben):
    WorkRules.objects.create(project=project, kind="dynamics", has_gold=True)
    rated, gold, reserved = (clip_of(project, name) for name in ("a", "b", "c"))
    make_work(rated, "rate", subject=1)
    hold(anna, make_work(rated, "verify", subject=1, state="done"))
    hold(anna, make_work(gold, "dynamics", state="done"))
    WorkItem.with_known_answers.create(project=project, clip=gold, kind="dynamics", purpose="gold")
    make_work(reserved, "identify", reserved_for=ben)
    clips = [rated, gold, reserved]
    assert names_for(anna, project, clips) == {"a", "b", "c"}
    assert names_for(ben, project, clips) == {clip.short_name for clip in clips}
