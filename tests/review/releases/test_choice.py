"""What a choice leaves out of a release in TF-CoVR's form."""

import pytest

from review.releases.choice import Choice
from review.releases.queries import next_release
from review.releases.services import build_release
from tests.review.composed.retrieval import embed
from tests.review.releases.released_triplets import make_dives, make_set
from tests.review.takedowns.releases import written

pytestmark = pytest.mark.django_db


def test_vectors_can_be_left_out(make_playable_clip):
    project = make_dives(make_playable_clip)
    make_set(project)
    for clip in project.clips.all():
        embed(clip, 1.0)
    choice = Choice(vectors=False)
    release = build_release(project=project, version="0.1.0", admin=None, choice=choice)
    assert release.triplet_facts["vectors"] is None
    assert "embeddings/clips.pkl" not in written(release, "tfcovr")
    assert next_release(project, release).difference.added == ["vectors of the clips"]
