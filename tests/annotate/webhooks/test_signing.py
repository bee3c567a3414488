"""Signatures as in Standard Webhooks."""

from __future__ import annotations

from annotate.webhooks.signing import PREFIX, secret_of, signature, signed_headers

# The example that the libraries of Standard Webhooks are tested with.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MESSAGE, AT, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_it_signs_as_the_libraries_of_standard_webhooks_do():
    assert signature(SECRET, MESSAGE, AT, BODY) == SIGNED


def test_the_headers_name_the_message_its_time_and_its_signature():
    assert signed_headers(SECRET, MESSAGE, AT, BODY) == {
        "webhook-id": MESSAGE,
        "webhook-timestamp": str(AT),
        "webhook-signature": SIGNED,
    }


def test_a_secret_depends_on_the_seed_and_on_the_key_of_the_site():
    secrets = {secret_of(key, seed) for key in ("a", "b") for seed in ("c", "d")}
    assert len(secrets) == 4
    assert {len(secret.removeprefix(PREFIX)) for secret in secrets} == {44}
    assert secret_of("a", "c") == secret_of("a", "c")
