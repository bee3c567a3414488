"""Rows that are added and never changed: the database refuses every UPDATE."""

from django.db import migrations

from annotate.immutable import forbid_updates


class Migration(migrations.Migration):
    dependencies = [("annotate", "0001_initial")]

    operations = [
        forbid_updates("annotate_auditevent"),
        forbid_updates("annotate_caption"),
        forbid_updates("annotate_dynamicsverdict"),
    ]
