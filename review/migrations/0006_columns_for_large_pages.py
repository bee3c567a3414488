import django.db.models.deletion
from django.db import migrations, models

from annotate.immutable import allow_updates


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0003_caption_rank_not_better"),
        ("review", "0005_no_due_reports"),
    ]

    operations = [
        # Until the third of these migrations: the second fills the column.
        allow_updates("review_verification"),
        migrations.AddField(
            model_name="captionset",
            name="clip_count",
            field=models.PositiveIntegerField(default=0, help_text="clips that it describes"),
        ),
        migrations.AddField(
            model_name="captionset",
            name="word_count",
            field=models.PositiveBigIntegerField(default=0, help_text="of all its captions"),
        ),
        migrations.AddField(
            model_name="verification",
            name="project",
            field=models.ForeignKey(
                db_index=False,
                help_text="the caption's",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="verifications",
                to="annotate.project",
            ),
        ),
    ]
