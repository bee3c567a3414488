from django.db import migrations, models
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    dependencies = [("review", "0017_names_but_for_case")]

    operations = [
        migrations.RemoveConstraint("captionset", "caption_set_name_once_per_project"),
        migrations.AddConstraint(
            "captionset",
            models.UniqueConstraint(
                "project", Lower("name"), name="caption_set_name_once_per_project"
            ),
        ),
        migrations.RemoveConstraint("vectorset", "vector_set_name_once_per_project"),
        migrations.AddConstraint(
            "vectorset",
            models.UniqueConstraint(
                "project", Lower("name"), name="vector_set_name_once_per_project"
            ),
        ),
    ]
