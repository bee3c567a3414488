from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotate", "0032_near_duplicates")]

    operations = [
        migrations.RenameField("project", "licence", "license"),
        migrations.RenameField("video", "licence", "license"),
        migrations.RenameField("importitem", "licence", "license"),
    ]
