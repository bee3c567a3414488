"""CaReBench (section 3): people write every text.

Two annotators describe each video independently in four parts (Stage I), an expert merges the two
texts, and the result is split into what is seen and what happens (Stage II). Two experts may sign
the texts off. Models are only tested (section 5.2): 32 frames, one short prompt, greedy decoding.
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
    Text,
)

BY_PEOPLE = ("merged", "corrected", "published")
UNDER_TEST = {"prompt": "Describe the video in detail.", "system": "", "use_theme": False}
FRAMES = {"kind": "middle", "count": 32}

CAREBENCH = Protocol(
    key="carebench",
    name="CaReBench",
    steps_in_words="two write-ups, merge, split",
    summary="Two people describe each clip independently, an expert merges the two texts, and "
    "the result is split into what is seen and what happens.",
    texts=(
        Text("general", BY_PEOPLE, title="General captions", table="Table 4"),
        Text("spatial", (*BY_PEOPLE, "human")),
        Text("temporal", (*BY_PEOPLE, "human")),
    ),
    roles={
        "annotator": "writes and splits captions",
        "expert": "merges and splits, signs off, sends work back, compares models",
        "reviewer": "follows the progress, judges spot checks, compares models",
        "admin": "imports videos, manages people, builds releases",
    },
    lanes=(
        Lane(
            "Human captions",
            (
                Step("import", ADMIN, makes="clips"),
                Step("write", PEOPLE, ("import",), "write-ups", people="writers_per_clip",
                     opens="clip", is_on_each_clip=True),
                Step("merge", PEOPLE, ("write",), "general captions", is_on_each_clip=True),
                Step("split", PEOPLE, ("merge",), "spatial and temporal captions",
                     is_on_each_clip=True),
                Step("signoff", PEOPLE, ("split",), "sign-offs", people="sign_offs",
                     is_on_each_clip=True, is_optional=True),
                Step("release", ADMIN, ("split",), "a release"),
            ),
        ),
        Lane(
            "Evaluation",
            (
                Step("elements", PEOPLE, ("split",), "checked elements", is_optional=True),
                Step("identify", PEOPLE, ("split",), "identified clips", is_optional=True),
                Step("embed-clips", MODELS, ("import",), "vectors of clips"),
                Step("embed-captions", MODELS, ("merge",), "vectors of captions"),
                Step("embed-spatial", MODELS, ("split",), "vectors of spatial captions"),
                Step("embed-temporal", MODELS, ("split",), "vectors of temporal captions"),
            ),
        ),
        COMPARISONS,
    ),
    presets=(
        Preset("caption", {**UNDER_TEST, "sampling": FRAMES, "temperature": 0.0, "top_p": 1.0,
                           "repetition_penalty": 1.2, "max_tokens": 512},
               paper="CaReBench, section 5.2"),
        Preset("refine", {**UNDER_TEST, "caption_sampling": FRAMES, "repetition_penalty": 1.2,
                          "caption_max_tokens": 512},
               paper="CaReBench, section 5.2"),
    ),
    release=ReleasePlan(
        content="clips",
        format="carebench",
        gates=(
            "category", "same-names", "safe-names", "sign-offs", "project-license",
            "video-licenses", "incomplete", "conflicts", "split-warnings", "word-budget",
            "short-clips", "short-captions", "equal-captions", "equal-files", "near-duplicates",
            "subcategory", "under-quota", "over-quota", "reports", "coverage", "agreement",
        ),
        choices=("left_out", "only_signed", "reports", "votes"),
    ),
    pages=("candidates", "identification"),
    features=frozenset({"clip_limits", "quotas", "withdrawals", "writing_advice"}),
    columns=("samples", "seconds", "words", "annotator", "hierarchical", "static_focus",
             "dynamic_focus"),
    words={
        "no_work": "To write, you need the role annotator; to merge and sign off, expert; to "
        "split, either of them.",
        "no_labels": "Results appear here when people have compared captions.",
        "after_import": ", and put into the queue for writing",
    },
)  # fmt: skip
