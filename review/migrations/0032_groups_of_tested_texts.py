from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0031_release_gates'),
    ]

    operations = [
        migrations.AddField(
            model_name='testedtext',
            name='group',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name='testedtext',
            name='clips',
            field=models.JSONField(default=list),
        ),
    ]
