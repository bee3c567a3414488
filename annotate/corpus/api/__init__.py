"""The API of videos, clips, captions and labels."""

from annotate.corpus.api import captions, clips, labels, videos

urlpatterns = [
    *videos.urlpatterns,
    *clips.urlpatterns,
    *captions.urlpatterns,
    *labels.urlpatterns,
]
