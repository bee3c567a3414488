"""Decide which addresses this server may open for people. Pure: opens and resolves nothing.

A spelling that another program could read as another host (numbers in octal or hexadecimal, a
missing part, a user, a trailing dot) is refused rather than interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypedDict
from urllib.parse import quote, urlsplit

import idna

from annotate.outgoing.errors import AddressRefused

AnyAddress = IPv4Address | IPv6Address
AnyNetwork = IPv4Network | IPv6Network

MAX_LENGTH = 500
PORTS = {"http": 80, "https": 443}
# Lower ports belong to mail, shells and databases, which a request must never reach.
FIRST_FREE_PORT = 1024
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_IN_PATH = "%/:=&?~+!$,;'@()*[]|"

_GLOBAL_V6 = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")
# Addresses that `is_global` of Python 3.11 allows although they have no public host, and addresses
# where clouds serve metadata.
_NOT_PUBLIC: Sequence[AnyNetwork] = [
    ip_network(network)
    for network in (
        *("192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
]


class Allowed(TypedDict):
    """What VERICAP_OUTGOING_ALLOWED lists beyond public hosts."""

    names: frozenset[str]
    networks: tuple[AnyNetwork, ...]


@dataclass(frozen=True)
class Target:
    """A checked address, in parts. `host` is a name in ASCII or an address without brackets."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


def check_address(text: str, allowed: Allowed) -> Target:
    """Return the parts of an address that may be opened, if its host resolves to permitted ones.

    Raises AddressRefused.
    """
    if len(text) > MAX_LENGTH:
        raise AddressRefused(f"The address has more than {MAX_LENGTH} characters.")
    if not text.isprintable() or " " in text or "\\" in text:
        raise AddressRefused("The address has a space, a backslash or an invisible character.")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise AddressRefused("The address can't be read. Write https://host/path.") from None
    scheme = parts.scheme.lower()
    if scheme not in PORTS or not host:
        raise AddressRefused("Write the whole address, beginning with https://.")
    if "@" in parts.netloc:
        raise AddressRefused("The address has a user or a password. Take them out.")
    if "[" in parts.netloc and ":" not in host:
        raise AddressRefused("The host in brackets isn't an IPv6 address.")
    if "%" in parts.netloc:
        raise AddressRefused("The host has a percent sign. Write its plain name.")
    host = _checked_host(host)
    _check_literal(host, allowed)
    is_listed = _is_listed(host, allowed)
    if scheme == "http" and not is_listed:
        raise AddressRefused("The address must begin with https://.")
    port = PORTS[scheme] if port is None else port
    if port == 0 or (port < FIRST_FREE_PORT and port not in PORTS.values() and not is_listed):
        raise AddressRefused(f"Port {port} isn't one for web addresses. Use 443, or 1024 and up.")
    path = quote(parts.path or "/", safe=_IN_PATH)
    if parts.query:
        path += "?" + quote(parts.query, safe=_IN_PATH)
    return Target(scheme, host, port, path)


def is_permitted(address: AnyAddress, host: str, allowed: Allowed) -> bool:
    """Return whether a connection to `address`, to which `host` resolved, may be opened."""
    if host in allowed["names"] or is_public(address):
        return True
    addresses = [address]
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        addresses.append(address.ipv4_mapped)
    return any(each in network for each in addresses for network in allowed["networks"])


def is_public(address: AnyAddress) -> bool:
    """Return whether the address is on the public internet; for IPv6, also check the IPv4 address
    it encodes.
    """
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped)
        if address in _NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
        if address not in _GLOBAL_V6:
            return False
    return address.is_global and not any(address in network for network in _NOT_PUBLIC)


def _checked_host(host: str) -> str:
    """Return the host in ASCII; an IP address must have its canonical spelling."""
    if ":" in host:
        try:
            return IPv6Address(host).compressed
        except ValueError:
            raise AddressRefused("The IPv6 address in brackets can't be read.") from None
    if not host.isascii():
        try:
            host = idna.encode(host).decode()
        except idna.IDNAError:
            raise AddressRefused("The host's name has characters that names can't have.") from None
    if host.endswith("."):
        raise AddressRefused("The host's name ends with a dot. Take it out.")
    labels = host.split(".")
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        try:
            return str(IPv4Address(host))
        except ValueError:
            raise AddressRefused(
                "The host is a number in an unusual spelling. Write its name, or four decimal "
                "numbers."
            ) from None
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise AddressRefused("The host's name can't be read. Write it like videos.example.org.")
    return host


def _check_literal(host: str, allowed: Allowed) -> None:
    """Refuse an obviously local or private host before anything is resolved."""
    is_local = host == "localhost" or host.endswith(".localhost")
    address = _literal(host)
    if (is_local and host not in allowed["names"]) or (
        address is not None and not is_permitted(address, host, allowed)
    ):
        raise not_public(host)


def not_public(host: str) -> AddressRefused:
    return AddressRefused(
        f"{host} is not a public host. Ask the person who runs the server to allow it "
        "(VERICAP_OUTGOING_ALLOWED)."
    )


def _is_listed(host: str, allowed: Allowed) -> bool:
    address = _literal(host)
    return host in allowed["names"] or (
        address is not None and any(address in network for network in allowed["networks"])
    )


def _literal(host: str) -> AnyAddress | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
