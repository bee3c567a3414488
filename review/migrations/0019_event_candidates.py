from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0018_statistics_report"), ("annotate", "0009_fill_label_events")]

    operations = [
        migrations.AddField(
            model_name="labelpair",
            name="candidate",
            field=models.CharField(
                choices=[("temporal", "Temporal change"), ("event", "Event change")],
                default="temporal",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="labelpair",
            name="is_outdated",
            field=models.BooleanField(default=False),
        ),
    ]
