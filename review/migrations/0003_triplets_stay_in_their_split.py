"""A composed query and its targets lie in one split: the database refuses any other."""

from django.db import migrations

_SPLIT_OF_CLIP = """
    SELECT v.split FROM annotate_clip c JOIN annotate_video v ON v.id = c.video_id
    WHERE c.id = NEW.{clip}
"""
_SPLIT_OF_QUERY = "SELECT q.split FROM review_composedquery q WHERE q.id = NEW.query_id"

# table -> (what the split must be, the column of the clip that is to lie in it)
_RULES = {
    "review_composedquery": ("NEW.split", "clip_id"),
    "review_triplet": (f"({_SPLIT_OF_QUERY})", "target_id"),
}
_REFUSAL = "the source video of this clip is in another split"


def _create(apps, editor):
    for table, (split, clip) in _RULES.items():
        wrong = f"{split} <> ({_SPLIT_OF_CLIP.format(clip=clip)})"
        if editor.connection.vendor == "sqlite":
            editor.execute(
                f"CREATE TRIGGER {table}_split BEFORE INSERT ON {table} WHEN {wrong} "
                f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
                params=None,
            )
        else:
            editor.execute(
                f"CREATE FUNCTION {table}_keep_split() RETURNS trigger LANGUAGE plpgsql AS $$ "
                f"BEGIN IF {wrong} THEN RAISE EXCEPTION '{_REFUSAL}' "
                "USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NEW; END $$",
                params=None,
            )
            editor.execute(
                f"CREATE TRIGGER {table}_split BEFORE INSERT ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION {table}_keep_split()",
                params=None,
            )


def _drop(apps, editor):
    for table in _RULES:
        on = "" if editor.connection.vendor == "sqlite" else f" ON {table}"
        editor.execute(f"DROP TRIGGER {table}_split{on}", params=None)
        if editor.connection.vendor != "sqlite":
            editor.execute(f"DROP FUNCTION {table}_keep_split()", params=None)


class Migration(migrations.Migration):
    dependencies = [("review", "0002_what_the_database_keeps")]

    operations = [
        migrations.RunPython(_create, _drop),
    ]
