"""The page of a project's label pairs: compared, with a threshold, handed out, listed."""

import pytest
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent, WorkItem
from annotate.models.jobs import Job
from inference.models import ModelSpec
from review.pairs.comparison import start_comparison
from review.pairs.models import LabelPair
from tests.cast import client_of, count_queries, make_person
from tests.review.capst.judging import judge, pair_item
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair
from tests.worker_messages import collect_messages

pytestmark = pytest.mark.django_db


@pytest.fixture
def labels(project):
    texts = [("Forward, pike", "diving"), ("Forward, tuck", "diving"), ("(Beam) leap", "gym")]
    return [
        make_label(project, str(place), text, domain) for place, (text, domain) in enumerate(texts)
    ]


@pytest.fixture
def pairs(labels):
    first, second, third = labels
    return [
        make_pair(first, second, "", similarity=0.91),
        make_pair(first, third, "reject", similarity=0.32),
        make_pair(second, third, "", similarity=0.41),
    ]


@pytest.fixture
def encoder(project):
    return ModelSpec.objects.create(project=project, name="Words", backend="lexical")


@pytest.fixture
def sent(monkeypatch):
    return collect_messages(monkeypatch)


def url(project, name="label_pairs") -> str:
    return reverse(f"review:{name}", args=[project.slug])


def compare(project, encoder, ada) -> None:
    work_on(job_id=start_comparison(project=project, model=encoder, admin=ada).pk)


def listed(response) -> list[LabelPair]:
    return [row.pair for row, _ in response.context["rows"]]


class TestThePage:
    def test_without_pairs_it_says_what_to_do(self, project, ada):
        page = client_of(ada).get(url(project)).content.decode()
        assert "No pairs yet" in page
        assert "at least two labels" in page

    def test_the_most_alike_come_first_with_what_differs_marked(self, project, pairs, rita):
        response = client_of(rita).get(url(project))
        assert listed(response) == [pairs[0], pairs[2], pairs[1]]
        assert 'Forward, <mark class="conflict">pike</mark>' in response.content.decode()

    @pytest.mark.parametrize(
        ("query", "places"),
        [
            ("decision=none", [0, 2]),
            ("decision=reject", [1]),
            ("domain=diving", [0]),
            ("q=LEAP", [2, 1]),
            ("q=2", [2, 1]),
            ("q=nothing", []),
            ("decision=strange&domain=strange", [0, 2, 1]),
        ],
    )
    def test_it_is_filtered(self, project, pairs, rita, query, places):
        filtered = listed(client_of(rita).get(f"{url(project)}?{query}"))
        assert filtered == [pairs[place] for place in places]

    def test_event_changes_have_a_tab_and_a_filter_of_their_own(self, project, ada):
        beam, floor, other = (
            make_label(project, key, f"({event}) {key}", event=event)
            for key, event in [("leap", "Beam"), ("jump", "Floor"), ("turn", "Beam")]
        )
        across = make_pair(beam, floor, "temporal", similarity=0.95, candidate="event")
        within = make_pair(beam, other, "", similarity=0.4, is_outdated=True)
        client = client_of(ada)
        response = client.get(url(project))
        assert [(value, pairs) for value, _, pairs in response.context["candidates"]] == [
            ("temporal", 1), ("event", 1),
        ]  # fmt: skip
        assert response.context["candidate"] == "temporal"
        html = response.content.decode()
        assert "1 decision contradicts the events of the labels." in html
        assert "1 similarity is older than a caption or an event" in html
        assert html.count("The labels have different events: Beam and Floor.") == 1
        response = client.get(f"{url(project)}?candidate=event")
        assert (listed(response), response.context["candidate"]) == ([across], "event")
        assert [bar.pairs for bar in response.context["chart"].bars] == [1]
        assert listed(client.get(f"{url(project)}?decision=contradicts")) == [across]
        assert listed(client.get(f"{url(project)}?event=Floor")) == [across]
        assert listed(client.get(f"{url(project)}?candidate=temporal")) == [within]

    def test_the_threshold_is_in_view_with_what_lies_above(self, project, labels, pairs, ada):
        for label in labels:
            labelled_clip(project, label, "train")
        response = client_of(ada).get(f"{url(project)}?least=0.4")
        assert (response.context["above"], response.context["to_hand_out"]) == (2, 2)
        bars = [(bar.start, bar.pairs) for bar in response.context["chart"].bars if bar.pairs]
        assert bars == [(0.3, 1), (0.4, 1), (0.9, 1)]
        assert "Hand out 2 pairs" in response.content.decode()

    def test_a_similarity_of_one_is_in_the_highest_range(self, project, labels, ada):
        make_pair(labels[0], labels[1], "", similarity=1.0)
        response = client_of(ada).get(url(project))
        assert [(b.start, b.pairs) for b in response.context["chart"].bars] == [(0.95, 1)]

    def test_a_threshold_that_is_no_number_is_passed_over(self, project, pairs, ada):
        assert client_of(ada).get(f"{url(project)}?least=x").status_code == 200

    def test_where_several_judge_agreement_is_shown(self, project, pairs, emil, rita):
        item = pair_item(pairs[0], people=3)
        eva = make_person("Eva", project, "expert")
        for person, kind in [(emil, "event"), (rita, "event"), (eva, "temporal")]:
            judge(item, person, kind)
        response = client_of(rita).get(url(project))
        percent, kappa = response.context["agreement"]
        assert round(percent.value, 3) == 0.333
        assert kappa.value is None or kappa.reason != ""
        # Of one pair there is no interval.
        assert (percent.low, percent.high) == (None, None)
        assert "2 × event change, 1 × temporal change" in response.content.decode()

    def test_one_person_a_pair_makes_no_agreement(self, project, pairs, emil):
        judge(pair_item(pairs[0]), emil, "event")
        assert client_of(emil).get(url(project)).context["agreement"] == []

    def test_labels_are_shown_as_typed(self, project, labels, ada):
        hostile = make_label(project, "x", "<script>alert(1)</script>")
        make_pair(labels[0], hostile, "")
        page = client_of(ada).get(url(project)).content.decode()
        assert "<script>alert" not in page
        assert "alert" in page

    def test_queries_do_not_grow_with_the_pairs(self, project, labels, rita):
        make_pair(labels[0], labels[1], "")
        counts = []
        for _ in range(2):
            with count_queries() as count:
                client_of(rita).get(url(project))
            counts.append(int(count))
            if len(counts) == 1:
                make_pair(labels[0], labels[2], "")
                make_pair(labels[1], labels[2], "")
        assert counts[0] == counts[1] <= 30


class TestComparing:
    def test_it_is_queued_where_the_encoder_works(self, project, labels, encoder, ada, sent,
                                                  django_capture_on_commit_callbacks):  # fmt: skip
        with django_capture_on_commit_callbacks(execute=True):
            response = client_of(ada).post(url(project, "compare_labels"), {"model": encoder.pk})
        assert response.status_code == 302
        job = Job.objects.get()
        assert (job.kind, job.created_by) == ("labels", ada)
        assert sent == [{"args": (job.pk,), "queue": "cpu", "countdown": 0}]
        page = client_of(ada).get(url(project)).content.decode()
        assert "Words has been comparing the labels" in page
        assert "hx-get" in page

    def test_the_finished_comparison_is_shown(self, project, labels, encoder, ada):
        compare(project, encoder, ada)
        assert LabelPair.objects.count() == 3
        response = client_of(ada).get(url(project, "label_pairs_live"))
        assert "Compared by Words" in response.content.decode()
        assert response.headers["HX-Refresh"] == "true"

    def test_a_failure_is_shown_with_its_reason(self, project, encoder, ada):
        compare(project, encoder, ada)
        page = client_of(ada).get(url(project)).content.decode()
        assert "fewer than two labels" in page

    def test_a_model_of_no_such_kind_is_refused(self, project, labels, ada, sent):
        draft = ModelSpec.objects.create(project=project, name="D", backend="opencv-draft")
        response = client_of(ada).post(url(project, "compare_labels"), {"model": draft.pk})
        assert (response.status_code, sent) == (422, [])
        assert (AuditEvent.objects.count(), Job.objects.count()) == (0, 0)

    def test_a_second_comparison_waits_for_the_first(self, project, labels, encoder, ada):
        start_comparison(project=project, model=encoder, admin=ada)
        response = client_of(ada).post(
            url(project, "compare_labels"), {"model": encoder.pk}, follow=True
        )
        assert "A worker is comparing the labels." in response.content.decode()
        assert Job.objects.count() == 1

    def test_it_keeps_the_filters_of_the_page(self, project, labels, encoder, ada):
        answer = client_of(ada).post(
            f"{url(project, 'compare_labels')}?q=dive", {"model": encoder.pk}
        )
        assert answer.url == f"{url(project)}?q=dive"


class TestHandingOut:
    def post(self, project, person, **typed):
        return client_of(person).post(url(project, "hand_out_pairs"), typed)

    def test_pairs_above_the_threshold_are_handed_out(self, project, labels, pairs, ada):
        for label in labels:
            labelled_clip(project, label, "train")
        response = self.post(project, ada, least="0.4", people="2")
        assert response.status_code == 302
        items = WorkItem.objects.filter(kind="pair").order_by("-priority")
        handed_out = [(i.subject, i.needed) for i in items]
        assert handed_out == [(pairs[0].pk, 2), (pairs[2].pk, 2)]

    def test_it_keeps_the_filters_of_the_page(self, project, pairs, ada):
        address = f"{url(project, 'hand_out_pairs')}?q=dive"
        answer = client_of(ada).post(address, {"least": "0.4", "people": "1"})
        assert answer.url == f"{url(project)}?q=dive"

    def test_event_changes_are_handed_out_apart(self, project, labels, pairs, ada):
        for label in labels:
            labelled_clip(project, label, "train")
        LabelPair.objects.filter(pk=pairs[2].pk).update(candidate="event")
        self.post(project, ada, least="0.3", people="1", candidate="event")
        assert [item.subject for item in WorkItem.objects.all()] == [pairs[2].pk]

    @pytest.mark.parametrize(
        "typed", [{"people": "0"}, {"people": "99"}, {"least": "2"}, {"candidate": "reject"}]
    )
    def test_invalid_values_are_refused(self, project, pairs, ada, typed):
        response = self.post(project, ada, **{"least": "0.4", "people": "1", **typed})
        assert (response.status_code, WorkItem.objects.count()) == (422, 0)
