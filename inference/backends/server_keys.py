"""The keys of registered model servers: in the database only encrypted, by SECRET_KEY."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes

from inference.backends.protocols import BackendError


def encrypt(key: str) -> str:
    return _fernet().encrypt(key.encode()).decode() if key else ""


def decrypt(encrypted: str, server: str) -> str:
    """Return the key. Raises BackendError if it was encrypted by another SECRET_KEY."""
    with _explained(server):
        return _fernet().decrypt(encrypted).decode() if encrypted else ""


def rotate(encrypted: str, server: str) -> str:
    """Return the same key, encrypted by the current SECRET_KEY. Raises BackendError."""
    with _explained(server):
        return _fernet().rotate(encrypted).decode()


@contextmanager
def _explained(server: str) -> Iterator[None]:
    try:
        yield
    except InvalidToken as error:
        raise BackendError(
            "key_unreadable",
            f"The key of {server} can't be read: it was stored under another SECRET_KEY. Put that "
            "one into SECRET_KEY_FALLBACKS, or enter the key of the server again.",
        ) from error


def _fernet() -> MultiFernet:
    """Encrypt by the current SECRET_KEY; decrypt by that or a former one."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_derived(secret)) for secret in secrets])


def _derived(secret: str | bytes) -> bytes:
    derivation = HKDF(SHA256(), length=32, salt=None, info=b"vericap: keys of model servers")
    return base64.urlsafe_b64encode(derivation.derive(force_bytes(secret)))
