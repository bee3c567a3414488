"""The one place that reads the environment. A bad value stops the start with its mend."""

from __future__ import annotations

from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
_env = environ.Env()


def text(name: str, default: str | None = None) -> str:
    value = _env.str(name, default=default or "")
    if not value and default is None:
        raise ImproperlyConfigured(f"{name} is missing. Set it in the environment.")
    return value


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


def folder(name: str, default: Path) -> Path:
    path = Path(_env.str(name, default=str(default))).expanduser()
    if not path.is_absolute():
        path = ROOT / path
    return path


def database(name: str, default: str | None = None) -> dict:
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
