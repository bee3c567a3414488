import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.errors import AnnotateError
from annotate.guidelines import guideline_html
from annotate.imports.services import open_batch
from annotate.kinds import all_kinds
from annotate.models import ActionLabel, AuditEvent, Membership, Project
from annotate.projects.services.projects import change_project
from annotate.protocols import protocol_choices
from annotate.rules import values_of
from tests.cast import client_of, count_queries, join, make_clip, make_person, make_project

PROTOCOLS = [key for key, _ in protocol_choices()]

NEW = {
    "name": "Everyday life",
    "slug": "everyday-life",
    "protocol": "carebench",
    "license": "CC BY 4.0",
    "min_words": 150,
    "max_words": 300,
    "writers_per_clip": 2,
    "assigned_work": "off",
    "sign_offs": 2,
    "sign_offs_block": "on",
    "min_modification_words": 2,
    "max_modification_words": 19,
    "quota_min": 10,
    "quota_max": 20,
    "min_clip_seconds": 0.5,
    "min_frame_side": 64,
    "lease_minutes": 30,
    "study_corrections": "keep_out",
    "pre_tags": "off",
    "write_guideline": "# Write",
    "merge_guideline": "",
    "split_guideline": "",
}


def test_an_admin_makes_a_project_and_administers_it(ada):
    response = client_of(ada).post("/projects/new/", NEW)
    project = Project.objects.get(slug="everyday-life")
    assert response.headers["Location"] == "/p/everyday-life/corpus/"
    assert Membership.objects.get(project=project, user=ada).is_admin
    assert AuditEvent.objects.get(project=project, verb="create").actor == ada


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("slug", "dives", "A project with the address dives exists"),
        ("slug", "No spaces", "letters, digits and hyphens, such as kitchen-clips."),
        ("slug", "snake_case", "Give lower-case letters, digits and hyphens, with a letter or a"),
        ("name", "", "required"),
        ("min_words", 400, "The fewest words can&#x27;t be more than the most."),
        ("min_modification_words", 20, "The fewest words can&#x27;t be more than the most."),
        ("quota_min", 30, "The fewest clips can&#x27;t be more than the most."),
        ("writers_per_clip", 3, "less than or equal to 2"),
        ("lease_minutes", 0, "greater than or equal to 1"),
        ("min_clip_seconds", -1, "greater than or equal to 0"),
        ("min_frame_side", 0, "greater than or equal to 1"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_made(ada, field, value, message):
    response = client_of(ada).post("/projects/new/", NEW | {field: value})
    assert response.status_code == 422
    assert message in response.text
    assert Project.objects.count() == 1


def test_an_annotator_makes_no_project(anna):
    assert client_of(anna).post("/projects/new/", NEW).status_code == 403


def test_the_list_shows_only_own_projects_with_their_work(project, anna):
    make_project("Hidden")
    make_clip(project)
    text = client_of(anna).get("/").text
    assert "Dives" in text
    assert "1 clip" in text
    assert "Hidden" not in text


def test_an_outsider_is_told_how_to_get_in(olaf):
    assert "invitation link" in client_of(olaf).get("/").text


@pytest.mark.parametrize("projects", [1, 3])
def test_the_list_costs_the_same_at_any_number(db, projects):
    anna = make_person("Anna")
    for number in range(projects):
        join(make_project(f"Project {number}"), anna, "annotator")
    client = client_of(anna)
    client.get("/")
    with count_queries() as count:
        client.get("/")
    assert count <= 5


def test_settings_are_saved_with_what_they_were_before(project, ada):
    settings = {name: value for name, value in NEW.items() if name != "slug"} | {"min_words": 100}
    response = client_of(ada).post("/p/dives/settings/", settings)
    project.refresh_from_db()
    event = AuditEvent.objects.get(verb="change")
    assert response.status_code == 302
    assert (project.name, project.min_words) == ("Everyday life", 100)
    assert (event.before["min_words"], event.after["min_words"]) == (150, 100)


def test_a_hostile_name_is_shown_as_text(anna, project):
    project.name = "<script>alert(1)</script>"
    project.save()
    text = client_of(anna).get("/").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_each_protocol_is_offered_with_a_sentence(ada):
    text = client_of(ada).get("/projects/new/").text
    assert [name for name in PROTOCOLS if f'value="{name}"' in text] == [
        "carebench",
        "lovr",
        "tfcovr",
    ]
    assert "Two people describe each clip" in text
    assert "Models cut long videos into clips" in text
    assert "Clips of short actions are imported with their labels" in text


def test_a_project_gets_its_own_guidelines_for_the_new_steps(project, ada):
    settings = {name: value for name, value in NEW.items() if name != "slug"}
    own = {
        "dynamics": "# Look",
        "hand": "# Write it",
        "verify": "# Check it",
        "rate": "# Rate it",
    }
    fields = {f"{kind}_guideline": text for kind, text in own.items()} | {"protocol": "lovr"}
    client_of(ada).post("/p/dives/settings/", settings | fields)
    assert values_of(project, "guideline") == own | {"write": "# Write"}
    after = AuditEvent.objects.get(verb="change").after
    assert (after["hand_guideline"], "merge_guideline" in after) == ("# Write it", False)
    assert guideline_html(project, "dynamics") == "<h1>Look</h1>\n"
    assert "no model has described it" in guideline_html(make_project("Other"), "hand")


def test_the_machine_draft_is_off_unless_it_is_asked_for(project, ada):
    settings = {name: value for name, value in NEW.items() if name != "slug"}
    assert not project.show_machine_draft
    client_of(ada).post("/p/dives/settings/", settings | {"show_machine_draft": "on"})
    assert AuditEvent.objects.get(verb="change").after["show_machine_draft"] is True
    client_of(ada).post("/p/dives/settings/", settings)
    project.refresh_from_db()
    assert not project.show_machine_draft


@pytest.mark.parametrize("slug", ["bad_slug", "-bad", "bad-"])
def test_an_address_has_letters_digits_and_hyphens(ada, slug):
    response = client_of(ada).post("/projects/new/", {**NEW, "slug": slug})
    assert response.status_code == 422
    assert "Give lower-case letters, digits and hyphens" in response.text


def label_dive(project) -> ActionLabel:
    return ActionLabel.objects.create(project=project, key="407c", caption="A dive.")


class TestProtocol:
    """It can be changed until something in the project depends on it."""

    SETTINGS = {name: value for name, value in NEW.items() if name != "slug"}

    def change(self, ada, **fields):
        return client_of(ada).post("/p/dives/settings/", self.SETTINGS | fields)

    def test_an_empty_project_changes_it(self, project, ada):
        assert self.change(ada, protocol="lovr").status_code == 302
        project.refresh_from_db()
        assert project.protocol == "lovr"

    @pytest.mark.parametrize(
        ("make", "contents"),
        [
            (make_clip, "1 video"),
            (lambda project: open_batch(project=project, admin=None), "1 import"),
            (label_dive, "1 label"),
        ],
    )
    def test_with_work_inside_it_is_refused_with_the_reason(self, project, ada, make, contents):
        make(project)
        response = self.change(ada, protocol="lovr", min_words="11")
        assert response.status_code == 422
        assert "Settings saved" not in response.text
        assert f"this project has {contents}" in response.text
        assert response.text.count("Create a new project with the other protocol") == 1
        radios = re.findall(r'<input type="radio" name="protocol"[^>]*>', response.text)
        assert len(radios) == 3
        for radio in radios:
            assert "disabled" in radio
            assert ("checked" in radio) == ('value="carebench"' in radio)
        project.refresh_from_db()
        assert (project.protocol, project.min_words) == ("carebench", 150)

    def test_the_field_is_disabled_and_the_rest_is_saved_without_it(self, project, ada):
        make_clip(project)
        page = client_of(ada).get("/p/dives/settings/").text
        for radio in re.findall(r'<input type="radio" name="protocol"[^>]*>', page):
            assert "disabled" in radio
        assert "The protocol can&#x27;t be changed now" in page
        settings = {name: value for name, value in self.SETTINGS.items() if name != "protocol"}
        response = client_of(ada).post("/p/dives/settings/", settings | {"min_words": "11"})
        assert response.status_code == 302
        project.refresh_from_db()
        assert (project.protocol, project.min_words) == ("carebench", 11)
        assert "protocol" not in AuditEvent.objects.get(verb="change").after

    def test_the_service_refuses_it_too(self, project, ada):
        make_clip(project)
        with pytest.raises(AnnotateError, match="has 1 video"):
            change_project(project_id=project.pk, admin=ada, protocol="lovr")
        assert not AuditEvent.objects.exists()


def test_each_kind_of_work_has_its_guideline_in_the_settings(ada):
    html = client_of(ada).get("/projects/new/").text
    missing = [kind for kind in all_kinds() if f'name="{kind}_guideline"' not in html]
    assert missing == []


def test_the_menu_of_the_header_lists_the_projects_of_the_person_alone(project, anna):
    other = make_project("<b>Garden</b>", slug="garden")
    make_project("Garage")
    archived = make_project("Attic", archived_at=timezone.now())
    for each in (other, archived):
        Membership.objects.create(project=each, user=anna, is_annotator=True)
    menu = client_of(anna).get(reverse("annotate:project_menu", args=[project.slug])).text
    names = re.findall(r'<a class="menu-item"[^>]*>\s*([^<]*)</a>', menu)
    assert [name.strip() for name in names] == ["&lt;b&gt;Garden&lt;/b&gt;", project.name]
    assert menu.count("aria-current") == 1
