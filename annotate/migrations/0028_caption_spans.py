from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0027_compress_with_lz4")]

    # A nullable column without a default: neither database rebuilds the table, so the trigger that
    # makes captions immutable stays and protects this column too.
    operations = [
        migrations.AddField("caption", "spans", models.JSONField(null=True)),
    ]
