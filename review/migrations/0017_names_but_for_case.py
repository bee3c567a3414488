"""Of models whose names differ in case alone, all but the oldest get a number behind the name."""

from django.db import migrations

LONGEST_NAME = 80


def _number(apps, editor):
    for model in ("CaptionSet", "VectorSet"):
        rows = list(apps.get_model("review", model).objects.order_by("pk"))
        taken = {(row.project_id, row.name.casefold()) for row in rows}
        kept = set()
        for row in rows:
            key = row.project_id, row.name.casefold()
            if key in kept:
                row.name = _free(row.project_id, row.name, taken)
                row.save(update_fields=["name"])
            kept.add(key)


def _free(project, name, taken):
    number = 2
    while True:
        end = f" ({number})"
        free = f"{name[: LONGEST_NAME - len(end)]}{end}"
        if (project, free.casefold()) not in taken:
            taken.add((project, free.casefold()))
            return free
        number += 1


class Migration(migrations.Migration):
    dependencies = [("review", "0016_immutable_extractions")]

    operations = [migrations.RunPython(_number, migrations.RunPython.noop)]
