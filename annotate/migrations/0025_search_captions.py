import django.db.models.deletion
from django.db import migrations, models

from annotate.immutable import Statements

# PostgreSQL keeps the words beside the row; SQLite in a full-text table whose rows go with it.
CREATE = {
    "postgresql": [
        "ALTER TABLE {table} ADD COLUMN words tsvector NOT NULL",
        "CREATE INDEX searchable_words ON {table} USING gin (words)",
    ],
    "sqlite": [
        "CREATE VIRTUAL TABLE annotate_captionwords "
        "USING fts5(words, tokenize = 'unicode61 remove_diacritics 0')",
        "CREATE TRIGGER {table}_forget AFTER DELETE ON {table} BEGIN "
        "DELETE FROM annotate_captionwords WHERE rowid = OLD.caption_id; END",
    ],
}
DROP = {
    "postgresql": ["DROP INDEX searchable_words", "ALTER TABLE {table} DROP COLUMN words"],
    "sqlite": ["DROP TRIGGER {table}_forget", "DROP TABLE annotate_captionwords"],
}


class Migration(migrations.Migration):

    dependencies = [
        ("annotate", "0024_questions"),
    ]

    operations = [
        migrations.CreateModel(
            name="SearchableCaption",
            fields=[
                (
                    "caption",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="searchable",
                        serialize=False,
                        to="annotate.caption",
                    ),
                ),
            ],
        ),
        Statements("annotate_searchablecaption", CREATE, DROP),
    ]
