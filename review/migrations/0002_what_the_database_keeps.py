"""What models don't say: rows that never change or are never deleted, and compressed texts."""

from django.db import migrations

from annotate.compression import compress_with_lz4
from annotate.immutable import Statements, forbid_deletes, forbid_updates

# The content of an imported file is compressed already.
UNCOMPRESSED = "ALTER TABLE {table} ALTER COLUMN content SET STORAGE EXTERNAL"
COMPRESSED = "ALTER TABLE {table} ALTER COLUMN content SET STORAGE EXTENDED"


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
        forbid_updates("review_restoredrecord"),
        forbid_updates("review_sentenceverdict"),
        forbid_updates("review_takedown"),
        forbid_updates("review_targetverdict"),
        forbid_updates("review_traininganswer"),
        forbid_updates("review_trainingpass"),
        forbid_updates("review_triplet"),
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
        compress_with_lz4("review_capstitem", "results"),
        compress_with_lz4("review_humanimport", "preview"),
        compress_with_lz4("review_judgereply", "reply"),
        compress_with_lz4("review_release", "proof", "triplet_facts"),
        compress_with_lz4("review_releasedclip", "provenance", "checked_events", "checked_objects"),
        compress_with_lz4("review_releasedquery", "targets", "verdicts"),
        compress_with_lz4("review_releasedrecord", "values"),
        compress_with_lz4("review_releasedvideo", "provenance"),
        compress_with_lz4("review_report", "result"),
        compress_with_lz4("review_restoredrecord", "values"),
    ]
