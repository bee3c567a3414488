from annotate.immutable import forbid_updates
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review", "0013_comparisons_and_sets")]

    operations = [forbid_updates("review_comparison")]
