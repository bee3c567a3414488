"""How mail is sent, from the environment. Without EMAIL_HOST the site sends none and says so."""

from __future__ import annotations

from typing import TypedDict

from django.core.exceptions import ImproperlyConfigured

from config import environment as env

HERE = {"localhost", "127.0.0.1", "::1"}


class Mail(TypedDict):
    host: str
    port: int
    user: str
    password: str
    use_tls: bool
    use_ssl: bool


def mail_settings() -> Mail:
    """Return how to reach the mail server. Raises ImproperlyConfigured on what can't work."""
    host = env.text("EMAIL_HOST", "")
    use_tls = env.switch("EMAIL_USE_TLS", default=False)
    use_ssl = env.switch("EMAIL_USE_SSL", default=False)
    user = env.text("EMAIL_HOST_USER", "")
    password = env.secret("EMAIL_HOST_PASSWORD").reveal()
    if use_tls and use_ssl:
        raise ImproperlyConfigured(
            "EMAIL_USE_TLS and EMAIL_USE_SSL are both on. Port 587 needs EMAIL_USE_TLS=1, "
            "port 465 EMAIL_USE_SSL=1."
        )
    if bool(user) != bool(password):
        raise ImproperlyConfigured(
            "EMAIL_HOST_USER and EMAIL_HOST_PASSWORD belong together. Set both or neither."
        )
    if password and host not in HERE and not (use_tls or use_ssl):
        raise ImproperlyConfigured(
            f"The password for {host or 'the mail server'} would be sent unencrypted. "
            "Set EMAIL_USE_TLS=1 (port 587) or EMAIL_USE_SSL=1 (port 465)."
        )
    port = env.whole_number("EMAIL_PORT", 465 if use_ssl else 587 if use_tls else 25)
    return Mail(
        host=host, port=port, user=user, password=password, use_tls=use_tls, use_ssl=use_ssl
    )
