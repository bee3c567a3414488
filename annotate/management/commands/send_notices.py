from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from annotate.management.quick import QuickCommand
from annotate.notices.digests import send_digests
from annotate.notices.services import forget_old_notices


class Command(QuickCommand):
    help = (
        "Send each person a mail with the notices that wait, at most one a day, and delete old "
        "notices. Safe to repeat: nothing is sent twice."
    )

    def handle(self, **options: Any) -> None:
        forget_old_notices()
        if not settings.VERICAP_SENDS_MAIL:
            self.stdout.write("This site sends no mail: EMAIL_HOST is not set.")
            return
        digests = send_digests()
        sent = "1 digest" if digests.sent == 1 else f"{digests.sent or 'No'} digests"
        self.stdout.write(f"{sent} sent.")
        if digests.failed:
            raise CommandError(
                f"{digests.failed} not sent: {digests.problem} The notices wait for the next run."
            )
