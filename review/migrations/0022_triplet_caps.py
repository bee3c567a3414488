from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0021_outdated_modifications")]

    operations = [
        migrations.AddField(
            model_name="tripletset",
            name="most_per_query",
            field=models.PositiveIntegerField(default=0, help_text="of train; 0: no limit"),
        ),
        migrations.AddField(
            model_name="tripletset",
            name="most_per_direction",
            field=models.PositiveIntegerField(default=0, help_text="of train; 0: no limit"),
        ),
        migrations.AddField(
            model_name="tripletset",
            name="train_triplets",
            field=models.PositiveIntegerField(default=0, help_text="in all; 0: no limit"),
        ),
    ]
