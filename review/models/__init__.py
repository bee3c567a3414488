from review.models.ratings import Rating, RatingExample, TrainingAnswer
from review.models.releases import Release, ReleasedClip
from review.models.reports import Report
from review.models.studies import Study, StudyCaption
from review.models.verifications import MissingSegment, SentenceVerdict, Verification

__all__ = [
    "MissingSegment",
    "Rating",
    "RatingExample",
    "Release",
    "ReleasedClip",
    "Report",
    "SentenceVerdict",
    "Study",
    "StudyCaption",
    "TrainingAnswer",
    "Verification",
]
