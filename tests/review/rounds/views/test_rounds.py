"""Rounds of comparisons: tried out, opened, watched, ended."""

import pytest
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models.jobs import Job
from review.captions.models import CaptionSet, SetCaption
from review.comparisons.models import Round
from review.rounds.pages import draw_votes, preview_round
from review.rounds.queries import rounds_of
from review.rounds.services import end_round
from tests.cast import client_of, count_queries, make_clip, make_person, make_project
from tests.review.comparisons.comparing import make_set, predict, start_round, vote_for
from tests.review.comparisons.rounds import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return [make_clip(project, original_name=f"clip-{number}.mp4") for number in range(4)]


@pytest.fixture
def sets(project, clips):
    return [make_set(project, name, clips) for name in ("Avocet", "Bittern", "Crane")]


@pytest.fixture
def url(project):
    return reverse("review:comparisons", args=[project.slug])


def form_data(sets, **changes):
    return {
        "sets": [caption_set.pk for caption_set in sets],
        "clips": "",
        "votes_per_pair": 5,
        "repeat_percent": 10,
        "shared_percent": 20,
        "names_shown": "after_round",
        "both_bad_is_tie": "no",
        "seed": 7,
        **changes,
    }


def post(name, person, project, data=None, **arguments):
    address = reverse(f"review:{name}", kwargs={"slug": project.slug, **arguments})
    return client_of(person).post(address, data or {})


def open_through(person, project, data) -> None:
    """Ask for a round, and open it as a worker would."""
    assert post("open_round", person, project, data).status_code == 302
    work_on(job_id=Job.objects.latest("pk").pk)


def test_with_one_model_it_leads_to_the_captions(project, clips, ada, url):
    make_set(project, "Avocet", clips)
    text = client_of(ada).get(url).text
    assert "Nothing to compare yet" in text
    assert reverse("review:report_page", args=[project.slug, "caption-sets"]) in text


def test_a_preview_says_what_people_would_be_asked_and_opens_nothing(
    project, sets, ada, rita, emil
):
    response = post("preview_round", ada, project, form_data(sets))
    preview, text = response.context["preview"], response.text
    # Three pairs, five votes each, of the eight that two people can cast on four clips.
    assert (preview.clips, len(preview.pairs), preview.votes, preview.repeats) == (4, 3, 15, 1)
    assert (preview.reviewers, preview.per_reviewer, preview.flagged) == (2, 8, [])
    votes = '15 <span class="muted small nowrap">and 1 repeat</span>'
    assert f"<div><dt>Total votes</dt><dd>{votes}</dd></div>" in text
    assert "Reviewers share the votes" in text
    assert "No caption names its model." in text
    # Enter in a field takes the first button: it opens no round that was not previewed.
    assert text.index("Preview again") < text.index("Open round")
    assert 'name="votes_per_pair" value="5"' in text
    assert not Round.objects.exists()


def test_votes_that_nobody_can_cast_are_counted(project, sets, ada, rita):
    data = form_data(sets[:2], votes_per_pair=10, clips=3)
    response = post("preview_round", ada, project, data)
    assert (response.context["preview"].clips, response.context["preview"].short) == (3, 7)
    assert "7 of the 10 votes can’t be cast" in response.text


def test_without_reviewers_it_says_whom_to_give_a_role(project, sets, ada):
    text = post("preview_round", ada, project, form_data(sets)).text
    assert "No member can vote. Give members the role expert or reviewer" in text
    assert "Votes of each" not in text


def test_captions_that_name_their_model_are_listed_in_the_preview(project, sets, clips, ada, rita):
    caption = predict(clips[0], "As Qwen2-VL I see <b>.")
    qwen = make_set(project, "Qwen2-VL", clips)
    SetCaption.objects.filter(caption_set=qwen, clip=clips[0]).update(caption=caption)
    text = post("preview_round", ada, project, form_data([sets[0], qwen])).text
    assert "Qwen2-VL: 1 of 4, such as" in text
    assert '<mark class="conflict">Qwen2-VL</mark> in clip-0' in text
    plan = preview_round(
        project=project, sets=[sets[0], qwen], votes_per_pair=9, clips=None, repeat_percent=0,
        shared_percent=0, seed=0,
    )  # fmt: skip
    assert [(pair.clips, pair.votes) for pair in plan.pairs] == [(3, 3)]


def test_a_round_is_opened_as_the_form_says(project, sets, ada, rita):
    response = post("open_round", ada, project, form_data(sets, clips=2))
    assert response.status_code == 302
    assert not Round.objects.exists()
    job = Job.objects.get()
    assert (job.kind, job.created_by) == ("round", ada)
    work_on(job_id=job.pk)
    round = Round.objects.get()
    assert (round.votes_per_pair, round.repeat_percent, round.shared_percent) == (5, 10, 20)
    assert (round.names_shown, round.both_bad_is_tie, round.seed) == ("after_round", False, 7)
    assert (round.clips.count(), round.created_by) == (2, ada)
    assert list(round.systems.values_list("name", flat=True)) == ["Avocet", "Bittern", "Crane"]


def test_while_a_worker_opens_a_round_the_page_says_so_and_offers_no_second(
    project, sets, ada, url
):
    post("open_round", ada, project, form_data(sets))
    job = Job.objects.get()
    text = client_of(ada).get(url).text
    assert "A worker is opening the round of Avocet, Bittern, Crane." in text
    assert reverse("annotate:job", args=[project.slug, job.pk]) in text
    assert "Open round" not in text
    again = post("open_round", ada, project, form_data(sets))
    assert (again.status_code, Job.objects.count()) == (422, 1)


def test_a_round_that_can_not_be_opened_says_why_beside_the_form(project, sets, ada, url):
    post("open_round", ada, project, form_data(sets))
    CaptionSet.objects.filter(pk=sets[0].pk).delete()
    work_on(job_id=Job.objects.get().pk)
    text = client_of(ada).get(url).text
    assert "was not opened. A model of this round is gone. Choose the models again." in text
    assert not Round.objects.exists()


@pytest.mark.parametrize("name", ["preview_round", "open_round"])
def test_an_invalid_round_is_refused_with_the_reason(project, sets, ada, name):
    for changes, reason in [
        ({"sets": []}, "Choose at least two models."),
        (
            {"sets": ["7777"]},
            "One of these models is gone. Choose from the list.",
        ),
        (
            {"sets": ["x"]},
            "One of these models is gone. Choose from the list.",
        ),
        ({"clips": 0}, "Give a whole number from 1 to 1,000,000."),
        ({"clips": "some"}, "Give a whole number from 1 to 1,000,000."),
        ({"clips": 9}, "Ask for 1 to 4."),
        ({"votes_per_pair": 0}, "Give a whole number from 1 to "),
        ({"votes_per_pair": ""}, "Give a whole number from 1 to "),
        ({"repeat_percent": 51}, "Give a whole number from 0 to 50."),
        ({"shared_percent": "1.5"}, "Give a whole number from 0 to 100."),
        ({"seed": -1}, "Give a whole number from 0 to "),
        ({"names_shown": "never"}, "after they vote or once the round has ended."),
        ({"both_bad_is_tie": "perhaps"}, "Choose one: as a tie or not at all."),
    ]:
        response = post(name, ada, project, {**form_data(sets), **changes})
        assert response.status_code == 422, changes
        assert reason in response.text, changes
    assert not Round.objects.exists()


def test_one_model_alone_and_one_that_is_not_offered_are_refused(project, sets, ada):
    response = post("open_round", ada, project, form_data(sets[:1]))
    assert "Choose at least two models." in response.text
    CaptionSet.objects.filter(pk=sets[2].pk).update(is_used=False)
    response = post("open_round", ada, project, form_data(sets))
    assert response.status_code == 422
    assert not Round.objects.exists()


def test_captions_of_two_kinds_are_not_compared(project, sets, ada):
    CaptionSet.objects.filter(pk=sets[2].pk).update(kind="spatial")
    response = post("preview_round", ada, project, form_data(sets))
    assert response.status_code == 422
    assert "Choose captions of one kind" in response.text
    assert "Crane (spatial captions of clips, prompt unknown)" in response.text


def test_the_running_round_shows_its_progress(project, clips, ada, rita, emil, url):
    start_round(project, clips, ("Avocet", "Bittern"), votes_per_pair=6)
    for person in (rita, rita, emil):
        vote_for(project, person, "Avocet")
    response = client_of(ada).get(url)
    context, text = response.context, response.text
    assert (context["votes"], context["asked"], context["left"]) == (3, 6, 3)
    assert [(row.name, row.votes) for row in context["reviewers"]] == [("Emil", 1), ("Rita", 2)]
    assert '<progress class="large" value="3" max="6" aria-label="Votes">3 of 6</progress>' in text
    assert "<title>Avocet and Bittern: 3</title>" in text
    assert "Avocet – Bittern" in text
    # Open is what an admin can't do meanwhile.
    assert "New round" not in text


def test_a_pair_of_few_clips_asks_for_what_can_be_cast(project, clips, ada, rita, url):
    start_round(project, clips[:2], votes_per_pair=100)
    response = client_of(ada).get(url)
    assert (response.context["asked"], response.context["left"]) == (2, 2)
    assert '2 <span class="muted">of 100</span>' in response.text


def test_repeats_are_counted_apart_and_people_who_left_are_kept(project, clips, ada, rita, url):
    round = start_round(project, clips, ("Avocet", "Bittern"))
    first = cast(round, "Avocet", "Bittern", "left", rita, clips[0])
    cast(round, "Bittern", "Avocet", "right", rita, clips[0], repeat_of=first)
    cast(round, "Avocet", "Bittern", "left", "script-1", clips[1])
    rita.memberships.all().delete()
    rows = client_of(ada).get(url).context["reviewers"]
    assert {(row.name, row.votes, row.repeats, row.is_member) for row in rows} >= {
        ("Rita", 2, 1, False),
        ("script-1", 1, 0, False),
    }


def test_captions_that_name_their_model_are_listed_with_the_words(project, clips, ada, url):
    sets = [make_set(project, name, clips) for name in ("Avocet", "Bittern", "Qwen2-VL")]
    caption = predict(clips[1], "As Qwen2-VL I see.")
    SetCaption.objects.filter(caption_set=sets[2], clip=clips[1]).update(caption=caption)
    open_through(ada, project, form_data(sets))
    text = client_of(ada).get(url).text
    assert 'Captions that name their model <span class="number muted">1</span>' in text
    assert '<mark class="conflict">Qwen2-VL</mark>' in text
    assert ">clip-1</a>" in text


def test_a_round_is_ended_once_and_stays_among_the_earlier_ones(project, clips, ada, rita, url):
    round = start_round(project, clips)
    vote_for(project, rita, "Egret")
    assert post("end_round", ada, project, round_id=round.pk).status_code == 302
    round.refresh_from_db()
    assert round.ended_at is not None
    text = client_of(ada).get(url).text
    assert "Earlier rounds" in text
    page = reverse("review:comparison_round", args=[project.slug, round.pk])
    assert page in text
    assert 'data-label="Models">2</td><td class="num" data-label="Clips">4</td>' in text
    ended = client_of(ada).get(page).text
    assert "<div><dt>Votes</dt><dd>1</dd></div>" in ended
    assert "End the round" not in ended
    assert "Votes left" not in ended
    end = reverse("review:end_round", args=[project.slug, round.pk])
    assert "This round has already ended." in client_of(ada).post(end, follow=True).text


def test_rounds_are_numbered_within_their_project(project, clips, ada, rita, url):
    other = make_project("Kitchen")
    start_round(other, [make_clip(other)])
    first = start_round(project, clips)
    end_round(round=first, admin=ada)
    second = start_round(project, clips, ("Bittern", "Crane"))
    assert [(round.pk, round.number) for round in rounds_of(project)] == [
        (second.pk, 2),
        (first.pk, 1),
    ]
    assert [str(Round.objects.get(pk=round.pk)) for round in (first, second)] == [
        "Round 1",
        "Round 2",
    ]
    text = client_of(ada).get(url).text
    assert '<button class="button danger">End round 2</button>' in text
    assert ">Round 1</a>" in text
    address = reverse("review:report_page", args=[project.slug, "leaderboard", first.pk])
    text = client_of(rita).get(address).text
    assert "<dd>1 <span" in text
    assert ">Round 2</a>" in text


def test_a_second_round_is_refused_with_the_reason(project, sets, clips, ada):
    open_through(ada, project, form_data(sets[:2]))
    response = post("open_round", ada, project, form_data(sets))
    assert response.status_code == 422
    assert (
        "A round has been opened meanwhile: let people finish it, or end it first." in response.text
    )
    assert Round.objects.count() == 1


def test_three_of_everything_need_as_many_queries_as_one(project, ada, rita, url):
    def count(page):
        client = client_of(ada)
        client.get(page)
        with count_queries() as counted:
            assert client.get(page).status_code == 200
        return int(counted)

    counts = []
    for names, many in ((("A1", "B1"), 1), (("A2", "B2", "C2", "D2"), 3)):
        clips = [make_clip(project) for _ in range(many)]
        make_person(f"Rix{many}", project, "reviewer")
        round = start_round(project, clips, names)
        for clip in clips:
            cast(round, names[0], names[1], "left", rita, clip)
        running = count(url), count(reverse("review:comparison_round", args=["dives", round.pk]))
        end_round(round=round, admin=None)
        counts.append((*running, count(url)))
    assert counts[0] == counts[1]


def test_the_picture_has_a_cell_for_each_two_models_either_way():
    drawn = draw_votes(["A" * 30, "B", "C"], {(0, 1): 0, (0, 2): 4, (1, 2): 10}, 10)
    assert [(cell.row[0], cell.column, cell.value, cell.shade) for cell in drawn.cells] == [
        ("A", "B", 0, 3),
        ("A", "C", 4, 4),
        ("B", "C", 10, 6),
        ("B", "A" * 30, 0, 3),
        ("C", "A" * 30, 4, 4),
        ("C", "B", 10, 6),
    ]
    assert [model.short_name for model in drawn.models] == ["A" * 19 + "…", "B", "C"]
    assert draw_votes(["A", "B"], {(0, 1): 9}, 10).cells[0].shade == 5
