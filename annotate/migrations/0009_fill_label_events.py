from django.db import migrations

from annotate.text.events import event_in


def fill(apps, schema_editor):
    ActionLabel = apps.get_model("annotate", "ActionLabel")
    labels = [label for label in ActionLabel.objects.filter(event="").iterator()]
    for label in labels:
        label.event = event_in(label.caption)
    ActionLabel.objects.bulk_update([label for label in labels if label.event], ["event"], 500)


class Migration(migrations.Migration):
    """The event of each label, from the brackets that begin its caption."""

    dependencies = [("annotate", "0008_label_events")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
