import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0016_caption_ranks")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="min_clip_seconds",
            field=models.FloatField(
                default=0.5,
                help_text="shorter videos are refused, and shorter clips aren't written about",
                validators=[
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(3600),
                ],
            ),
        ),
        migrations.AddField(
            model_name="project",
            name="min_frame_side",
            field=models.PositiveIntegerField(
                default=64,
                help_text="of a picture's shorter side, in pixels; smaller videos are refused",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1080),
                ],
            ),
        ),
    ]
