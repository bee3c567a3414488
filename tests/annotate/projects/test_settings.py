from annotate.models import Project
from annotate.projects.services.duplicates import OWN
from annotate.projects.settings import ProjectChanges, ProjectSettings


def test_the_settings_are_the_columns_that_no_project_has_for_itself():
    columns = {field.attname for field in Project._meta.concrete_fields}
    assert set(ProjectSettings.__annotations__) - {"is_simulated", "guidelines"} == columns - OWN
    assert set(ProjectChanges.__annotations__) - set(ProjectSettings.__annotations__) == {"name"}
