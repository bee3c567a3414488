from annotate.immutable import forbid_updates
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review", "0007_studies_ratings_reports")]

    operations = [
        forbid_updates("review_rating"),
        forbid_updates("review_traininganswer"),
        forbid_updates("review_report"),
    ]
