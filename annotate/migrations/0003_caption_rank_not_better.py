from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0002_immutable_rows")]

    operations = [
        migrations.AlterField(
            model_name="captionrank",
            name="because",
            field=models.CharField(
                blank=True,
                choices=[
                    ("write_up", "one of the write-ups that a merge is made of"),
                    ("late", "submitted after its clip had another caption"),
                    ("refined", "reached the threshold of a refine run"),
                    ("verified", "left as it is by a person who verified it"),
                    ("not_better", "failed in a refine run, scoring no higher than the one before"),
                ],
                max_length=12,
            ),
        ),
    ]
