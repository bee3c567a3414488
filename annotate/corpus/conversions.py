"""What imports changed in the pictures of videos, beyond encoding them: stored with each video, and
counted for the card of a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from annotate.models import Project, Video

# A video's `probe` has under this key: kind -> a sentence; only a converted video has it.
CONVERSIONS = "conversions"
# Kind -> how a card calls the videos.
KINDS = {
    "restarted": "with a clock that starts again",
    "resampled": "resampled to a constant frame rate",
    "tone_mapped": "tone-mapped from HDR",
    "deinterlaced": "deinterlaced",
    "letterboxed": "with bars, since the size changes",
    "scaled": "scaled down",
}


def conversions_in(project: Project) -> dict[int, dict[str, str]]:
    """Return the conversions of the project's converted videos."""
    videos = Video.objects.filter(project=project, probe__has_key=CONVERSIONS)
    return dict(videos.values_list("pk", f"probe__{CONVERSIONS}"))


def count_in_words(conversions: Iterable[Mapping[str, str]]) -> str:
    """Return a sentence about the conversions of each file of a release; "" if none has any."""
    files = list(conversions)
    converted = sum(map(bool, files))
    kinds = Counter(kind for file in files for kind in file)
    if not converted:
        return ""
    counts = ", ".join(f"{kinds[kind]:,} {about}" for kind, about in KINDS.items() if kinds[kind])
    return f"Of {len(files):,} source files, an import converted {converted:,}: {counts}."
