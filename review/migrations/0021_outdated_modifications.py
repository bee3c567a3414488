from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0020_mark_event_candidates")]

    operations = [
        migrations.AddField(
            model_name="modification",
            name="is_outdated",
            field=models.BooleanField(default=False),
        ),
    ]
