import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0011_dynamics_decisions")]

    operations = [
        migrations.AddField(
            model_name="actionlabel",
            name="counts_as",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="annotate.actionlabel",
            ),
        ),
    ]
