from review.capst.models import CapstItem, CapstPrompts, CapstRun, JudgeReply
from review.captions.models import CaptionSet, SetCaption
from review.comparisons.models import (
    Comparison,
    ComparisonRound,
    Entrant,
    EntrantCaption,
    EntrantPair,
    Matchup,
    RoundClip,
)
from review.composed.models import ImportedRanking
from review.corrections.models import CorrectionDecision
from review.elements.models import Extraction
from review.frozen.models import (
    Release,
    ReleaseArchive,
    ReleasedClip,
    ReleasedLabel,
    ReleasedModification,
    ReleasedQuery,
    ReleasedScene,
    ReleasedTripletClip,
    ReleasedVideo,
)
from review.frozen.takedowns import Reinstatement, Takedown
from review.identification.models import (
    IdentificationTask,
    IdentificationTest,
    IdentifiedClip,
    TestedText,
)
from review.modifications.models import (
    ImportedText,
    Modification,
    ModificationPrompt,
    ModificationRequest,
    ModificationRun,
)
from review.pairs.models import LabelPair, PairVerdict
from review.published.models import HumanImport, PublishedCaption
from review.ratings.models import Rating, RatingExample, TrainingAnswer
from review.releases.models import GateSetting, ReleaseDraft
from review.reports.models import Report
from review.retrieval.models import ImportedVector, RecallRanking, VectorSet
from review.statistics.models import BenchmarkRow
from review.studies.models import Study, StudyCaption
from review.triplets.models import ComposedQuery, TargetVerdict, Triplet, TripletSet, TripletVerdict
from review.verification.models import MissingSegment, SentenceVerdict, Verification

__all__ = [
    "BenchmarkRow",
    "CapstItem",
    "CapstPrompts",
    "CapstRun",
    "CaptionSet",
    "Comparison",
    "ComparisonRound",
    "ComposedQuery",
    "CorrectionDecision",
    "Entrant",
    "EntrantCaption",
    "EntrantPair",
    "Extraction",
    "GateSetting",
    "HumanImport",
    "IdentificationTask",
    "IdentificationTest",
    "IdentifiedClip",
    "ImportedRanking",
    "ImportedText",
    "ImportedVector",
    "JudgeReply",
    "LabelPair",
    "Matchup",
    "MissingSegment",
    "Modification",
    "ModificationPrompt",
    "ModificationRequest",
    "ModificationRun",
    "PairVerdict",
    "PublishedCaption",
    "Rating",
    "RatingExample",
    "RecallRanking",
    "Reinstatement",
    "Release",
    "ReleaseArchive",
    "ReleaseDraft",
    "ReleasedClip",
    "ReleasedLabel",
    "ReleasedModification",
    "ReleasedQuery",
    "ReleasedScene",
    "ReleasedTripletClip",
    "ReleasedVideo",
    "Report",
    "RoundClip",
    "SentenceVerdict",
    "SetCaption",
    "Study",
    "StudyCaption",
    "Takedown",
    "TargetVerdict",
    "TestedText",
    "TrainingAnswer",
    "Triplet",
    "TripletSet",
    "TripletVerdict",
    "VectorSet",
    "Verification",
]
