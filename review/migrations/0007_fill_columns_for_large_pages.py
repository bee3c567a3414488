from django.db import migrations
from django.db.models import Count, OuterRef, Subquery, Sum


def fill(apps, schema_editor):
    captions = apps.get_model("annotate", "Caption").objects.filter(pk=OuterRef("caption"))
    verifications = apps.get_model("review", "Verification").objects
    verifications.update(project=Subquery(captions.values("project")))
    sets = apps.get_model("review", "CaptionSet").objects.annotate(
        clips=Count("captions"), words=Sum("captions__caption__word_count", default=0)
    )
    for made in sets:
        made.clip_count, made.word_count = made.clips, made.words
        made.save(update_fields=["clip_count", "word_count"])


class Migration(migrations.Migration):
    dependencies = [("review", "0006_columns_for_large_pages")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
