"""The clip page: who sees which text, and how an expert sends work back."""

import uuid

import pytest
from django.urls import reverse

from annotate.corpus.precedence import current_caption
from annotate.corpus.services.opening import open_writing
from annotate.corpus.services.precedence import settle_captions
from annotate.models import (
    Assignment,
    AuditEvent,
    Caption,
    CaptionRank,
    Project,
    Video,
    WorkItem,
)
from tests.cast import (
    client_of,
    count_queries,
    make_clip,
    make_person,
    make_video,
)
from tests.hand_work import attempt, machine_caption, open_hand, write_by_hand
from tests.markup import squeezed
from tests.work import hold

ANNAS, BENS, MERGED = "Anna saw a diver.", "Ben saw a board.", "A diver leaves a board."


@pytest.fixture
def clip(project):
    clip = make_clip(project)
    open_writing(clips=[clip], writers=2)
    return clip


@pytest.fixture
def url(project, clip):
    return reverse("annotate:clip", args=[project.slug, clip.pk])


def write(clip, kind, person, text, caption_kind="general", source="human") -> Assignment:
    """`person` has submitted `text` for this step of the clip."""
    item, _ = WorkItem.objects.get_or_create(
        project=clip.project, clip=clip, kind=kind, defaults={"open_slots": 0}
    )
    assignment, _ = Assignment.objects.get_or_create(
        item=item,
        annotator=person,
        defaults={
            "state": "submitted",
            "submit_key": uuid.uuid4(),
            "lease_expires_at": clip.created_at,
        },
    )
    Caption.objects.create(
        project=clip.project, clip=clip, kind=caption_kind, source=source, text=text,
        word_count=len(text.split()), author=person, assignment=assignment,
    )  # fmt: skip
    return assignment


@pytest.fixture
def written(clip, anna, ben):
    write(clip, "write", anna, ANNAS)
    write(clip, "write", ben, BENS)
    clip.work_items.filter(kind="write").update(open_slots=0, state="done")


@pytest.fixture
def merged(clip, written, emil):
    assignment = write(clip, "merge", emil, MERGED, source="merged")
    clip.work_items.filter(kind="merge").update(state="done")
    return assignment


def visible_texts(person, url) -> set[str]:
    page = client_of(person).get(url).content.decode()
    return {text for text in (ANNAS, BENS, MERGED) if text in page}


def test_writers_see_only_their_own_text_until_the_merge(url, written, anna, ben):
    assert visible_texts(anna, url) == {ANNAS}
    assert visible_texts(ben, url) == {BENS}


def test_another_annotator_sees_nothing_until_the_merge(url, project, written):
    assert visible_texts(make_person("Carl", project, "annotator"), url) == set()


def test_expert_reviewer_and_admin_see_all(url, written, emil, rita, ada):
    for person in (emil, rita, ada):
        assert visible_texts(person, url) == {ANNAS, BENS}


def test_everybody_sees_all_once_the_merge_is_submitted(url, merged, anna, ben):
    for person in (anna, ben):
        assert visible_texts(person, url) == {ANNAS, BENS, MERGED}


def test_a_merge_that_was_sent_back_hides_the_texts_again(url, clip, merged, anna, ben):
    clip.work_items.filter(kind="merge").update(state="open")
    assert visible_texts(anna, url) == {ANNAS}


def test_an_expert_who_writes_the_clip_does_not_see_the_other_text(url, project, clip, anna):
    edda = make_person("Edda", project, "expert", "annotator", "admin")
    write(clip, "write", anna, ANNAS)
    write(clip, "write", edda, BENS)
    clip.work_items.filter(kind="write").update(open_slots=0, state="done")
    assert visible_texts(edda, url) == {BENS}


def test_an_admin_who_could_still_take_the_clip_does_not_see_the_first_text(
    url, project, clip, anna
):
    edda = make_person("Edda", project, "admin", "annotator")
    write(clip, "write", anna, ANNAS)
    clip.work_items.filter(kind="write").update(open_slots=1)
    assert visible_texts(edda, url) == set()
    clip.work_items.filter(kind="write").update(open_slots=0)
    assert visible_texts(edda, url) == {ANNAS}


def test_earlier_versions_are_listed_under_the_latest(url, clip, written, anna, emil):
    write(clip, "write", anna, "Anna saw it better.")
    texts = client_of(emil).get(url).context["texts"]
    assert [(t.title, t.latest.text, [c.text for c in t.earlier]) for t in texts] == [
        ("Write-up", "Anna saw it better.", [ANNAS]),
        ("Write-up", BENS, []),
    ]


def test_a_machine_caption_names_its_model(url, clip, emil):
    Caption.objects.create(
        project=clip.project,
        clip=clip,
        kind="general",
        source="machine",
        text="A dive of 2 seconds.",
        word_count=5,
        provenance=[{"model": "Measured draft", "spec": 1, "run": 7}],
    )
    reply = client_of(emil).get(url)
    (text,) = reply.context["texts"]
    assert (text.title, text.latest.written_by) == ("Machine caption", "Measured draft")
    assert "Measured draft" in reply.content.decode()


def test_the_caption_that_describes_the_clip_now_is_marked_and_earlier_ones_are_folded(
    project, anna, emil
):
    Project.objects.update(protocol="lovr")
    clip = make_clip(project)
    first, second = machine_caption(clip, "A hall."), machine_caption(clip, "A wide hall.")
    written = write_by_hand(hold(anna, open_hand(clip, attempt(first))), "A diver in a hall.")
    other = Caption.objects.create(
        project=project, clip=clip, kind="general", source="machine", text="A pool.", word_count=2,
        provenance=[{"model": "Qwen", "spec": 7, "run": 1}],
    )  # fmt: skip
    url = reverse("annotate:clip", args=[project.slug, clip.pk])

    def texts() -> list[tuple]:
        entries = client_of(emil).get(url).context["texts"]
        return [(t.title, t.latest.pk, t.is_current, t.is_folded) for t in entries]

    by_hand = written.captions.get().pk
    assert texts() == [
        ("Written by hand", by_hand, True, False),
        ("Machine caption", other.pk, False, True),
        ("Machine caption", second.pk, False, True),
    ]
    page = client_of(emil).get(url).content.decode()
    assert squeezed(page).count(">Current</span>") == 1
    assert "Qwen" in page


def test_a_merged_text_is_current_and_write_ups_are_not(url, merged, emil):
    texts = client_of(emil).get(url).context["texts"]
    assert [(t.title, t.is_current, t.is_folded) for t in texts] == [
        ("Write-up", False, False),
        ("Write-up", False, False),
        ("Merged text", True, False),
    ]


@pytest.mark.parametrize(
    ("protocol", "reason", "sentence"),
    [
        ("carebench", "", "The clip waits for its write-ups."),
        ("lovr", "", "once a model has described the clip, or a person by hand."),
        ("lovr", "Too <b>still</b>.", "Its video is left out, so nobody describes it."),
    ],
)
def test_a_clip_without_a_text_says_what_it_waits_for(project, rita, protocol, reason, sentence):
    Project.objects.update(protocol=protocol)
    clip = make_clip(project)
    Video.objects.update(excluded_because=reason)
    url = reverse("annotate:clip", args=[project.slug, clip.pk])
    page = client_of(rita).get(url).content.decode()
    assert sentence in page
    assert ("This video is left out." in page) is bool(reason)
    assert ("Too &lt;b&gt;still&lt;/b&gt;." in page) is bool(reason)
    assert ("write-ups" in page) is (protocol == "carebench")


def test_an_annotator_of_machine_captions_hears_nothing_of_write_ups(project, anna):
    Project.objects.update(protocol="lovr")
    url = reverse("annotate:clip", args=[project.slug, make_clip(project).pk])
    page = client_of(anna).get(url).content.decode()
    assert "Reviewers, experts and admins see the captions" in page
    assert "write-ups" not in page


def test_hostile_text_is_escaped(url, clip, anna, emil):
    write(clip, "write", anna, "<script>alert(1)</script>")
    assert "<script>alert(1)" not in client_of(emil).get(url).content.decode()


def test_an_expert_sends_the_split_back_with_a_comment(project, clip, merged, emil, anna):
    split = write(clip, "split", anna, "A diver.", "spatial")
    clip.work_items.filter(kind="split").update(state="done")
    url = reverse("annotate:send_back_split", args=[project.slug, clip.pk])
    response = client_of(emil).post(url, {"comment": "Name the board."}, follow=True)
    assert response.status_code == 200
    split.refresh_from_db()
    assert (split.state, split.return_comment, split.returned_by) == (
        "returned",
        "Name the board.",
        emil,
    )


def test_an_expert_sends_the_merge_back_and_the_split_waits(project, clip, merged, emil, anna):
    split = write(clip, "split", anna, "A diver.", "spatial")
    url = reverse("annotate:send_back_merge", args=[project.slug, clip.pk])
    client_of(emil).post(url, {"comment": "The board is missing."})
    for assignment, state in ((merged, "returned"), (split, "paused")):
        assignment.refresh_from_db()
        assert assignment.state == state


def test_without_a_comment_nothing_is_sent_back(project, clip, merged, emil):
    url = reverse("annotate:send_back_merge", args=[project.slug, clip.pk])
    response = client_of(emil).post(url, {"comment": "  "})
    assert response.status_code == 422
    assert "Write what should change." in response.content.decode()
    merged.refresh_from_db()
    assert merged.state == "submitted"


def test_sending_back_what_is_not_there_says_so(project, clip, emil):
    url = reverse("annotate:send_back_split", args=[project.slug, clip.pk])
    response = client_of(emil).post(url, {"comment": "No."}, follow=True)
    assert "There is no finished split" in response.content.decode()


@pytest.mark.parametrize("name", ["send_back_split", "send_back_merge"])
def test_only_an_expert_sends_back(project, clip, merged, anna, ada, rita, emil, olaf, name):
    url = reverse(f"annotate:{name}", args=[project.slug, clip.pk])
    for person, status in ((anna, 403), (ada, 403), (rita, 403), (olaf, 404), (None, 302)):
        assert client_of(person).post(url, {"comment": "No."}).status_code == status
    assert client_of(emil).get(url).status_code == 405
    merged.refresh_from_db()
    assert merged.state == "submitted"


def test_it_costs_the_same_queries_at_one_caption_and_at_three(url, clip, anna, ben, emil):
    client = client_of(emil)

    def queries() -> int:
        client.get(url)
        with count_queries() as count:
            client.get(url)
        return int(count)

    write(clip, "write", anna, ANNAS)
    queries_for_one = queries()
    write(clip, "write", ben, BENS)
    write(clip, "write", anna, "Anna again.")
    assert queries() == queries_for_one


def test_an_admin_makes_an_earlier_caption_current_and_it_is_audited(project, ada):
    Project.objects.update(protocol="lovr")
    clip = make_clip(project)
    first, second = machine_caption(clip, "A hall."), machine_caption(clip, "A wide hall.")
    page = client_of(ada).get(reverse("annotate:clip", args=[project.slug, clip.pk]))
    assert [text.choosable for text in page.context["texts"]] == [{first.pk}]
    url = reverse("annotate:make_current", args=[project.slug, clip.pk, first.pk])
    assert url in page.content.decode()
    answer = client_of(ada).post(url, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "This is the current caption now. Runs don’t replace it."
    ]
    assert current_caption(clip) == first
    event = AuditEvent.objects.get(verb="make current")
    assert (event.actor, event.object_id) == (ada, first.pk)
    assert (event.before, event.after["current"]) == ({"current": second.pk}, first.pk)
    settle_captions([machine_caption(clip, "A narrow hall.")], CaptionRank.Because.REFINED)
    assert current_caption(clip) == first


def test_a_caption_of_another_clip_is_never_made_current(project, ada):
    clip, other = make_clip(project), machine_caption(make_clip(project), "A hall.")
    url = reverse("annotate:make_current", args=[project.slug, clip.pk, other.pk])
    answer = client_of(ada).post(url, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "This text can't be the clip's caption. Choose one of its captions."
    ]
    assert current_caption(clip) is None


def test_a_late_correction_is_marked_as_a_record(project, anna, emil):
    clip = make_clip(project)
    text = machine_caption(clip, "A hall.")
    late = Caption.objects.create(
        project=project, clip=clip, kind="general", source="corrected", text="A pool.", word_count=2
    )
    CaptionRank.objects.create(caption=late, rank=0, because="late")
    page = client_of(emil).get(reverse("annotate:clip", args=[project.slug, clip.pk]))
    assert current_caption(clip) == text
    assert "Submitted after the clip had another caption: kept as a record." in (
        page.content.decode()
    )


def test_a_refine_attempt_that_scored_no_higher_is_marked_as_a_record(project, ada):
    clip = make_clip(project)
    machine_caption(clip, "A hall.")
    settle_captions([machine_caption(clip, "A pool.")], CaptionRank.Because.NOT_BETTER)
    page = client_of(ada).get(reverse("annotate:clip", args=[project.slug, clip.pk]))
    assert "scored no higher than the caption before" in page.content.decode()


@pytest.mark.parametrize(
    ("start", "end", "facts"),
    [
        (0, 250, "0–249, 250 of the video’s 250, 3 shots"),
        (100, 150, "100–149, 50 of the video’s 250, 1 shot"),
        (90, 201, "90–200, 111 of the video’s 250, 3 shots"),
    ],
)
def test_the_facts_are_those_of_the_clip_and_not_of_its_whole_video(
    project, ada, start, end, facts
):
    video = make_video(project, shots=[0, 100, 200])
    clip = make_clip(project, video=video, start_frame=start, end_frame=end)
    page = client_of(ada).get(reverse("annotate:clip", args=[project.slug, clip.pk]))
    assert f"<dd>{facts}</dd>" in " ".join(page.text.split())
