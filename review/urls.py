"""The addresses of the app: each feature lists its own."""

from django.urls import include, path

app_name = "review"
SLICES = (
    "captions",
    "verification",
    "corrections",
    "threshold",
    "ratings",
    "retrieval",
    "elsewhere",
    "comparisons",
    "leaderboard",
    "elements",
    "identification",
    "published",
    "capst",
    "pairs",
    "modifications",
    "triplets",
    "tables",
    "composed",
    "vectors",
    "quality",
    "spot_checks",
    "pay",
    "people",
    "coach",
    "benchmarks",
    "statistics",
    "hours",
    "studio",
    "restoring",
    "takedowns",
    "releases",
    "activity",
    "audit_log",
    "overview",
    "navigation",
    "reports",
)
urlpatterns = [path("", include(f"review.{name}.urls")) for name in SLICES]
