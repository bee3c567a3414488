"""The rules of each kind of work, as rows."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0002_what_the_database_keeps")]

    operations = [
        migrations.CreateModel(
            name='WorkRules',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('guideline', models.TextField(blank=True, help_text='Markdown; the default text if empty')),
                ('has_gold', models.BooleanField(default=False)),
                ('has_training', models.BooleanField(default=False, help_text='whether it begins with a training')),
                ('watched_percent', models.PositiveSmallIntegerField(default=0, help_text='how much of the clip is to be played before it is submitted')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='work_rules', to='annotate.project')),
            ],
            options={
                'verbose_name_plural': 'work rules',
                'constraints': [
                    models.UniqueConstraint(fields=('project', 'kind'), name='work_rules_once'),
                    models.CheckConstraint(condition=models.Q(('watched_percent__lte', 100)), name='work_rules_watched_at_most_all'),
                ],
            },
        ),
    ]
