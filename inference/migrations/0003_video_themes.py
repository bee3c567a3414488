"""What each video is about, by a model or a person, and which theme an item's model is told."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from annotate.immutable import forbid_updates


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0007_recall_by_human'),
        ('inference', '0002_immutable_rows'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='VideoTheme',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='names', to='inference.runitem')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='themes', to='annotate.project')),
                ('replaces', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='corrections', to='inference.videotheme')),
                ('video', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='themes', to='annotate.video')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('author__isnull', True), ('item__isnull', False)), models.Q(('author__isnull', False), ('item__isnull', True)), _connector='OR'), name='theme_by_model_or_person')],
            },
        ),
        migrations.AddField(
            model_name='runitem',
            name='theme',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='told_items', to='inference.videotheme'),
        ),
        forbid_updates('inference_videotheme'),
    ]
