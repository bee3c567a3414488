"""deploy/nginx.conf: what nginx answers without Django carries its own security headers."""

import re
from pathlib import Path

import pytest

CONFIG = (Path(__file__).parent.parent / "deploy" / "nginx.conf").read_text()
FILES = {"nosniff": "X-Content-Type-Options", "max-age=31536000": "Strict-Transport-Security"}


def headers_of(location: str) -> dict[str, str]:
    [block] = re.findall(rf"location {location} {{(.*?)\n    }}", CONFIG, re.DOTALL)
    return {
        name: value.strip('"')
        for name, value in re.findall(r"add_header ([\w-]+) (\".*?\"|\S+) always;", block)
    }


@pytest.mark.parametrize("location", ["/static/", "/protected-media/"])
def test_files_are_never_sniffed_and_only_sent_over_https(location):
    headers = headers_of(location)
    assert {value: name for name, value in headers.items() if value in FILES} == FILES


def test_a_media_file_opened_as_a_page_can_run_nothing():
    policy = headers_of("/protected-media/")["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'none'"} <= set(policy)
    assert headers_of("/protected-media/")["Cross-Origin-Resource-Policy"] == "same-origin"
