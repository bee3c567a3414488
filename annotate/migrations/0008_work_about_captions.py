from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0007_verify_work")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="rate_guideline",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="project",
            name="is_simulated",
            field=models.BooleanField(
                default=False,
                help_text="whether its labels are made up, so that the pages can be tried",
            ),
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
                    ("rate", "Rate"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="workitem",
            name="subject",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.RemoveConstraint(model_name="workitem", name="work_item_once_per_clip"),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.UniqueConstraint(
                fields=("clip", "kind", "subject"), name="work_item_once_per_subject"
            ),
        ),
    ]
