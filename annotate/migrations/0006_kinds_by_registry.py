"""A kind of work is registered by its class, so its choices are read from the registry."""

from django.db import migrations, models

import annotate.kinds


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0005_projects_without_rules'),
    ]

    operations = [
        migrations.AlterField(
            model_name='guidelineexample',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='guidelineversion',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='seenguideline',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='shownexample',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
        migrations.AlterField(
            model_name='workitem',
            name='kind',
            field=models.CharField(choices=annotate.kinds.kind_choices, max_length=16),
        ),
    ]
