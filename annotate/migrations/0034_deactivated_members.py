from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0033_spell_license'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='deactivated_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
