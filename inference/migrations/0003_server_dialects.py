from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inference", "0002_immutable_rows")]

    operations = [
        migrations.RemoveConstraint("ServerReplyFormat", "reply_format_once_per_model"),
        migrations.RenameModel("ServerReplyFormat", "ServerDialect"),
        migrations.AddField(
            "ServerDialect",
            "limit",
            models.CharField(default="max_tokens", help_text="name of max tokens", max_length=40),
        ),
        migrations.AddField(
            "ServerDialect",
            "left_out",
            models.JSONField(default=list, help_text="parameters that it refuses"),
        ),
        migrations.AlterField(
            "ServerDialect", "reply_format", models.CharField(blank=True, max_length=20)
        ),
        migrations.AddConstraint(
            "ServerDialect",
            models.UniqueConstraint(
                fields=["server", "url_sha256", "model_id"], name="dialect_once_per_model"
            ),
        ),
    ]
