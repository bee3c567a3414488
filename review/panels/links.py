"""The links of panels: one for everybody, or one for each id, signed by this server."""

from __future__ import annotations

from django.core.signing import BadSignature, Signer

from annotate.tokens.queries import hash_token
from review.panels.models import Panel

_SIGNER = Signer(salt="review.panels.links")


def signed_token(panel: Panel, external_id: str) -> str:
    """Return the token of the link for this id alone. A new link of the panel ends it."""
    return _SIGNER.sign_object([panel.pk, panel.token_hash[:12], external_id])


def link_of(token: str) -> tuple[Panel | None, str]:
    """Return the panel of a link, None for an invalid one, and the id that it is signed for."""
    panels = Panel.objects.select_related("project")
    try:
        key, version, external_id = _SIGNER.unsign_object(token)
    except BadSignature:
        return panels.filter(token_hash=hash_token(token)).first(), ""
    return panels.filter(pk=key, token_hash__startswith=version).first(), external_id
