import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from annotate.create_models import CreateModels


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotate', '0001_initial'),
        ('annotate', '__first__'),
    ]

    operations = [CreateModels([
        migrations.CreateModel(
            name='ModelSpec',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='what people call it', max_length=80)),
                ('backend', models.CharField(choices=[('opencv-draft', 'Opencv Draft'), ('lexical', 'Lexical'), ('plain-joiner', 'Plain Joiner'), ('word-overlap', 'Word Overlap'), ('transformers-vlm', 'Transformers Vlm'), ('transformers-dual', 'Transformers Dual'), ('openai-compatible', 'Openai Compatible'), ('elsewhere', 'Elsewhere')], max_length=20)),
                ('model_id', models.CharField(blank=True, max_length=200)),
                ('revision', models.CharField(blank=True, max_length=100)),
                ('parameters', models.JSONField(default=dict)),
                ('family', models.CharField(blank=True, max_length=60)),
                ('parameter_count', models.PositiveBigIntegerField(blank=True, null=True)),
                ('refine_order', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_specs', to='annotate.project')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='model_name_once_per_project'), models.UniqueConstraint(fields=('project', 'refine_order'), name='model_refine_order_once_per_project')],
            },
        ),
        migrations.CreateModel(
            name='QualityThreshold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scorer', models.CharField(help_text='hash of how the scores are made', max_length=64)),
                ('scorer_name', models.CharField(max_length=200)),
                ('value', models.FloatField(validators=[django.core.validators.MinValueValidator(-1.0), django.core.validators.MaxValueValidator(1.0)])),
                ('adopted_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('adopted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='thresholds', to='annotate.project')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['project', 'scorer', '-id'], name='current_threshold')],
            },
        ),
        migrations.CreateModel(
            name='ServerReplyFormat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('server', models.CharField(max_length=100)),
                ('url_sha256', models.CharField(max_length=64)),
                ('model_id', models.CharField(max_length=200)),
                ('reply_format', models.CharField(max_length=20)),
                ('learned_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('server', 'url_sha256', 'model_id'), name='reply_format_once_per_model')],
            },
        ),
        migrations.CreateModel(
            name='InferenceRun',
            fields=[
                ('job_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='annotate.job')),
                ('recipe', models.JSONField()),
                ('recipe_hash', models.CharField(max_length=64)),
                ('only_missing', models.BooleanField(default=False)),
                ('has_results', models.BooleanField(default=False, help_text='its recipe is current; results of other recipes are out of date')),
                ('model', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='inference.modelspec')),
            ],
            bases=('annotate.job',),
        ),
        migrations.CreateModel(
            name='RunItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(default=0, help_text='the order of work')),
                ('state', models.CharField(choices=[('uploading', 'Uploading'), ('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('skipped', 'Skipped'), ('failed', 'Failed'), ('cancelled', 'Canceled')], default='waiting', max_length=10)),
                ('step', models.CharField(blank=True, help_text='what the worker does, in words', max_length=80)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('deaths', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('code', models.CharField(blank=True, max_length=40)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('note', models.CharField(blank=True, help_text='the result, in a few words', max_length=300)),
                ('seconds', models.FloatField(help_text='of work on it', null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('key', models.CharField(max_length=64)),
                ('stale_because', models.CharField(blank=True, max_length=20)),
                ('device', models.CharField(blank=True, max_length=100)),
                ('read_seconds', models.FloatField(help_text='of decoding', null=True)),
                ('compute_seconds', models.FloatField(help_text="of its share of the model's batch", null=True)),
                ('caption', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='run_items', to='annotate.caption')),
                ('clip', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='run_items', to='annotate.clip')),
                ('result', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='made_by_items', to='annotate.caption')),
                ('reused', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='inference.runitem')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='inference.inferencerun')),
                ('video', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='run_items', to='annotate.video')),
            ],
            options={
                'ordering': ['position', 'id'],
                'abstract': False,
                'indexes': [models.Index(fields=['run', 'state', 'position'], name='run_item_by_state'), models.Index(condition=models.Q(('state', 'running')), fields=['run', 'lease_until'], name='run_item_leases'), models.Index(condition=models.Q(('state', 'done')), fields=['key'], name='run_item_done')],
                'constraints': [models.UniqueConstraint(fields=('run', 'key'), name='run_item_once_per_run'), models.CheckConstraint(condition=models.Q(models.Q(('caption__isnull', True), ('clip__isnull', True), ('video__isnull', False)), models.Q(('caption__isnull', True), ('clip__isnull', False), ('video__isnull', True)), models.Q(('caption__isnull', False), ('clip__isnull', True), ('video__isnull', True)), _connector='OR'), name='run_item_has_one_subject')],
            },
        ),
        migrations.CreateModel(
            name='RefineAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('score', models.FloatField(null=True)),
                ('reason', models.CharField(blank=True, help_text='why there is no caption', max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('caption', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='refine_attempt', to='annotate.caption')),
                ('model', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inference.modelspec')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refine_attempts', to='inference.runitem')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('item', 'number'), name='refine_attempt_once')],
            },
        ),
        migrations.CreateModel(
            name='QualityScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scorer', models.CharField(max_length=64)),
                ('scorer_name', models.CharField(max_length=200)),
                ('value', models.FloatField()),
                ('keywords', models.JSONField(default=list)),
                ('details', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('caption', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quality_scores', to='annotate.caption')),
                ('clip', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quality_scores', to='annotate.clip')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quality_scores', to='annotate.project')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='inference.runitem')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['project', 'scorer', 'value'], name='score_by_value')],
                'constraints': [models.UniqueConstraint(fields=('caption', 'scorer'), name='score_once_per_caption_and_scorer')],
            },
        ),
        migrations.CreateModel(
            name='FusionJoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('before', models.TextField()),
                ('after', models.TextField()),
                ('joined_before', models.TextField()),
                ('joined_after', models.TextField()),
                ('tries', models.PositiveSmallIntegerField(default=1)),
                ('is_flagged', models.BooleanField(default=False)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fusion_joints', to='inference.runitem')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('item', 'number'), name='fusion_joint_once')],
            },
        ),
        migrations.CreateModel(
            name='Embedding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('space', models.CharField(max_length=64)),
                ('dimension', models.PositiveIntegerField()),
                ('vector', models.BinaryField()),
                ('sampling', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('caption', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='embeddings', to='annotate.caption')),
                ('clip', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='embeddings', to='annotate.clip')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='embeddings', to='annotate.project')),
                ('model', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='embeddings', to='inference.modelspec')),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='embedding', to='inference.runitem')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'space'], name='embedding_by_space')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('caption__isnull', True), ('clip__isnull', False)), models.Q(('caption__isnull', False), ('clip__isnull', True)), _connector='OR'), name='embedding_of_one_thing')],
            },
        ),
        migrations.CreateModel(
            name='Segmentation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cuts', models.JSONField()),
                ('threshold', models.FloatField()),
                ('curve', models.BinaryField()),
                ('absolute_curve', models.BinaryField(null=True)),
                ('means_curve', models.BinaryField(null=True)),
                ('step', models.PositiveIntegerField(default=1)),
                ('is_kept', models.BooleanField(default=True)),
                ('excluded_because', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='segmentation', to='inference.runitem')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segmentations', to='annotate.project')),
                ('video', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segmentations', to='annotate.video')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
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
    ]), migrations.AddField(
        model_name='runitem',
        name='theme',
        field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='told_items', to='inference.videotheme'),
    )]
