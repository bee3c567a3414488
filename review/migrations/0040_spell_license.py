from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("review", "0039_spot_checks")]

    operations = [migrations.RenameField("release", "licence", "license")]
