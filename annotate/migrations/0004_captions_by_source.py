from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0003_caption_rank_not_better")]

    operations = [
        migrations.AddIndex(
            model_name="caption",
            index=models.Index(
                fields=["project", "kind", "source", "clip"], name="caption_by_source"
            ),
        ),
    ]
