"""The ledger of pay is append-only: the database refuses to delete its rows, too."""

from django.db import migrations

from annotate.immutable import forbid_deletes


class Migration(migrations.Migration):
    dependencies = [("review", "0043_reliability")]

    operations = [
        forbid_deletes("review_payrate"),
        forbid_deletes("review_paybonus"),
        forbid_deletes("review_payentry"),
        forbid_deletes("review_paystatement"),
        forbid_deletes("review_approvedentry"),
    ]
