"""What people call the rows of a table."""

from django.apps import apps

from annotate.table_names import NAMES, table_name


def test_every_name_belongs_to_a_table():
    tables = {model._meta.model_name for model in apps.get_models()}
    assert set(NAMES) <= tables


def test_no_table_is_called_by_a_plural_that_english_lacks():
    ours = [
        model
        for app in ("annotate", "inference", "review")
        for model in apps.get_app_config(app).get_models()
    ]
    wrong = [
        table_name(model, 2) for model in ours if table_name(model, 2).endswith(("chs", "ss", "ys"))
    ]
    assert wrong == []
