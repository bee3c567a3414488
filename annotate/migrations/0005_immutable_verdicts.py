from annotate.immutable import forbid_updates
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotate", "0004_lovr_work")]

    operations = [forbid_updates("annotate_dynamicsverdict")]
