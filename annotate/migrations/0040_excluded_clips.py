from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0039_can_choose_work")]

    operations = [
        migrations.AddField(
            model_name="clip",
            name="excluded_because",
            field=models.CharField(
                blank=True,
                default="",
                help_text="why this clip alone is not described; empty: as its video",
                max_length=200,
            ),
            preserve_default=False,
        ),
    ]
