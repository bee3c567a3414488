"""Carries out docs/deploy.md in a folder of its own, on ports of its own.

The commands are those of the document and the files those of deploy/; only the addresses in them
are replaced. What would change the whole machine (packages, accounts, systemd) is recorded
instead, and `start_units` then does what systemd would.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.services.mail_sink import PASSWORD as MAIL_PASSWORD
from tests.services.mail_sink import USER as MAIL_USER
from tests.services.network import Network

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "deploy.md"
HOST = "vericap.example.org"
USER = "nobody"  # stands in for vericap: it exists, and owns nothing
PATIENCE = 90.0
CAP_DAC_READ_SEARCH = 2  # its bit in /proc/PID/status
ADMIN, ADMIN_PASSWORD = "ada@example.org", "nine calm badgers"
# Recorded, and done by the test or not at all.
RECORDED = ("apt-get", "useradd", "systemctl")


def documented_commands(title: str = "## Production, step by step") -> list[str]:
    """The shell blocks of a section, in their order."""
    section = DOCUMENT.read_text().partition(f"\n{title}\n")[2].partition("\n### ")[0]
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", section, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(block) for block in blocks]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Deployment:
    def __init__(self, folder: Path, mail_port: int) -> None:
        self.folder = folder
        self.mail_port = mail_port
        self.ports = {name: free_port() for name in ("http", "https", "web", "postgresql", "redis")}
        self.password = secrets.token_hex(8)
        self.recorded, self.seen = folder / "recorded", folder / "seen"
        self.network = Network()
        self.processes: list[tuple[str, subprocess.Popen]] = []
        for name in ("bin", "etc/nginx/sites-available", "etc/nginx/sites-enabled", "etc/ssl",
                     "etc/systemd/system", "srv/vericap", "var/lib", "var/backups", "log",
                     "redis"):  # fmt: skip
            (folder / name).mkdir(parents=True)
        self._replacements = {
            "/srv/vericap": f"{folder}/srv/vericap",
            "/var/lib/vericap": f"{folder}/var/lib/vericap",
            "/var/backups/vericap": f"{folder}/var/backups/vericap",
            "/etc/vericap.env": f"{folder}/etc/vericap.env",
            "/etc/systemd": f"{folder}/etc/systemd",
            "/etc/nginx": f"{folder}/etc/nginx",
            "/etc/ssl/vericap": f"{folder}/etc/ssl",
            "User=vericap": f"User={USER}",
            "-o vericap": f"-o {USER}",
            "-u vericap": f"-u {USER}",
            "PASSWORD@": f"{self.password}@",
            "'PASSWORD'": f"'{self.password}'",
            "127.0.0.1:8000": f"127.0.0.1:{self.ports['web']}",
            "127.0.0.1:5432": f"{self.network.there}:{self.ports['postgresql']}",
            "127.0.0.1:6379": f"127.0.0.1:{self.ports['redis']}",
            "listen 80;": f"listen 127.0.0.1:{self.ports['http']};",
            "listen 443 ": f"listen 127.0.0.1:{self.ports['https']} ",
        }

    def replace(self, text: str) -> str:
        for old, new in self._replacements.items():
            text = text.replace(old, new)
        return text

    # The machine before the first step

    def prepare(self) -> None:
        self._copy_code()
        self._write_programs()
        self._write_nginx_conf()
        self.network.open()
        self._start_postgresql()
        self.start_redis()

    def start_redis(self) -> None:
        redis = ["redis-server", "--port", str(self.ports["redis"]), "--save", "", "--bind"]
        self.start("redis", [*redis, "127.0.0.1", "--dir", str(self.folder / "redis")])

    def _copy_code(self) -> None:
        """The tracked and the new files; those of deploy/ with the replaced addresses."""
        code = self.folder / "srv/vericap"
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        product = ("annotate/*", "config/*", "deploy/*", "inference/*", "metrics/*", "review/*",
                   "static/*", "templates/*", "manage.py", "requirements.txt")  # fmt: skip
        names = subprocess.run([*listing, *product], cwd=ROOT, capture_output=True, check=True)
        for name in filter(None, names.stdout.decode().split("\0")):
            if not (ROOT / name).is_file():
                continue
            (code / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, code / name)
            if name.startswith("deploy/"):
                (code / name).write_text(self.replace((ROOT / name).read_text()))
                (code / name).chmod((ROOT / name).stat().st_mode)

    def _write_programs(self) -> None:
        """What comes first on PATH while the commands of the document run."""
        for name in RECORDED:
            self._program(name, f'echo {name} "$@" >> {self.recorded}')
        # The environment of the tests is at hand; installing it again would take minutes.
        venv, python = Path(sys.prefix), Path(sys.executable).resolve()
        self._program(
            "python3",
            'test "$*" = "-m venv .venv" && mkdir -p .venv/bin && '
            f"cp {venv}/pyvenv.cfg .venv && ln -s {venv}/lib .venv/lib && cd .venv/bin && "
            f"ln -s {python} python && ln -s {venv}/bin/gunicorn {venv}/bin/celery . && "
            f"ln -s {self.folder}/bin/pip pip",
        )
        self._program("pip", f'test -r "$3" && echo pip "$@" >> {self.recorded}')
        # Everybody can read the command line of a process.
        self.seen.touch()
        self.seen.chmod(0o666)
        for name in ("pg_dump", "pg_restore", "psql"):
            self._program(name, f'echo {name} "$@" >> {self.seen}; exec /usr/bin/{name} "$@"')
        self._program("nginx", f'exec /usr/sbin/nginx -c {self.folder}/nginx.conf "$@"')
        # runuser -u USER -- COMMAND
        self._program("runuser", f'user=$2; shift 3; {self._as_user("$user")} "$@"')

    def _write_nginx_conf(self) -> None:
        """Debian's nginx.conf as far as the site needs it, and a certificate of our own."""
        (self.folder / "nginx.conf").write_text(
            f"user www-data;\nworker_processes 1;\npid {self.folder}/nginx.pid;\n"
            f"error_log {self.folder}/log/nginx-errors;\n"
            "events {}\nhttp {\n  include /etc/nginx/mime.types;\n  access_log off;\n"
            f"  client_body_temp_path {self.folder}/nginx-bodies;\n"
            f"  proxy_temp_path {self.folder}/nginx-proxy;\n"
            f"  include {self.folder}/etc/nginx/sites-enabled/*;\n}}\n"
        )
        key, certificate = "etc/ssl/privkey.pem", "etc/ssl/fullchain.pem"
        self.run(
            "openssl req -x509 -newkey rsa:2048 -nodes -days 1 "
            f"-subj /CN={HOST} -keyout {key} -out {certificate} 2>/dev/null"
        )

    def _program(self, name: str, line: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def _as_user(self, user: str) -> str:
        """The beginning of a command as another user, who may write nothing of root's.

        They may read everything, where root can give that right: the Python of the tests is often
        in a closed folder of root's. nginx gets no such right.
        """
        rights = int(re.findall(r"CapEff:\s*(\w+)", Path("/proc/self/status").read_text())[0], 16)
        may_give = rights >> CAP_DAC_READ_SEARCH & 1
        names = ("inh", "ambient") if may_give else ()
        reading = " ".join(f"--{name}-caps=+dac_read_search" for name in names)
        return f'exec setpriv --reuid={user} --regid="$(id -g {user})" --clear-groups {reading}'

    def _start_postgresql(self) -> None:
        (programs,) = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
        data = self.folder / "postgresql"
        data.mkdir()
        shutil.chown(data, "postgres")
        options = ["--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync", "-D", str(data)]
        initdb = shlex.join([str(programs / "initdb"), *options])
        self.run(f"runuser -u postgres -- {initdb}")
        with (data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {self.network.here}/32 scram-sha-256\n")
        settings = {
            "port": self.ports["postgresql"], "unix_socket_directories": data,
            "listen_addresses": self.network.there, "fsync": "off",
        }  # fmt: skip
        setting_options = [
            part for name, value in settings.items() for part in ("-c", f"{name}={value}")
        ]
        server = [str(programs / "postgres"), "-D", str(data), *setting_options]
        server = self.network.inside(["runuser", "-u", "postgres", "--", *server])
        self.start("postgresql", server)
        ready = [str(programs / "pg_isready"), "-q", "-h", self.network.there]
        ready += ["-p", str(self.ports["postgresql"])]
        self.wait_for(lambda: subprocess.run(ready).returncode == 0, "PostgreSQL")

    # The steps of the document

    def run(self, script: str) -> str:
        """Run a script as root on the prepared machine and return what it prints."""
        done = subprocess.run(
            ["sh", "-euc", script],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return done.stdout

    def environment(self) -> dict[str, str]:
        path = f"{self.folder}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return {
            "PATH": path,
            "HOME": "/nonexistent",
            "LANG": "C.UTF-8",
            "PGHOST": str(self.folder / "postgresql"),
            "PGPORT": str(self.ports["postgresql"]),
            # What createsuperuser would ask for.
            "DJANGO_SUPERUSER_EMAIL": ADMIN,
            "DJANGO_SUPERUSER_NAME": "Ada",
            "DJANGO_SUPERUSER_PASSWORD": ADMIN_PASSWORD,
        }

    def carry_out(self, commands: str) -> None:
        script = self.replace(commands)
        # Nobody sits at the terminal.
        script = script.replace("manage.sh createsuperuser", "manage.sh createsuperuser --noinput")
        self.run(script)
        if "env.example" in commands:
            self._fill_in_environment()

    def _fill_in_environment(self) -> None:
        path = self.folder / "etc/vericap.env"
        assert path.stat().st_mode & 0o777 == 0o600
        text = path.read_text()
        for name, value in {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "EMAIL_HOST": "127.0.0.1",
            "EMAIL_PORT": str(self.mail_port),
            "EMAIL_USE_TLS": "0",
            "EMAIL_HOST_USER": MAIL_USER,
            "EMAIL_HOST_PASSWORD": f"'{MAIL_PASSWORD}'",
        }.items():
            text, number = re.subn(rf"^{name}=.*$", lambda _: f"{name}={value}", text, flags=re.M)  # noqa: B023
            assert number == 1, name
        path.write_text(text)

    # What systemd would do

    def start_nginx(self) -> None:
        self.start("nginx", [str(self.folder / "bin/nginx"), "-g", "daemon off;"])

    def start_units(self) -> None:
        """Start the services that `systemctl enable --now` names, as their units say."""
        (enabled,) = re.findall(r"systemctl enable --now (.*)", self.recorded.read_text())
        for name in enabled.split():
            if not name.endswith(".timer"):
                self._start_unit(self.folder / f"etc/systemd/system/{name}.service")

    def _start_unit(self, unit: Path) -> None:
        self.start(unit.stem, self._command(unit))

    def run_unit(self, name: str) -> None:
        """Run the unit of a timer, vericap-task@NAME for example, to its end."""
        template, _, instance = name.partition("@")
        path = self.folder / "etc/systemd/system" / f"{template}{'@' * bool(instance)}.service"
        self.run(shlex.join(self._command(path)).replace("%i", instance))

    def _command(self, unit: Path) -> list[str]:
        values = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))
        command = shlex.split(values["ExecStart"])
        if "User" not in values:  # root, without the rights that it doesn't need
            rights = values["CapabilityBoundingSet"].lower().replace("cap_", "+").split()
            return [
                "setpriv",
                "--no-new-privs",
                f"--bounding-set=-all,{','.join(rights)}",
                *command,
            ]
        command = ["runuser", "-u", values["User"], "--", *command]
        script = f"set -a; . {values['EnvironmentFile']}; set +a; cd {values['WorkingDirectory']}; "
        return ["sh", "-euc", script + f"exec {shlex.join(command)}"]

    def stop_units(self) -> None:
        for name in [name for name, _ in self.processes if name.startswith("vericap-")]:
            self.signal(name, signal.SIGTERM)
            self.forget(name)

    def start(self, name: str, command: list[str]) -> None:
        with (self.folder / "log" / name).open("w") as log:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes.append((name, process))

    def signal(self, name: str, number: signal.Signals) -> None:
        os.killpg(dict(self.processes)[name].pid, number)

    def forget(self, name: str) -> None:
        """Wait for the end of a process that was killed, so that it can be started again."""
        process = dict(self.processes)[name]
        process.wait(PATIENCE)
        self.processes.remove((name, process))

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            for name, process in self.processes:
                assert process.poll() is None, f"{name} ended:\n{self.log(name)}"
            assert time.monotonic() < deadline, f"No {what}:\n{self.log(self.processes[-1][0])}"
            time.sleep(0.1)

    def log(self, name: str) -> str:
        return (self.folder / "log" / name).read_text(errors="replace")

    def stop(self) -> None:
        for _, process in reversed(self.processes):
            process.terminate()
        for _, process in reversed(self.processes):
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.network.close()
