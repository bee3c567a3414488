"""Tell the project's webhooks about a release."""

from __future__ import annotations

from annotate.models import Webhook
from annotate.webhooks.services.announcing import announce
from review.frozen.models import Release


def announce_release(release: Release) -> None:
    """Store the messages, in the transaction that freezes the release."""
    place = [release.project.slug, release.version]
    announce(
        project=release.project,
        event=Webhook.Event.RELEASE_BUILT,
        ids={"release": release.pk, "version": release.version},
        page=("review:release", place),
        resource=("api:release", place),
    )
