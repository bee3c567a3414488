"""The one place that reads the environment. A bad value stops the start with its mend."""

from __future__ import annotations

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
_env = environ.Env()
_SERVER_NAME = re.compile(r"[a-z][a-z0-9-]*")
_HOST_NAME = re.compile(r"(?!.*\.[0-9]+$)[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class Secret:
    """A text that shows itself only when asked: not in a repr, a log, a template or JSON."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)" if self._value else "Secret()"


class Server(TypedDict):
    url: str
    key: Secret


class Hosts(TypedDict):
    names: frozenset[str]
    networks: tuple[IPv4Network | IPv6Network, ...]


def text(name: str, default: str | None = None) -> str:
    value: str = _env.str(name, default=default or "")
    if not value and default is None:
        raise ImproperlyConfigured(f"{name} is missing. Set it in the environment.")
    return value


def site(name: str, default: str) -> str:
    """Return the address of this site, without a slash at its end; the default if it is empty."""
    value = (text(name, "") or default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
        raise ImproperlyConfigured(
            f"{name} is {value!r}. Write the address of the site: https://vericap.example.org"
        )
    return value


def secret(name: str) -> Secret:
    # Not through environ: it takes a value that begins with $ as another variable's name.
    return Secret(os.environ.get(name, ""))


def whole_number(name: str, default: int, *, least: int = 1) -> int:
    raw = _env.str(name, default=str(default))
    if not raw.strip().isdigit() or int(raw) < least:
        raise ImproperlyConfigured(
            f"{name} is {raw!r}. Set it to a whole number of at least {least}."
        )
    return int(raw)


def switch(name: str, *, default: bool) -> bool:
    raw = _env.str(name, default="1" if default else "0").strip().lower()
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off", ""}:
        return False
    raise ImproperlyConfigured(f"{name} is {raw!r}. Set it to 1 or 0.")


def listing(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in _env.str(name, default=default).split(",") if part.strip()]


def hosts(name: str, default: str = "") -> Hosts:
    """Return the hosts, addresses and networks (10.1.0.0/16) that `name` lists with commas."""
    names, networks = set(), []
    for number, entry in enumerate(listing(name, default), start=1):
        try:
            networks.append(ip_network(entry))
        except ValueError as error:
            # 10.1.0.5/16 or 010.1.2.3 would allow other addresses than intended.
            if not _HOST_NAME.fullmatch(entry.lower()) or entry.isdigit():
                raise ImproperlyConfigured(
                    f"{name}, entry {number}, is {entry!r}. Write a host's name without scheme and "
                    "port, an address, or a network like 10.1.0.0/16."
                ) from error
            names.add(entry.lower())
    return {"names": frozenset(names), "networks": tuple(networks)}


def folder(name: str, default: Path) -> Path:
    path = Path(_env.str(name, default=str(default))).expanduser()
    if not path.is_absolute():
        path = ROOT / path
    return path


def database(name: str, default: str | None = None) -> dict[str, Any]:
    url = text(name, default)
    if url.partition("://")[0] not in {"sqlite", "postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"{name} must be sqlite:///FILE or postgres://USER:PASSWORD@HOST:PORT/NAME."
        )
    try:
        settings = dict(environ.Env.db_url_config(url))
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} can't be read ({error}). Write postgres://USER:PASSWORD@HOST:PORT/NAME "
            "with %-escapes for special characters in the password."
        ) from error
    return settings


def model_servers(name: str, key_prefix: str) -> dict[str, Server]:
    """Return the servers that `name` lists as NAME=URL, separated by commas: {NAME: {"url": ...,
    "key": Secret}}.

    A server's key is in the variable `key_prefix` + NAME, in capitals and with _ for -. No message
    repeats a URL or a key, because people put secrets into both.
    """
    servers: dict[str, Server] = {}
    for number, entry in enumerate(listing(name), start=1):
        server, _, url = (part.strip() for part in entry.partition("="))
        if not _SERVER_NAME.fullmatch(server) or not url:
            raise ImproperlyConfigured(
                f"{name}, entry {number}, is not name=url. Write it like "
                "vllm=http://127.0.0.1:8001/v1, the name in a-z, 0-9 and -, a letter first."
            )
        if server in servers:
            raise ImproperlyConfigured(f"{name} has {server} twice. Give each server its own name.")
        _check_server_url(f"{name}, the URL of {server},", url)
        key = _key(key_prefix + server.upper().replace("-", "_"))
        servers[server] = {"url": url.rstrip("/"), "key": key}
    key_names = {key_prefix + server.upper().replace("-", "_") for server in servers}
    for variable in sorted(os.environ):
        if variable.startswith(key_prefix) and variable not in key_names:
            raise ImproperlyConfigured(
                f"{variable} is a key without a server. Name the server in {name}, or unset it."
            )
    return servers


def _check_server_url(subject: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0 or parts.scheme not in {"http", "https"} or not url.isprintable():
        raise ImproperlyConfigured(f"{subject} can't be read. Write http://HOST:PORT/v1 or https.")
    if "@" in parts.netloc:
        raise ImproperlyConfigured(
            f"{subject} holds a user or a password. Take them out: a key has its own variable."
        )
    if parts.query or parts.fragment or " " in url:
        raise ImproperlyConfigured(f"{subject} has a ?, a # or a space. End it after the path.")


def _key(variable: str) -> Secret:
    # Not through environ: it takes a value that begins with $ as another variable's name, and then
    # writes that name, here the key, into its log and its message.
    key = os.environ.get(variable, "").strip()
    if not re.fullmatch(r"[!-~]*", key):
        raise ImproperlyConfigured(
            f"{variable} holds a space or a character beyond ASCII. Set it to the key alone."
        )
    return Secret(key)
