"""A new column in tables that SQLite rebuilds: triggers read one, and guard the other."""

from pathlib import Path

from django.db import migrations as django_migrations
from django.db.migrations import AddField
from django.db.models import CharField

from annotate import migrations
from annotate.immutable import allow_updates, altering, forbid_updates

LATEST = max(path.stem for path in Path(migrations.__path__[0]).glob("0*.py"))
FURTHER = CharField(max_length=9, default="new")


class Migration(django_migrations.Migration):
    dependencies = [("annotate", LATEST)]

    operations = [
        *altering("annotate_video", AddField("video", "further", FURTHER)),
        allow_updates("annotate_caption"),
        *altering("annotate_caption", AddField("caption", "further", FURTHER)),
        forbid_updates("annotate_caption"),
    ]
