"""Changes by admins: the same rules and services as on the pages."""

from __future__ import annotations

from errno import ENOSPC

import pytest
from django.conf import settings

from annotate import file_store
from annotate.models import ImportItem, Invitation, Membership
from tests.api.asking import problem, program_of
from tests.cast import make_clip
from tests.inference.cast import make_model

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(ada, project):
    return program_of(ada, project)


def test_somebody_is_invited_changed_and_removed(program, project, anna):
    made = program.ask("post", "invitations/", {"roles": ["reviewer"], "email": "rita@x.org"})
    assert made.status_code == 201
    assert "/join/" in made.json()["link"]
    [row] = program.rows("invitations/")
    assert "link" not in row
    assert program.ask("delete", f"invitations/{row['id']}/").status_code == 204
    assert program.rows("invitations/") == []
    assert Invitation.objects.get().withdrawn_at

    member = Membership.objects.get(user=anna)
    changed = program.ask("patch", f"members/{member.pk}/", {"roles": ["expert"]})
    assert changed.json()["roles"] == ["expert"]
    assert program.ask("delete", f"members/{member.pk}/").status_code == 204
    last = Membership.objects.get()
    assert problem(program.ask("delete", f"members/{last.pk}/")) == (409, "refused")


def test_the_facts_of_a_video_change_alone(program, project):
    video = make_clip(project).video
    answer = program.ask("patch", f"videos/{video.pk}/", {"category": "Music"})
    assert (answer.json()["category"], answer.json()["subcategory"]) == ("Music", "Diving")
    refused = program.ask("patch", f"videos/{video.pk}/", {"category": ""})
    assert [error["field"] for error in refused.json()["errors"]] == ["category"]
    refused = program.ask("patch", f"videos/{video.pk}/", {"source_url": "javascript:1"})
    assert [error["field"] for error in refused.json()["errors"]] == ["source_url"]


def test_a_clip_is_withdrawn_and_taken_back(program, project):
    clip = make_clip(project)
    withdrawn = program.ask("post", f"clips/{clip.pk}/withdraw/", {"reason": "Blurred"})
    assert withdrawn.json()["excluded_because"] == "Blurred"
    back = program.ask("post", f"clips/{clip.pk}/take-back/")
    assert back.json()["excluded_because"] == ""
    assert problem(program.ask("post", f"clips/{clip.pk}/take-back/")) == (409, "refused")


def full(*_args):
    raise OSError(ENOSPC, "No space left on device")


def test_a_file_is_sent_in_pieces_and_continues_where_it_was(program):
    batch = program.ask("post", "imports/").json()
    file = program.ask(
        "post", f"imports/{batch['id']}/files/", {"name": "dive.mp4", "size": 8, "category": "A"}
    ).json()
    assert (file["state"], file["offset"]) == ("uploading", 0)
    address = f"{program.root}imports/files/{file['id']}/"

    def send(offset, data):
        return program.client.put(
            f"{address}bytes/",
            data,
            content_type="application/octet-stream",
            headers=program.headers | {"upload-offset": str(offset)},
        )

    assert send(0, b"abcd").json()["offset"] == 4
    wrong = send(0, b"abcd")
    assert problem(wrong) == (409, "wrong-offset")
    assert wrong.json()["offset"] == program.get(address).json()["offset"] == 4
    assert problem(send("x", b"efgh")) == (422, "invalid")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "VERICAP_CHUNK_BYTES", 2)
        large = send(4, b"efgh")
        assert problem(large) == (413, "too-many-bytes")
        assert large.json()["detail"] == "Send at most 2 bytes at a time."
        patch.setattr(settings, "VERICAP_CHUNK_BYTES", 99)
        patch.setattr(file_store, "write_chunk", full)
        assert problem(send(4, b"efgh")) == (507, "not-stored")
    assert problem(send(4, b"efghi")) == (413, "too-many-bytes")
    assert send(4, b"efgh").json()["state"] == "waiting"
    assert problem(send(8, b"x")) == (409, "refused")
    assert ImportItem.objects.get().category == "A"
    assert problem(program.ask("post", f"{address}retry/")) == (409, "refused")
    ImportItem.objects.update(state="failed", code="disk_full")
    assert program.ask("post", f"{address}retry/").json()["state"] == "waiting"

    refused = program.ask("post", f"imports/{batch['id']}/files/", {"name": "a.txt", "size": 8})
    assert (refused.status_code, refused.json()["state"]) == (201, "failed")


def test_a_run_is_started_with_its_settings(program, project):
    make_clip(project)
    model = make_model(project)
    request = {"kind": "caption", "model": model.pk, "options": {"prompt": "Say what you see."}}
    started = program.ask("post", "runs/", request)
    assert (started.status_code, started.json()["state"]) == (202, "waiting")
    assert started.json()["recipe"]["options"]["prompt"] == "Say what you see."
    assert problem(program.ask("post", "runs/", request)) == (409, "refused")
    wrong = program.ask("post", "runs/", request | {"options": {"promt": "x"}})
    assert problem(wrong) == (409, "refused")
    assert "promt can't be set here" in wrong.json()["detail"]
    assert problem(program.ask("post", "runs/", request | {"model": 2**60})) == (422, "invalid")
    assert [row["id"] for row in program.rows("runs/")] == [started.json()["id"]]


def test_videos_are_imported_from_addresses(program, project):
    files = [
        {"url": "https://a.example/1.mp4", "category": "Sports"},
        {"url": "https://a.example/v?id=2", "name": "two.mp4"},
    ]
    made = program.ask("post", "imports/addresses/", {"files": files})
    assert made.status_code == 201
    rows = program.rows(f"imports/{made.json()['id']}/files/")
    assert [(row["name"], row["url"], row["state"], row["category"]) for row in rows] == [
        ("1.mp4", "https://a.example/1.mp4", "waiting", "Sports"),
        ("two.mp4", "https://a.example/v?id=2", "waiting", ""),
    ]


def test_wrong_addresses_are_named_and_nothing_is_imported(program, project):
    files = [
        {"url": "https://a.example/1.mp4"},
        {"url": "https://[::1]/2.mp4", "name": "../two.mp4"},
        {"url": "https://a.example/1.mp4"},
    ]
    refused = program.ask("post", "imports/addresses/", {"files": files})
    assert problem(refused) == (422, "invalid")
    assert [error["field"] for error in refused.json()["errors"]] == [
        *("files.1.url", "files.1.name", "files.2.url"),
    ]
    assert not ImportItem.objects.exists()
