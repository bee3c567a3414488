"""What the models of existing sets were asked, as the stored recipes of their runs have it."""

from django.db import migrations

from inference.sampling import Sampling


def _state(apps, editor):
    for caption_set in apps.get_model("review", "CaptionSet").objects.exclude(run=None):
        recipe = caption_set.run.recipe
        options = recipe["options"]
        caption_set.frames = str(Sampling.parse(options["sampling"]))
        caption_set.theme = "not_told"
        if recipe["model"]["backend"] != "opencv-draft":  # which reads no prompt
            caption_set.prompt, caption_set.system = options["prompt"], options["system"]
            caption_set.theme = "told" if options["use_theme"] else "not_told"
        caption_set.save(update_fields=["prompt", "system", "frames", "theme"])


def _forget(apps, editor):
    """The columns go with the migration before."""


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0022_what_models_were_asked"),
        ("inference", "0005_reply_formats_of_servers"),
    ]

    operations = [migrations.RunPython(_state, _forget)]
