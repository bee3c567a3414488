"""Statements as text are planned once for a connection."""

import pytest
from django.db import connection

from annotate.accounts.sign_in import PERSON_BY_KEY
from tests.cast import make_person

pytestmark = pytest.mark.django_db


def test_from_its_sixth_use_postgresql_keeps_the_plan_of_a_statement():
    anna = make_person("Anna")
    for _ in range(6):
        assert [row[0] for row in PERSON_BY_KEY.rows(person=anna.pk)] == [anna.pk]
    is_kept = any("FROM annotate_user u" in sql for sql in _prepared_statements())
    assert is_kept == (connection.vendor == "postgresql")
    # Other values take the same plan.
    assert PERSON_BY_KEY.rows(person=0) == []


def _prepared_statements():
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [sql for (sql,) in cursor.fetchall()]
