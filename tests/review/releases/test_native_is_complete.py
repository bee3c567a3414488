"""The format native has everything: its lines, read as plain rows, equal the database."""

import json

import pytest

from annotate.models import ActionLabel, Caption, DynamicsVerdict, SignOff
from inference.models import QualityScore
from review.elements.models import Extraction
from review.identification.models import IdentifiedClip
from review.modifications.models import Modification
from review.ratings.models import Rating
from review.releases.formats import export_release
from review.releases.services import build_release
from review.triplets.models import ComposedQuery, TargetVerdict
from review.verification.models import Verification
from tests.review.releases.full_projects import MAKERS, judge_carebench, judge_lovr

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(tmp_path):
    """Return the lines of a file of a new release in the format native, by the file's name."""

    def read(project):
        release = build_release(project=project, version="1.0.0", admin=None)
        export_release(release=release, format_name="native", target=tmp_path / "native")
        return {
            path.stem: [json.loads(line) for line in path.read_text().splitlines()]
            for path in (tmp_path / "native").glob("*.jsonl")
        }

    return read


def check_captions(captions, files):
    """Compare these captions and their scores, and return the number of each by its key."""
    number = {caption.pk: place for place, caption in enumerate(captions, start=1)}
    assert files["captions"] == [
        {
            "id": number[caption.pk],
            "kind": caption.kind,
            "source": caption.source,
            "text": caption.text,
            "words": caption.word_count,
            "parts": caption.parts,
            "parents": sorted(number[parent.pk] for parent in caption.parents.all()),
            **{name: row[name] for name in ("model", "data_set", "author", "is_released")},
            **({"spans": caption.spans or None} if "spans" in row else {}),
        }
        for caption, row in zip(captions, files["captions"], strict=True)
    ]
    assert {bool(caption.author) for caption in captions} >= {
        row["author"] is not None for row in files["captions"]
    }
    scores = QualityScore.objects.filter(caption__in=number).order_by("caption", "pk")
    assert [(row["caption"], row["scorer"], row["value"]) for row in files["scores"]] == [
        (number[score.caption_id], score.scorer, score.value) for score in scores
    ]
    return number


def test_a_release_of_carebench(project, make_playable_clip, lines):
    made = MAKERS["carebench"](project, make_playable_clip)
    judge_carebench(made)
    files = lines(made)
    number = check_captions(list(Caption.objects.order_by("pk")), files)
    clips = [row["file_name"].removeprefix("videos/") for row in files["clips"]]
    assert sorted(clips) == sorted(f"{clip.name}.mp4" for clip in made.clips.all())
    of_temporal = {row["temporal_caption"]: row["events"] for row in files["clips"]}
    for extraction in Extraction.objects.all():
        assert of_temporal[number[extraction.caption_id]] == extraction.elements
    assert [
        (row["caption"], row["spatial_caption"], row["temporal_caption"], row["verdict"])
        for row in files["sign_offs"]
    ] == [
        (*(number[key] for key in row[:3]), row[3])
        for row in SignOff.objects.order_by("texts__general", "pk").values_list(
            "texts__general", "texts__spatial", "texts__temporal", "verdict"
        )
    ]
    picks = IdentifiedClip.objects.order_by("task__text__caption", "pk")
    assert [(row["caption"], row["picked"] == row["caption"]) for row in files["picks"]] == [
        (number[pick.task.text.caption_id], pick.clip_id == pick.task.text.clip_id)
        for pick in picks
    ]


def test_a_release_of_lovr(project, make_playable_clip, lines):
    made = MAKERS["lovr"](project, make_playable_clip)
    judge_lovr(made)
    files = lines(made)
    # The text of the whole video is older than a correction of its part, so it isn't released.
    captions = list(Caption.objects.exclude(kind="full_video").order_by("pk"))
    number = check_captions(captions, files)
    frames = set(made.clips.values_list("start_frame", "end_frame"))
    assert {(row["start_frame"], row["end_frame"]) for row in files["clips"]} <= frames
    stored = Verification.objects.order_by("caption", "pk")
    assert [
        (
            row["caption"],
            [(each["types"], each["correction"]) for each in row["sentences"]],
            [each["text"] for each in row["missing"]],
        )
        for row in files["verifications"]
    ] == [
        (
            number[verification.caption_id],
            list(verification.verdicts.order_by("number").values_list("types", "correction")),
            list(verification.missing_segments.order_by("pk").values_list("text", flat=True)),
        )
        for verification in stored
    ]
    assert [(row["caption"], row["value"]) for row in files["ratings"]] == [
        (number[rating.caption_id], rating.value) for rating in Rating.objects.order_by("pk")
    ]
    assert [row["is_dynamic"] for row in files["dynamics"]] == list(
        DynamicsVerdict.objects.order_by("pk").values_list("is_dynamic", flat=True)
    )
    made_by_runs = [
        caption
        for caption in Caption.objects.filter(project=made, source="machine").order_by("pk")
        if caption.provenance and "run" in caption.provenance[0]
    ]
    assert [(row["caption"], row["run"]) for row in files["origins"]] == [
        (number[caption.pk], caption.provenance[0]["run"]) for caption in made_by_runs
    ]


def test_a_release_of_tfcovr(project, make_playable_clip, lines):
    made = MAKERS["tfcovr"](project, make_playable_clip)
    files = lines(made)
    assert {(row["label"], row["caption"], row["event"]) for row in files["labels"]} == set(
        ActionLabel.objects.filter(project=made).values_list("key", "caption", "event")
    )
    texts = set(Modification.objects.values_list("text", flat=True))
    assert {row["modification"] for row in files["modifications"]} <= texts
    queries = ComposedQuery.objects.filter(triplets__project=made).select_related("clip")
    wrong = set(TargetVerdict.objects.filter(is_valid=False).values_list("verdict__query", "clip"))
    assert {(row["split"], row["query"], tuple(row["targets"])) for row in files["queries"]} == {
        (
            query.split,
            query.clip.name,
            tuple(
                triplet.target.name
                for triplet in query.targets.all()
                if (query.pk, triplet.target_id) not in wrong
            ),
        )
        for query in queries
    }
    assert sum(len(row["verdicts"]) for row in files["queries"]) == sum(
        query.verdicts.count() for query in queries
    )
