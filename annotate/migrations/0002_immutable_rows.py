from annotate.immutable import forbid_updates
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotate", "0001_initial")]

    operations = [forbid_updates("annotate_caption"), forbid_updates("annotate_auditevent")]
