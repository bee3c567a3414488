from review.models.label_pairs import (
    LabelPair,
    Modification,
    ModificationPrompt,
    PairVerdict,
)
from review.models.modification_runs import ModificationRequest, ModificationRun
from review.models.ratings import Rating, RatingExample, TrainingAnswer
from review.models.releases import Release, ReleasedClip
from review.models.reports import Report
from review.models.studies import Study, StudyCaption
from review.models.triplets import (
    ComposedQuery,
    TargetVerdict,
    Triplet,
    TripletSet,
    TripletVerdict,
)
from review.models.verifications import MissingSegment, SentenceVerdict, Verification

__all__ = [
    "ComposedQuery",
    "LabelPair",
    "MissingSegment",
    "Modification",
    "ModificationPrompt",
    "ModificationRequest",
    "ModificationRun",
    "PairVerdict",
    "Rating",
    "RatingExample",
    "Release",
    "ReleasedClip",
    "Report",
    "SentenceVerdict",
    "Study",
    "StudyCaption",
    "TargetVerdict",
    "TrainingAnswer",
    "Triplet",
    "TripletSet",
    "TripletVerdict",
    "Verification",
]
