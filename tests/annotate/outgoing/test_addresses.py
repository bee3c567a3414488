"""Which spellings of addresses are refused before anything is opened."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.outgoing.addresses import check_address, is_permitted, is_public
from annotate.outgoing.errors import AddressRefused
from tests.site import NOTHING

LAB = {
    "names": frozenset({"hooks.lab"}),
    "networks": (ip_network("10.1.0.0/16"), ip_network("fd00::/8")),
}


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://videos.example.org", "https://videos.example.org/"),
        ("HTTPS://Videos.Example.org:443/A b".replace(" ", "%20"), "https://videos.example.org/A%20b"),
        ("https://videos.example.org:8443/a?b=c&d=%C3%A4#t=3", "https://videos.example.org:8443/a?b=c&d=%C3%A4"),
        ("https://v.example.org/é.mp4", "https://v.example.org/%C3%A9.mp4"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://93.184.216.34/a", "https://93.184.216.34/a"),
        ("https://[2606:2800:220:1:0:0:0:1]:8443/", "https://[2606:2800:220:1::1]:8443/"),
    ],
)  # fmt: skip
def test_it_accepts_public_hosts(text, url):
    assert check_address(text, NOTHING).url == url


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.255.0.1", "0.0.0.0"),
        *("10.0.0.1", "172.16.5.4", "192.168.1.1", "100.64.0.1", "198.18.0.1"),
        *("169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192"),
        *("224.0.0.1", "255.255.255.255", "240.0.0.1", "192.88.99.1"),
        *("[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]"),
        *("[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"),
        *("[2002:7f00:1::]", "[2001:0:4136:e378::1]", "[2001:db8::1]", "[64:ff9b:1::1]"),
    ],
)
def test_it_refuses_hosts_that_are_not_public(host):
    with pytest.raises(AddressRefused, match="not a public host"):
        check_address(f"https://{host}/", NOTHING)


@pytest.mark.parametrize(
    "host",
    [
        *("2130706433", "0x7f000001", "017700000001", "127.1", "127.0.1", "0177.0.0.1"),
        *("0x7f.0.0.1", "127.0.0.0x1", "127.0.0.1.", "localhost.", "example.org."),
        *("127.0.0.256", "1.2.3.4.5", "１２７.0.0.1", "①②⑦.0.0.1", "127。0。0。1", "0x", "a.0x7f"),
        *("[::1%25eth0]", "[fe80::1%eth0]", "[::ffff:127.0.0.1.]", "[v1.x]", "ex%61mple.org"),
        *("ada@example.org", "ada:secret@example.org", "example.org:80@127.0.0.1", "@example.org"),
        *("exa mple.org", "exa\tmple.org", "exa\nmple.org", "exa\0mple.org", "example.org\\@x"),
        *("-a.example", "a-.example", "a..example", "a" * 64 + ".example", "", ".", "ex*mple.org"),
        *("example.org:0", "example.org:22", "example.org:25", "example.org:70000"),
        "example.org:x",
    ],
)  # fmt: skip
def test_it_refuses_odd_spellings(host):
    with pytest.raises(AddressRefused):
        check_address(f"https://{host}/", NOTHING)


@pytest.mark.parametrize(
    "text",
    [
        *("http://example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org"),
        *("//example.org/", "example.org/a.mp4", "https:/example.org", "https:example.org", ""),
        *("javascript:alert(1)", "https://example.org/" + "a" * 500),
    ],
)  # fmt: skip
def test_it_refuses_what_is_not_a_whole_https_address(text):
    with pytest.raises(AddressRefused):
        check_address(text, NOTHING)


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [
        ("http://hooks.lab:25/", True),
        ("https://hooks.lab/", True),
        ("http://10.1.2.3/", True),
        ("https://10.1.2.3:9000/", True),
        ("https://[fd00::5]/", True),
        ("https://[::ffff:10.1.2.3]/", True),
        ("http://10.2.0.1/", False),
        ("https://10.2.0.1/", False),
        ("http://other.lab/", False),
        ("https://10.1.2.3@127.0.0.1/", False),
    ],
)
def test_the_operator_allows_hosts_and_networks(text, is_allowed):
    try:
        check_address(text, LAB)
    except AddressRefused:
        assert not is_allowed
    else:
        assert is_allowed


def test_a_listed_name_may_resolve_to_any_address_and_another_only_to_listed_ones():
    private, listed = ip_address("192.168.7.7"), ip_address("10.1.9.9")
    assert is_permitted(private, "hooks.lab", LAB)
    assert not is_permitted(private, "evil.example", LAB)
    assert is_permitted(listed, "other.example", LAB)


@given(st.ip_addresses(v=4))
def test_ipv4_in_any_ipv6_spelling_is_judged_like_itself(address):
    for spelling in (f"::ffff:{address}", f"64:ff9b::{address}"):
        assert is_public(ip_address(spelling)) == is_public(address)


@given(st.text(max_size=40))
def test_any_text_is_checked_or_refused(text):
    try:
        target = check_address(f"https://{text}", NOTHING)
    except AddressRefused:
        return
    assert check_address(target.url, NOTHING) == target
