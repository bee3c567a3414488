from annotate.immutable import forbid_updates
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review", "0001_initial")]

    operations = [forbid_updates("review_release"), forbid_updates("review_releasedclip")]
