"""Drop the columns of projects whose values are rows now."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotate", "0004_rules_of_projects")]

    operations = [
        migrations.RemoveField("project", "write_guideline"),
        migrations.RemoveField("project", "merge_guideline"),
        migrations.RemoveField("project", "split_guideline"),
        migrations.RemoveField("project", "dynamics_guideline"),
        migrations.RemoveField("project", "hand_guideline"),
        migrations.RemoveField("project", "verify_guideline"),
        migrations.RemoveField("project", "rate_guideline"),
        migrations.RemoveField("project", "pair_guideline"),
        migrations.RemoveField("project", "modify_guideline"),
        migrations.RemoveField("project", "triplet_guideline"),
        migrations.RemoveField("project", "compare_guideline"),
        migrations.RemoveField("project", "elements_guideline"),
        migrations.RemoveField("project", "signoff_guideline"),
        migrations.RemoveField("project", "identify_guideline"),
        migrations.RemoveField("project", "gold_kinds"),
        migrations.RemoveField("project", "training_kinds"),
        migrations.RemoveField("project", "watched_percents"),
    ]
