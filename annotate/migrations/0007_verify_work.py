from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0006_hand_work"),
    ]

    operations = [
        migrations.AddField(
            model_name="project",
            name="verify_guideline",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="workitem",
            name="kind",
            field=models.CharField(
                choices=[
                    ("write", "Write"),
                    ("merge", "Merge"),
                    ("split", "Split"),
                    ("dynamics", "Dynamics check"),
                    ("hand", "Write by hand"),
                    ("verify", "Verify"),
                ],
                max_length=16,
            ),
        ),
    ]
