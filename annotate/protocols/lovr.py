"""LoVR (section 3): models write the captions, people check them.

Models cut long videos into clips and describe each with the theme of its video. EVQAScore (section
3.2.2) keeps a caption above the threshold, which a study of verified captions sets; below it other
models try up to three times, and then a person writes (section 3.2.2). The captions of a video's
clips are fused into one (3.2.3), and people rate samples from 0 to 5 (appendix B). The defaults of
the runs are LoVR's.
"""

from __future__ import annotations

from annotate.protocols.protocol import (
    ADMIN,
    COMPARISONS,
    MODELS,
    PEOPLE,
    Lane,
    Protocol,
    ReleasePlan,
    Step,
    Text,
)

ANY_SOURCE = ("merged", "corrected", "published", "machine", "human")

LOVR = Protocol(
    key="lovr",
    name="LoVR",
    steps_in_words="segment, caption, score, refine, fuse",
    summary="Models cut long videos into clips and describe them; people say which videos are "
    "worth it, write by hand what no model describes well enough, verify the rest and rate it.",
    texts=(
        Text("general", ANY_SOURCE, title="Clips", table="LoVR, Table 2"),
        Text("full_video", ANY_SOURCE),
    ),
    roles={
        "annotator": "checks videos, writes by hand, verifies and rates captions",
        "expert": "writes by hand, decides about study corrections, compares models",
        "reviewer": "checks videos, verifies, rates, decides about study corrections, "
        "compares models",
        "admin": "imports videos, runs models, manages people, starts studies",
    },
    lanes=(
        Lane(
            "Captions",
            (
                Step("import", ADMIN, makes="videos"),
                Step("segment", MODELS, ("import",), "clips"),
                Step("dynamics", PEOPLE, ("segment",), "dynamic videos", people=2,
                     opens="cut video"),
                Step("theme", MODELS, ("segment",), "themes"),
                Step("caption", MODELS, ("segment", "theme"), "captions"),
                Step("score", MODELS, ("caption",), "EVQAScores"),
                Step("verify", PEOPLE, ("score",), "tagged sentences"),
                Step("threshold", ADMIN, ("score", "verify"), "a threshold"),
                Step("refine", MODELS, ("threshold",), "better captions"),
                Step("hand", PEOPLE, ("refine",), "captions"),
                Step("fuse", MODELS, ("hand",), "captions of whole videos"),
                Step("release", ADMIN, ("fuse",), "a release"),
            ),
        ),
        Lane(
            "Evaluation",
            (
                Step("rate", PEOPLE, ("caption",), "ratings"),
                Step("elements", PEOPLE, ("caption",), "checked elements", is_optional=True),
                Step("embed-clips", MODELS, ("segment",), "vectors of clips"),
                Step("embed-captions", MODELS, ("fuse",), "vectors of captions"),
            ),
        ),
        COMPARISONS,
    ),
    release=ReleasePlan(
        content="scenes",
        format="lovr",
        gates=(
            "project-license", "video-licenses", "undescribed", "whole-captions",
            "verifications", "whole-verifications", "unverified", "short-clips",
            "short-captions", "equal-captions", "equal-files", "near-duplicates", "reports",
            "coverage", "agreement",
        ),
        choices=("whole_captions", "assessment", "clip_files", "reports", "votes"),
        is_last=True,
        check="verify",
    ),
    pages=("training", "verifications", "study_corrections", "ratings", "threshold",
           "disputed_videos", "assessment"),
    features=frozenset({"clip_limits", "whole_videos"}),
    columns=("samples", "seconds", "words", "annotator"),
    words={
        "no_work": "To check videos, verify or rate, you need the role annotator or reviewer; to "
        "write by hand, annotator or expert.",
        "no_labels": "Ask several people about each caption, in a threshold study or a rating "
        "study.",
    },
)  # fmt: skip
