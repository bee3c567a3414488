from inference.models.results import (
    Embedding,
    FusionJoint,
    QualityScore,
    RefineAttempt,
    Segmentation,
    VideoTheme,
)
from inference.models.runs import InferenceRun, RunItem
from inference.models.servers import ServerReplyFormat
from inference.models.specs import ModelSpec, QualityThreshold

__all__ = [
    "Embedding",
    "FusionJoint",
    "InferenceRun",
    "ModelSpec",
    "QualityScore",
    "QualityThreshold",
    "RefineAttempt",
    "RunItem",
    "Segmentation",
    "ServerReplyFormat",
    "VideoTheme",
]
