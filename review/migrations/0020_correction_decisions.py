import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

from annotate.immutable import forbid_updates

KINDS = [
    ("general", "General"),
    ("spatial", "Spatial"),
    ("temporal", "Temporal"),
    ("full_video", "Full Video"),
    ("prediction", "Prediction"),
    ("proposal", "Proposal"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0015_study_corrections"),
        ("review", "0019_reply_formats_of_judges"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="captionset",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=10),
        ),
        migrations.AlterField(
            model_name="comparisonround",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=10),
        ),
        migrations.CreateModel(
            name="CorrectionDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "accepted",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.verification",
                    ),
                ),
                (
                    "caption",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="correction_decision",
                        to="annotate.caption",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "result",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="accepted_by",
                        to="annotate.caption",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(accepted=None, result=None)
                        | Q(accepted__isnull=False, result__isnull=False),
                        name="correction_decision_whole",
                    )
                ],
            },
        ),
        forbid_updates("review_correctiondecision"),
    ]
