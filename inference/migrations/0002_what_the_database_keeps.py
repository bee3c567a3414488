"""Rows that are added and never changed: the database refuses every UPDATE."""

from django.db import migrations

from annotate.immutable import forbid_updates


class Migration(migrations.Migration):
    dependencies = [("inference", "0001_initial")]

    operations = [
        forbid_updates("inference_embedding"),
        forbid_updates("inference_qualityscore"),
        forbid_updates("inference_qualitythreshold"),
        forbid_updates("inference_videotheme"),
    ]
