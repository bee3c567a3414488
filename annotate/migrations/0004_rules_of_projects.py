"""Copy the rules of each kind of work from the columns of projects to rows."""

from django.db import migrations

KINDS = (
    "write", "merge", "split", "dynamics", "hand", "verify", "rate", "pair", "modify", "triplet",
    "compare", "elements", "signoff", "identify",
)  # fmt: skip


def columns_to_rows(apps, schema_editor):
    WorkRules = apps.get_model("annotate", "WorkRules")
    for project in apps.get_model("annotate", "Project").objects.all():
        for kind in KINDS:
            rules = {
                "guideline": getattr(project, f"{kind}_guideline"),
                "has_gold": kind in project.gold_kinds,
                "has_training": kind in project.training_kinds,
                "watched_percent": project.watched_percents.get(kind, 0),
            }
            if any(rules.values()):
                WorkRules.objects.create(project=project, kind=kind, **rules)


def rows_to_columns(apps, schema_editor):
    WorkRules = apps.get_model("annotate", "WorkRules")
    for project in apps.get_model("annotate", "Project").objects.all():
        for rules in WorkRules.objects.filter(project=project, kind__in=KINDS).order_by("kind"):
            setattr(project, f"{rules.kind}_guideline", rules.guideline)
            if rules.has_gold:
                project.gold_kinds.append(rules.kind)
            if rules.has_training:
                project.training_kinds.append(rules.kind)
            if rules.watched_percent:
                project.watched_percents[rules.kind] = rules.watched_percent
        project.save()
    WorkRules.objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("annotate", "0003_work_rules")]

    operations = [migrations.RunPython(columns_to_rows, rows_to_columns)]
