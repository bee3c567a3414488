"""A kind of work is registered by its class, so its choices are read from the registry."""

from django.db import migrations, models

import annotate.kinds


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0002_what_the_database_keeps'),
    ]

    operations = [
        migrations.AlterField(
            model_name='pause',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='payentry',
            name='kind',
            field=models.CharField(blank=True, choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='payrate',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='qualityrule',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='spotcheck',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='trainingpass',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
    ]
