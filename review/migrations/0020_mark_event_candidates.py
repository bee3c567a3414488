from django.db import migrations
from django.db.models import F


def mark(apps, schema_editor):
    LabelPair = apps.get_model("review", "LabelPair")
    apart = LabelPair.objects.exclude(first__event="").exclude(second__event="")
    apart = apart.exclude(first__event=F("second__event"))
    LabelPair.objects.filter(pk__in=apart.values("pk")).update(candidate="event", is_outdated=True)


class Migration(migrations.Migration):
    """Pairs of different events, which have been compared with the names of their events."""

    dependencies = [("review", "0019_event_candidates")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
