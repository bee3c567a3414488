from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0040_excluded_clips")]

    operations = [
        migrations.AlterField(
            model_name="savedview",
            name="list_name",
            field=models.CharField(
                choices=[
                    ("clips", "Clips"),
                    ("verifications", "Verifications"),
                    ("label-pairs", "Label Pairs"),
                ],
                max_length=20,
            ),
        ),
    ]
