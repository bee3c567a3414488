from review.models.releases import Release, ReleasedClip
from review.models.verifications import MissingSegment, SentenceVerdict, Verification

__all__ = ["MissingSegment", "Release", "ReleasedClip", "SentenceVerdict", "Verification"]
