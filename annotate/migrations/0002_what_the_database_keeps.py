"""What models don't say: rows that never change, and the words of captions."""

from django.db import migrations

from annotate.immutable import Statements, forbid_deletes, forbid_updates

# PostgreSQL keeps the words beside the row; SQLite in a full-text table whose rows go with it.
CREATE_WORDS = {
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
DROP_WORDS = {
    "postgresql": ["DROP INDEX searchable_words", "ALTER TABLE {table} DROP COLUMN words"],
    "sqlite": ["DROP TRIGGER {table}_forget", "DROP TABLE annotate_captionwords"],
}


class Migration(migrations.Migration):
    dependencies = [("annotate", "0001_initial")]

    operations = [
        forbid_updates("annotate_auditevent"),
        forbid_deletes("annotate_auditevent"),
        forbid_updates("annotate_caption"),
        forbid_updates("annotate_cliplabelcorrection"),
        forbid_updates("annotate_consent"),
        forbid_updates("annotate_consenttext"),
        forbid_updates("annotate_dynamicsdecision"),
        forbid_updates("annotate_dynamicsverdict"),
        forbid_updates("annotate_finaltexts"),
        forbid_updates("annotate_guidelineexample"),
        forbid_updates("annotate_guidelineversion"),
        forbid_updates("annotate_labelcorrection"),
        forbid_updates("annotate_questionmessage"),
        forbid_updates("annotate_signoff"),
        Statements("annotate_searchablecaption", CREATE_WORDS, DROP_WORDS),
    ]
