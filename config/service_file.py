"""Print the connection of DATABASE_URL as a service of PostgreSQL's programs, for deploy/."""

from __future__ import annotations

import sys

from config.environment import database

NAMES = {"HOST": "host", "PORT": "port", "NAME": "dbname", "USER": "user", "PASSWORD": "password"}


def service_file(service: str) -> str:
    settings = database("DATABASE_URL")
    values = {name: settings.get(key) for key, name in NAMES.items()} | settings.get("OPTIONS", {})
    lines = [f"{name}={value}" for name, value in values.items() if value]
    return "\n".join([f"[{service}]", *lines, ""])


if __name__ == "__main__":
    sys.stdout.write(service_file(sys.argv[1]))
