from django.db import migrations, models

from annotate.immutable import altering


class Migration(migrations.Migration):
    dependencies = [("annotate", "0010_labels_and_splits")]

    operations = altering(
        "annotate_video",
        migrations.AddField(
            model_name="video",
            name="cut_from",
            field=models.CharField(
                blank=True,
                help_text="the long video of which this file is a part, without suffix; "
                "they share a split",
                max_length=200,
            ),
        ),
    )
