from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0014_worker_beats")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="study_corrections",
            field=models.CharField(
                choices=[("decide", "An expert accepts them"), ("keep_out", "Keep them out")],
                default="decide",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="caption",
            name="kind",
            field=models.CharField(
                choices=[
                    ("general", "General"),
                    ("spatial", "Spatial"),
                    ("temporal", "Temporal"),
                    ("full_video", "Full Video"),
                    ("prediction", "Prediction"),
                    ("proposal", "Proposal"),
                ],
                max_length=10,
            ),
        ),
    ]
