"""One annotator at work, in a process of its own: claims and submits until all is done.

python -m tests.services.work_through_queue EMAIL [--stop-in-submit]

It says "ready", begins at a line of input and prints the items that it claimed and submitted, as
JSON. With --stop-in-submit it says "submitting" in the middle of its first submit and stays there.
"""

from __future__ import annotations

import json
import sys
import time
from uuid import uuid4

import django


def main(email: str, stop_in_submit: bool) -> None:
    from django.db import transaction

    from annotate.models import Membership, WorkItem
    from annotate.queue import services as queue

    membership = Membership.objects.select_related("project", "user").get(user__email=email)
    say("ready")
    sys.stdin.readline()
    claimed = []
    while WorkItem.objects.exclude(state=WorkItem.State.DONE).exists():
        assignment = queue.claim_next(membership=membership, kind="write")
        if assignment is None:
            time.sleep(0.02)  # others hold what is left
            continue
        key = uuid4()
        with transaction.atomic():
            locked, _ = queue.lock_for_submit(
                assignment_id=assignment.pk, annotator=membership.user, key=key, base_version=0
            )
            queue.complete(locked, key=key, content={"overview": email})
            if stop_in_submit:
                say("submitting")
                sys.stdin.readline()
        claimed.append(assignment.item_id)
    say(json.dumps(claimed))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    django.setup()
    main(sys.argv[1], "--stop-in-submit" in sys.argv[2:])
