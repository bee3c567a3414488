from django.db import migrations

from annotate.immutable import forbid_updates


class Migration(migrations.Migration):
    dependencies = [("review", "0015_capst")]

    operations = [forbid_updates("review_extraction"), forbid_updates("review_judgereply")]
