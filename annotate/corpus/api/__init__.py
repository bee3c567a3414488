"""The API of videos, clips, captions, labels and near-duplicates."""

from annotate.corpus.api import captions, clips, labels, near_duplicates, videos

urlpatterns = [
    *videos.urlpatterns,
    *clips.urlpatterns,
    *captions.urlpatterns,
    *labels.urlpatterns,
    *near_duplicates.urlpatterns,
]
