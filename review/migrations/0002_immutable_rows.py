"""Rows that are added and never changed: the database refuses every UPDATE."""

from django.db import migrations

from annotate.immutable import forbid_updates


class Migration(migrations.Migration):
    dependencies = [("review", "0001_initial")]

    operations = [
        forbid_updates("review_comparison"),
        forbid_updates("review_composedquery"),
        forbid_updates("review_correctiondecision"),
        forbid_updates("review_extraction"),
        forbid_updates("review_judgereply"),
        forbid_updates("review_missingsegment"),
        forbid_updates("review_modificationprompt"),
        forbid_updates("review_pairverdict"),
        forbid_updates("review_rating"),
        forbid_updates("review_release"),
        forbid_updates("review_releasedclip"),
        forbid_updates("review_report"),
        forbid_updates("review_sentenceverdict"),
        forbid_updates("review_targetverdict"),
        forbid_updates("review_traininganswer"),
        forbid_updates("review_triplet"),
        forbid_updates("review_tripletverdict"),
        forbid_updates("review_verification"),
    ]
