"""A release waits for the sign-offs that its project asks for, and says how many there are."""

from dataclasses import replace
from uuid import uuid4

import pytest

from annotate.queue.services import claim_next
from annotate.signoff.services import submit_sign_off
from review.errors import ReviewError
from review.releases.gates.findings import gate_states, look
from review.releases.queries import content_of
from review.releases.services import build_release
from review.releases.statements import SignedOff, count_signed, who_made
from review.releases.writers.carebench import carebench_files
from tests.cast import make_person
from tests.review.cast import make_short_project
from tests.review.studio.cast import names_by_gate


@pytest.fixture
def project(db):
    return make_short_project(sign_offs=2)


@pytest.fixture
def eva(project):
    return make_person("Eva", project, "expert")


@pytest.fixture
def enzo(project):
    return make_person("Enzo", project, "expert")


def sign_all(*experts):
    for expert in experts:
        membership = expert.memberships.select_related("project", "user").get()
        while held := claim_next(membership=membership, kind="signoff"):
            submit_sign_off(
                assignment_id=held.pk,
                annotator=expert,
                key=uuid4(),
                base_version=held.draft_version,
                content={"verdict": "agree"},
            )


def readme(release):
    [file] = [file for file in carebench_files(release) if file.path == "README.md"]
    return b"".join(file.checked()).decode()


def test_a_release_is_blocked_by_clips_without_their_sign_offs_which_it_names(
    project, make_complete, eva, enzo
):
    make_complete("dive")
    make_complete("jump")
    sign_all(eva)
    with pytest.raises(ReviewError, match="without enough sign-offs: dive; jump"):
        build_release(project=project, version="0.1.0", admin=None)
    sign_all(enzo)
    assert build_release(project=project, version="0.1.0", admin=None).clip_count == 2


def test_a_project_may_only_be_warned_and_the_readme_says_what_was_done(
    project, make_complete, eva, enzo
):
    make_complete("dive")
    sign_all(eva, enzo)
    make_complete("jump")
    sign_all(eva)
    project.sign_offs_block = False
    project.save()
    findings = look(content_of(project), gate_states(project))
    assert not any(finding.blocks for finding in findings)
    assert names_by_gate(findings)["sign-offs"] == ["jump"]
    release = build_release(project=project, version="0.1.0", admin=None)
    assert (
        "Experts signed off all three texts of 2 of 2 clips: 1 by 2 experts, 1 by 1 expert; "
        "2 experts in all." in readme(release)
    )
    signers = release.clips.order_by("pk").values_list("provenance", flat=True)
    assert [each["signed_off_by"] for each in signers] == [["signer-1", "signer-2"], ["signer-1"]]


def test_the_readme_of_a_release_without_sign_offs_mentions_none(project, make_complete):
    project.sign_offs = 0
    project.save()
    make_complete("dive")
    release = build_release(project=project, version="0.1.0", admin=None)
    assert "The captions were written, merged and split by people." in readme(release)
    assert "signed" not in readme(release)
    assert "hecked by people" not in readme(release)


def test_counts_are_of_clips_and_of_experts():
    signed = count_signed([{"signed_off_by": ["signer-1", "signer-2"]}, {}, {}])
    assert signed == SignedOff(clips=3, by_experts=((2, 1),), experts=2)
    assert replace(signed, by_experts=()).sentence == ""


@pytest.mark.parametrize(
    ("provenances", "sentence"),
    [
        ([{}, {}], "The captions were written, merged and split by people."),
        ([{"captions_from": "CaReBench v1"}], "The captions were taken from CaReBench v1."),
        (
            [{}, {"captions_from": "CaReBench v1"}],
            "By clips, the captions were 1 written, merged and split by people, "
            "1 taken from CaReBench v1.",
        ),
    ],
)
def test_it_says_where_the_captions_come_from(provenances, sentence):
    assert who_made(provenances) == sentence
