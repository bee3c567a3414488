from django.db import migrations

from annotate.compression import compress_with_lz4


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0026_seen_guidelines'),
    ]

    operations = [
        compress_with_lz4('annotate_caption', 'text', 'parts', 'checks'),
        compress_with_lz4('annotate_assignment', 'draft'),
        compress_with_lz4('annotate_workitem', 'context'),
        compress_with_lz4('annotate_jobitem', 'details'),
    ]
