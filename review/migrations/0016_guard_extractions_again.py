# On SQLite, 0010 rebuilt the table of extractions and so dropped its trigger. PostgreSQL kept it.

from django.db import migrations

from annotate.immutable import Statements

AGAIN = (
    "CREATE TRIGGER IF NOT EXISTS {table}_immutable BEFORE UPDATE ON {table} "
    "BEGIN SELECT RAISE(ABORT, '{table} rows are immutable'); END"
)


class Migration(migrations.Migration):
    dependencies = [("review", "0015_capst_prompts")]

    operations = [
        Statements(
            "review_extraction",
            {"sqlite": [AGAIN], "postgresql": []},
            {"sqlite": [], "postgresql": []},
        )
    ]
