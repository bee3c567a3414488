"""A new project with the settings of another."""

from __future__ import annotations

import pytest

from annotate.consent.services import write_consent_text
from annotate.models import AuditEvent, Project, WorkRules
from annotate.rules import values_of
from review.releases.gates.findings import gate_states
from review.releases.gates.setting import set_gates
from tests.cast import client_of, make_clip
from tests.inference.cast import make_model

pytestmark = pytest.mark.django_db
PAGE = "/p/dives/settings/duplicate/"


@pytest.fixture
def set_up(project, ada, anna):
    Project.objects.update(max_words=222, lease_minutes=7)
    WorkRules.objects.create(project=project, kind="write", guideline="Say what you see.")
    project.refresh_from_db()
    make_clip(project)
    make_model(project, name="Draft", refine_order=1)
    make_model(project, name="Retired", is_active=False)
    write_consent_text(project=project, admin=ada, text="Agree.", asks_again=True, base_number=0)
    free = next(state.gate for state in gate_states(project) if not state.gate.fixed)
    set_gates(project=project, admin=ada, choices={free.name: ("off", None)})
    return free.name


def test_settings_models_consent_and_checks_go_along_and_nothing_else(project, ada, set_up):
    answer = client_of(ada).post(PAGE, {"name": "More dives", "slug": "more-dives"})
    assert answer.headers["Location"] == "/p/more-dives/settings/"
    made = Project.objects.get(slug="more-dives")
    assert (made.max_words, made.lease_minutes) == (222, 7)
    assert values_of(made, "guideline") == {"write": "Say what you see."}
    assert made.created_at > project.created_at
    assert [(spec.name, spec.refine_order) for spec in made.model_specs.all()] == [("Draft", 1)]
    assert project.model_specs.count() == 2
    assert [(text.text, text.number) for text in made.consent_texts.all()] == [("Agree.", 1)]
    assert {s.gate.name: s.level for s in gate_states(made)}[set_up] == "off"
    assert [(m.user, m.roles) for m in made.memberships.all()] == [(ada, ["admin"])]
    assert (made.videos.count(), made.clips.count()) == (0, 0)
    assert AuditEvent.objects.get(verb="duplicate").after == {"of": "dives"}


def test_members_go_along_if_that_is_wanted(project, ada, anna):
    fields = {"name": "More", "slug": "more", "with_members": "on"}
    client_of(ada).post(PAGE, fields)
    members = Project.objects.get(slug="more").memberships.order_by("user__name")
    assert [(member.user, member.roles) for member in members] == [
        (ada, ["admin"]),
        (anna, ["annotator"]),
    ]


@pytest.mark.parametrize("slug", ["dives", "-", "a b", ""])
def test_a_taken_or_wrong_address_is_refused_and_what_was_typed_is_kept(project, ada, slug):
    answer = client_of(ada).post(PAGE, {"name": "More dives", "slug": slug})
    assert answer.status_code == 422
    assert 'value="More dives"' in answer.text
    assert Project.objects.count() == 1
