"""The audit log is append-only: the database refuses to delete its rows, too."""

import django.db.models.deletion
from django.db import migrations, models

from annotate.immutable import allow_updates, forbid_deletes, forbid_updates


class Migration(migrations.Migration):
    dependencies = [("annotate", "0037_notices")]

    operations = [
        allow_updates("annotate_auditevent"),
        migrations.AlterField(
            model_name="auditevent",
            name="project",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="audit_events",
                to="annotate.project",
            ),
        ),
        forbid_updates("annotate_auditevent"),
        forbid_deletes("annotate_auditevent"),
    ]
