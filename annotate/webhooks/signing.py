"""Sign messages as Standard Webhooks does: HMAC-SHA256 over `id.timestamp.body`. Pure.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import hashlib
import hmac

PREFIX = "whsec_"


def secret_of(site_key: str, seed: str) -> str:
    """Return the secret that belongs to a seed: 32 bytes in Base64 after the prefix."""
    key = hashlib.sha256(b"vericap.webhooks" + site_key.encode()).digest()
    return PREFIX + base64.b64encode(hmac.digest(key, seed.encode(), "sha256")).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def signed_headers(secret: str, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(secret, message_id, timestamp, body),
    }
