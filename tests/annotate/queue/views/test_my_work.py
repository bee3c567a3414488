"""GET p/<slug>/: what waits for a person, what they hold and what they did."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.kinds import all_kinds
from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, Caption, Membership, Project, User, WorkItem
from annotate.queue.finished import Span, finished_by_kind
from annotate.queue.work_kinds import name_work, work_kind
from tests.cast import client_of, count_queries, make_clip, make_person
from tests.hand_work import STATIC, hold_check, judge, open_hand
from tests.markup import squeezed
from tests.merge_work import BIKES_A, all_of, hold_merge, resume_merge, rewrite, save, write_up_of
from tests.work import expire, fill_draft, hold, make_work, submit_write_up

pytestmark = pytest.mark.django_db


def page(person, project):
    return client_of(person).get(reverse("annotate:my_work", args=[project.slug]))


def step(person, project, kind="write"):
    return next(s for s in page(person, project).context["work"] if s.kind == kind)


def assignments(response, section):
    return [unfinished.assignment for unfinished in response.context[section]]


def test_it_counts_what_waits_for_this_person(project, anna):
    for _ in range(3):
        make_work(make_clip(project))
    hold(anna, WorkItem.objects.first())
    assert step(anna, project).waiting == 2
    assert "2 waiting" in page(anna, project).content.decode()


def test_it_counts_no_further_than_it_must(project, anna, monkeypatch):
    monkeypatch.setattr("annotate.queue.my_work.MAX_COUNTED", 1)
    for _ in range(3):
        make_work(make_clip(project))
    assert "More than 1 waiting" in page(anna, project).content.decode()


def test_it_shows_what_is_held_with_the_beginning_of_the_text(project, anna):
    held = hold(anna, make_work(make_clip(project)))
    fill_draft(held, overview="A <i>diver</i>", objects="in red " * 60)
    html = page(anna, project).content.decode()
    assert "A &lt;i&gt;diver&lt;/i&gt; in red" in html
    assert "…" in html
    assert ">Resume</a>" in html


def test_a_held_merge_shows_the_beginning_of_its_merged_sentences(project, anna, ben, emil):
    merge = hold_merge(make_clip(project), emil, anna, ben)
    save(merge, all_of("a"))
    beginning = BIKES_A["overview"][:40]
    assert beginning in page(emil, project).content.decode()


def test_what_was_sent_back_comes_first_with_its_comment(project, anna, emil):
    hold(anna, make_work(make_clip(project)))
    returned = hold(anna, make_work(make_clip(project)))
    Assignment.objects.filter(pk=returned.pk).update(
        state="returned", returned_by=emil, return_comment="Which hand?"
    )
    html = page(anna, project).content.decode()
    assert html.index("Which hand?") < html.index(">Resume</a>")
    assert "Revise what was sent back" in html


def test_a_kept_draft_can_be_taken_again_but_an_empty_one_is_not_listed(project, anna):
    kept = hold(anna, make_work(make_clip(project)))
    fill_draft(kept, overview="Half")
    empty = hold(anna, make_work(make_clip(project)))
    for assignment in (kept, empty):
        expire(assignment)
    assert [unfinished.assignment for unfinished in step(anna, project).kept] == [kept]
    assert "Take it again" in page(anna, project).content.decode()


def test_it_adds_up_what_was_finished(project, anna):
    for _ in range(2):
        done = submit_write_up(anna, make_work(make_clip(project)))
        Assignment.objects.filter(pk=done.pk).update(active_seconds=3_600)
    Assignment.objects.filter(pk=done.pk).update(submitted_at=timezone.now() - timedelta(days=2))
    words = sum(Caption.objects.values_list("word_count", flat=True))
    training = submit_write_up(anna, make_work(make_clip(project)))
    WorkItem.objects.filter(pk=training.item_id).update(purpose=WorkItem.Purpose.TRAINING)
    finished = step(anna, project).finished
    assert (finished.all.items, finished.all.active_time) == (2, "2 h 00 min")
    assert (finished.today.items, finished.today.active_time) == (1, "1 h 00 min")
    assert finished.words == words


def test_the_week_begins_on_monday(project, anna, monkeypatch):
    for days in (0, 2, 3):
        done = submit_write_up(anna, make_work(make_clip(project)))
        submitted_at = datetime(2026, 11, 25, 12, tzinfo=UTC) - timedelta(days=days)  # a Wednesday
        Assignment.objects.filter(pk=done.pk).update(submitted_at=submitted_at, active_seconds=60)
    monkeypatch.setattr(
        "annotate.queue.finished.timezone.now", lambda: datetime(2026, 11, 25, 18, tzinfo=UTC)
    )
    [finished] = finished_by_kind(Membership.objects.get(user=anna)).values()
    assert (finished.today, finished.week, finished.all) == (
        Span(1, 60),
        Span(2, 120),
        Span(3, 180),
    )


def test_the_typical_time_is_the_median_of_what_was_done_by_hand(project, anna):
    make_work(make_clip(project))

    def finish_in(seconds):
        done = submit_write_up(anna, make_work(make_clip(project)))
        Assignment.objects.filter(pk=done.pk).update(active_seconds=seconds)

    finish_in(0)
    assert step(anna, project).typical == ""
    assert "Time per item unknown" in page(anna, project).text
    finish_in(360)
    assert step(anna, project).typical == "about 6 min"
    finish_in(100)
    finish_in(240)
    assert step(anna, project).typical == "about 4 min"


@pytest.mark.parametrize(
    ("state", "label"),
    [("returned", "Revise what was sent back"), ("held", "Resume your work")],
)
def test_the_one_button_leads_to_unfinished_work_first(project, anna, state, label):
    make_work(make_clip(project))
    assert page(anna, project).context["next_label"] == "Next: write"
    Assignment.objects.filter(pk=hold(anna, make_work(make_clip(project))).pk).update(state=state)
    assert page(anna, project).context["next_label"] == label


def why(person, project, kind):
    return step(person, project, kind).why_nothing


def test_it_says_why_nothing_waits_to_be_written(project, anna, ben):
    assert why(anna, project, "write") == "No clips have been imported yet."
    item = make_work(make_clip(project))
    submit_write_up(anna, item)
    assert why(anna, project, "write") == (
        "You have written, or skipped, every clip that still needs a writer."
    )
    item.refresh_from_db()
    submit_write_up(ben, item)
    assert why(anna, project, "write") == "No clip waits for another writer now."


def test_it_says_why_nothing_waits_to_be_merged(project, anna):
    bea = make_person("Bea", project, "annotator", "expert")
    item = make_work(make_clip(project))
    submit_write_up(anna, item)
    assert why(bea, project, "merge") == ("Clips appear here once their write-ups are submitted.")
    item.refresh_from_db()
    submit_write_up(bea, item)
    assert why(bea, project, "merge") == (
        "You wrote or skipped the clips that wait, so another expert must merge them."
    )
    merge = WorkItem.objects.get(kind="merge")
    hold(make_person("Eva", project, "expert"), merge)
    assert why(bea, project, "merge") == "No clip waits for another expert to merge it now."


@pytest.mark.parametrize(
    ("person", "kinds"),
    [("anna", ["write", "split"]), ("emil", ["merge", "split"]), ("rita", []), ("ada", [])],
)
def test_it_shows_the_steps_of_the_persons_roles(request, project, person, kinds):
    response = page(request.getfixturevalue(person), project)
    assert [s.kind for s in response.context["work"]] == kinds
    assert ("You have no work in this project" in response.content.decode()) == (kinds == [])


@pytest.mark.parametrize(
    ("person", "kinds"),
    [
        ("anna", ["dynamics", "hand", "verify", "rate"]),
        ("emil", ["hand"]),
        ("rita", ["dynamics", "verify", "rate"]),
        ("ada", []),
    ],
)
def test_another_protocol_has_other_steps(request, project, person, kinds):
    Project.objects.update(protocol="lovr")
    response = page(request.getfixturevalue(person), project)
    assert [s.kind for s in response.context["work"]] == kinds
    assert ("To check videos, verify or rate, you need the role" in response.text) == (kinds == [])


def test_work_of_an_earlier_protocol_stays_to_be_finished(project, anna):
    make_work(make_clip(project))
    Project.objects.update(protocol="lovr")
    assert [s.kind for s in page(anna, project).context["work"]] == [
        "write",
        "dynamics",
        "hand",
        "verify",
        "rate",
    ]


def test_it_says_why_no_video_waits_to_be_checked(project, anna, ben, rita):
    Project.objects.update(protocol="lovr")
    assert why(anna, project, "dynamics") == ("Videos appear here once they are cut into clips.")
    video = make_clip(project).video
    judge(hold_check(anna, video), STATIC)
    assert why(anna, project, "dynamics") == "You have judged or skipped every video that waits."
    hold_check(rita, video)
    nothing = "No video waits for another person to judge it now."
    assert [why(person, project, "dynamics") for person in (ben, anna)] == [nothing, nothing]


def test_it_says_why_nothing_waits_to_be_written_by_hand(project, anna, ben):
    Project.objects.update(protocol="lovr")
    assert why(anna, project, "hand") == (
        "Clips appear here when no model described them well enough."
    )
    held = hold(anna, open_hand(make_clip(project)))
    assert why(ben, project, "hand") == "No clip waits for another person to write it now."
    expire(held)
    Assignment.objects.filter(pk=held.pk).update(state="skipped")
    assert why(anna, project, "hand") == "You have written or skipped every clip that waits."


def test_a_draft_of_either_kind_is_shown_in_words(project, anna):
    Project.objects.update(protocol="lovr")
    check = hold_check(anna, make_clip(project).video)
    hand = hold(anna, open_hand(make_clip(project)))
    fill_draft(check, verdict="static", remark="A choir.")
    fill_draft(hand, text="Two divers", before='["Old."]')
    response = page(anna, project)
    assert [a.preview for s in response.context["work"] for a in s.held] == [
        "Not dynamic. A choir.",
        "Two divers",
    ]
    for work, title in ((check, "Dynamics check of {}<"), (hand, "Write {} by hand<")):
        clip = work.item.clip
        assert title.format(clip.short_name) in response.text
        assert clip.name not in response.text


@pytest.mark.parametrize(
    ("person", "offered"),
    [
        ("anna", set()),
        ("rita", {"review:overview"}),
        ("ada", {"review:overview", "annotate:upload", "annotate:members"}),
    ],
)
def test_people_without_work_are_shown_what_else_to_do(request, project, person, offered):
    html = page(request.getfixturevalue(person), project).content.decode()
    _, _, empty = html.partition("You have no work in this project")
    names = ("review:overview", "annotate:upload", "annotate:members")
    assert {n for n in names if f'href="{reverse(n, args=[project.slug])}"' in empty} == offered


def test_the_last_ten_finished_items_can_be_opened(project, anna, ben):
    client = client_of(anna)
    done = [submit_write_up(anna, make_work(make_clip(project))) for _ in range(11)]
    submit_write_up(ben, done[-1].item)
    lately = [each for each, _ in page(anna, project).context["finished_lately"]]
    assert lately == done[:0:-1]
    html = page(anna, project).content.decode()
    url = reverse("annotate:work", args=[lately[0].pk])
    assert f'href="{url}">Write {lately[0].item.clip.short_name}</a>' in squeezed(html)
    assert "You submitted this on" in client.get(url).content.decode()


def test_each_piece_of_work_is_called_what_a_person_would_call_it(project):
    clip = make_clip(project)
    clip.name = "Clip 8"
    items = [WorkItem(project=project, clip=clip, kind=kind) for kind in ("merge", "compare")]
    name_work(items)
    assert [item.title for item in items] == [
        "Merge Clip 8",
        "Vote on two captions of Clip 8",
    ]


@pytest.fixture
def rewritten(project, anna, ben, emil):
    """A merge of Emil's that waited for Ben's rewrite, which is there."""
    User.objects.filter(pk=ben.pk).update(name="Benedikta")
    clip = make_clip(project)
    merge = hold_merge(clip, emil, anna, ben)
    send_back_write_up(
        merge_assignment_id=merge.pk, expert=emil, caption_id=write_up_of(ben, clip).pk,
        comment="Which hand?",
    )  # fmt: skip
    rewrite(ben, clip, misc="The camera follows the rider. It looks like a training video.")
    return merge


def test_a_rewritten_write_up_is_ready_and_does_not_name_its_author(project, emil, rewritten):
    response = page(emil, project)
    html = response.content.decode()
    assert (assignments(response, "ready"), assignments(response, "returned")) == ([rewritten], [])
    assert "Ready to continue" in html
    assert "Sent back" not in html
    assert "A write-up that you sent back has been rewritten." in html
    assert response.context["next_label"] == "Resume your work"
    assert "Benedikta" not in html
    resume_merge(rewritten)
    assert "Benedikta" not in page(emil, project).content.decode()


def test_a_merge_that_an_expert_sent_back_names_nobody_either(project, emil, rewritten):
    xenia = make_person("Xenia", project, "expert")
    Assignment.objects.filter(pk=rewritten.pk).update(
        state="returned", returned_by=xenia, return_comment="The board is missing."
    )
    response = page(emil, project)
    assert (assignments(response, "ready"), assignments(response, "returned")) == ([], [rewritten])
    assert "The board is missing." in response.content.decode()
    assert "Xenia" not in response.content.decode()


def test_nobody_sees_the_work_of_others(project, anna, ben, olaf):
    fill_draft(hold(anna, make_work(make_clip(project))), overview="Anna's secret")
    assert "secret" not in page(ben, project).content.decode()
    assert page(olaf, project).status_code == 404


def test_it_asks_the_database_equally_often_with_one_row_and_three(project, anna, emil):
    def add():
        fill_draft(hold(anna, make_work(make_clip(project))), overview="Held")
        expired = hold(anna, make_work(make_clip(project)))
        fill_draft(expired, overview="Kept")
        expire(expired)
        returned = hold(anna, make_work(make_clip(project)))
        Assignment.objects.filter(pk=returned.pk).update(state="returned", returned_by=emil)
        submit_write_up(anna, make_work(make_clip(project)))
        make_work(make_clip(project))

    client = client_of(anna)
    url = reverse("annotate:my_work", args=[project.slug])
    add()
    client.get(url)
    with count_queries() as queries_for_one:
        client.get(url)
    add()
    add()
    with count_queries() as queries_for_three:
        client.get(url)
    assert int(queries_for_one) == int(queries_for_three)
    assert queries_for_one <= 21


def test_the_button_of_every_kind_begins_with_a_verb():
    labels = {work_kind(kind).next_label or f"{kind.label} next" for kind in all_kinds()}
    assert labels == {
        "Check next elements",
        "Check next video",
        "Compare next",
        "Identify next",
        "Judge next pair",
        "Merge next",
        "Rate next",
        "Sign off next",
        "Split next",
        "Verify next",
        "Verify next triplet",
        "Write by hand next",
        "Write next",
        "Write next modification",
    }


def test_a_time_below_a_minute_is_not_zero():
    times = [Span(1, seconds).active_time for seconds in (0, 59, 60, 3720)]
    assert times == ["0 min", "under 1 min", "1 min", "1 h 02 min"]
