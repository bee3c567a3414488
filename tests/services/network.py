"""A network of its own for a server of a test, which can lose every packet."""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Network:
    """A network namespace, and a pair of virtual devices between it and the machine.

    `here` is the address of the machine in it, `there` that of the namespace.
    """

    def __init__(self) -> None:
        # Names and addresses that no other test uses at the same time.
        self.name = f"vericap-{secrets.token_hex(3)}"
        self._device = f"v{secrets.token_hex(3)}"
        second, third = os.getpid() % 256, secrets.randbelow(256)
        self.here, self.there = (f"10.{second}.{third}.{last}" for last in (1, 2))

    def open(self) -> None:
        inner = f"{self._device}n"
        _ip("netns", "add", self.name)
        _ip("link", "add", self._device, "type", "veth", "peer", inner, "netns", self.name)
        _ip("address", "add", f"{self.here}/30", "dev", self._device)
        _ip("link", "set", self._device, "up")
        _ip("-n", self.name, "address", "add", f"{self.there}/30", "dev", inner)
        _ip("-n", self.name, "link", "set", inner, "up")

    def close(self) -> None:
        with suppress(subprocess.CalledProcessError):  # the device may be gone with the namespace
            _ip("link", "delete", self._device)
        with suppress(subprocess.CalledProcessError):
            _ip("netns", "delete", self.name)

    def inside(self, command: list[str]) -> list[str]:
        """Return the command as one that runs in the namespace."""
        return ["ip", "netns", "exec", self.name, *command]

    @contextmanager
    def losing_everything(self) -> Iterator[None]:
        """Drop all packets between here and there without an answer, in both directions."""
        route = ("route", "replace", "blackhole", f"{self.here}/32")
        _ip("-n", self.name, *route)
        try:
            yield
        finally:
            _ip("-n", self.name, "route", "delete", "blackhole", f"{self.here}/32")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
