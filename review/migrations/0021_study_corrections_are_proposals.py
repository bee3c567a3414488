from annotate.immutable import allow_updates, forbid_updates
from django.db import migrations
from django.db.models import OuterRef, Subquery


def propose(apps, _):
    """Make each correction of a caption of a threshold study a proposal, accepted by nobody yet."""
    corrected = _corrected_in_studies(apps)
    corrected.update(kind="proposal")


def make_current_again(apps, _):
    verification = apps.get_model("review", "Verification")
    verified = verification.objects.filter(corrected=OuterRef("pk")).values("caption__kind")
    corrected = _corrected_in_studies(apps).filter(kind="proposal")
    corrected.update(kind=Subquery(verified[:1]))


def _corrected_in_studies(apps):
    verification = apps.get_model("review", "Verification")
    judged = verification.objects.filter(
        caption__studies__study__kind="threshold", corrected__isnull=False
    )
    return apps.get_model("annotate", "Caption").objects.filter(pk__in=judged.values("corrected"))


class Migration(migrations.Migration):
    dependencies = [("review", "0020_correction_decisions")]

    operations = [
        allow_updates("annotate_caption"),
        migrations.RunPython(propose, make_current_again),
        forbid_updates("annotate_caption"),
    ]
