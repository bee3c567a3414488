from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0004_captions_by_source")]

    operations = [
        migrations.AddIndex(
            model_name="caption",
            index=models.Index(
                fields=["project", "-id"],
                name="caption_newest",
                include=["kind", "source", "word_count", "clip", "author"],
                condition=models.Q(kind__in=["general", "full_video"]),
            ),
        ),
    ]
