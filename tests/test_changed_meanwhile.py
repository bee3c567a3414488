"""A form whose page no longer has it, because something changed since, says what and what to do."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from annotate.corpus.services.exclusion import withdraw_clip
from annotate.models import Archived, Caption, ClipChange, Job, WorkItem
from inference.models import VideoTheme
from review.capst.models import CapstRun
from review.captions.models import CaptionSet
from review.comparisons.models import Round
from review.frozen.takedowns import Reinstatement
from review.identification.models import IdentificationTest
from review.identification.services import start_test
from review.modifications.changes import withdraw_modification
from review.pairs.models import LabelPair
from review.panels.models import Participant
from review.panels.services import decide
from review.studies.models import Study
from review.studies.services import stop_study
from review.takedowns.services import undo_takedown
from tests.cast import client_of, make_clip, make_project
from tests.inference.cast import name_theme
from tests.review.capst.capst_runs import described_clip, word_overlap
from tests.review.comparisons.comparing import make_set, start_round
from tests.review.identification.identifying import make_complete
from tests.review.panels.panel import join, open_panel
from tests.review.published.publishing import as_json, carebench_row, import_captions
from tests.review.ratings.rating import describe, make_examples, open_study
from tests.review.takedowns.releases import take
from tests.review.triplets.triplets import make_label, modify

pytestmark = pytest.mark.django_db


def refused(person, project, name, *args, **data) -> list[str]:
    """Send the form, which must be refused; return the page's messages."""
    app = "review" if ":" not in name else name.partition(":")[0]
    address = reverse(f"{app}:{name.rpartition(':')[2]}", args=[project.slug, *args])
    answer = client_of(person).post(address, data)
    assert answer.status_code == 422
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_a_test_was_started(project, ada, ben):
    for word in ("boat", "horse", "kettle", "ladder"):
        make_complete(project, ben, word)
    start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)
    sent = {"kinds": ["spatial"], "options": 4, "people": 1}
    assert refused(ada, project, "start_identification", **sent) == [
        "A test has been started meanwhile: end it first."
    ]
    assert IdentificationTest.objects.count() == 1


def test_too_few_clips_can_be_identified(project, ada):
    sent = {"kinds": ["spatial"], "options": 4, "people": 1}
    assert refused(ada, project, "start_identification", **sent) == [
        "No subcategory has four complete clips any more: complete more clips, then start it."
    ]
    assert not IdentificationTest.objects.exists()


@pytest.fixture
def sets(project):
    clips = [make_clip(project, original_name=f"{number}.mp4") for number in range(2)]
    return [make_set(project, name, clips) for name in ("Avocet", "Bittern")]


@pytest.mark.parametrize("name", ["preview_round", "open_round"])
def test_a_round_was_opened(project, ada, name):
    start_round(project, [make_clip(project)])
    assert refused(ada, project, name, votes_per_pair=0) == [
        "A round has been opened meanwhile: let people finish it, or end it first."
    ]
    assert Round.objects.count() == 1


def test_a_round_is_being_opened(project, sets, ada):
    address = reverse("review:open_round", args=[project.slug])
    sent = {
        "sets": [row.pk for row in sets], "votes_per_pair": 1, "repeat_percent": 10,
        "shared_percent": 20, "names_shown": "after_round", "both_bad_is_tie": "no", "seed": 7,
    }  # fmt: skip
    assert client_of(ada).post(address, sent).status_code == 302
    assert refused(ada, project, "preview_round", votes_per_pair=0) == [
        "A round is being opened meanwhile: wait until it is open."
    ]
    assert (Job.objects.count(), Round.objects.count()) == (1, 0)


def test_the_models_of_a_round_are_no_longer_offered(project, sets, ada):
    CaptionSet.objects.update(is_used=False)
    sent = {"sets": [row.pk for row in sets]}
    assert refused(ada, project, "preview_round", **sent) == [
        "Fewer than two models are offered now: offer their captions again first."
    ]
    assert not Round.objects.exists()


def test_the_labels_to_compare_are_gone(project, ada):
    assert refused(ada, project, "compare_labels", model=1) == [
        "Fewer than two labels are left: add labels, then compare them."
    ]
    assert not Job.objects.exists()


def test_the_model_that_compares_is_gone(project, ada):
    for key in ("a", "b"):
        make_label(project, key)
    assert refused(ada, project, "compare_labels", model=1) == [
        "No model that compares labels is left: add a model first."
    ]
    assert not Job.objects.exists()


def test_the_pairs_to_hand_out_are_gone(project, ada):
    assert refused(ada, project, "hand_out_pairs", least="2") == [
        "No pairs are left: compare the labels first."
    ]
    assert (LabelPair.objects.count(), WorkItem.objects.count()) == (0, 0)


class TestCapst:
    @pytest.mark.parametrize("name", ["start_capst_run", "find_elements"])
    def test_the_model_is_gone(self, project, ada, name):
        described_clip(project)
        assert refused(ada, project, name, preset="official", extractor=1, judge=1) == [
            "No model that judges is left: add a model first."
        ]
        assert not CapstRun.objects.exists()

    @pytest.mark.parametrize("name", ["start_capst_run", "find_elements"])
    def test_the_human_captions_are_gone(self, project, ada, name):
        word_overlap(project)
        assert refused(ada, project, name, preset="official", extractor=0, judge=0) == [
            "No human captions are left to judge with: complete clips first."
        ]
        assert not CapstRun.objects.exists()

    def test_the_model_captions_are_no_longer_offered(self, project, ada):
        described_clip(project)
        model = word_overlap(project)
        sent = {"preset": "official", "extractor": model.pk, "judge": model.pk, "caption_set": 1}
        assert refused(ada, project, "start_capst_run", **sent) == [
            "No model captions are offered now: offer some again first."
        ]
        assert not CapstRun.objects.exists()


class TestDeciding:
    @pytest.fixture
    def project(self, db):
        return make_project(protocol="lovr")

    @pytest.fixture
    def participant(self, project, ada):
        _, token = open_panel(project, ada)
        return join(token)

    def test_the_participant_works_again(self, project, ada, participant):
        assert refused(ada, project, "decide_participant", participant.pk, decision="approved") == [
            f"{participant.person} is still working. Decide once their part has ended."
        ]
        participant.refresh_from_db()
        assert participant.decision == ""

    def test_the_participant_was_rejected(self, project, ada, participant):
        Participant.objects.update(outcome="out_of_time", ended_at=timezone.now())
        decide(participant=participant, decision="rejected", reason="Too few.", admin=ada)
        assert refused(ada, project, "decide_participant", participant.pk, decision="rejected") == [
            f"{participant.person} has been rejected meanwhile: approve the part, or leave it so."
        ]
        participant.refresh_from_db()
        assert participant.reason == "Too few."


@pytest.fixture
def study(project, anna):
    make_examples(project)
    describe(project, 3)
    return open_study(project, 3)


def test_a_rating_study_was_started(project, ada, study):
    assert refused(ada, project, "open_rating_study", clips=0) == [
        "A study has been started meanwhile: let people finish it, or stop it first."
    ]
    assert Study.objects.get() == study


def test_a_rating_study_has_ended(project, ada, study):
    stop_study(study=study, admin=ada)
    assert refused(ada, project, "change_rating_share", study.pk, per_rater=0) == [
        "The study has ended meanwhile: start another for more ratings."
    ]
    assert Study.objects.get().per_rater == study.per_rater


def test_imported_captions_are_used(project, ada):
    clip = make_clip(project, original_name="dive.mp4")
    human_import = import_captions(project, as_json(carebench_row("dive")))
    child = Caption.objects.create(
        project=project, clip=clip, kind="general", source="corrected", text="A.", word_count=1
    )
    child.parents.add(Caption.objects.exclude(pk=child.pk).get(kind="general"))
    assert refused(ada, project, "remove_human_captions", human_import.pk, confirm="on") == [
        "These captions are used meanwhile: keep them."
    ]
    assert Caption.objects.count() == 4


def test_a_modification_is_no_longer_in_use(project, ada):
    text = modify(make_label(project, "a"), make_label(project, "b"))
    withdraw_modification(modification=text, person=ada)
    assert refused(ada, project, "change_modification", text.pk, text="show one more") == [
        "This text is no longer in use: change the current text instead."
    ]
    text.refresh_from_db()
    assert text.state == "rejected"


def test_the_labels_to_write_about_are_gone(project, ada):
    assert refused(ada, project, "start_modification_run", model=1) == [
        "The labels are gone meanwhile: add labels and decide their pairs first."
    ]
    assert not Job.objects.exists()


def test_a_takedown_was_undone(project, ada, ben):
    takedown = take(make_complete(project, ben, "dive"), "clip")
    undo_takedown(takedown=takedown, admin=ada)
    assert refused(ada, project, "undo_takedown", takedown.pk) == [
        "This has been undone meanwhile: releases offer it again."
    ]
    assert Reinstatement.objects.count() == 1


def test_a_theme_has_left_the_list(project, ada):
    video = make_clip(project).video
    name_theme(video, "Cooking")
    address = reverse("inference:correct_theme", args=[project.slug, video.pk])
    answer = client_of(ada).post(f"{address}?show=none", {"theme": ""})
    assert answer.status_code == 422
    assert [str(message) for message in get_messages(answer.wsgi_request)] == [
        f"The theme of {video} has changed meanwhile: see all videos."
    ]
    assert VideoTheme.objects.count() == 1


def test_a_clip_is_left_out(project, ada):
    clip = make_clip(project)
    withdraw_clip(clip=clip, reason="Blurred.", admin=ada)
    assert refused(ada, project, "annotate:withdraw_clip", clip.pk, reason="Dark.") == [
        "It has been left out meanwhile: take it back to give another reason."
    ]
    clip.video.refresh_from_db()
    assert clip.video.excluded_because == "Blurred."


@pytest.mark.parametrize("name", ["send_back_split", "send_back_merge"])
def test_nothing_is_left_to_send_back(project, emil, name):
    clip = make_clip(project)
    assert refused(emil, project, f"annotate:{name}", clip.pk, comment="") == [
        "The clip has changed meanwhile: nothing is left to send back."
    ]
    assert not WorkItem.objects.exists()


def test_the_chosen_clips_are_gone(project, ada):
    assert refused(ada, project, "annotate:make_clip_change", clip=1, action="tag", tag="a") == [
        "The chosen clips are gone meanwhile: choose others."
    ]
    assert not ClipChange.objects.exists()


def test_an_archived_thing_keeps_its_reason(project, ada):
    video = make_clip(project).video
    address = reverse("annotate:put_away", args=[project.slug, "video", video.pk])
    client_of(ada).post(address, {"reason": "Dark."})
    assert refused(ada, project, "annotate:put_away", "video", video.pk, reason="x" * 9999) == [
        "It has been archived meanwhile: restore it to change the reason."
    ]
    assert Archived.objects.get().reason == "Dark."


def test_the_candidates_were_decided(project, ada):
    address = reverse("annotate:decide_candidates", args=[project.slug])
    answer = client_of(ada).post(f"{address}?state=undecided", {"action": "select"})
    assert answer.status_code == 422
    assert [str(message) for message in get_messages(answer.wsgi_request)] == [
        "These candidates have been decided meanwhile: choose others."
    ]
