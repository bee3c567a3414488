"""A report's name is text: the kinds of reports are registered, not part of the schema."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0002_what_the_database_keeps"),
    ]

    operations = [
        migrations.AlterField(
            model_name="report",
            name="name",
            field=models.CharField(max_length=20),
        ),
    ]
