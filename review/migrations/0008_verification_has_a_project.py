import django.db.models.deletion
from django.db import migrations, models

from annotate.immutable import forbid_updates


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0003_caption_rank_not_better"),
        ("review", "0007_fill_columns_for_large_pages"),
    ]

    operations = [
        migrations.AlterField(
            model_name="verification",
            name="project",
            field=models.ForeignKey(
                db_index=False,
                help_text="the caption's",
                on_delete=django.db.models.deletion.CASCADE,
                related_name="verifications",
                to="annotate.project",
            ),
        ),
        migrations.AddIndex(
            model_name="verification",
            index=models.Index(fields=["project", "id"], name="verification_by_age"),
        ),
        forbid_updates("review_verification"),
    ]
