"""The page of undecided videos: ask a third person, or decide."""

from django.urls import reverse

from annotate.models import DynamicsDecision, WorkItem
from tests.annotate.dynamics.disputing import disagree
from tests.cast import client_of, count_queries, make_person, make_video


def page_of(project):
    return reverse("annotate:disputed_videos", args=[project.slug])


def post(who, name, project, video, **data):
    return client_of(who).post(reverse(name, args=[project.slug, video.pk]), data)


def test_an_admin_sees_the_remarks_and_asks_who_has_not_judged(project, ada, anna, rita):
    ben = make_person("Ben", project, "annotator")
    video = disagree(make_video(project), anna, rita)
    page = client_of(ada).get(page_of(project)).content.decode()
    assert "The one below is undecided." in page
    assert "It cuts often." in page
    assert "One shot." in page
    assert f'<option value="{ben.pk}">' in page
    assert f'<option value="{anna.pk}">' not in page
    answer = post(ada, "annotate:ask_third_person", project, video, person=ben.pk)
    assert answer.url == page_of(project)
    assert WorkItem.objects.get(kind="dynamics").reserved_for == ben
    assert "Ben has not judged it yet." in client_of(ada).get(page_of(project)).content.decode()


def test_who_is_asked_does_not_see_the_remarks(project, ada, anna, rita):
    video = disagree(make_video(project), anna, rita)
    ari = make_person("Ari", project, "admin", "reviewer")
    post(ada, "annotate:ask_third_person", project, video, person=ari.pk)
    page = client_of(ari).get(page_of(project)).content.decode()
    assert video.original_name in page
    assert "One shot." not in page


def test_a_refused_form_keeps_what_was_typed_and_changes_nothing(project, ada, anna, rita):
    video = disagree(make_video(project), anna, rita)
    answer = post(ada, "annotate:decide_dynamics", project, video, reason="A slide show.")
    assert answer.status_code == 422
    assert "Choose a decision." in answer.content.decode()
    assert "A slide show." in answer.content.decode()
    stranger = post(ada, "annotate:ask_third_person", project, video, person=anna.pk)
    assert stranger.status_code == 422
    assert "Choose a listed person" in stranger.content.decode()
    assert not DynamicsDecision.objects.exists()


def test_a_decision_is_shown_and_can_be_taken_back(project, ada, anna, rita):
    video = disagree(make_video(project), anna, rita)
    post(ada, "annotate:decide_dynamics", project, video, answer="static", reason="Slides.")
    page = client_of(ada).get(page_of(project)).content.decode()
    assert "Ada decided to leave it out" in page
    assert "Slides." in page
    assert 'value="static"' not in page
    post(ada, "annotate:decide_dynamics", project, video, answer="undecided", reason="Wait.")
    page = client_of(ada).get(page_of(project)).content.decode()
    assert "Ada took the decision back" in page
    assert "The one below is undecided." in page


def test_a_video_settled_meanwhile_is_refused_at_the_top(project, ada):
    video = make_video(project)
    answer = post(ada, "annotate:decide_dynamics", project, video, answer="static", reason="Dull.")
    assert answer.status_code == 422
    assert "there is nothing to decide" in answer.content.decode()


def test_the_list_takes_the_same_queries_at_any_length(project, ada, anna, rita):
    client, counts = client_of(ada), []
    for videos in (1, 2):
        for _ in range(videos):
            disagree(make_video(project), anna, rita)
        with count_queries() as queries:
            client.get(page_of(project))
        counts.append(int(queries))
    assert counts[0] == counts[1]
