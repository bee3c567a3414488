"""The pages where an expert decides about the corrections from a study."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.models import Caption, Project
from annotate.text.sentences import Sentence
from review.corrections.models import CorrectionDecision
from review.corrections.pages import ChangeCounts
from review.corrections.proposals import (
    Insertion,
    Proposal,
    UnchangedRows,
    correction_rows,
)
from review.verification.judgment import Judgment, Missing, Verdict
from review.verification.models import Verification
from tests.cast import client_of, count_queries, make_person, make_project
from tests.review.threshold.studying import WRONG, scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, verify
from tests.work import hold

VALUES = [n / 20 for n in range(20)]
TRIMMED = ALL_OK | {"verdict-2": "B", "delete-2": "1"}


@pytest.fixture(scope="module")
def made(kept):
    project = make_project(protocol="lovr")
    scored_captions(project, VALUES)
    return {"project": project, "study": start_study(project, people=2)}


@pytest.fixture
def study(shared):
    return shared["study"]


def correct(study, place: int) -> Caption:
    """Two people verify the caption at this place of the study and correct it differently."""
    sampled = study.captions.select_related("item", "caption").order_by("pk")[place]
    for name, content in (("Ben", WRONG), ("Cleo", TRIMMED)):
        sampled.item.refresh_from_db()
        person = make_person(f"{name} {place}", study.project, "annotator")
        verify(hold(person, sampled.item), sampled.caption, content)
    return sampled.caption


def address(name: str, project: Project, *arguments: int) -> str:
    return reverse(f"review:{name}", args=[project.slug, *arguments])


def decide(person, project, caption, accepted):
    url = address("decide_study_correction", project, caption.pk)
    return client_of(person).post(url, {"accepted": accepted} if accepted else {})


def test_the_list_the_menu_and_the_verifications_count_open_proposals(project, study, emil):
    page = client_of(emil).get(address("study_corrections", project))
    assert "Nothing to decide" in page.content.decode()
    correct(study, 0)
    page = client_of(emil).get(address("study_corrections", project))
    assert [caption.proposals for caption in page.context["page"]] == [2]
    verifications = client_of(emil).get(address("verifications", project))
    assert verifications.context["to_decide"] == 1
    assert '1<span class="visually-hidden"> waiting</span>' in verifications.content.decode()


def test_unchanged_sentences_are_one_row_and_what_is_missing_has_its_place():
    sentences = [Sentence(2 * place, 2 * place + 1, text) for place, text in enumerate("abc")]
    missing = tuple(Missing(place, f"{place}.", 0, 9) for place in (2, 3))
    judgment = Judgment((Verdict(frozenset()),) * 3, missing)
    unchanged, third, end = correction_rows([Proposal(1, sentences, judgment)])
    assert unchanged == UnchangedRows(1, 2, ["a", "b"])
    assert (third.number, third.insertions) == (3, [Insertion(1, missing[0])])
    assert (end.number, end.insertions) == (None, [Insertion(1, missing[1])])


def test_each_sentence_shows_its_proposals_without_names(project, study, emil):
    caption = correct(study, 0)
    page = client_of(emil).get(address("study_correction", project, caption.pk))
    door, cap, again, dog = page.context["rows"]
    assert [(c.proposal, c.types, c.is_deletion) for c in door.sentence.changes] == [
        (1, "A", False)
    ]
    assert cap.unchanged.texts == ["He wears a red cap."]
    assert [(c.proposal, c.types, c.is_deletion) for c in again.sentence.changes] == [
        (2, "B", True)
    ]
    assert (dog.unchanged.first, dog.unchanged.last) == (4, 4)
    assert [choice.counts for choice in page.context["choices"]] == [
        ChangeCounts(1, 0, 0),
        ChangeCounts(0, 1, 0),
    ]
    assert "Ben" not in page.content.decode()
    assert "Cleo" not in page.content.decode()


def test_accepting_leads_on_to_the_next_caption(project, study, emil):
    first, second = correct(study, 0), correct(study, 1)
    chosen = Verification.objects.filter(caption=first).first()
    response = decide(emil, project, first, chosen.pk)
    assert response.url == address("study_correction", project, second.pk)
    assert CorrectionDecision.objects.get().accepted == chosen
    response = decide(emil, project, second, "none")
    assert response.url == address("study_corrections", project)
    assert list(CorrectionDecision.objects.values_list("accepted", flat=True)) == [chosen.pk, None]


def test_without_a_choice_nothing_is_stored(project, study, emil):
    caption = correct(study, 0)
    response = decide(emil, project, caption, None)
    assert response.status_code == 422
    assert "Choose a correction or the machine caption." in (response.content.decode())
    assert decide(emil, project, caption, "999999").status_code == 422
    assert not CorrectionDecision.objects.exists()


def test_a_second_decision_is_refused_and_leads_to_the_list(project, study, emil, ada):
    caption = correct(study, 0)
    decide(emil, project, caption, "none")
    chosen = Verification.objects.filter(caption=caption).first()
    response = decide(ada, project, caption, chosen.pk)
    assert response.url == address("study_corrections", project)
    opened = client_of(ada).get(address("study_correction", project, caption.pk))
    assert opened.url == address("study_corrections", project)
    assert CorrectionDecision.objects.get().accepted is None


def test_the_page_of_a_verification_says_what_became_of_its_correction(project, study, emil):
    caption = correct(study, 0)
    first, second = Verification.objects.filter(caption=caption).order_by("pk")

    def state(verification):
        page = client_of(emil).get(address("verification", project, verification.pk))
        return page.context["proposal_state"]

    assert state(first) == "proposed in a study, undecided"
    decide(emil, project, caption, first.pk)
    assert state(first) == "proposed in a study and accepted"
    assert state(second) == "proposed in a study and rejected"


def test_a_project_that_keeps_them_out_says_so(project, study, ada):
    correct(study, 0)
    Project.objects.update(study_corrections=Project.StudyCorrections.KEEP_OUT)
    page = client_of(ada).get(address("study_corrections", project)).content.decode()
    assert "This project doesn’t use study corrections" in page
    assert "Study corrections</a>" not in page


def test_a_list_of_three_captions_takes_as_many_queries_as_of_one(project, study, emil):
    client = client_of(emil)
    correct(study, 0)
    with count_queries() as before:
        client.get(address("study_corrections", project))
    correct(study, 1)
    correct(study, 2)
    with count_queries() as after:
        client.get(address("study_corrections", project))
    assert len(after.statements) == len(before.statements)
