"""One machine, no services: SQLite, the filesystem broker, a local media folder."""

import secrets
from urllib.parse import urlsplit

from config import environment as env
from config.broker import filesystem_options
from config.databases import with_options
from config.private_folder import make_private
from config.settings.base import *  # noqa: F403
from config.settings.base import INSTALLED_APPS

INSTALLED_APPS = ["fixtures", *INSTALLED_APPS]  # the demo, which production leaves out

DATA_DIR = env.folder("VERICAP_DATA_DIR", env.ROOT / "var")
make_private(DATA_DIR)


def _kept_secret() -> str:
    """Return the installation's own key, created at the first start and readable by its owner
    only.
    """
    path = DATA_DIR / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


SECRET_KEY = env.text("SECRET_KEY", "") or _kept_secret()
SECRET_KEY_FALLBACKS = env.listing("SECRET_KEY_FALLBACKS")
# A model server on this machine, such as Ollama or vLLM.
VERICAP_MODEL_HOSTS = env.hosts("VERICAP_MODEL_HOSTS", "localhost,127.0.0.1,::1")
ALLOWED_HOSTS = env.listing("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.listing("CSRF_TRUSTED_ORIGINS")

DATABASES = {
    "default": with_options(
        env.database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'vericap.sqlite3'}")
    )
}
MEDIA_ROOT = DATA_DIR / "media"
STATIC_ROOT = DATA_DIR / "static"
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
# Sign-in limits must be shared by the server's processes, so they are in a shared folder.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "cache",
    }
}

CELERY_BROKER_URL = env.text("BROKER_URL", "filesystem://")
if urlsplit(CELERY_BROKER_URL).scheme == "filesystem":
    CELERY_BROKER_TRANSPORT_OPTIONS = filesystem_options(DATA_DIR / "broker")
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
