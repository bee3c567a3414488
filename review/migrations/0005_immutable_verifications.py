from annotate.immutable import forbid_updates
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review", "0004_verifications")]

    operations = [
        forbid_updates("review_verification"),
        forbid_updates("review_sentenceverdict"),
        forbid_updates("review_missingsegment"),
    ]
