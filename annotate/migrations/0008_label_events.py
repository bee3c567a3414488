from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0007_recall_by_human")]

    operations = [
        migrations.AddField(
            model_name="actionlabel",
            name="event",
            field=models.CharField(blank=True, default="", max_length=80),
            preserve_default=False,
        ),
    ]
