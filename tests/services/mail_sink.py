"""A mail server on this machine that keeps what it gets and delivers nothing."""

from __future__ import annotations

import base64
import socketserver
import threading
from email import message_from_bytes
from email.message import Message

USER, PASSWORD = "vericap", "p$ssword & more"


class _Conversation(socketserver.StreamRequestHandler):
    server: MailSink

    def handle(self) -> None:
        self._say("220 sink")
        is_signed_in = False
        while line := self.rfile.readline().strip():
            verb, _, rest = line.decode().partition(" ")
            match verb.upper():
                case "EHLO":
                    self._say("250-sink\r\n250 AUTH PLAIN")
                case "AUTH":
                    answer = base64.b64decode(rest.split()[1]).decode().split("\0")
                    is_signed_in = answer[1:] == [USER, PASSWORD]
                    self._say("235 welcome" if is_signed_in else "535 wrong login")
                case "MAIL" | "RCPT":
                    self._say("250 fine" if is_signed_in else "530 sign in first")
                case "DATA":
                    self._say("354 go ahead")
                    self.server.messages.append(message_from_bytes(self._body()))
                    self._say("250 kept")
                case "QUIT":
                    self._say("221 bye")
                    return
                case _:
                    self._say("250 fine")

    def _body(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) not in {b".\r\n", b""}:
            lines.append(line.removeprefix(b"."))
        return b"".join(lines)

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class MailSink(socketserver.ThreadingTCPServer):
    """Listens on a free port of this machine while its `with` block runs."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.messages: list[Message] = []

    @property
    def port(self) -> int:
        return self.server_address[1]

    def __enter__(self) -> MailSink:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.shutdown()
        self.server_close()
