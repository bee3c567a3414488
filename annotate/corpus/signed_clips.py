"""Addresses of clips for programs without a session, such as model servers.

An address names neither the project nor the clip, opens for an hour, and gives the bytes of the
clip's video alone.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import Http404
from django.urls import reverse

from annotate.models import Clip

OPEN_FOR = timedelta(hours=1)
_SALT = "annotate.corpus.signed_clips"


def signed_address(clip: Clip) -> str:
    """Return the address under VERICAP_SITE at which the clip can be read from now on."""
    signed = TimestampSigner(salt=_SALT).sign(str(clip.pk))
    return f"{settings.VERICAP_SITE}{reverse('annotate:signed_clip', args=[signed])}"


def stored_name(signed: str) -> str:
    """Return the storage name of the file behind a signed address. Raises Http404 if the address is
    expired or not ours, or if the clip is gone.
    """
    try:
        key = TimestampSigner(salt=_SALT).unsign(signed, max_age=OPEN_FOR)
    except BadSignature as error:
        raise Http404("The address is expired, or not of this site.") from error
    clip = Clip.objects.select_related("video", "file").filter(pk=int(key)).first()
    if clip is None or not (clip.spans_its_video or hasattr(clip, "file")):
        raise Http404("The clip is gone.")
    return clip.video.playback_file if clip.spans_its_video else clip.file.name
