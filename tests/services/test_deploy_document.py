"""docs/deploy.md does what it promises, carried out command by command."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.annotate.media.render import render
from tests.services.deployment import (
    ADMIN,
    ADMIN_PASSWORD,
    HOST,
    Deployment,
    documented_commands,
)
from tests.services.https_client import Visitor, path_of
from tests.services.mail_sink import MailSink

pytestmark = pytest.mark.redis

SERVERS = ("nginx", "redis-server", "openssl", "setpriv", "ip", "rsync")
NEW_PASSWORD = "four quiet herons"


def missing() -> list[str]:
    path = f"{os.environ['PATH']}:/usr/sbin"
    programs = [name for name in SERVERS if shutil.which(name, path=path) is None]
    if not list(Path("/usr/lib/postgresql").glob("*/bin/postgres")):
        programs.append("postgresql")
    return programs + ["the rights of root"] * (os.geteuid() != 0)


@pytest.fixture
def mail() -> Iterator[MailSink]:
    with MailSink() as sink:
        yield sink


@pytest.fixture
def deployment(mail) -> Iterator[Deployment]:
    if missing():
        reason = f"docs/deploy.md can't be tried without {', '.join(missing())}."
        if os.environ.get("REQUIRE_SERVICES", "") not in {"", "0"}:
            pytest.fail(reason)
        pytest.skip(reason)
    # Not in pytest's folder, which is closed to the users that the services run as.
    folder = Path(tempfile.mkdtemp(prefix="vericap-deploy-", dir="/tmp"))
    folder.chmod(0o755)
    deployment = Deployment(folder, mail.port)
    try:
        deployment.prepare()
        yield deployment
    finally:
        deployment.stop()
        shutil.rmtree(folder)


@pytest.fixture
def visitor(deployment) -> Visitor:
    certificate = deployment.folder / "etc/ssl/fullchain.pem"
    return Visitor(HOST, deployment.ports["https"], certificate)


def test_the_documented_steps_lead_to_a_site_that_works(deployment, visitor, mail, tmp_path):
    for commands in documented_commands():
        deployment.carry_out(commands)
    deployment.start_units()
    deployment.start_nginx()
    deployment.wait_for(lambda: answers(visitor), "answer")

    check_pages(visitor)
    sign_in(visitor, ADMIN_PASSWORD)
    check_without_redis(deployment, visitor)
    check_without_database(deployment, visitor)
    # By a worker that has outlived both.
    video = upload(deployment, visitor, render(tmp_path / "dive.mp4", frames=25))
    check_video(deployment, visitor, video)
    deployment.run_unit("vericap-task@send_notices")
    check_backups(deployment, visitor, video)
    reset_password(visitor, mail)
    check_files(deployment)


def answers(visitor: Visitor) -> bool:
    try:
        return visitor.get("/accounts/sign-in/").status == 200
    except OSError:
        return False


def check_pages(visitor: Visitor) -> None:
    page = visitor.get("/accounts/sign-in/")
    style = re.search(r'href="(/static/css/ui/layout\.[0-9a-f]+\.css)"', page.text).group(1)
    answer = visitor.get(style, Accept_Encoding="gzip")
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert visitor.get("/protected-media/").status == 404


def sign_in(visitor: Visitor, password: str) -> None:
    answer = visitor.send_form("/accounts/sign-in/", login=ADMIN, password=password)
    assert (answer.status, answer.headers["Location"]) == (302, "/")


def check_without_redis(deployment: Deployment, visitor: Visitor) -> None:
    """Who is signed in stays so, work can be sent, and others can sign in."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        deployment.signal("redis", number)
        with at_most(seconds=20):
            assert visitor.get("/").status == 200
            assert visitor.send_json("/p/kitchen/imports/start/", {}).status == 201
            sign_in(Visitor(HOST, visitor.port, visitor.certificate), ADMIN_PASSWORD)
    deployment.forget("redis")
    deployment.start_redis()


def check_without_database(deployment: Deployment, visitor: Visitor) -> None:
    """All threads of the web server wait for the network, and no longer than they must."""
    token = {"Authorization": "Bearer vericap_a"}
    with (
        deployment.network.losing_everything(), ThreadPoolExecutor(8) as threads,
        at_most(seconds=45),
    ):  # fmt: skip
        pages = [threads.submit(visitor.get, "/") for _ in range(7)]
        program = threads.submit(visitor.get, "/api/v1/token/", **token).result()
        assert [page.result().status for page in pages] == [503] * 7
        assert "The database doesn’t respond" in pages[0].result().text
        assert (program.status, program.headers["Content-Type"]) == (
            503, "application/problem+json",
        )  # fmt: skip
    with at_most(seconds=10):
        assert visitor.get("/").status == 200


@contextmanager
def at_most(*, seconds: float) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


def upload(deployment: Deployment, visitor: Visitor, film: Path) -> str:
    """Upload the film as the page's script does; return the address of what plays."""
    assert visitor.get("/p/kitchen/videos/upload/").status == 200
    batch = visitor.send_json("/p/kitchen/imports/start/", {}).json()
    data = film.read_bytes()
    item = visitor.send_json(batch["items"], {"name": film.name, "size": len(data)}).json()
    sent = visitor.ask(
        "PUT", item["chunks"], data,
        Content_Type="application/octet-stream", Upload_Offset="0",
    )  # fmt: skip
    assert sent.status == 200, sent.text

    def has_ended() -> bool:
        rows = visitor.get(batch["rows"]).text
        assert "Refused" not in rows, rows
        return "1 imported" in rows

    deployment.wait_for(has_ended, "import")
    assert "No worker has responded" not in visitor.get(batch["rows"]).text
    (clip,) = re.findall(r'href="(/p/kitchen/clips/\d+/)"', visitor.get(batch["rows"]).text)
    return re.search(r"/p/kitchen/videos/\d+/playback\.mp4", visitor.get(clip).text).group()


def check_video(deployment: Deployment, visitor: Visitor, address: str) -> None:
    whole = visitor.get(address)
    (stored,) = (deployment.folder / "var/lib/vericap/media").rglob("playback.mp4")
    assert (whole.status, whole.content) == (200, stored.read_bytes())
    part = visitor.get(address, Range="bytes=100-299")
    assert (part.status, part.content) == (206, whole.content[100:300])
    assert part.headers["Content-Range"] == f"bytes 100-299/{len(whole.content)}"
    assert part.headers["X-Content-Type-Options"] == "nosniff"
    direct = stored.relative_to(deployment.folder / "var/lib/vericap/media")
    assert visitor.get(f"/protected-media/{direct}").status == 404
    stranger = Visitor(HOST, visitor.port, deployment.folder / "etc/ssl/fullchain.pem")
    assert path_of(stranger.get(address).headers["Location"]) == "/accounts/sign-in/"


def check_backups(deployment: Deployment, visitor: Visitor, address: str) -> None:
    """The last of three backups is restored, without a file that was deleted before it."""
    media, folder = (
        deployment.folder / name for name in ("var/lib/vericap/media", "var/backups/vericap")
    )
    deleted = media / "deleted"
    deleted.write_text("deleted")
    deployment.run_unit("vericap-backup")
    deleted.unlink()
    time.sleep(1)  # their names have seconds
    deployment.run_unit("vericap-backup")
    first, second = sorted(folder.glob("2*"))
    assert [(backup / "media/deleted").exists() for backup in (first, second)] == [True, False]
    copies = [next(backup.rglob("playback.mp4")) for backup in (first, second)]
    assert copies[0].samefile(copies[1])
    time.sleep(1)
    by_hand, restoring = documented_commands("### Backup and restore")
    deployment.carry_out(f"export KEEP=2\n{by_hand}")
    assert sorted(folder.glob("2*"))[0] == second
    assert folder.stat().st_mode & 0o777 == 0o700

    *_, last = sorted(folder.glob("2*"))
    deployment.stop_units()
    deployment.carry_out(restoring.replace("TIME", last.name))
    deployment.start_units()
    deployment.wait_for(lambda: visitor.get("/").status == 200, "answer")  # still signed in
    assert not deleted.exists()
    check_video(deployment, visitor, address)
    seen = deployment.seen.read_text()
    assert {line.split()[0] for line in seen.splitlines()} == {"pg_dump", "pg_restore", "psql"}
    assert deployment.password not in seen


def reset_password(visitor: Visitor, mail: MailSink) -> None:
    stranger = Visitor(HOST, visitor.port, visitor.certificate)
    redirect = stranger.send_form("/accounts/password/reset/", email=ADMIN)
    assert (redirect.status, path_of(redirect.headers["Location"])) == (
        302, "/accounts/password/reset/sent/",
    )  # fmt: skip
    (message,) = mail.messages
    assert (message["To"], message["From"]) == (ADMIN, f"vericap@{HOST.partition('.')[2]}")
    link = re.search(rf"https://{HOST}(/\S+)", message.get_payload(decode=True).decode()).group(1)
    form = stranger.get(link).headers["Location"]
    done = stranger.send_form(form, password1=NEW_PASSWORD, password2=NEW_PASSWORD)
    assert done.status == 302
    sign_in(Visitor(HOST, visitor.port, visitor.certificate), NEW_PASSWORD)


def check_files(deployment: Deployment) -> None:
    """Nobody else on the machine reads the data, and the code is not the services' to change."""
    data = deployment.folder / "var/lib/vericap"
    assert [path.stat().st_mode & 0o777 for path in (data, data / "media")] == [0o750, 0o750]
    code = deployment.folder / "srv/vericap"
    assert {path.stat().st_uid for path in code.rglob("*")} == {0}
