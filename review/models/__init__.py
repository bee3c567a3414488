from review.models.releases import Release, ReleasedClip

__all__ = ["Release", "ReleasedClip"]
