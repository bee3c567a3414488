from django.db import migrations

from annotate.compression import compress_with_lz4
from annotate.immutable import Statements


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0035_takedowns'),
    ]

    operations = [
        # A checked file is read once, in pieces, and then removed.
        Statements(
            'review_humanimport',
            {'sqlite': [], 'postgresql': ['ALTER TABLE {table} ALTER COLUMN content SET STORAGE EXTERNAL']},
            {'sqlite': [], 'postgresql': ['ALTER TABLE {table} ALTER COLUMN content SET STORAGE EXTENDED']},
        ),
        compress_with_lz4('review_humanimport', 'preview'),
        compress_with_lz4('review_report', 'result'),
        compress_with_lz4('review_release', 'proof', 'triplet_facts'),
        compress_with_lz4('review_releasedquery', 'targets', 'verdicts'),
        compress_with_lz4('review_releasedclip', 'provenance', 'checked_events', 'checked_objects'),
        compress_with_lz4('review_releasedvideo', 'provenance'),
        compress_with_lz4('review_capstitem', 'results'),
        compress_with_lz4('review_judgereply', 'reply'),
    ]
