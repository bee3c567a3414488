from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0038_keep_audit_events")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="can_choose_work",
            field=models.BooleanField(
                default=False,
                help_text="whether people may choose what they write, merge and split next",
            ),
        ),
    ]
