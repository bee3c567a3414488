"""A visitor of the deployed site: cookies, forms and JSON over HTTPS; follows no redirect."""

from __future__ import annotations

import http.client
import json
import re
import ssl
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode, urlsplit


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.content = response.read()

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self) -> dict:
        return json.loads(self.content)


class Visitor:
    def __init__(self, host: str, port: int, certificate: Path) -> None:
        self.host, self.port, self.certificate = host, port, certificate
        self._tls = ssl.create_default_context(cafile=certificate)
        self._tls.check_hostname = False  # the certificate names the host, and this is 127.0.0.1
        self._cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=self._tls, timeout=60
        )
        sent_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        sent_headers |= {"Host": self.host, "Referer": f"https://{self.host}/", "Cookie": cookies}
        if "csrftoken" in self._cookies:
            sent_headers["X-CSRFToken"] = self._cookies["csrftoken"]
        try:
            connection.request(method, path, body, sent_headers)
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(line).items():
                self._cookies[name] = morsel.value
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def send_form(self, path: str, **fields: str) -> Answer:
        """Open the page of the form, as a browser would, and send it."""
        page = self.get(path).text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page).group(1)
        body = urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        return self.ask("POST", path, body, Content_Type="application/x-www-form-urlencoded")

    def send_json(self, path: str, data: dict) -> Answer:
        body = json.dumps(data).encode()
        return self.ask("POST", path, body, Content_Type="application/json")


def path_of(address: str) -> str:
    return urlsplit(address).path
