"""TF-CoVR (section 3): queries that change one detail of an action.

Clips are imported with fine-grained labels. People decide which similar labels differ in time or
event, a model writes each difference as a text, and people accept it. Videos are split before
triplets are made of them, so that no source video is in two splits; people verify the triplets of
the test split. Encoders see 12 frames (appendix D).
"""

from __future__ import annotations

from annotate.protocols.protocol import (
    ADMIN,
    COMPARISONS,
    MODELS,
    PEOPLE,
    Lane,
    Preset,
    Protocol,
    ReleasePlan,
    Step,
)

UNDER_TEST = {"prompt": "Describe the video in detail.", "system": "", "use_theme": False}
FRAMES = {"kind": "middle", "count": 12}
PAPER_OF_TESTS = "CaReBench, section 5.2, with 12 frames as TF-CoVR"

TFCOVR = Protocol(
    key="tfcovr",
    name="TF-CoVR",
    steps_in_words="label pairs, modifications, triplets",
    summary="Clips of short actions are imported with their labels; people decide which labels "
    "differ in one detail, describe the difference, and check the triplets made from it.",
    roles={
        "annotator": "verifies triplets",
        "expert": "judges label pairs, writes modifications",
        "reviewer": "judges label pairs, writes modifications, verifies triplets",
        "admin": "imports labeled clips, splits the videos, manages people, generates triplets",
    },
    lanes=(
        Lane(
            "Composed queries",
            (
                Step("import", ADMIN, makes="videos"),
                Step("labels", ADMIN, ("import",), "labeled clips"),
                Step("split-videos", ADMIN, ("labels",), "splits"),
                Step("compare-labels", ADMIN, ("labels",), "label pairs"),
                Step("pair", PEOPLE, ("compare-labels",), "judged label pairs"),
                Step("write-texts", MODELS, ("pair",), "modification texts"),
                Step("modify", PEOPLE, ("write-texts",), "accepted texts"),
                Step("triplets", ADMIN, ("split-videos", "modify"), "triplets"),
                Step("triplet", PEOPLE, ("triplets",), "verified triplets"),
                Step("release", ADMIN, ("triplet",), "a release"),
            ),
        ),
        Lane(
            "Evaluation",
            (
                Step("elements", PEOPLE, ("labels",), "checked elements", is_optional=True),
                Step("embed-clips", MODELS, ("labels",), "vectors of clips"),
            ),
        ),
        COMPARISONS,
    ),
    presets=(
        Preset("caption", {**UNDER_TEST, "sampling": FRAMES, "temperature": 0.0, "top_p": 1.0,
                           "repetition_penalty": 1.2, "max_tokens": 512}, paper=PAPER_OF_TESTS),
        Preset("refine", {**UNDER_TEST, "caption_sampling": FRAMES, "repetition_penalty": 1.2,
                          "caption_max_tokens": 512}, paper=PAPER_OF_TESTS),
        Preset("embed", {"sampling": FRAMES}, paper="TF-CoVR, appendix D"),
    ),
    release=ReleasePlan(
        content="triplets",
        format="tfcovr",
        noun=("set of triplets", "sets of triplets"),
        gates=(
            "split-leakage", "same-names", "safe-names", "no-target", "project-license",
            "video-licenses", "short-clips", "near-duplicates", "corrected-labels",
            "unverified-tests", "without-target", "loader-targets", "equal-labels", "reports",
            "coverage", "agreement",
        ),
        choices=("vectors", "reports", "votes"),
        is_last=True,
        check="triplet",
    ),
    pages=("labels", "label_pairs", "modifications", "split_videos", "triplets", "tables",
           "vectors", "retrieval"),
    columns=("type", "triplets", "train", "eval", "multi_gt", "metric", "sub_actions"),
    words={
        "no_work": "To judge label pairs and write modifications, you need the role expert or "
        "reviewer; to verify triplets, annotator or reviewer.",
        "no_labels": "Hand out each label pair, and later each triplet query, to two or more "
        "people.",
    },
)  # fmt: skip
