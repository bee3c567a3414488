from inference.models.results import (
    Embedding,
    FusionJoint,
    QualityScore,
    RefineAttempt,
    Segmentation,
    VideoTheme,
)
from inference.models.runs import Elsewhere, InferenceRun, RunItem, RunParameters, ServedPrice
from inference.models.servers import RegisteredServer, ServedModel, ServerDialect
from inference.models.specs import ModelSpec, QualityThreshold

__all__ = [
    "Elsewhere",
    "Embedding",
    "FusionJoint",
    "InferenceRun",
    "ModelSpec",
    "QualityScore",
    "QualityThreshold",
    "RefineAttempt",
    "RegisteredServer",
    "RunItem",
    "RunParameters",
    "Segmentation",
    "ServedModel",
    "ServedPrice",
    "ServerDialect",
    "VideoTheme",
]
