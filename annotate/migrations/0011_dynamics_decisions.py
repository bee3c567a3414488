import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from annotate.immutable import forbid_updates


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0010_sign_offs'),
    ]

    operations = [
        migrations.CreateModel(
            name='DynamicsDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_dynamic', models.BooleanField(null=True)),
                ('reason', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('video', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dynamics_decisions', to='annotate.video')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        forbid_updates("annotate_dynamicsdecision"),
    ]
