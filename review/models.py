from review.capst.models import CapstItem, CapstPrompts, CapstRun, JudgeReply
from review.captions.models import CaptionSet, SetCaption
from review.comparisons.models import (
    CaptionPair,
    Round,
    RoundClip,
    System,
    SystemCaption,
    SystemPair,
    Vote,
)
from review.composed.models import ImportedRanking
from review.corrections.models import CorrectionDecision
from review.elements.models import Extraction
from review.frozen.models import (
    Release,
    ReleasedClip,
    ReleasedLabel,
    ReleasedScene,
    ReleasedTripletClip,
    ReleasedVideo,
)
from review.frozen.query_models import ReleasedModification, ReleasedQuery
from review.frozen.records import ReleasedRecord
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
from review.pairs.models import LabelPair, PairHandOut, PairVerdict
from review.panels.models import Panel, Participant
from review.pay.models import ApprovedEntry, PayBonus, PayEntry, PayRate, PayStatement
from review.published.models import HumanImport, PublishedCaption
from review.quality.models import (
    GivenAnswer,
    KnownAnswer,
    Pause,
    QualityRule,
    TrainingPass,
)
from review.ratings.models import Rating, RatingExample, TrainingAnswer
from review.releases.models import GateSetting, ReleaseArchive, ReleaseDraft, ReleaseHash
from review.reports.models import Report
from review.retrieval.models import ImportedVector, RecallRanking, VectorSet
from review.spot_checks.models import SpotCheck, SpotCheckItem
from review.statistics.models import BenchmarkRow
from review.studies.models import Study, StudyCaption
from review.threshold.models import OrderedCaption, ThresholdBasis, VerificationOrder
from review.triplets.models import (
    ComposedQuery,
    SplitOrigin,
    TargetVerdict,
    Triplet,
    TripletHandOut,
    TripletSet,
    TripletVerdict,
)
from review.verification.models import MissingSegment, SentenceVerdict, Verification

__all__ = [
    "ApprovedEntry",
    "BenchmarkRow",
    "CapstItem",
    "CapstPrompts",
    "CapstRun",
    "CaptionPair",
    "CaptionSet",
    "ComposedQuery",
    "CorrectionDecision",
    "Extraction",
    "GateSetting",
    "GivenAnswer",
    "HumanImport",
    "IdentificationTask",
    "IdentificationTest",
    "IdentifiedClip",
    "ImportedRanking",
    "ImportedText",
    "ImportedVector",
    "JudgeReply",
    "KnownAnswer",
    "LabelPair",
    "MissingSegment",
    "Modification",
    "ModificationPrompt",
    "ModificationRequest",
    "ModificationRun",
    "OrderedCaption",
    "PairHandOut",
    "PairVerdict",
    "Panel",
    "Participant",
    "Pause",
    "PayBonus",
    "PayEntry",
    "PayRate",
    "PayStatement",
    "PublishedCaption",
    "QualityRule",
    "Rating",
    "RatingExample",
    "RecallRanking",
    "Reinstatement",
    "Release",
    "ReleaseArchive",
    "ReleaseDraft",
    "ReleaseHash",
    "ReleasedClip",
    "ReleasedLabel",
    "ReleasedModification",
    "ReleasedQuery",
    "ReleasedRecord",
    "ReleasedScene",
    "ReleasedTripletClip",
    "ReleasedVideo",
    "Report",
    "Round",
    "RoundClip",
    "SentenceVerdict",
    "SetCaption",
    "SplitOrigin",
    "SpotCheck",
    "SpotCheckItem",
    "Study",
    "StudyCaption",
    "System",
    "SystemCaption",
    "SystemPair",
    "Takedown",
    "TargetVerdict",
    "TestedText",
    "ThresholdBasis",
    "TrainingAnswer",
    "TrainingPass",
    "Triplet",
    "TripletHandOut",
    "TripletSet",
    "TripletVerdict",
    "VectorSet",
    "Verification",
    "VerificationOrder",
    "Vote",
]
