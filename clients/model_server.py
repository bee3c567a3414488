"""An example of a model server for Vericap: four calls over HTTP, with the standard library alone.

    python model_server.py 8100

Put your model into `describe`, `embed` and `complete`; leave out of `DOES` what it can't do. Then
name the server in Vericap's environment (VERICAP_MODEL_SERVERS=mine=http://127.0.0.1:8100) and add
a model of the kind “Model server (Vericap's protocol)”. model_server.openapi.json has all fields.
"""

from __future__ import annotations

import hashlib
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSION = 64
DOES = ["describe", "embed", "complete"]


def describe(request: dict[str, Any]) -> dict[str, Any]:
    """Return the caption of a clip: JPEG pictures as data URLs, with their seconds in the clip."""
    clip = request["clip"]
    return {"text": f"{len(clip['pictures'])} pictures of a clip of {clip['length']:.1f} seconds."}


def embed(request: dict[str, Any]) -> dict[str, Any]:
    """Return a vector for each text, for each picture, or for the clip."""
    things = request.get("texts") or request.get("pictures") or [json.dumps(request["clip"])]
    return {"vectors": [_hashed(thing) for thing in things]}


def complete(request: dict[str, Any]) -> dict[str, Any]:
    """Return a text for a prompt; `reasoning` is stored apart from it."""
    return {"text": request["prompt"].upper(), "reasoning": "Capitals may be enough."}


def health() -> dict[str, Any]:
    return {"does": DOES, "dimension": DIMENSION}


def _hashed(text: str) -> list[float]:
    return [byte / 255 - 0.5 for byte in hashlib.sha512(text.encode()).digest()[:DIMENSION]]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._send(200, health()) if self.path.endswith("/health") else self._send(404, {})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        call = {"describe": describe, "embed": embed, "complete": complete}.get(
            self.path.rpartition("/")[2]
        )
        if call is None:
            self._send(404, {"error": "No such call."})
        else:
            self._send(200, call(request))

    def _send(self, status: int, reply: dict[str, Any]) -> None:
        content = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
