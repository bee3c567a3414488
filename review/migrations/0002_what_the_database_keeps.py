"""What models don't say: rows that never change or are never deleted, and the split of a triplet."""

from django.db import migrations

from annotate.immutable import Statements, forbid_deletes, forbid_updates

# The content of an imported file is compressed already.
UNCOMPRESSED = "ALTER TABLE {table} ALTER COLUMN content SET STORAGE EXTERNAL"
COMPRESSED = "ALTER TABLE {table} ALTER COLUMN content SET STORAGE EXTENDED"


def _keep_in_split(table: str, split: str, clip: str) -> Statements:
    """Return the operation after which the database refuses a row whose clip is in another split.

    `split` is the SQL of the required split, `clip` the column of the clip.
    """
    wrong = (
        f"{split} <> (SELECT v.split FROM annotate_clip c JOIN annotate_video v "
        f"ON v.id = c.video_id WHERE c.id = NEW.{clip})"
    )
    refusal = "the source video of this clip is in another split"
    return Statements(
        table,
        {
            "sqlite": [
                f"CREATE TRIGGER {{table}}_split BEFORE INSERT ON {{table}} WHEN {wrong} "
                f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
            ],
            "postgresql": [
                "CREATE FUNCTION {table}_keep_split() RETURNS trigger LANGUAGE plpgsql AS $$ "
                f"BEGIN IF {wrong} THEN RAISE EXCEPTION '{refusal}' "
                "USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NEW; END $$",
                "CREATE TRIGGER {table}_split BEFORE INSERT ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION {table}_keep_split()",
            ],
        },
        {
            "sqlite": ["DROP TRIGGER {table}_split"],
            "postgresql": [
                "DROP TRIGGER {table}_split ON {table}",
                "DROP FUNCTION {table}_keep_split()",
            ],
        },
    )


class Migration(migrations.Migration):
    dependencies = [("review", "0001_initial"), ("annotate", "0002_what_the_database_keeps")]

    operations = [
        forbid_updates("review_approvedentry"),
        forbid_updates("review_vote"),
        forbid_updates("review_composedquery"),
        forbid_updates("review_correctiondecision"),
        forbid_updates("review_extraction"),
        forbid_updates("review_givenanswer"),
        forbid_updates("review_judgereply"),
        forbid_updates("review_missingsegment"),
        forbid_updates("review_modificationprompt"),
        forbid_updates("review_pairhandout"),
        forbid_updates("review_pairverdict"),
        forbid_updates("review_paybonus"),
        forbid_updates("review_payentry"),
        forbid_updates("review_payrate"),
        forbid_updates("review_paystatement"),
        forbid_updates("review_rating"),
        forbid_updates("review_reinstatement"),
        forbid_updates("review_release"),
        forbid_updates("review_releasedclip"),
        forbid_updates("review_releasedlabel"),
        forbid_updates("review_releasedmodification"),
        forbid_updates("review_releasedquery"),
        forbid_updates("review_releasedrecord"),
        forbid_updates("review_releasedscene"),
        forbid_updates("review_releasedtripletclip"),
        forbid_updates("review_releasedvideo"),
        forbid_updates("review_report"),
        forbid_updates("review_sentenceverdict"),
        forbid_updates("review_takedown"),
        forbid_updates("review_targetverdict"),
        forbid_updates("review_thresholdbasis"),
        forbid_updates("review_traininganswer"),
        forbid_updates("review_trainingpass"),
        forbid_updates("review_triplet"),
        forbid_updates("review_triplethandout"),
        forbid_updates("review_tripletverdict"),
        forbid_updates("review_verification"),
        forbid_deletes("review_approvedentry"),
        forbid_deletes("review_paybonus"),
        forbid_deletes("review_payentry"),
        forbid_deletes("review_payrate"),
        forbid_deletes("review_paystatement"),
        Statements(
            "review_humanimport",
            {"sqlite": [], "postgresql": [UNCOMPRESSED]},
            {"sqlite": [], "postgresql": [COMPRESSED]},
        ),
        _keep_in_split("review_composedquery", "NEW.split", "clip_id"),
        _keep_in_split(
            "review_triplet",
            "(SELECT q.split FROM review_composedquery q WHERE q.id = NEW.query_id)",
            "target_id",
        ),
    ]
