"""The effects of a label's correction on label pairs, modifications and their work."""

from __future__ import annotations

from django.db.models import Q

from annotate.corpus.label_followers import LabelFollower
from annotate.errors import AnnotateError
from annotate.models import ActionLabel, Clip, Project, WorkItem
from annotate.models.jobs import Job
from review.modifications.models import Modification
from review.pairs.comparison import COMPARE_LABELS
from review.pairs.models import LabelPair
from review.triplets.models import TripletSet

# Kinds of work whose clip represents its label.
SHOWN_BY_A_CLIP = ("pair", "modify")


class FollowLabels(LabelFollower):
    def refuse(self, project: Project) -> None:
        if TripletSet.objects.filter(project=project, state=TripletSet.State.RUNNING).exists():
            raise AnnotateError("Triplets are being generated now. Wait until they are finished.")
        jobs = Job.objects.filter(project=project, kind=COMPARE_LABELS)
        if jobs.filter(state__in=[Job.State.WAITING, Job.State.RUNNING]).exists():
            raise AnnotateError("A worker is comparing the labels. Wait until it is done.")

    def label_corrected(self, label: ActionLabel) -> None:
        """Mark what is based on the old text; verdicts and texts stay unchanged."""
        LabelPair.objects.filter(Q(first=label) | Q(second=label)).update(is_outdated=True)
        Modification.objects.filter(
            Q(source=label) | Q(target=label),
            state__in=[Modification.State.WAITING, Modification.State.ACCEPTED],
        ).update(is_outdated=True)

    def clip_relabeled(self, clip: Clip, before: ActionLabel) -> None:
        """Replace the clip in open work by another clip of the old label; without one, withdraw the
        work.
        """
        for item in WorkItem.objects.filter(clip=clip, kind__in=SHOWN_BY_A_CLIP):
            taken = WorkItem.objects.filter(kind=item.kind, subject=item.subject).values("clip")
            others = Clip.objects.filter(label=before).exclude(pk__in=taken)
            other = others.order_by("pk").first()
            if other is not None:
                item.clip = other
            elif item.state == WorkItem.State.OPEN:
                item.state = WorkItem.State.CANCELLED
            item.save(update_fields=["clip", "state"])
