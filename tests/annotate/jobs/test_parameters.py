import pytest

from annotate.clip_changes.services import ChangeParameters
from annotate.errors import Refused
from annotate.jobs.parameters import read_parameters
from annotate.models.jobs import Job
from annotate.stored_json import as_json


def job_with(parameters) -> Job:
    return Job(pk=5, kind="clip_change", parameters=parameters)


def test_parameters_are_read_as_they_were_stored():
    parameters = ChangeParameters(change=3, is_undo=True)
    assert read_parameters(job_with(as_json(parameters)), ChangeParameters) == parameters


def test_a_parameter_that_cannot_be_read_is_named():
    with pytest.raises(Refused) as refusal:
        read_parameters(job_with({"change": "3", "is_undo": True}), ChangeParameters)
    assert str(refusal.value) == (
        "The parameters of clip_change job 5 can’t be read: Expected `int`, got `str` - at "
        "`$.change`."
    )
