"""What real servers can do to a request: each line of this file is one way to harm us."""

from __future__ import annotations

import gzip
import socket
import subprocess
import threading

import httpcore2
import pytest

from annotate.outgoing import requests
from annotate.outgoing.errors import AddressRefused, NoAnswer, OutgoingFailed
from annotate.outgoing.requests import Limits, open_address
from tests.site import LOOPBACK, NOTHING, never_ends, redirects, sends, serving

LIMITS = Limits(seconds=20, max_bytes=1000, redirects=3)
SOON = Limits(seconds=0.3, max_bytes=10_000_000)


@pytest.fixture
def site():
    with serving() as site:
        yield site


@pytest.fixture(autouse=True)
def allowed(settings):
    settings.VERICAP_OUTGOING_ALLOWED = LOOPBACK


def fetch(url, limits=LIMITS, **options) -> tuple[int, bytes]:
    with open_address(url, limits=limits, **options) as answer:
        return answer.status, b"".join(answer.parts())


def names(*hosts):
    return {"names": frozenset(hosts), "networks": ()}


def test_it_returns_status_headers_and_body(site):
    site.answers["/a?b=c"] = sends(b"a film", "Content-Type: video/mp4", status=201)
    with open_address(f"{site.url}/a?b=c", limits=LIMITS) as answer:
        assert answer.status == 201
        assert answer.headers["content-type"] == "video/mp4"
        assert b"".join(answer.parts()) == b"a film"
    (received,) = site.received
    assert received.headers["host"] == f"127.0.0.1:{site.port}"


def test_it_sends_a_body_with_its_headers(site):
    site.answers["/hook"] = sends(b"")
    fetch(f"{site.url}/hook", method="POST", content=b"{}", headers={"Webhook-Id": "msg_1"})
    (received,) = site.received
    assert (received.method, received.body) == ("POST", b"{}")
    assert received.headers["webhook-id"] == "msg_1"


def test_it_opens_no_connection_to_a_host_that_is_not_public(site, settings):
    settings.VERICAP_OUTGOING_ALLOWED = NOTHING
    for address in (f"http://127.0.0.1:{site.port}/", f"https://127.0.0.1:{site.port}/"):
        with pytest.raises(AddressRefused):
            fetch(address)
    assert site.received == []


def test_it_refuses_a_public_name_that_resolves_to_a_private_address(site, settings):
    settings.VERICAP_OUTGOING_ALLOWED = NOTHING
    for answers in (["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::1"], ["169.254.169.254"]):
        with pytest.raises(AddressRefused, match="not a public host"):
            fetch(
                f"https://a.example:{site.port}/", resolve=lambda *_, addresses=answers: addresses
            )
    assert site.received == []


def test_it_connects_to_the_answer_it_checked_even_if_the_name_changes(site, settings):
    settings.VERICAP_OUTGOING_ALLOWED = names("a.example")
    site.answers["/"] = sends(b"ok")
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])
    url = f"http://a.example:{site.port}/"
    assert fetch(url, resolve=lambda *_: next(answers)) == (200, b"ok")
    assert next(answers) == ["127.0.0.2"]  # the name was asked for once
    assert site.received[0].headers["host"] == f"a.example:{site.port}"


def test_it_asks_again_and_checks_again_for_a_redirect_to_the_same_name(site, settings):
    settings.VERICAP_OUTGOING_ALLOWED = LOOPBACK
    site.answers["/"] = redirects(f"https://a.example:{site.port}/again")
    with pytest.raises(AddressRefused):
        fetch(f"{site.url}/", resolve=lambda host, _: [host if host[0] == "1" else "10.0.0.1"])
    assert len(site.received) == 1


def test_a_name_nobody_knows_is_an_error_of_its_own():
    def unknown(host, port):
        raise socket.gaierror

    with pytest.raises(NoAnswer, match="No address is known"):
        fetch("https://no.example/", resolve=unknown)


def test_a_name_whose_answer_never_comes_is_given_up():
    stopped = threading.Event()
    with pytest.raises(NoAnswer):
        fetch("https://slow.example/", SOON, resolve=lambda *_: [stopped.wait(20)][:0])
    stopped.set()


@pytest.mark.parametrize(
    "location",
    [
        *("http://169.254.169.254/latest/meta-data/", "https://[::1]/", "//127.0.0.2/"),
        *("https://2130706433/", "file:///etc/passwd", "https://ada@127.0.0.1/"),
        *("http://example.org/", "\\\\127.0.0.2\\a"),
    ],
)
def test_it_follows_a_redirect_only_through_the_guard(site, location):
    site.answers["/"] = redirects(location)
    with pytest.raises(AddressRefused):
        fetch(f"{site.url}/")


def test_it_follows_redirects_and_stops_at_a_circle(site):
    site.answers |= {"/": redirects("/b"), "/b": redirects("c", 307), "/c": sends(b"here")}
    assert fetch(f"{site.url}/") == (200, b"here")
    site.answers["/c"] = redirects("/")
    with pytest.raises(OutgoingFailed, match="redirected more than 3 times"):
        fetch(f"{site.url}/")


def test_without_redirects_the_redirect_is_the_answer(site):
    site.answers["/"] = redirects("/b")
    assert fetch(f"{site.url}/", SOON) == (302, b"")
    assert len(site.received) == 1


def test_it_stops_reading_an_endless_body(site):
    site.answers["/"] = never_ends(site, b"x" * 100)
    with pytest.raises(OutgoingFailed, match="more than the limit"):
        fetch(f"{site.url}/")


def test_it_gives_up_a_body_that_comes_too_slowly(site):
    site.answers["/"] = never_ends(site, b"x", pause=0.05)
    with pytest.raises(NoAnswer, match="too long"):
        fetch(f"{site.url}/", SOON)


def test_it_gives_up_headers_that_come_too_slowly(site):
    def drip(out):
        out.write(b"HTTP/1.1 200 Told\r\n")
        while not site.stopped.wait(0.05):
            out.write(b"A: b\r\n")

    site.answers["/"] = drip
    with pytest.raises(NoAnswer, match="too long"):
        fetch(f"{site.url}/", SOON)


def test_it_gives_up_a_server_that_never_comes_to_its_answer(site):
    def interim(out):
        while not site.stopped.is_set():
            out.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    site.answers["/"] = interim
    with pytest.raises(NoAnswer, match="too long"):
        fetch(f"{site.url}/", SOON)


def test_it_refuses_a_body_that_is_shorter_than_its_length(site):
    site.answers["/"] = sends(b"short", length=50)
    with pytest.raises(NoAnswer, match="broke off"):
        fetch(f"{site.url}/")


def test_it_reads_no_further_than_the_length_says(site):
    site.answers["/"] = sends(b"a film, and more", length=6)
    assert fetch(f"{site.url}/") == (200, b"a film")


@pytest.mark.parametrize("length", ["1001", "9" * 400, "-1", "5, 6", "0x10"])
def test_it_refuses_a_length_over_the_limit_or_in_no_number(site, length):
    site.answers["/"] = lambda out: out.write(
        f"HTTP/1.1 200 Told\r\nContent-Length: {length}\r\n\r\n".encode() + b"x" * 2000
    )
    with pytest.raises(OutgoingFailed):
        fetch(f"{site.url}/")


def test_it_unpacks_nothing(site):
    bomb = gzip.compress(b"\0" * 50_000)
    site.answers["/"] = sends(bomb, "Content-Encoding: gzip")
    with pytest.raises(OutgoingFailed, match="compressed"):
        fetch(f"{site.url}/")
    assert site.received[0].headers["accept-encoding"] == "identity"


def test_it_reads_the_beginning_of_an_answer_and_leaves_the_rest(site):
    site.answers["/"] = never_ends(site, b"no " * 50)
    with open_address(f"{site.url}/", limits=LIMITS) as answer:
        assert answer.beginning() == (b"no " * 50 * 7)[:1000]


def test_what_is_no_web_server_is_an_error(site):
    site.answers["/"] = lambda out: out.write(b"220 mail.example ESMTP\r\n")
    with pytest.raises(NoAnswer, match="web server"):
        fetch(f"{site.url}/")


def test_a_closed_port_is_an_error():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(NoAnswer, match="can't be reached"):
            fetch(f"http://127.0.0.1:{unused.getsockname()[1]}/")


def test_no_proxy_of_the_environment_connects_in_our_place(site, monkeypatch):
    with serving() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        site.answers["/"] = sends(b"ok")
        assert fetch(f"{site.url}/") == (200, b"ok")
        assert proxy.received == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    pair = str(folder / "certificate.pem"), str(folder / "key.pem")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=a.example"),
            *("-addext", "subjectAltName=DNS:a.example", "-out", pair[0], "-keyout", pair[1]),
        ],
        check=True,
        capture_output=True,
    )
    return pair


def test_https_is_for_the_name_and_not_for_the_address_it_connects_to(
    certificate, settings, monkeypatch
):
    settings.VERICAP_OUTGOING_ALLOWED = names("a.example", "b.example")
    tls = httpcore2.default_ssl_context()
    tls.load_verify_locations(certificate[0])
    monkeypatch.setattr(requests, "_tls", lambda: tls)
    with serving(certificate) as site:
        site.answers["/"] = sends(b"ok")
        there = lambda *_: ["127.0.0.1"]  # noqa: E731
        assert fetch(f"https://a.example:{site.port}/", resolve=there) == (200, b"ok")
        with pytest.raises(NoAnswer, match="certificate"):
            fetch(f"https://b.example:{site.port}/", resolve=there)


def test_an_unknown_certificate_is_refused(certificate, settings):
    settings.VERICAP_OUTGOING_ALLOWED = names("a.example")
    with serving(certificate) as site, pytest.raises(NoAnswer, match="certificate"):
        fetch(f"https://a.example:{site.port}/", resolve=lambda *_: ["127.0.0.1"])
