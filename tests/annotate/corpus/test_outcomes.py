"""What My work says happened to finished texts."""

import pytest

from annotate.corpus.outcomes import text_outcomes
from annotate.models import Caption, FinalTexts, Membership, SignOff, WorkItem
from review.models import Release, ReleasedClip
from tests.cast import NO_PROOF, make_clip, make_person
from tests.work import hold, make_work, submit_write_up

pytestmark = pytest.mark.django_db


def make_text(clip, kind, source, *parents):
    text = Caption.objects.create(
        project=clip.project, clip=clip, kind=kind, source=source, text="A dive.", word_count=2
    )
    text.parents.set(parents)
    return text


@pytest.fixture
def clip(project):
    return make_clip(project)


@pytest.fixture
def done(clip, anna):
    return submit_write_up(anna, make_work(clip))


@pytest.fixture
def texts(done, clip, emil):
    """The write-up, merged, split, signed off and released."""
    merged = make_text(clip, "general", "merged", done.captions.get())
    parts = [make_text(clip, kind, "human", merged) for kind in ("spatial", "temporal")]
    make_work(clip, "merge", state="done")
    final = FinalTexts.objects.create(
        clip=clip, general=merged, spatial=parts[0], temporal=parts[1]
    )
    sign_off = hold(emil, make_work(clip, "signoff"))
    SignOff.objects.create(texts=final, assignment=sign_off, expert=emil, verdict="agree")
    for version in ("0.1.0", "0.2.0"):
        release = Release.objects.create(
            project=clip.project, version=version, clip_count=1, proof=NO_PROOF
        )
        ReleasedClip.objects.create(
            release=release,
            clip=clip,
            file_name="dive.mp4",
            caption=merged,
            spatial_caption=parts[0],
            temporal_caption=parts[1],
        )


def outcomes(person, done):
    return text_outcomes(Membership.objects.get(user=person), [done.pk]).get(done.pk, [])


def test_a_new_text_has_no_outcome(anna, done):
    assert outcomes(anna, done) == []


def test_a_write_up_is_followed_to_the_release(anna, done, texts):
    assert outcomes(anna, done) == ["Merged", "Split", "Signed off", "Released in 0.1.0"]


def test_what_the_person_may_not_read_is_no_outcome(anna, done, texts):
    """An expert who wrote a text of the clip, too, must not learn of the merged one before it is
    done."""
    WorkItem.objects.filter(kind="merge").update(state="open")
    assert outcomes(anna, done) == []


def test_a_correction_is_an_outcome_and_a_proposal_is_not(anna, clip, done):
    make_work(clip, "merge", state="done")
    make_text(clip, "proposal", "corrected", done.captions.get())
    assert outcomes(anna, done) == []
    make_text(clip, "general", "corrected", done.captions.get())
    assert outcomes(anna, done) == ["Corrected"]


def test_the_work_of_others_is_not_in_it(project, done, texts):
    zoe = make_person("Zoe", project, "annotator")
    other = submit_write_up(zoe, make_work(make_clip(project)))
    assert outcomes(zoe, other) == []
