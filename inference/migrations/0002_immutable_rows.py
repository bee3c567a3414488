from annotate.immutable import forbid_updates
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("inference", "0001_initial")]

    operations = [
        forbid_updates("inference_qualitythreshold"),
        forbid_updates("inference_embedding"),
        forbid_updates("inference_qualityscore"),
    ]
