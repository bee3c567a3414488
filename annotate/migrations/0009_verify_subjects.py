"""The caption that a verification is about was named in the work's context."""

from django.db import migrations


def _from_context(apps, schema_editor):
    WorkItem = apps.get_model("annotate", "WorkItem")
    for item in WorkItem.objects.filter(kind="verify", subject=0).iterator():
        item.subject = item.context.pop("caption", 0)
        item.save(update_fields=["subject", "context"])


def _into_context(apps, schema_editor):
    WorkItem = apps.get_model("annotate", "WorkItem")
    for item in WorkItem.objects.filter(kind="verify").exclude(subject=0).iterator():
        item.context["caption"], item.subject = item.subject, 0
        item.save(update_fields=["subject", "context"])


class Migration(migrations.Migration):
    dependencies = [("annotate", "0008_work_about_captions")]

    operations = [migrations.RunPython(_from_context, _into_context)]
