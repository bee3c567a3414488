"""PostgreSQL, Redis and nginx. Refuses to start when something would be open or guessable."""

from django.core.exceptions import ImproperlyConfigured

from config import environment as env
from config.databases import with_options
from config.mail import mail_settings
from config.settings.base import *  # noqa: F403

if env.switch("DEBUG", default=False):
    raise ImproperlyConfigured("DEBUG is on. Unset DEBUG: production never shows tracebacks.")

SECRET_KEY = env.text("SECRET_KEY")
if len(SECRET_KEY) < 50:
    raise ImproperlyConfigured(
        "SECRET_KEY is shorter than 50 characters. Make one with: "
        "python -c 'import secrets; print(secrets.token_urlsafe(50))'"
    )
# Former keys: what was signed or encrypted by them is still read.
SECRET_KEY_FALLBACKS = env.listing("SECRET_KEY_FALLBACKS")

ALLOWED_HOSTS = env.listing("ALLOWED_HOSTS")
if not ALLOWED_HOSTS or any(host.strip(".") in {"*", ""} for host in ALLOWED_HOSTS):
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS must name the hosts that people use, such as vericap.example.org."
    )
CSRF_TRUSTED_ORIGINS = env.listing(
    "CSRF_TRUSTED_ORIGINS", ",".join(f"https://{host}" for host in ALLOWED_HOSTS)
)

DATABASES = {"default": with_options(env.database("DATABASE_URL"))}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    raise ImproperlyConfigured("DATABASE_URL names SQLite. Production runs on PostgreSQL.")

REDIS_URL = env.text("REDIS_URL")
CELERY_BROKER_URL = REDIS_URL
# A message to a worker is sent within a request, which must end although Redis doesn't respond.
# A lost message costs time alone: `requeue_jobs` sends it again.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 2}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0}
CACHES = {"default": {"BACKEND": "config.cache.RedisOrMemory", "LOCATION": REDIS_URL}}

MEDIA_ROOT = env.folder("MEDIA_ROOT", env.ROOT / "var" / "media")
STATIC_ROOT = env.folder("STATIC_ROOT", env.ROOT / "var" / "static")
VERICAP_ACCEL_PREFIX = env.text("VERICAP_ACCEL_PREFIX", "/protected-media/")

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = env.switch("SECURE_SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.whole_number("SECURE_HSTS_SECONDS", 31_536_000, least=0)
# No HSTS for subdomains or preload lists: they would bind hosts that this site doesn't control.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Behind nginx, the visitor's address is the last that nginx appended.
ALLAUTH_TRUSTED_PROXY_COUNT = env.whole_number("TRUSTED_PROXY_COUNT", 1, least=0)

_mail = mail_settings()
EMAIL_HOST, EMAIL_PORT = _mail["host"], _mail["port"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["user"], _mail["password"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail["use_tls"], _mail["use_ssl"]
EMAIL_TIMEOUT = 15  # a person waits for the answer
VERICAP_SENDS_MAIL = bool(EMAIL_HOST)
VERICAP_SITE = env.site("VERICAP_SITE", f"https://{ALLOWED_HOSTS[0].lstrip('.')}")
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"vericap@{ALLOWED_HOSTS[0].lstrip('.')}")
